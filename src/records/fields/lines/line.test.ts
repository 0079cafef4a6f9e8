import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ITEM_PREFIX, RATE_PREFIX, inputOf, readLines, lineRows, lineEntries, type LineView } from './line.ts'

const [BOILER, GONE, CITY] = [
  '01a1ffbf-52a8-762e-8175-2307f153a801',
  '01a1ffbf-52a8-762e-8175-2307f153a802',
  '01a1ffbf-52a8-762e-8175-2307f153a803',
]
const options = [
  { value: ITEM_PREFIX + BOILER, label: 'Boiler' },
  { value: RATE_PREFIX + CITY, label: 'City 8%' },
]
const context = (currency: string) => ({ timezone: 'UTC', currency, country: 'US', options })
const read = (values: URLSearchParams, currency = 'USD') => readLines(values, context(currency))[0]!
const row = (parts: Record<string, string>) =>
  new URLSearchParams(Object.entries(parts).map(([part, value]) => [`line_items.0.${part}`, value]))

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((one) => one.replace(/\p{Cc}/gu, '').trim())
  .filter((one) => one !== '' && one.toLowerCase() !== 'boiler')
const common = {
  catalog_item_id: fc.option(fc.constantFrom(BOILER, GONE)),
  name: fc.oneof(text, fc.constant('Boiler, large')),
  description: fc.option(fc.array(text, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))),
}
const sold = fc
  .record({
    ...common,
    kind: fc.constantFrom('service', 'product', 'labor', 'fee', 'bundle'),
    quantity: fc.integer({ min: 1, max: 1_000_000 }).map((n) => n / 1000),
    unit: fc.constantFrom('each', 'hour', 'm²'),
    unit_price_cents: fc.nat(1_000_000_000),
    tax: fc.constantFrom('none', 'usual', 'city'),
  })
  .map(({ tax, ...line }): LineView => ({
    ...line,
    taxable: tax !== 'none',
    discount_type: null,
    discount_value: null,
    ...(tax === 'usual' ? {} : { tax_rate_id: tax === 'city' ? CITY : null }),
  }))
const discount = fc
  .record({
    ...common,
    catalog_item_id: fc.constant(null),
    percent: fc.boolean(),
    value: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ percent, value, ...line }): LineView => ({
    ...line,
    kind: 'discount',
    quantity: null,
    unit: null,
    unit_price_cents: null,
    taxable: false,
    discount_type: percent ? 'percent' : 'amount',
    discount_value: value,
  }))

/** Returns the line as its form submits it: only the live item, and the tax it names itself. */
const argumentsOf = ({
  kind,
  catalog_item_id,
  name,
  description,
  quantity,
  unit,
  unit_price_cents,
  taxable,
  tax_rate_id,
  discount_type,
  discount_value,
}: LineView): object => ({
  kind,
  name,
  ...(description === null ? {} : { description }),
  ...(kind === 'discount'
    ? { discount_type, discount_value }
    : {
        quantity,
        unit,
        unit_price_cents,
        ...(catalog_item_id === BOILER ? { catalog_item_id } : {}),
        taxable: taxable && tax_rate_id !== null,
        ...(tax_rate_id === CITY ? { tax_rate_id } : {}),
      }),
})
const inNumbers = (line: Record<string, unknown>): object =>
  Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      name,
      ['quantity', 'discount_value'].includes(name) ? Number(value) : value,
    ]),
  )

describe('a line on a form', () => {
  it('reads back unchanged in every currency', () => {
    fc.assert(
      fc.property(fc.oneof(sold, discount), fc.constantFrom('USD', 'JPY', 'KWD'), (line, currency) => {
        const values = new URLSearchParams(
          lineEntries(0, line, currency).map(([name, value]) => [name, value.replaceAll('\n', '\r\n')]),
        )
        assert.deepEqual(inNumbers(read(values, currency)), argumentsOf(line))
      }),
    )
  })

  it('fills the same form again', () => {
    fc.assert(
      fc.property(fc.oneof(sold, discount), (line) => {
        const entries = lineEntries(0, line, 'USD')
        const back = inNumbers(read(new URLSearchParams(entries))) as Partial<LineView>
        assert.deepEqual(lineEntries(0, { ...line, ...back }, 'USD'), entries)
      }),
    )
  })

  it('with the name of a catalog item becomes that item, in any case, and inherits empty fields', () => {
    assert.deepEqual(read(row({ name: ' bOILER ', quantity: '2' })), {
      catalog_item_id: BOILER,
      name: 'bOILER',
      quantity: '2',
    })
    assert.deepEqual(read(row({ name: 'Boiler', price: '9' })), {
      catalog_item_id: BOILER,
      name: 'Boiler',
      unit_price_cents: 900,
    })
  })

  it('with a new name loses its item and kind; with the same name it keeps both', () => {
    assert.deepEqual(read(row({ kind: 'product', item: BOILER, was: 'Boiler', name: 'Pump' })), {
      kind: 'product',
      name: 'Pump',
    })
    assert.deepEqual(read(row({ kind: 'product', item: BOILER, was: 'Our boiler', name: 'Our boiler' })), {
      kind: 'product',
      catalog_item_id: BOILER,
      name: 'Our boiler',
    })
    assert.deepEqual(read(row({ kind: 'labor', was: 'Work', name: 'Boiler' })), {
      catalog_item_id: BOILER,
      name: 'Boiler',
    })
  })

  it('is a discount by percentage, or stays one by amount', () => {
    assert.deepEqual(read(row({ name: 'Loyal', percent: '10' })), {
      kind: 'discount',
      name: 'Loyal',
      discount_type: 'percent',
      discount_value: 10,
    })
    assert.deepEqual(read(row({ name: 'Loyal', kind: 'discount', price: '5' })), {
      kind: 'discount',
      name: 'Loyal',
      discount_type: 'amount',
      discount_value: 500,
    })
  })

  it('with an unreadable price is rejected with its path', () => {
    assert.throws(() => read(row({ name: 'Pump', price: '1.5' }), 'JPY'), {
      message: "line_items[0].unit_price_cents must be an amount like 12500 (got '1.5')",
    })
  })

  it('is found by its number, in numeric order, among other form fields', () => {
    const values = new URLSearchParams([
      [inputOf(10, 'name'), 'b'],
      [inputOf(2, 'name'), 'a'],
      ['line_items.x.name', 'no'],
      ['line_items.99999.name', 'no'],
      ['title', 'no'],
      [inputOf(2, 'price'), '1'],
    ])
    assert.deepEqual(
      lineRows(values).map(({ number }) => number),
      [2, 10],
    )
  })
})
