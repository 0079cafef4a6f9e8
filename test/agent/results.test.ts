import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { tokensOf } from './agent.ts'
import { ROOM, readCosts, type Cost } from './recorded.ts'
import { MANY, stock } from './tasks/stock.ts'

/** Lists whose rows and records agents read. */
const LISTS = [
  'customers_search',
  'contacts_list',
  'locations_list',
  'tags_list',
  'notes_list',
  'jobs_list',
  'job_series_list',
  'invoices_list',
  'quotes_list',
  'catalog_items_list',
  'catalog_categories_list',
  'plans_list',
  'tax_rates_list',
]
/** Ids without a name or address beside them, by list, from docs/spec/records.md#list-rows. */
const BARE: Readonly<Record<string, readonly string[]>> = {
  contacts_list: ['customer_id', 'created_by', 'updated_by'],
  locations_list: ['customer_id', 'tax_rate_id'],
  notes_list: ['subject_id'],
  jobs_list: ['series_id'],
  catalog_items_list: ['category_id'],
  catalog_categories_list: ['parent_id'],
}
const PAGE = 10_000

let service: TestService
let company: Company
let customer: Result
let written: ReadonlyMap<string, Cost>
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = await stock(company)
  written = await readCosts('### A page of a list')
})
after(() => service.stop())

const isOfCustomer = (list: string): boolean => list === 'contacts_list' || list === 'locations_list'

async function page(list: string, given: object): Promise<{ rows: Result[]; tokens: number }> {
  const { text } = await company.owner.send(list, {
    ...(isOfCustomer(list) ? { customer_id: customer['id'] } : {}),
    ...given,
  })
  return { rows: JSON.parse(text).rows, tokens: tokensOf(text) }
}

describe('a page of a list', () => {
  for (const list of LISTS) {
    it(`of ${list} stays under 10,000 tokens by default and within its recorded cost when full`, async (t) => {
      const [usual, full] = [await page(list, {}), await page(list, { limit: MANY })]
      t.diagnostic(
        `${list}: ${usual.tokens} tokens for ${usual.rows.length} rows, ${full.tokens} for ${full.rows.length}`,
      )
      assert.deepEqual([usual.rows.length, full.rows.length], [25, MANY])
      assert.ok(usual.tokens < PAGE, `${usual.tokens}`)
      const most = written.get(list)
      assert.ok(
        most !== undefined && full.tokens <= most.tokens * ROOM,
        `${full.tokens} tokens, ${most?.tokens} are written down`,
      )
    })

    it(`of ${list} has no nulls, and a name or address beside each id but the documented ones`, async () => {
      const { rows } = await page(list, { limit: MANY })
      for (const row of rows) assert.ok(!Object.values(row).includes(null), JSON.stringify(row))
      const bare = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isBare(key, row))))
      assert.deepEqual([...bare].sort(), [...(BARE[list] ?? [])].sort())
    })
  }

  it('has a recorded cost for every list', () => assert.deepEqual([...written.keys()], LISTS))
})

/** Checks whether a field is an id of another record, without a name or address that explains it. */
const isBare = (key: string, row: Result): boolean => {
  if (key.endsWith('_by')) return true
  return (
    key.endsWith('_id') &&
    ![key.replace(/_id$/, '_name'), key.replace(/_id$/, '_address')].some((name) => row[name] !== undefined)
  )
}

describe('a record', () => {
  const NAMED: Readonly<Record<string, readonly string[]>> = {
    notes: ['author_name'],
    jobs: ['customer_name', 'location_address'],
    job_series: ['customer_name', 'location_address'],
    invoices: ['customer_name', 'location_address'],
    quotes: ['customer_name', 'location_address', 'owner_name'],
    plans: ['customer_name', 'location_address'],
  }

  for (const list of LISTS) {
    it(`of ${list} costs under 1,250 tokens and names the people and places it refers to`, async () => {
      const {
        rows: [row],
      } = await page(list, { limit: 1 })
      const entity = list.replace(/_(list|search)$/, '')
      const { text } = await company.owner.send(`${entity}_get`, { id: row!['id'] })
      const record: Result = JSON.parse(text)
      assert.ok(tokensOf(text) < 1_250, `${tokensOf(text)} tokens`)
      for (const name of NAMED[entity] ?? []) assert.ok(record[name], name)
      for (const { name, user_id } of record['assignments'] ?? []) assert.ok(name && user_id)
    })
  }
})
