import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { CONTRACT } from '../harness/clients/contract.ts'
import { ARGUMENTS, makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { EPOCH, listsOf, settle } from './listing.ts'

let service: TestService
let company: Company
let of: Records
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  of = await makeRecords(company, 'Listed')
})
after(() => service.stop())

const { listChanges, made, customerOf } = listsOf(() => company)

const lists = [...toolCatalogOf(entities).tools.values()].filter(
  ({ tool }) => tool.verb === 'list' || tool.verb === 'search',
)
const removeTimestamp = (row: Result): Result => ({ ...row, updated_at: undefined })

describe('include_removed', () => {
  for (const { wire } of lists) {
    it(`requires updated_since and doesn't change the other rows: ${wire}`, async () => {
      const [given] = ARGUMENTS[wire]!(of)
      assert.equal(
        await company.refusal(wire, { ...given, include_removed: true }),
        'invalid_input: include_removed requires updated_since; send both or neither',
      )
      assert.deepEqual(
        await company.call(wire, { ...given, include_removed: false }),
        await company.call(wire, { ...given }),
      )
      await settle()
      const without = (await company.call(wire, { ...given, updated_since: EPOCH })).rows
      const rows = (await listChanges(wire, { ...given })).filter(({ removed }) => removed === undefined)
      assert.ok(rows.length > 0)
      assert.deepEqual(
        rows.map(({ updated_at }) => typeof updated_at),
        rows.map(() => 'string'),
      )
      assert.deepEqual(rows.map(removeTimestamp), without.map(removeTimestamp))
      assert.ok(rows.every(({ updated_at }, i) => i === 0 || updated_at >= rows[i - 1]!['updated_at']))
    })
  }
})

/** Lists with a function that creates a record and the tool that removes it from the list. */
const leaving: [list: string, make: () => Promise<{ id: string; given?: object }>, by: string][] = [
  ['customers_search', async () => ({ id: (await customerOf())['id'] }), 'customers_archive'],
  [
    'contacts_list',
    async () => {
      const { id, contacts } = await customerOf()
      return { id: contacts[1].id, given: { customer_id: id } }
    },
    'contacts_archive',
  ],
  [
    'locations_list',
    async () => {
      const { id, locations } = await customerOf()
      return { id: locations[1].id, given: { customer_id: id, type: 'service' } }
    },
    'locations_archive',
  ],
  [
    'tags_list',
    async () => ({ id: await made('tags_create', { name: 'Gone' }), given: { query: 'go' } }),
    'tags_delete',
  ],
  [
    'notes_list',
    async () => ({ id: await made('notes_create', { body: 'A gate code' }), given: { query: 'gate' } }),
    'notes_archive',
  ],
  ['notes_list', async () => ({ id: await made('notes_create', { body: 'Another' }) }), 'notes_archive'],
  [
    'invoices_list',
    async () => ({ id: await made('invoices_create', { customer_id: (await customerOf())['id'] }) }),
    'invoices_void',
  ],
  [
    'invoices_list',
    async () => ({
      id: await made('invoices_create', { customer_id: (await customerOf())['id'] }),
      given: { status: ['draft', 'sent'] },
    }),
    'invoices_void',
  ],
  [
    'quotes_list',
    async () => ({ id: await made('quotes_create', { customer_id: (await customerOf())['id'], title: 'Gone' }) }),
    'quotes_archive',
  ],
  [
    'quotes_list',
    async () => ({
      id: await made('quotes_create', { customer_id: (await customerOf())['id'], title: 'Gone' }),
      given: { status: 'draft' },
    }),
    'quotes_archive',
  ],
  [
    'catalog_items_list',
    async () => ({
      id: await made('catalog_items_create', { kind: 'fee', name: 'Gone', unit_price_cents: 1 }),
      given: { kind: 'fee', query: 'gon' },
    }),
    'catalog_items_archive',
  ],
  [
    'catalog_categories_list',
    async () => ({ id: await made('catalog_categories_create', { name: 'Gone' }), given: { parent_id: null } }),
    'catalog_categories_delete',
  ],
  [
    'tax_rates_list',
    async () => ({ id: await made('tax_rates_create', { name: 'Gone', rate_percentage: 1 }) }),
    'tax_rates_archive',
  ],
]

/** Entities not listed above, removed as their examples show. */
const others = lists
  .filter(({ entity: { name } }) => !(name in CONTRACT))
  .map(({ wire, entity: { name, tools } }): (typeof leaving)[number] => [
    wire,
    async () => ({
      id: await made(`${name}_create`, ARGUMENTS[`${name}_create`]!(of)[0]!),
      given: ARGUMENTS[wire]!(of)[0]!,
    }),
    `${name}_${tools[4].verb}`,
  ])

describe('a record that leaves a list', () => {
  for (const [list, make, by] of [...leaving, ...others]) {
    it(`is listed as removed, in the order of changes: ${list}, ${by}`, async () => {
      const { id, given = {} } = await make()
      const mine = async (): Promise<Result> => (await listChanges(list, given)).find((row) => row['id'] === id)!
      const earlier = await mine()
      assert.equal(earlier['removed'], undefined)
      const { total } =
        list.includes('search') || list === 'notes_list'
          ? { total: 0 }
          : await company.call(list, { ...given, updated_since: EPOCH, include_removed: true, include_total: true })
      await company.call(by, { id })
      const row = await mine()
      assert.deepEqual(row, { id, removed: true, updated_at: row['updated_at'] })
      assert.ok(row['updated_at'] > earlier['updated_at'])
      assert.equal((await listChanges(list, given)).at(-1)!['id'], id, 'nothing has changed since')
      const since = await listChanges(list, { ...given, updated_since: row['updated_at'] })
      assert.deepEqual(
        since.map((one) => one['id']),
        [id],
      )
      assert.ok(
        !(await company.call(list, { ...given, updated_since: EPOCH, limit: 100 })).rows.some(
          (one: Result) => one['id'] === id,
        ),
      )
      assert.ok(!(await company.call(list, { ...given, limit: 100 })).rows.some((one: Result) => one['id'] === id))
      if (total > 0)
        assert.equal(
          (await company.call(list, { ...given, updated_since: EPOCH, include_removed: true, include_total: true }))
            .total,
          total,
        )
    })
  }
})
