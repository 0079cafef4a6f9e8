import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
})
beforeEach(async () => {
  company = await makeCompany(service)
})
after(() => service.stop())

const NOBODY = '00000000-0000-7000-8000-000000000000'
const COST = { cost_cents: 4000, supplier_name: 'Acme', supplier_sku: 'A-1', supplier_url: 'https://acme.example/a-1' }

const make = (given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'service', name: 'Tune-up', unit_price_cents: 12_999, ...given })
const bundle = (components: object[], given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'bundle', name: 'Kit', components, ...given })
const get = (id: string): Promise<Result> => company.call('catalog_items_get', { id })
const change = (id: string, given: object): Promise<Result> => company.call('catalog_items_update', { id, ...given })
const names = async (given: object = {}): Promise<string[]> =>
  (await company.call('catalog_items_list', { limit: 100, ...given })).rows.map((row: Result) => row.name)
const parts = (item: Result): unknown[] =>
  item.components.map((part: Result) => [part.catalog_item_id, part.quantity, part.position])

describe('catalog items', () => {
  it('have the defaults of their kind and no fields of other kinds when created', async () => {
    const service = await make({ duration_minutes: 60 })
    assert.deepEqual(
      [
        service.unit,
        service.taxable,
        service.tax_rate_id,
        service.category_id,
        service.fields,
        service.duration_minutes,
        service.created_by,
        service.archived_at,
      ],
      ['each', true, null, null, {}, 60, company.owner.id, null],
    )
    for (const field of ['url', 'barcode', 'pricing', 'components', 'discount_type'])
      assert.equal(field in service, false, field)
    const labor = await make({ kind: 'labor', name: 'Hour', unit_price_cents: 0 })
    assert.deepEqual([labor.unit, 'duration_minutes' in labor], ['hour', false])
    const product = await make({ kind: 'product', name: 'Filter', manufacturer: 'F', model: 'M', barcode: '012' })
    assert.deepEqual([product.manufacturer, product.model, product.barcode], ['F', 'M', '012'])
    await make({ kind: 'fee', name: 'Trip' })
    const off = await company.call('catalog_items_create', {
      kind: 'discount',
      name: 'Spring',
      discount_type: 'percent',
      discount_value: 12.5,
    })
    assert.deepEqual(
      [off.discount_type, off.discount_value, off.taxable, 'unit_price_cents' in off, 'cost_cents' in off],
      ['percent', 12.5, false, false, false],
    )
    const fixed = await company.call('catalog_items_create', {
      kind: 'discount',
      name: 'Off',
      discount_type: 'amount',
      discount_value: 500,
    })
    assert.deepEqual([fixed.discount_type, fixed.discount_value], ['amount', 500])
    assert.deepEqual(await get(service.id), service)
  })

  it('price a bundle by its components, each rounded as a line, or at a fixed price', async () => {
    const [a, b] = [
      await make({ cost_cents: 4000 }),
      await make({ kind: 'product', name: 'Filter', unit_price_cents: 333, cost_cents: 101 }),
    ]
    const kit = await bundle([
      { catalog_item_id: b.id, quantity: 1.5, position: 9 },
      { catalog_item_id: a.id, quantity: '2' },
    ])
    assert.deepEqual([kit.pricing, kit.unit_price_cents, kit.cost_cents], ['sum', 25_998 + 500, 8000 + 152])
    assert.deepEqual(parts(kit), [
      [a.id, 2, 0],
      [b.id, 1.5, 1],
    ])
    assert.deepEqual(kit.components[1], {
      catalog_item_id: b.id,
      quantity: 1.5,
      position: 1,
      name: 'Filter',
      kind: 'product',
      unit: 'each',
      unit_price_cents: 333,
      cost_cents: 101,
    })
    await change(b.id, { unit_price_cents: 1000 })
    assert.equal((await get(kit.id)).unit_price_cents, 25_998 + 1500)
    const fixed = await change(kit.id, { pricing: 'fixed', unit_price_cents: 19_900 })
    assert.deepEqual([fixed.pricing, fixed.unit_price_cents, fixed.components.length], ['fixed', 19_900, 2])
    assert.equal((await change(kit.id, { pricing: 'sum' })).unit_price_cents, 27_498)
    await change(b.id, { cost_cents: null })
    assert.equal((await get(kit.id)).cost_cents, null)
  })

  it('replace all components of a bundle on update, and keep them if omitted', async () => {
    const [a, b] = [await make(), await make({ name: 'Other' })]
    const kit = await bundle([{ catalog_item_id: a.id }, { catalog_item_id: b.id }])
    assert.deepEqual(parts(await change(kit.id, { name: 'Kit 2' })), [
      [a.id, 1, 0],
      [b.id, 1, 1],
    ])
    assert.deepEqual(parts(await change(kit.id, { components: [{ catalog_item_id: b.id, quantity: 0.001 }] })), [
      [b.id, 0.001, 0],
    ])
    assert.match(
      await company.refusal('catalog_items_update', {
        id: kit.id,
        components: [{ catalog_item_id: a.id }, { catalog_item_id: NOBODY }],
      }),
      /components\[1\]/,
    )
    assert.deepEqual(parts(await get(kit.id)), [[b.id, 0.001, 0]])
  })

  it('change only the given fields on update, clear null ones, and reset a cleared unit to its default', async () => {
    const item = await make({
      kind: 'labor',
      unit: 'day',
      description: 'Line\nline',
      sku: 'L-1',
      image_url: 'https://x.example/a.png',
      fields: { color: 'red' },
    })
    const after = await change(item.id, { description: null, unit: null, image_url: '', kind: 'labor' })
    assert.deepEqual(
      [after.description, after.unit, after.image_url, after.sku, after.fields],
      [null, 'hour', null, 'L-1', { color: 'red' }],
    )
    assert.deepEqual((await change(item.id, { fields: { size: 3 } })).fields, { size: 3 })
    const category = await company.call('catalog_categories_create', { name: 'C' })
    assert.equal((await change(item.id, { category_id: category.id.toUpperCase() })).category_id, category.id)
    assert.equal((await change(item.id, { category_id: '' })).category_id, null)
    const off = await company.call('catalog_items_create', {
      kind: 'discount',
      name: 'Off',
      discount_type: 'percent',
      discount_value: 10,
    })
    assert.deepEqual((await change(off.id, { discount_type: 'amount', discount_value: 2500 })).discount_value, 2500)
  })

  it('are listed by name with compact rows', async () => {
    const zed = await make({ name: 'zed', sku: 'Z1', cost_cents: 5 })
    const off = await company.call('catalog_items_create', {
      kind: 'discount',
      name: 'Álvaro',
      discount_type: 'amount',
      discount_value: 300,
    })
    await bundle([{ catalog_item_id: zed.id, quantity: 2 }], { name: 'Mid' })
    const { rows, page, limit, hasMore, total } = await company.call('catalog_items_list', { include_total: true })
    assert.deepEqual(
      rows.map((row: Result) => row.name),
      ['Álvaro', 'Mid', 'zed'],
    )
    assert.deepEqual([page, limit, hasMore, total], [1, 25, false, 3])
    assert.deepEqual(rows[0], {
      id: off.id,
      kind: 'discount',
      name: 'Álvaro',
      unit: 'each',
      discount_type: 'amount',
      discount_value: 300,
      taxable: false,
    })
    assert.deepEqual(rows[2], {
      id: zed.id,
      kind: 'service',
      name: 'zed',
      sku: 'Z1',
      unit: 'each',
      unit_price_cents: 12_999,
      taxable: true,
      cost_cents: 5,
    })
    assert.deepEqual([rows[1].unit_price_cents, rows[1].cost_cents], [25_998, 10])
  })

  it('can be filtered by kind, words, category with or without descendants, and updated_since', async () => {
    const top = await company.call('catalog_categories_create', { name: 'Top' })
    const below = await company.call('catalog_categories_create', { name: 'Below', parent_id: top.id })
    await make({ name: 'Café filter 50% off', sku: 'FLT_100', category_id: top.id })
    const deep = await make({ kind: 'fee', name: 'Water filter', category_id: below.id })
    await make({ kind: 'product', name: 'Pump', sku: 'PMP-2' })
    assert.deepEqual(await names({ kind: 'fee' }), ['Water filter'])
    assert.deepEqual(await names({ kind: ['fee', 'product'] }), ['Pump', 'Water filter'])
    assert.deepEqual(await names({ category_id: top.id }), ['Café filter 50% off', 'Water filter'])
    assert.deepEqual(await names({ category_id: top.id, include_descendants: false }), ['Café filter 50% off'])
    assert.deepEqual(await names({ query: 'CAFE' }), ['Café filter 50% off'])
    assert.deepEqual(await names({ query: 'filter water' }), ['Water filter'])
    assert.deepEqual(
      [await names({ query: 'flt_' }), await names({ query: '0%' }), await names({ query: 'pmp-2' })],
      [['Café filter 50% off'], ['Café filter 50% off'], ['Pump']],
    )
    assert.deepEqual([await names({ query: 'F%r' }), await names({ query: 'r_1' })], [[], []])
    const touched = await change(deep.id, { name: 'Water filter 2' })
    assert.deepEqual(await names({ updated_since: touched.updated_at }), ['Water filter 2'])
  })

  it('leave the list and free their SKU when archived, and can be archived once their bundles are', async () => {
    const item = await make({ sku: 'ONE' })
    const kit = await bundle([{ catalog_item_id: item.id }])
    await company.call('catalog_items_archive', { id: kit.id })
    assert.deepEqual(Object.keys(await company.call('catalog_items_archive', { id: item.id })).sort(), [
      'archived_at',
      'id',
    ])
    assert.deepEqual(await names(), [])
    assert.equal((await make({ sku: 'ONE' })).sku, 'ONE')
  })
})

describe('item costs', () => {
  const redacted = Object.keys(COST)

  it('are redacted, and listed in redacted_fields, for everyone except owners', async () => {
    const item = await make(COST)
    const kit = await bundle([{ catalog_item_id: item.id }])
    const bare = await make({ name: 'Bare' })
    for (const other of [await company.member('office'), await company.member('tech'), await company.tenantKey()]) {
      for (const id of [item.id, bare.id]) {
        const seen = await other.call('catalog_items_get', { id })
        assert.deepEqual(seen.redacted_fields, redacted)
        for (const field of redacted) assert.equal(field in seen, false, field)
      }
      const seen = await other.call('catalog_items_get', { id: kit.id })
      assert.deepEqual(
        [seen.redacted_fields, 'cost_cents' in seen, 'cost_cents' in seen.components[0]],
        [['cost_cents'], false, false],
      )
      for (const row of (await other.call('catalog_items_list')).rows)
        assert.deepEqual([row.redacted_fields, 'cost_cents' in row], [['cost_cents'], false])
    }
    const office = await company.member('office')
    const made = await office.call('catalog_items_create', { kind: 'fee', name: 'Trip', unit_price_cents: 1 })
    const changed = await office.call('catalog_items_update', { id: item.id, name: 'Tuned', unit_price_cents: 1 })
    const rebuilt = await office.call('catalog_items_update', {
      id: kit.id,
      components: [{ catalog_item_id: item.id, quantity: 2 }],
    })
    assert.deepEqual(
      [made.redacted_fields, changed.redacted_fields, rebuilt.redacted_fields],
      [redacted, redacted, ['cost_cents']],
    )
    assert.equal(JSON.stringify([made, changed, rebuilt]).includes('"cost_cents":'), false)
    const after = await get(item.id)
    assert.deepEqual([after.cost_cents, after.supplier_name, 'redacted_fields' in after], [4000, 'Acme', false])
  })

  it('are not listed as redacted for a discount, which has none', async () => {
    const { id } = await company.call('catalog_items_create', {
      kind: 'discount',
      name: 'Off',
      discount_type: 'amount',
      discount_value: 1,
    })
    assert.equal('redacted_fields' in (await (await company.member('office')).call('catalog_items_get', { id })), false)
  })

  it("are refused with invalid_input from a member who can't see them, null included", async () => {
    const item = await make(COST)
    const office = await company.member('office')
    for (const [field, value] of Object.entries({ ...COST, cost_cents: null })) {
      const rule = new RegExp(`^invalid_input: ${field}: only an owner can set cost and supplier fields`)
      assert.match(await office.refusal('catalog_items_update', { id: item.id, [field]: value }), rule)
      assert.match(
        await office.refusal('catalog_items_create', { kind: 'fee', name: 'x', unit_price_cents: 1, [field]: value }),
        rule,
      )
    }
    assert.equal((await get(item.id)).cost_cents, 4000)
  })

  it('are kept in the audit when a non-owner changes the item', async () => {
    const item = await make(COST)
    await (await company.member('office')).call('catalog_items_update', { id: item.id, name: 'Tuned' })
    const [made, changed] = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.all<{ changed: Result }>(
        sql`select changed from audit where tenant_id = ${db.tenant} and record_id = ${item.id} order by at, id`,
      ),
    )
    assert.deepEqual([made!.changed['cost_cents'], changed!.changed], [[null, 4000], { name: ['Tune-up', 'Tuned'] }])
  })
})
