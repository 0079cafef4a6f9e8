import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { priceDocument, type DocumentLine } from '../../../src/money/document.ts'

type Rate = readonly [id: string, millionths: number] | null
type Line =
  | { quantity: number; unit_price_cents: number; rate: Rate }
  | { discount_type: 'percent' | 'amount'; discount_value: number }
type Totals = Record<'subtotal_cents' | 'discount_cents' | 'tax_cents' | 'deposit_cents' | 'total_cents', number>

const { priceBill } = (await import(new URL('../../../public/mobile/work/field_price.js', import.meta.url).href)) as {
  priceBill(bill: { lines: Line[]; rate: Rate; exempt: boolean; deposit_cents: number }): Totals | null
}

const rate: fc.Arbitrary<Rate> = fc.option(
  fc.constantFrom<Rate>(['a', 82_500], ['b', 65_000], ['c', 65_000], ['d', 1_000_000], ['e', 0], ['f', 97_531]),
)
const line: fc.Arbitrary<Line> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ quantity: thousandths(1, 20_000), unit_price_cents: fc.nat(99_999), rate }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({
        discount_type: fc.constant('percent' as const),
        discount_value: fc.nat(400_000).map((n) => n / 10_000),
      }),
      fc.record({ discount_type: fc.constant('amount' as const), discount_value: fc.integer({ min: 1, max: 50_000 }) }),
    ),
  },
)

function thousandths(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min, max }).map((n) => n / 1_000)
}

/** Converts a line to a document line of the service. */
const toDocumentLine = (one: Line): DocumentLine =>
  'quantity' in one
    ? {
        kind: 'service',
        quantity: one.quantity,
        unit_price_cents: one.unit_price_cents,
        taxable: one.rate !== null,
        rate:
          one.rate === null
            ? null
            : { tax_rate_id: one.rate[0], name: one.rate[0], rate_decimal: String(one.rate[1] / 1_000_000) },
      }
    : { kind: 'discount', ...one }

function priceAtService(lines: Line[], exempt: boolean): ReturnType<typeof priceDocument> | null {
  try {
    return priceDocument({ line_items: lines.map(toDocumentLine), discount: null, tax_exempt: exempt })
  } catch {
    return null
  }
}

it("priceBill on the phone matches the service's invoice total to the cent", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 12 }),
      fc.boolean(),
      fc.oneof(fc.constant(0), fc.nat(300_000)),
      (lines, exempt, deposit_cents) => {
        const [own, service] = [priceBill({ lines, rate: null, exempt, deposit_cents }), priceAtService(lines, exempt)]
        if (service === null) return assert.equal(own, null)
        const { subtotal_cents, discount_cents, tax_cents, total_cents } = service
        const deducted = Math.min(deposit_cents, total_cents)
        assert.deepEqual(own, {
          subtotal_cents,
          discount_cents,
          tax_cents,
          deposit_cents: deducted,
          total_cents: total_cents - deducted,
        })
      },
    ),
    { numRuns: 2_000 },
  )
})
