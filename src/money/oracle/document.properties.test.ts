import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { Refusal } from '../../platform/errors/refusal.ts'
import { type DocumentPrice, priceDocument } from '../document.ts'
import { type OracleDocument, type OracleLine, toPriceable, oracle } from './oracle.test-support.ts'

/** Prices: small ones for ties, halves and empty bases, large ones beyond the limits. */
const price = fc.oneof(fc.bigInt(0n, 20n), fc.bigInt(0n, 100_000n), fc.bigInt(0n, 9_999_999_999n))
const sells = fc
  .oneof(
    fc.bigInt(1n, 20n).map((n) => n * 1000n),
    fc.bigInt(1n, 10_000n),
    fc.bigInt(1n, 999_999_999n),
  )
  .map((over) => ({ over, under: 1000n }))
const percentOff = fc
  .oneof(
    fc.bigInt(0n, 100n).map((n) => n * 10_000n),
    fc.bigInt(0n, 1_000_000n),
  )
  .map((over) => ({ percentOff: { over, under: 1_000_000n } }))
const centsOff = fc.oneof(fc.bigInt(1n, 20n), fc.bigInt(1n, 100_000n)).map((centsOff) => ({ centsOff }))
const rates = fc.tuple(
  ...['a', 'b', 'c'].map((id) => fc.bigInt(0n, 250_000n).map((over) => ({ id, value: { over, under: 1_000_000n } }))),
)

const documents: fc.Arbitrary<OracleDocument> = rates.chain((rates) => {
  const item = fc.record({ sells, price, rate: fc.constantFrom(null, ...rates) })
  const line: fc.Arbitrary<OracleLine> = fc.oneof(
    { weight: 8, arbitrary: item },
    { weight: 1, arbitrary: percentOff },
    centsOff,
  )
  return fc.record({
    lines: fc.array(line, { maxLength: 12 }),
    off: fc.oneof(fc.constant(null), percentOff, centsOff),
    exempt: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
})

const total = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0)
const runs = { numRuns: 3000 }

function tryPrice(document: OracleDocument): DocumentPrice | 'refused' {
  try {
    return priceDocument(toPriceable(document))
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.code === 'invalid_input') return 'refused'
    throw refusal
  }
}

describe('priceDocument', () => {
  it('agrees with the oracle on every amount and every refusal', () => {
    let agreed = 0
    fc.assert(
      fc.property(documents, (document) => {
        const expected = oracle(document)
        const actual = tryPrice(document)
        if (expected === 'refused' || actual === 'refused') return assert.equal(actual, expected)
        agreed++
        assert.deepEqual(
          {
            gross: actual.line_items.map((line) => BigInt(line.line_total_cents)),
            shares: actual.line_items.map((line) => BigInt(line.discount_share_cents)),
            lineTax: actual.line_items.map((line) => BigInt(line.tax_cents)),
            subtotal: BigInt(actual.subtotal_cents),
            discount: BigInt(actual.discount_cents),
            base: BigInt(actual.taxable_cents),
            tax: BigInt(actual.tax_cents),
            total: BigInt(actual.total_cents),
            rates: actual.taxes.map((tax) => ({
              id: tax.tax_rate_id,
              base: BigInt(tax.base_cents),
              tax: BigInt(tax.tax_cents),
            })),
          },
          expected,
        )
      }),
      runs,
    )
    assert.ok(agreed > runs.numRuns / 4, `only ${agreed} documents had a price`)
  })

  it('returns lines and taxes that add up to the totals', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const actual = tryPrice(document)
        if (actual === 'refused') return
        const { line_items: lines, taxes } = actual
        assert.equal(actual.total_cents, actual.subtotal_cents - actual.discount_cents + actual.tax_cents)
        assert.equal(total(lines.map((line) => line.discount_share_cents)), actual.discount_cents)
        assert.equal(total(lines.map((line) => line.tax_cents)), actual.tax_cents)
        assert.equal(total(taxes.map((tax) => tax.tax_cents)), actual.tax_cents)
        assert.equal(total(taxes.map((tax) => tax.base_cents)), actual.taxable_cents)
        assert.equal(total(lines.map((line) => Math.max(line.line_total_cents, 0))), actual.subtotal_cents)
      }),
      runs,
    )
  })

  it('returns only whole amounts from 0 to the cap, with discount lines negated', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const actual = tryPrice(document)
        if (actual === 'refused') return
        const { line_items, taxes, ...totals } = actual
        const amounts = [...Object.values(totals), ...taxes.flatMap((tax) => [tax.base_cents, tax.tax_cents])]
        line_items.forEach((line, i) => {
          const size = 'sells' in document.lines[i]! ? line.line_total_cents : -line.line_total_cents
          amounts.push(size, line.discount_share_cents, line.tax_cents)
        })
        for (const cents of amounts) assert.ok(Number.isInteger(cents) && cents >= 0 && cents <= 1e12, String(cents))
      }),
      runs,
    )
  })

  it('gives the same totals in any order of lines, except for ties decided by position', () => {
    const shuffled = documents.chain((document) =>
      fc
        .shuffledSubarray(document.lines, { minLength: document.lines.length, maxLength: document.lines.length })
        .map((lines) => ({ document, other: { ...document, lines } })),
    )
    let compared = 0
    fc.assert(
      fc.property(shuffled, ({ document, other }) => {
        const one = tryPrice(document)
        if (one === 'refused' || !distinctRemainders(one)) return
        const two = tryPrice(other)
        assert.ok(two !== 'refused')
        compared++
        const totalsOf = ({ line_items: _lines, taxes, ...totals }: DocumentPrice) => ({
          ...totals,
          taxes: taxes.toSorted((a, b) => a.tax_rate_id.localeCompare(b.tax_rate_id)),
        })
        assert.deepEqual(totalsOf(two), totalsOf(one))
      }),
      runs,
    )
    assert.ok(compared > runs.numRuns / 10, `only ${compared} documents compared`)
  })
})

/** Checks that no tie in the discount spread is decided by position. */
function distinctRemainders({ line_items, subtotal_cents, discount_cents }: DocumentPrice): boolean {
  if (subtotal_cents === 0) return true
  const remainders = line_items
    .filter((line) => line.line_total_cents > 0)
    .map((line) => (BigInt(line.line_total_cents) * BigInt(discount_cents)) % BigInt(subtotal_cents))
    .filter((remainder) => remainder !== 0n)
  return new Set(remainders).size === remainders.length
}
