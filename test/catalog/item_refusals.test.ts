import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
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
const make = (given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'fee', name: 'Trip', unit_price_cents: 100, ...given })
const bundle = (components: object[], given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'bundle', name: 'Kit', components, ...given })
const readRefusal = (given: object): Promise<string> => company.refusal('catalog_items_create', { name: 'x', ...given })
const discount = (discount_type: string, discount_value: unknown) => ({
  kind: 'discount',
  discount_type,
  discount_value,
})

describe('catalog items: invalid_input', () => {
  it('is returned for a missing field that the kind requires', async () => {
    for (const kind of ['service', 'product', 'labor', 'fee']) {
      assert.equal(
        await readRefusal({ kind }),
        `invalid_input: unit_price_cents is required for a catalog item of kind ${kind}`,
      )
    }
    assert.equal(await readRefusal({ kind: 'bundle' }), 'invalid_input: components is required for a bundle')
    assert.match(
      await readRefusal({ kind: 'discount', discount_value: 1 }),
      /^invalid_input: discount_type is required/,
    )
    assert.match(
      await readRefusal({ kind: 'discount', discount_type: 'amount' }),
      /^invalid_input: discount_value is required/,
    )
    assert.match(await company.refusal('catalog_items_create', { name: 'x' }), /^invalid_input: kind is required/)
    assert.match(
      await company.refusal('catalog_items_create', { kind: 'fee', unit_price_cents: 1 }),
      /^invalid_input: name is required/,
    )
  })

  it('is returned for a field of another kind, on create and update', async () => {
    const own = {
      service: { duration_minutes: 60 },
      product: { manufacturer: 'M' },
      bundle: { pricing: 'sum' },
      discount: { discount_type: 'amount' },
    }
    for (const kind of ['service', 'product', 'labor', 'fee'] as const) {
      const made = await make({ kind })
      for (const [owner, given] of Object.entries(own).filter(([owner]) => owner !== kind)) {
        const rule = new RegExp(`${Object.keys(given)[0]} is not allowed for a catalog item of kind ${kind}`)
        assert.match(await readRefusal({ kind, unit_price_cents: 1, ...given }), rule, owner)
        assert.match(await company.refusal('catalog_items_update', { id: made.id, ...given }), rule, owner)
      }
    }
    const off = await company.call('catalog_items_create', { name: 'Off', ...discount('amount', 5) })
    const rate = await company.call('tax_rates_create', { rate_percentage: 1 })
    for (const given of [
      { unit_price_cents: 1 },
      { taxable: true },
      { tax_rate_id: rate.id },
      { cost_cents: 1 },
      { duration_minutes: 60 },
    ]) {
      const rule = new RegExp(`${Object.keys(given)[0]} is not allowed for a catalog item of kind discount`)
      assert.match(await readRefusal({ ...discount('amount', 5), ...given }), rule)
      assert.match(await company.refusal('catalog_items_update', { id: off.id, ...given }), rule)
    }
  })

  it('is returned for a change of kind and for clearing a required field', async () => {
    const { id } = await make()
    assert.equal(
      await company.refusal('catalog_items_update', { id, kind: 'labor' }),
      'invalid_input: kind cannot be changed (it is fee, got labor); leave it out',
    )
    assert.match(
      await company.refusal('catalog_items_update', { id, unit_price_cents: null }),
      /unit_price_cents is required/,
    )
    assert.match(await company.refusal('catalog_items_update', { id, name: '' }), /name must not be empty/)
  })

  it('is returned for an out-of-range value, with its field', async () => {
    const cases: [object, RegExp][] = [
      [{ unit_price_cents: -1 }, /unit_price_cents must be at least 0/],
      [{ unit_price_cents: 10_000_000_000 }, /unit_price_cents must be at most 9999999999/],
      [{ unit_price_cents: 1.5 }, /unit_price_cents must be a whole number/],
      [{ cost_cents: -1 }, /cost_cents must be at least 0/],
      [{ name: 'x'.repeat(201) }, /name must be at most 200/],
      [{ sku: 'x'.repeat(65) }, /sku must be at most 64/],
      [{ unit: 'x'.repeat(21) }, /unit must be at most 20/],
      [{ image_url: 'http://x.example/a.png' }, /image_url must be a URL that starts with https/],
      [{ image_url: 'https://' }, /image_url/],
      [{ supplier_url: 'javascript:alert(1)' }, /supplier_url must be a URL/],
      [{ kind: 'service', duration_minutes: 4 }, /duration_minutes must be a whole number from 5 to 20160/],
      [{ fields: { '': 1 } }, /fields/],
      [{ kind: 'gift' }, /kind must be one of/],
      [{ category_id: 'x' }, /category_id must be a UUID/],
    ]
    for (const [given, rule] of cases)
      assert.match(await readRefusal({ kind: 'fee', unit_price_cents: 1, ...given }), rule)
  })

  it('is returned for a discount of zero, above 100 percent, or with too many decimals', async () => {
    const cases: [object, RegExp][] = [
      [discount('percent', 0), /discount_value must be above 0/],
      [discount('percent', 100.0001), /discount_value must be at most 100/],
      [discount('percent', 1.00001), /discount_value must have at most 4 decimals/],
      [discount('amount', 0), /discount_value must be above 0/],
      [discount('amount', 1.5), /discount_value must be a whole number/],
      [discount('amount', -5), /discount_value must be at least 0/],
    ]
    for (const [given, rule] of cases) assert.match(await readRefusal(given), rule)
    const { id } = await company.call('catalog_items_create', { name: 'Off', ...discount('percent', 12.5) })
    assert.match(
      await company.refusal('catalog_items_update', { id, discount_type: 'amount' }),
      /discount_value must be a whole number \(got 12\.5\)/,
    )
    await company.call('catalog_items_create', { name: 'All', ...discount('percent', 100) })
  })

  it('is returned for an unknown category and an unknown or newly set archived tax rate', async () => {
    const rate = await company.call('tax_rates_create', { rate_percentage: 1 })
    const item = await make({ tax_rate_id: rate.id })
    await company.call('tax_rates_archive', { id: rate.id })
    for (const [field, value] of [
      ['category_id', NOBODY],
      ['tax_rate_id', NOBODY],
      ['tax_rate_id', rate.id],
    ] as const) {
      const rule = new RegExp(`^invalid_input: ${field} is not a`)
      assert.match(await readRefusal({ kind: 'fee', unit_price_cents: 1, [field]: value }), rule)
      assert.match(await company.refusal('catalog_items_update', { id: (await make()).id, [field]: value }), rule)
    }
    assert.equal(
      (await company.call('catalog_items_update', { id: item.id, name: 'Kept', tax_rate_id: rate.id })).tax_rate_id,
      rate.id,
    )
  })

  it("is returned for a component that can't be in a bundle, is unavailable, or is listed twice", async () => {
    const item = await make()
    const kit = await bundle([{ catalog_item_id: item.id }])
    const off = await company.call('catalog_items_create', { name: 'Off', ...discount('amount', 5) })
    const gone = await make()
    await company.call('catalog_items_archive', { id: gone.id })
    const elsewhere = await makeCompany(service)
    const theirs = await elsewhere.call('catalog_items_create', { kind: 'fee', name: 'Theirs', unit_price_cents: 1 })
    const cases: [string, RegExp][] = [
      [kit.id, /is of kind bundle/],
      [off.id, /is of kind discount/],
      [gone.id, /is not a live catalog item/],
      [NOBODY, /is not a live catalog item/],
      [theirs.id, /is not a live catalog item/],
      [item.id, /is already in the list/],
    ]
    for (const [id, rule] of cases) {
      const refusal = await readRefusal({
        kind: 'bundle',
        components: [{ catalog_item_id: item.id }, { catalog_item_id: id }],
      })
      assert.match(refusal, new RegExp(`^invalid_input: components\\[1\\]\\.catalog_item_id ${rule.source}`))
    }
    assert.match(
      await company.refusal('catalog_items_update', { id: kit.id, components: [{ catalog_item_id: kit.id }] }),
      /components\[0\]\.catalog_item_id is the bundle itself/,
    )
  })

  it('is returned for an empty or too long component list and an out-of-range quantity', async () => {
    const { id } = await make()
    assert.match(await readRefusal({ kind: 'bundle', components: [] }), /components must have at least 1/)
    assert.match(
      await readRefusal({ kind: 'bundle', components: Array.from({ length: 51 }, () => ({ catalog_item_id: id })) }),
      /components must have at most 50/,
    )
    for (const quantity of [0, -1, 1.0001, 9999.001, 'many']) {
      assert.match(
        await readRefusal({ kind: 'bundle', components: [{ catalog_item_id: id, quantity }] }),
        /components\[0\]\.quantity must/,
      )
    }
  })

  it('is returned for a computed price or cost, a missing fixed price and a too large sum', async () => {
    const item = await make({ unit_price_cents: 9_999_999_999 })
    const components = [{ catalog_item_id: item.id }]
    assert.match(
      await readRefusal({ kind: 'bundle', components, unit_price_cents: 1 }),
      /unit_price_cents is computed when pricing is sum/,
    )
    assert.match(
      await readRefusal({ kind: 'bundle', components, pricing: 'fixed' }),
      /unit_price_cents is required when pricing is fixed/,
    )
    assert.match(await readRefusal({ kind: 'bundle', components, cost_cents: 1 }), /cost_cents of a bundle is computed/)
    assert.match(
      await readRefusal({ kind: 'bundle', components, supplier_name: 'x' }),
      /supplier_name is not allowed for a catalog item of kind bundle/,
    )
    assert.match(
      await readRefusal({ kind: 'bundle', components: [{ ...components[0], quantity: 2 }] }),
      /^invalid_input: components add up to 19999999998 cents/,
    )
    const kit = await bundle(components)
    assert.match(
      await company.refusal('catalog_items_update', { id: kit.id, pricing: 'fixed' }),
      /unit_price_cents is required when pricing is fixed/,
    )
    assert.match(
      await company.refusal('catalog_items_update', { id: kit.id, unit_price_cents: 5 }),
      /unit_price_cents is computed/,
    )
  })

  it('is returned for writes with a tenant key', async () => {
    const key = await company.tenantKey()
    for (const tool of ['create', 'update', 'archive']) {
      assert.match(
        await key.refusal(`catalog_items_${tool}`, {}),
        new RegExp(`^invalid_input: catalog_items\\.${tool} needs a user`),
      )
    }
  })
})
