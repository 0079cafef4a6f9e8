import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { readTenant, type Database, type Db } from '../../src/platform/db/tenant.ts'
import { documentDiscount, lineItems, type LineDraft } from '../../src/records/line_items/inputs.ts'
import { copyLines, unpriceLines } from '../../src/records/line_items/line.ts'
import { priceLines, type PricingInput, type PricedDocument } from '../../src/records/line_items/price.ts'
import { resolveLines } from '../../src/records/line_items/resolve.ts'
import { toClientSchema } from '../../src/tools/declare/advertise.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let standard: Result
let county: Result
let hour: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  standard = await company.call('tax_rates_create', { rate_percentage: 8.25, name: 'Standard', is_default: true })
  county = await company.call('tax_rates_create', { rate_percentage: 4, name: 'County' })
  hour = await sell({
    kind: 'labor',
    name: 'Hour',
    description: 'On site',
    unit_price_cents: 8500,
    tax_rate_id: county.id,
  })
})
after(() => service.stop())

const NOBODY = '00000000-0000-7000-8000-000000000000'
const sell = (given: object): Promise<Result> => company.call('catalog_items_create', given)
const within = <T>(read: (db: Db) => Promise<T>, database: Database = service.database): Promise<T> =>
  readTenant(database, { tenant: company.tenant }, read)
const price = (
  typed: readonly LineDraft[],
  pricing: Partial<PricingInput> = {},
  database?: Database,
): Promise<PricedDocument> =>
  within((db) => priceLines(db, { lines: resolveLines(db, typed), hasTax: true, ...pricing }), database)
const refusal = async (typed: readonly LineDraft[]): Promise<string> =>
  within((db) => resolveLines(db, typed)).then(
    () => assert.fail('was taken'),
    (error: Error) => error.message,
  )
const plain: LineDraft = { name: 'Call', unit_price_cents: 10_000 }

describe('pricing of line items', () => {
  it('applies defaults and returns every field', async () => {
    const {
      line_items: [line],
      ...totals
    } = await price([plain])
    assert.match(line!.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(line, {
      id: line!.id,
      position: 0,
      kind: 'service',
      catalog_item_id: null,
      name: 'Call',
      description: null,
      quantity: 1,
      unit: 'each',
      unit_price_cents: 10_000,
      taxable: true,
      discount_type: null,
      discount_value: null,
      line_total_cents: 10_000,
      discount_share_cents: 0,
      tax_cents: 825,
      rate_decimal: 0.0825,
      tax_name: 'Standard',
    })
    assert.deepEqual(totals, {
      discount: null,
      tax_rate_id: standard.id,
      subtotal_cents: 10_000,
      discount_cents: 0,
      taxable_cents: 10_000,
      tax_cents: 825,
      total_cents: 10_825,
      taxes: [{ tax_rate_id: standard.id, name: 'Standard', rate_decimal: 0.0825, base_cents: 10_000, tax_cents: 825 }],
    })
  })

  it("copies catalog item fields, which the line's own fields override", async () => {
    const {
      line_items: [a, b],
    } = await price([
      { catalog_item_id: hour.id, quantity: 2.5 },
      {
        catalog_item_id: hour.id,
        name: 'Night',
        description: null,
        unit: 'h',
        unit_price_cents: 1,
        taxable: false,
        tax_rate_id: null,
        kind: 'fee',
      },
    ])
    assert.deepEqual(
      [a!.kind, a!.name, a!.description, a!.unit, a!.unit_price_cents, a!.tax_rate_id, a!.tax_name],
      ['labor', 'Hour', 'On site', 'hour', 8500, county.id, 'County'],
    )
    assert.deepEqual(
      [b!.kind, b!.name, b!.description, b!.unit, b!.unit_price_cents, b!.taxable, b!.tax_rate_id, b!.tax_name],
      ['fee', 'Night', null, 'h', 1, false, null, null],
    )
  })

  it("prices bundles as a sum or a fixed price, and uses a discount item's value", async () => {
    const components = [{ catalog_item_id: hour.id, quantity: 1.333 }]
    const sum = await sell({ kind: 'bundle', name: 'Sum', components })
    const fixed = await sell({ kind: 'bundle', name: 'Fixed', components, pricing: 'fixed', unit_price_cents: 9900 })
    const off = await sell({ kind: 'discount', name: 'Spring', discount_type: 'percent', discount_value: 10 })
    const { line_items, discount_cents } = await price([sum, fixed, off].map(({ id }) => ({ catalog_item_id: id })))
    assert.deepEqual(
      line_items.map((line) => line.line_total_cents),
      [11_331, 9900, -2123],
    )
    assert.deepEqual(
      [
        line_items[2]!.quantity,
        line_items[2]!.unit,
        line_items[2]!.discount_type,
        line_items[2]!.discount_value,
        discount_cents,
      ],
      [null, null, 'percent', 10, 2123],
    )
    const own = await price([plain, { catalog_item_id: off.id, discount_type: 'amount', discount_value: 300 }])
    assert.equal(own.discount_cents, 300)
  })

  it('sorts lines by position and renumbers them', async () => {
    const { line_items } = await price([
      { ...plain, name: 'c', position: 9 },
      { ...plain, name: 'a', position: 0 },
      { ...plain, name: 'b', position: 5 },
    ])
    assert.deepEqual(
      line_items.map(({ name, position }) => [name, position]),
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ],
    )
  })

  it("falls back from the line's tax rate to the document's, the location's and the default", async () => {
    const place = { address_line1: '1', tax_rate_id: county.id }
    const customer = await company.call('customers_create', {
      customer_type: 'company',
      company_name: 'C',
      locations: [place, { address_line1: '2' }],
    })
    const [rated, bare] = customer.locations
    const namesAt = async (typed: LineDraft, pricing: Partial<PricingInput>) =>
      (await price([typed], pricing)).line_items[0]!.tax_name
    assert.equal(await namesAt(plain, { location_id: rated.id }), 'County')
    assert.equal(await namesAt(plain, { location_id: bare.id }), 'Standard')
    assert.equal(await namesAt(plain, { location_id: rated.id, tax_rate_id: standard.id }), 'Standard')
    assert.equal(await namesAt(plain, { location_id: rated.id, tax_rate_id: null }), null)
    assert.equal(await namesAt({ ...plain, tax_rate_id: county.id }, { tax_rate_id: null }), 'County')
    assert.equal(await namesAt({ ...plain, tax_rate_id: null }, {}), null)
    assert.equal(await namesAt({ catalog_item_id: hour.id }, { tax_rate_id: standard.id }), 'County')
    const exempt = await price([plain], { tax_exempt: true })
    assert.deepEqual([exempt.tax_cents, exempt.taxable_cents, exempt.taxes.length], [0, 0, 1])
  })

  it('leaves jobs untaxed, and taxes the lines that an invoice copies from them', async () => {
    const job = await price([{ ...plain, tax_rate_id: county.id }, plain], { hasTax: false })
    assert.deepEqual(
      [job.tax_cents, job.total_cents, job.taxes, job.line_items[0]!.tax_rate_id, job.line_items[0]!.tax_name],
      [0, 20_000, [], county.id, null],
    )
    const invoice = await within((db) => priceLines(db, { lines: copyLines(job.line_items), hasTax: true }))
    assert.deepEqual(
      invoice.line_items.map(({ tax_name }) => tax_name),
      ['County', 'Standard'],
    )
    assert.equal(
      invoice.line_items.some(({ id }, i) => id === job.line_items[i]!.id),
      false,
    )
  })

  it('gives stored lines the same prices after their items and rates are archived', async () => {
    const rate = await company.call('tax_rates_create', { rate_percentage: 6.5, name: 'Old' })
    const item = await sell({ kind: 'fee', name: 'Fee', unit_price_cents: 8735, tax_rate_id: rate.id })
    const off: LineDraft = { kind: 'discount', name: 'Off', discount_type: 'percent', discount_value: 15 }
    const before = await price([{ catalog_item_id: item.id, quantity: 3.25 }, { ...plain, taxable: false }, off], {
      discount: { type: 'amount', value: 500 },
    })
    await company.call('catalog_items_archive', { id: item.id })
    await company.call('tax_rates_archive', { id: rate.id })
    const stored: PricedDocument = JSON.parse(JSON.stringify(before))
    assert.deepEqual(
      await within((db) =>
        priceLines(db, { lines: unpriceLines(stored.line_items), discount: stored.discount, hasTax: true }),
      ),
      before,
    )
  })

  it("uses the document's rate if the rate of an item or location is archived", async () => {
    const rate = await company.call('tax_rates_create', { rate_percentage: 2, name: 'Gone' })
    const item = await sell({ kind: 'fee', name: 'Fee', unit_price_cents: 100, tax_rate_id: rate.id })
    await company.call('tax_rates_archive', { id: rate.id })
    const {
      line_items: [line],
    } = await price([{ catalog_item_id: item.id }])
    assert.deepEqual([line!.tax_name, 'tax_rate_id' in line!], ['Standard', false])
    assert.equal((await price([plain], { tax_rate_id: rate.id })).line_items[0]!.tax_name, 'Gone')
  })

  it('makes one database round trip', async () => {
    let trips = 0
    const counted: Database = {
      ...service.database,
      send: (statements) => (trips++, service.database.send(statements)),
    }
    await price([{ catalog_item_id: hour.id }, { ...plain, tax_rate_id: county.id }], { location_id: NOBODY }, counted)
    assert.equal(trips, 1)
  })
})

describe('invalid line items', () => {
  it('name an item or tax rate that is unknown', async () => {
    assert.match(
      await refusal([plain, { catalog_item_id: NOBODY }]),
      /^line_items\[1\]\.catalog_item_id is not a live catalog item/,
    )
    assert.match(
      await refusal([{ ...plain, tax_rate_id: NOBODY }]),
      /^line_items\[0\]\.tax_rate_id is not a live tax rate/,
    )
  })

  it('lack a name or a price and have no catalog item', async () => {
    assert.equal(
      await refusal([{ unit_price_cents: 1 }, { name: 'x' }]),
      'line_items[0].name is required without catalog_item_id; line_items[1].unit_price_cents is required without catalog_item_id',
    )
  })

  it('mix discount and sales fields, or lack a valid discount value', async () => {
    const off: LineDraft = { kind: 'discount', name: 'Off', discount_type: 'percent', discount_value: 10 }
    for (const given of [
      { quantity: 1 },
      { unit: 'each' },
      { unit_price_cents: 1 },
      { taxable: true },
      { tax_rate_id: county.id },
    ]) {
      assert.equal(
        await refusal([{ ...off, ...given }]),
        `line_items[0].${Object.keys(given)[0]} is not allowed on a discount line; leave it out`,
      )
    }
    assert.match(await refusal([{ ...plain, discount_value: 1 }]), /discount_value is only for lines of kind discount/)
    assert.match(await refusal([{ ...off, discount_type: undefined }]), /discount_type is required/)
    assert.match(await refusal([{ ...off, discount_value: null }]), /discount_value is required/)
    assert.match(await refusal([{ ...off, discount_value: 100.5 }]), /discount_value must be at most 100/)
    assert.match(
      await refusal([{ ...off, discount_type: 'amount', discount_value: 0 }]),
      /discount_value must be above 0/,
    )
    assert.match(
      await refusal([{ kind: 'discount', catalog_item_id: hour.id }]),
      /kind can't be discount for a catalog item of kind labor/,
    )
  })

  it('report ten problems and count the rest', async () => {
    assert.match(
      await refusal(Array.from({ length: 13 }, () => ({}))),
      /line_items\[9\]\.name is required without catalog_item_id; and 3 more$/,
    )
  })
})

describe('line item input', () => {
  const input = z.strictObject({ line_items: lineItems(3), discount: documentDiscount() })
  const issues = (given: object): string[] =>
    (input.safeParse(given).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`)

  it('takes quantities as exact numbers or decimal text, without exponents', () => {
    const { line_items } = input.parse({
      line_items: [{ quantity: '999999.999' }, { quantity: '.001' }, { quantity: 2.5 }],
    })
    assert.deepEqual(
      line_items?.map(({ quantity }) => quantity),
      [999_999.999, 0.001, 2.5],
    )
    for (const quantity of [0, -1, 1.0005, '1.00000000000000000001', 1_000_000, '1e-3', '1E3', 'two', true, Number.NaN])
      assert.equal(issues({ line_items: [{ quantity }] }).length, 1, String(quantity))
  })

  it('limits the number of lines and the discount, and rejects negative prices', () => {
    assert.equal(issues({ line_items: [{}, {}, {}, {}] }).length, 1)
    assert.deepEqual(issues({ line_items: [{ unit_price_cents: -5 }] }), [
      'line_items.0.unit_price_cents must be at least 0; to take money off, add a line of kind discount',
    ])
    assert.deepEqual(issues({ discount: { type: 'percent', value: 100.1 } }), ['discount.value must be at most 100'])
    assert.deepEqual(issues({ discount: { type: 'amount', value: 1.5 } }), ['discount.value must be a whole number'])
    assert.deepEqual(input.parse({ discount: null }), { discount: null })
  })

  it('has one JSON Schema type per field and no position', () => {
    const schema = JSON.stringify(toClientSchema(input))
    assert.match(schema, /"quantity":\{"type":"number","description"/)
    assert.match(schema, /"unit_price_cents":\{"type":"integer","description"/)
    assert.doesNotMatch(schema, /position|anyOf/)
  })
})
