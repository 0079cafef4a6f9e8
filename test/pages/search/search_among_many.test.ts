import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { sql } from '../../../src/platform/db/database.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { findCustomers, findJobs } from '../../../src/records/search/find.ts'
import { parseSearch, type SearchTerms } from '../../../src/platform/validation/text/search_terms.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'

// More customers, locations and jobs than a search scans one by one. Numbers occur in all, in old ones only or in one.
const ROWS = 900
const MOST = 60
const FIRST = ['Marla', 'Zoë', 'Quentin', 'Ann', 'Øyvind']
const LAST = ["O'Brien", 'Norden', 'Wells-Smith', 'Ånglund', 'Norwell', 'Peck', 'Stone']
const TITLES = ['Boiler service', 'Leak in unit 204', 'Water heater 40 gal']

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  const client = new pg.Client(service.owner)
  await client.connect()
  await client.query(`select set_config('app.tenant_id', $1, false)`, [company.tenant])
  const elementOf = (all: readonly string[], by: string): string =>
    `(array[${all.map((one) => client.escapeLiteral(one)).join(', ')}])[1 + ${by} % ${all.length}]`
  for (const statement of [
    `create temporary table given as select n, gen_random_uuid() as id, ${elementOf(FIRST, 'n')} || ' ' || ${elementOf(LAST, '(n / 5)')} || ' ' || n as name,
      ${elementOf(TITLES, 'n')} as title, now() - interval '1 hour' * (${ROWS} - n) as at from generate_series(1, ${ROWS}) n`,
    `insert into customers (tenant_id, id, customer_type, company_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields, created_at, updated_at)
      select $1, id, 'company', name, name, lower(name), btrim(search_words(name)), 'active', false, false, '{}', at, at from given`,
    `insert into locations (tenant_id, id, customer_id, type, address_line1, country, formatted_address, is_primary, created_at, updated_at)
      select $1, id, id, 'service', 'x', 'US', n % 50 || ' Cedarmont St, Austin, TX ' || case when n < 300 then 78799 else 78701 end, true, at, at from given`,
    `insert into jobs (tenant_id, id, number, customer_id, title, title_folded, status, priority, duration_minutes, all_day, arrival_window_minutes, timezone, assignee_ids, line_items, subtotal_cents, fields, created_at, updated_at)
      select $1, id, 1000 + n, id, title, lower(title), 'unscheduled', 'normal', 60, false, 0, 'UTC', '{}', '[]', 0, '{}', at, at from given`,
  ])
    await client.query(statement.replaceAll('$1', client.escapeLiteral(company.tenant)))
  await client.end()
})
after(() => service.stop())

/** Returns the customers with entries of these kinds that match every term, found by a full scan. */
const lookedThrough = ({ words, digits }: SearchTerms, kinds: readonly string[]): Promise<string[]> =>
  readTenant(service.database, { tenant: company.tenant }, async (db) => {
    const rows = await db.all<{ id: string }>(sql`select distinct customer_id as id from search_entries e
      where e.tenant_id = ${db.tenant} and e.kind = any(${[...kinds]}::text[])
        and (select bool_and(strpos(e.words, one) > 0) from unnest(case when e.kind = 'contact' then ${digits === undefined ? [...words] : [digits]}::text[] else ${[...words]}::text[] end) one)`)
    return rows.map(({ id }) => id).sort()
  })

const beginning = (text: string, least: number): fc.Arbitrary<string> =>
  fc.integer({ min: least, max: text.length }).map((length) => text.slice(0, length))
const term = fc.oneof(
  fc.constantFrom(...FIRST, ...LAST, 'Boiler', 'heater', 'Cedarmont', 'Austin', 'TX').chain((one) => beginning(one, 2)),
  fc.integer({ min: 10, max: ROWS + 50 }).map(String),
  fc.constantFrom('78799', '78701', '204').chain((one) => beginning(one, 2)),
)
// Single letters match only the newest records.
const queries = fc
  .array(term, { minLength: 1, maxLength: 4 })
  .map((terms) => terms.join(' '))
  .filter((query) => parseSearch(query)!.words.some((word) => word.trim().length > 1))

describe('global search among many records', () => {
  it('returns the same matches as a full scan', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const search = parseSearch(query)!
        const [customers, jobs] = await readTenant(service.database, { tenant: company.tenant }, (db) =>
          Promise.all([findCustomers(db, search, MOST), findJobs(db, { ...search, number: undefined }, MOST)]),
        )
        for (const [found, kinds] of [
          [customers, ['customer', 'contact', 'location']],
          [jobs, ['job']],
        ] as const) {
          const all = await lookedThrough(search, kinds)
          const ids = found.map(({ id }) => id)
          if (all.length < MOST) assert.deepEqual(ids.toSorted(), all)
          else assert.ok(ids.length === MOST && ids.every((id) => all.includes(id)), `${ids.length} of ${all.length}`)
        }
      }),
      { numRuns: 200 },
    )
  })
})
