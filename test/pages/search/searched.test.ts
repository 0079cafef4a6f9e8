import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeEmptyDatabase, type EmptyDatabase } from '../../harness/database/empty_database.ts'

/** Functions that search as the schema's owner, with their parameter types, the index they use and the table. */
const SEARCHES = [
  {
    name: 'jobs_titled',
    table: 'job_titles',
    index: 'job_titles_grams',
    takes: { sought: 'text', most: 'integer' },
    given: `'boiler', 10`,
  },
  {
    name: 'search_matching',
    table: 'search_entries',
    index: 'search_entries_keys',
    takes: { of_kind: 'text', asked: 'text[]', sought: 'text[]', most: 'integer' },
    given: `'job', array[' boiler'], array[' boiler', ' n'], 10`,
  },
  {
    name: 'customers_having',
    table: 'search_entries',
    index: 'search_entries_keys',
    takes: { kinds: 'text[]', sought: 'text[]', most: 'integer' },
    given: `array['customer', 'contact'], array['ann', 'b'], 10`,
  },
  {
    name: 'customers_by_email',
    table: 'contacts',
    index: 'contacts_email_grams',
    takes: { sought: 'text', most: 'integer' },
    given: `'ann@', 10`,
  },
  {
    name: 'notes_matching',
    table: 'notes',
    index: 'notes_words',
    takes: { sought: 'tsquery', most: 'integer' },
    given: `'boiler', 10`,
  },
] as const

let database: EmptyDatabase
let client: Client
before(async () => {
  database = await makeEmptyDatabase({ ordinary: true })
  await migrate(database.owner)
  client = new Client(database.owner)
  await client.connect()
  const tenant = newId()
  await client.query(`set enable_seqscan = off; set plan_cache_mode = force_generic_plan; select set_config('app.tenant_id', '${tenant}', false);
    insert into tenants (id, name, timezone, currency, country) values ('${tenant}', 'Test company', 'UTC', 'USD', 'US');
    insert into notes (tenant_id, id, body, words) select '${tenant}', gen_random_uuid(), 'word', to_tsvector('simple', 'word' || n) from generate_series(1, 3000) n;
    insert into customers (tenant_id, id, customer_type, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields)
      values ('${tenant}', '${tenant}', 'company', 'Acme', 'acme', 'acme', 'active', false, false, '{}');
    insert into contacts (tenant_id, id, customer_id, name_folded, email, is_primary, sms_opt_out, email_opt_out)
      select '${tenant}', gen_random_uuid(), '${tenant}', '', 'ann' || n || '@example.com', false, false, false from generate_series(1, 3000) n;
    analyze notes, contacts`)
})
after(async () => {
  await client.end()
  await database.drop()
})

/** Returns the query plan of a function's body, as its owner. */
async function planOf({ name, takes, given }: (typeof SEARCHES)[number]): Promise<string> {
  const {
    rows: [found],
  } = await client.query<{ prosrc: string }>('select prosrc from pg_proc where proname = $1', [name])
  const body = Object.keys(takes).reduce(
    (text, parameter, i) => text.replaceAll(new RegExp(`\\b${parameter}\\b`, 'g'), `$${i + 1}`),
    found!.prosrc,
  )
  await client.query(`prepare ${name} (${Object.values(takes).join(', ')}) as ${body}`)
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute ${name} (${given})`)
  await client.query(`deallocate ${name}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe('search functions owned by an ordinary role', () => {
  for (const search of SEARCHES) {
    it(`${search.name} uses ${search.index} because of the policy for its owner`, async () => {
      assert.match(await planOf(search), new RegExp(`Index Scan on ${search.index}\\b`))
      await client.query(`begin; drop policy searched on ${search.table}`)
      assert.doesNotMatch(await planOf(search), new RegExp(search.index))
      await client.query('rollback')
    })
  }
})
