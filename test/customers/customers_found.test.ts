import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { sql } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { sortName } from '../../src/records/customers/fields.ts'
import { queryCondition } from '../../src/records/customers/search/matching.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

// Customers who sort first (more than NEAR) or share common words (more than MAX_NAMED, search/matches.ts).
const BEFORE = 3100
const CROWD = 2100
const FIRST = ['Marla', 'Zoë', 'Quentin', 'Ann', 'Øyvind']
const LAST = ['Straßer', "O'Brien", 'Smith-Jones', 'Norden', 'Wells', 'Ånglund']
const HOSTS = ['gmail.test', 'wells-plumbing.test', 'a_b.test']
const TAGS = ['VIP', 'Gate Code', 'norden', 'a_b']
const STATUSES = ['lead', 'active', 'inactive']

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  await crowd(company.tenant)
  const tags: string[] = []
  for (const name of TAGS) tags.push((await company.call('tags_create', { name })).id)
  for (let n = 0; n < 36; n++) await company.call('customers_create', customer(n, tags))
  const { rows } = await company.call('customers_search', { query: 'zz wells', limit: 100 })
  for (const { id } of rows.slice(0, 3)) await company.call('customers_archive', { id })
})
after(() => service.stop())

const pick = <T>(from: readonly T[], n: number): T => from[n % from.length]!

function customer(n: number, tags: string[]): object {
  const first = pick(FIRST, n)
  const last = pick(LAST, n * 7 + Math.floor(n / 5))
  const contacts = Array.from({ length: n % 3 }, (_, i) => ({
    first_name: pick(FIRST, n + i),
    last_name: n === 8 ? 'Long'.repeat(24) : pick(LAST, n * 5 + i),
    email:
      n % 4 === 3 ? null : `${n === 8 ? 'e'.repeat(200) : `${'marla.zoe.ann'.slice(n % 9)}${n}`}@${pick(HOSTS, n + i)}`,
    phone: n % 5 === 4 ? null : `(512) ${String(200 + n * 17)}-0${String(143 + n * 19 + i).padStart(3, '0')}`,
  }))
  return {
    ...(n % 4 === 0
      ? { customer_type: 'company', company_name: `Zz ${last} ${'Pipes '.repeat(n === 8 ? 30 : 1)}& ${first}` }
      : { customer_type: 'individual', first_name: `Zz ${first}`, last_name: last }),
    status: pick(STATUSES, n),
    tag_ids: n % 2 === 0 ? [pick(tags, n / 2)] : [],
    contacts,
  }
}

/**
 * Inserts customers who sort first, many with two words too common for the index, and some of both with a third word.
 * One common word starts names, the other is inside them.
 */
async function crowd(tenant: string): Promise<void> {
  const client = new pg.Client(service.owner)
  await client.connect()
  await client.query(`select set_config('app.tenant_id', $1, false)`, [tenant])
  await client.query(
    `insert into customers (tenant_id, id, customer_type, company_name, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields)
    select $1, gen_random_uuid(), 'company', name, name, name, name, 'active', false, false, '{}'
    from (select case when n <= ${BEFORE} then 'aab ' else 'crowd throng ' end || lpad(n::text, 5, 'x') || case when n % 250 = 0 then ' sparse' else '' end as name
      from generate_series(1, ${BEFORE + CROWD}) n) named`,
    [tenant],
  )
  await client.end()
}

/** Returns all live customers that match the search condition, by full scan: exact names first, then by name. */
const lookedThrough = (query: string, status: string | undefined): Promise<string[]> =>
  readTenant(service.database, { tenant: company.tenant }, async (db) => {
    const rows = await db.all<{ id: string }>(sql`select c.id from customers c
      where c.tenant_id = ${db.tenant} and c.archived_at is null and ${queryCondition(query)} and (${status ?? null}::text is null or c.status = ${status ?? null})
      order by c.sort_name = ${sortName(query)} desc, c.sort_name, c.id`)
    return rows.map(({ id }) => id)
  })

/** Returns the ids that a search finds on at most that many pages. */
async function searchCustomers(
  query: string,
  status: string | undefined,
  limit: number,
  most: number,
): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  for (let pages = 0; pages === 0 || (cursor !== null && pages < most); pages++) {
    const page: Result = await company.call('customers_search', { query, status, limit, cursor })
    ids.push(...page.rows.map(({ id }: Result) => id))
    cursor = page.nextCursor
  }
  return ids
}

const part = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length - 1), fc.integer({ min: 1, max: text.length }))
    .map(([from, length]) => text.slice(from, from + length))
const beginning = (text: string): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: text.length }).map((length) => text.slice(0, length))

const term = fc.oneof(
  fc.constantFrom(...FIRST, ...LAST, 'Pipes', 'Long').chain(beginning),
  fc.constantFrom(...FIRST, ...LAST).chain(part),
  fc
    .tuple(fc.constantFrom(...HOSTS), fc.constantFrom('marla.zoe.ann0', 'zoe.ann3', 'a.ann16', 'eeee'))
    .chain(([host, name]) => part(`${name}@${host}`)),
  fc.constantFrom(...TAGS, ...STATUSES, 'a|b', '%', '_', '\\', "'", 'zz.marla', 'long', 'wells.pipes', 'submarine'),
  fc.constantFrom(...FIRST).map((name) => name.toUpperCase()),
)
const queries = fc.oneof(
  fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(' ')),
  fc.nat(35).chain((n) => part(`1512${String(200 + n * 17)}0${String(143 + n * 19).padStart(3, '0')}`)),
  fc.stringMatching(/^[0-9]{4,7}$/),
)

/** Checks for phone queries, whose order differs: an exact phone match comes first. */
const isPhone = (query: string): boolean => /^\d+$/.test(query)

describe('a search among thousands of customers', () => {
  it('returns the same customers as a full scan, page by page', async () => {
    await fc.assert(
      fc.asyncProperty(
        queries.filter((query) => query.trim() !== ''),
        fc.option(fc.constantFrom(...STATUSES), { nil: undefined }),
        fc.constantFrom(2, 25, 100),
        async (query, status, limit) => {
          const found = await searchCustomers(query, status, limit, 3)
          const all = (await lookedThrough(query, status)).slice(0, 3 * limit)
          if (isPhone(query)) for (const ids of [found, all]) ids.sort()
          assert.deepEqual(found, all)
        },
      ),
      { numRuns: 150 },
    )
  })

  for (const word of ['crowd', 'throng', 'sparse'])
    it(`finds ${word} page by page, however many customers match`, async () => {
      for (const [status, limit] of [
        [undefined, 9],
        [undefined, 100],
        ['lead', 100],
      ] as const)
        assert.deepEqual(
          await searchCustomers(word, status, limit, 30),
          (await lookedThrough(word, status)).slice(0, 30 * limit),
        )
    })
})
