import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Discount,
  type DiscountLine,
  type ItemLine,
  type DocumentLine,
  type DocumentPrice,
  priceDocument,
} from './document.ts'
import { rateDecimal } from './rates.ts'
import type { Decimal } from './decimal.ts'

const at = (percentage: Decimal) => ({
  tax_rate_id: `rate-${percentage}`,
  name: `Tax ${percentage}`,
  rate_decimal: rateDecimal(percentage),
})

/** Returns a line with this quantity, price and tax percentage, or untaxed. */
const item = (quantity: Decimal, unit_price_cents: number, percentage?: Decimal): ItemLine => ({
  kind: 'service',
  quantity,
  unit_price_cents,
  taxable: percentage !== undefined,
  rate: percentage === undefined ? null : at(percentage),
})
const off = (discount_type: 'percent' | 'amount', discount_value: Decimal): DiscountLine => ({
  kind: 'discount',
  discount_type,
  discount_value,
})
const amount = (value: Decimal): Discount => ({ type: 'amount', value })
const percent = (value: Decimal): Discount => ({ type: 'percent', value })

const price = (line_items: DocumentLine[], discount: Discount | null = null, tax_exempt = false): DocumentPrice =>
  priceDocument({ line_items, discount, tax_exempt })

describe('the worked examples (docs/spec/money.md#worked-examples)', () => {
  type Example = {
    of: DocumentPrice
    is: [number, number, number, number]
    shares?: number[]
    bases?: number[]
    taxes?: number[]
  }
  const examples: Record<string, Example> = {
    M1: { of: price([item(1, 15_000, 8.25), item(2.5, 8500, 8.25)]), is: [36_250, 0, 2991, 39_241] },
    M2: { of: price([item(1, 600, 9.75)]), is: [600, 0, 59, 659] },
    M3: { of: price([item('1.005', 100, 0)]), is: [101, 0, 0, 101] },
    M4: { of: price(Array.from({ length: 10 }, () => item(1, 55, 8.25))), is: [550, 0, 45, 595] },
    M5: { of: price([item(2, 9500), item(1, 8735, 6.5)]), is: [27_735, 0, 568, 28_303] },
    M6: {
      of: price([item(1, 10_000, 8.5), item(1, 2500)], percent(10)),
      is: [12_500, 1250, 765, 12_015],
      shares: [1000, 250],
      bases: [9000],
    },
    M7: {
      of: price([item(1, 10_000, 5), item(1, 20_000, 5)], amount(1000)),
      is: [30_000, 1000, 1450, 30_450],
      shares: [333, 667],
    },
    M8: {
      of: price([item(1, 1000, 10), item(1, 1000), item(1, 1000)], amount(100)),
      is: [3000, 100, 97, 2997],
      shares: [34, 33, 33],
      bases: [966],
    },
    M9: {
      of: price([item(1, 1880, 8.875), item(1, 695, 8.875), item(3, 333, 4)]),
      is: [3574, 0, 269, 3843],
      taxes: [229, 40],
    },
    M10: {
      of: price([item(3.25, 7995), item(4, 1249, 7.25), off('percent', 15)], amount(500)),
      is: [30_980, 5147, 302, 26_135],
      shares: [4317, 830, 0],
      bases: [4166],
    },
    M11: { of: price([item(1.333, 9555, 8.25)], null, true), is: [12_737, 0, 0, 12_737], bases: [0] },
    M12: { of: price([item(1, 12_999, 8.25), off('percent', 100)]), is: [12_999, 12_999, 0, 0] },
    M14: { of: price([item(1, 3000, 7.25)]), is: [3000, 0, 218, 3218] },
  }
  for (const [name, { of, is, shares, bases, taxes }] of Object.entries(examples)) {
    it(name, () => {
      assert.deepEqual([of.subtotal_cents, of.discount_cents, of.tax_cents, of.total_cents], is)
      if (shares)
        assert.deepEqual(
          of.line_items.map((line) => line.discount_share_cents),
          shares,
        )
      if (bases)
        assert.deepEqual(
          of.taxes.map((tax) => tax.base_cents),
          bases,
        )
      if (taxes)
        assert.deepEqual(
          of.taxes.map((tax) => tax.tax_cents),
          taxes,
        )
    })
  }

  it('M13', () => {
    assert.throws(() => price([item(1, 5000)], amount(5001)), { code: 'invalid_input', message: /^discount must / })
  })
})

describe('document pricing', () => {
  it('returns every amount of a document', () => {
    const priced = price([item(1, 10_000, 8.5), off('amount', 1000), item(1, 2500), item(2, 100, '8.5')], percent(10))
    assert.deepEqual(priced, {
      line_items: [
        {
          line_total_cents: 10_000,
          discount_share_cents: 1709,
          tax_cents: 705,
          rate_decimal: 0.085,
          tax_name: 'Tax 8.5',
        },
        { line_total_cents: -1000, discount_share_cents: 0, tax_cents: 0, rate_decimal: null, tax_name: null },
        { line_total_cents: 2500, discount_share_cents: 427, tax_cents: 0, rate_decimal: null, tax_name: null },
        { line_total_cents: 200, discount_share_cents: 34, tax_cents: 14, rate_decimal: 0.085, tax_name: 'Tax 8.5' },
      ],
      subtotal_cents: 12_700,
      discount_cents: 2170,
      taxable_cents: 8457,
      tax_cents: 719,
      total_cents: 11_249,
      taxes: [{ tax_rate_id: 'rate-8.5', name: 'Tax 8.5', rate_decimal: 0.085, base_cents: 8457, tax_cents: 719 }],
    })
  })

  it('returns 0 for a document without lines', () => {
    assert.deepEqual(price([], percent(10)), {
      line_items: [],
      subtotal_cents: 0,
      discount_cents: 0,
      taxable_cents: 0,
      tax_cents: 0,
      total_cents: 0,
      taxes: [],
    })
  })

  it('takes each line discount off the subtotal and the document discount off the rest', () => {
    const priced = price([item(1, 1000), off('percent', 50), off('percent', '12.5')], percent(50))
    assert.deepEqual(
      priced.line_items.map((line) => line.line_total_cents),
      [1000, -500, -125],
    )
    assert.equal(priced.discount_cents, 813)
  })

  it('lists each tax rate once, in order of first appearance', () => {
    const { taxes } = price([item(1, 100, 5), item(1, 100, 3), item(1, 100, 5)])
    assert.deepEqual(
      taxes.map((tax) => [tax.tax_rate_id, tax.base_cents]),
      [
        ['rate-5', 200],
        ['rate-3', 100],
      ],
    )
  })

  it("leaves a line that isn't taxable untaxed, even with a rate", () => {
    const priced = price([{ ...item(1, 1000, 10), taxable: false }])
    assert.deepEqual(priced.taxes, [])
    assert.equal(priced.line_items[0]?.tax_name, null)
  })

  it('keeps the rate on the lines of an exempt document and charges no tax', () => {
    const { line_items, taxes, taxable_cents } = price([item(1, 1000, 10)], null, true)
    assert.deepEqual(line_items[0], {
      line_total_cents: 1000,
      discount_share_cents: 0,
      tax_cents: 0,
      rate_decimal: 0.1,
      tax_name: 'Tax 10',
    })
    assert.deepEqual(taxes, [
      { tax_rate_id: 'rate-10', name: 'Tax 10', rate_decimal: 0.1, base_cents: 0, tax_cents: 0 },
    ])
    assert.equal(taxable_cents, 0)
  })

  it('accepts the strings that the database stores', () => {
    const stored: ItemLine = {
      kind: 'labor',
      quantity: '2.500',
      unit_price_cents: '8500',
      taxable: true,
      rate: { tax_rate_id: 'r', name: 'County', rate_decimal: '0.082500' },
    }
    assert.equal(price([stored, off('percent', '10.0000')]).total_cents, 20_703)
  })

  it('prices 200 lines', () => {
    assert.equal(price(Array.from({ length: 200 }, () => item(1, 5))).total_cents, 1000)
  })

  it('accepts totals up to the cap', () => {
    assert.equal(price([item(100, 9_999_999_999), item(1, 100)]).total_cents, 1_000_000_000_000)
  })
})

describe('document pricing: invalid_input', () => {
  const cap = 1_000_000_000_000
  const refusals: [string, DocumentLine[], (Discount | null)?][] = [
    ['line_items[2].quantity must be above 0 (got -1)', [item(1, 1), item(1, 1), item(-1, 1)]],
    ['line_items[0].quantity must have at most 3 decimals (got 1.0005)', [item(1.0005, 1)]],
    ['line_items[0].unit_price_cents must be at most 9999999999 (got 10000000000)', [item(1, 10_000_000_000)]],
    ['line_items[0].unit_price_cents must be a whole number (got 0.5)', [item(1, 0.5)]],
    ['line_items[1].discount_value must be at most 100 (got 101)', [item(1, 1), off('percent', 101)]],
    [
      'line_items[1].discount_value must have at most 4 decimals (got "1.00001")',
      [item(1, 1), off('percent', '1.00001')],
    ],
    ['line_items[1].discount_value must be above 0 (got 0)', [item(1, 1), off('amount', 0)]],
    ['line_items[1].discount_value must be a whole number (got 1.5)', [item(1, 1), off('amount', 1.5)]],
    [
      'line_items[2] must take off at most 400 cents, the rest of the subtotal (got 600)',
      [item(1, 1000), off('percent', 60), off('percent', 60)],
    ],
    ['line_items[0] must take off at most 0 cents, the rest of the subtotal (got 1)', [off('amount', 1)]],
    [
      'discount must take off at most 900 cents, the rest of the subtotal (got 901)',
      [item(1, 1000), off('amount', 100)],
      amount(901),
    ],
    ['discount.value must be at most 100 (got 100.5)', [], percent(100.5)],
    ['discount.value must be above 0 (got -5)', [], amount(-5)],
    [`line_items[1] must come to at most ${cap} cents (got 1009999999899)`, [item(1, 1), item(101, 9_999_999_999)]],
    [`line_items must come to at most ${cap} cents (got 1000000000001)`, [item(100, 9_999_999_999), item(1, 101)]],
    [`line_items with tax must come to at most ${cap} cents (got 1000999999900)`, [item(100, 9_999_999_999, 0.1)]],
    ['line_items must have at most 200 lines (got 201)', Array.from({ length: 201 }, () => item(1, 1))],
  ]
  for (const [message, lines, discount] of refusals) {
    it(message, () => assert.throws(() => price(lines, discount), { code: 'invalid_input', message }))
  }

  it('is thrown when two rounded discounts exceed the subtotal', () => {
    assert.throws(() => price([item(1, 1), off('percent', 50), off('percent', 50)]), { message: /^line_items\[2\] / })
  })

  it('is thrown for a tax rate above 1', () => {
    const line: ItemLine = { ...item(1, 1, 5), rate: { tax_rate_id: 'r', name: 'County', rate_decimal: 8.25 } }
    assert.throws(() => price([line]), {
      code: 'invalid_input',
      message: 'tax rate County must be at most 1 (got 8.25)',
    })
  })
})
