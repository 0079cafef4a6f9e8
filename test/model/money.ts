import type { Result } from '../harness/harness.ts'

/**
 * Implements money.md with schoolbook arithmetic: quantities in thousandths, percents in ten-thousandths, amounts in
 * cents, all BigInt.
 */
export type Discount = { type: 'percent' | 'amount'; value: number }
export type Line = {
  milli: bigint
  cents: bigint
  taxable: boolean
  rate: string | null | undefined
  discount: Discount | null
}
export type Totals = { subtotal_cents: number; discount_cents: number; tax_cents: number; total_cents: number }

/** Rounds exact halves away from zero. No value here is negative. */
const divideAndRound = (numerator: bigint, denominator: bigint): bigint =>
  (numerator * 2n + denominator) / (denominator * 2n)

/** Returns a decimal as an integer, with the point moved right. */
export function scaleDecimal(value: number | string, places: number): bigint {
  const [whole, fraction = ''] = String(value).split('.')
  return BigInt(whole! + fraction.padEnd(places, '0'))
}

export const lineTotal = (line: Line): bigint => divideAndRound(line.milli * line.cents, 1000n)

const computeDiscount = ({ type, value }: Discount, of: bigint): bigint =>
  type === 'percent' ? divideAndRound(of * scaleDecimal(value, 4), 1_000_000n) : BigInt(value)

/** Computes totals. `rateOf` returns null for an untaxed line. Undefined if the discount exceeds the amount. */
export function computeTotals(
  lines: Line[],
  discount: Discount | null,
  rateOf: (line: Line) => { id: string; percent: string } | null,
): Totals | undefined {
  const items = lines.filter((line) => line.discount === null)
  const subtotal = items.map(lineTotal).reduce((sum, cents) => sum + cents, 0n)
  const byLines = lines.reduce(
    (sum, line) => sum + (line.discount === null ? 0n : computeDiscount(line.discount, subtotal)),
    0n,
  )
  if (byLines > subtotal) return undefined
  const off = byLines + (discount === null ? 0n : computeDiscount(discount, subtotal - byLines))
  if (off > subtotal) return undefined
  const shares = spread(off, items.map(lineTotal), subtotal)
  const bases = new Map<string, bigint>()
  const percents = new Map<string, string>()
  for (const [i, line] of items.entries()) {
    const rate = line.taxable ? rateOf(line) : null
    if (rate === null) continue
    bases.set(rate.id, (bases.get(rate.id) ?? 0n) + lineTotal(line) - shares[i]!)
    percents.set(rate.id, rate.percent)
  }
  const tax = [...bases].reduce(
    (sum, [rate, base]) => sum + divideAndRound(base * scaleDecimal(percents.get(rate)!, 4), 1_000_000n),
    0n,
  )
  return {
    subtotal_cents: Number(subtotal),
    discount_cents: Number(off),
    tax_cents: Number(tax),
    total_cents: Number(subtotal - off + tax),
  }
}

function spread(off: bigint, parts: bigint[], whole: bigint): bigint[] {
  if (whole === 0n) return parts
  const shares = parts.map((part) => (off * part) / whole)
  const remainders = parts
    .map((part, i) => ({ i, remainder: (off * part) % whole }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1))
  const left = Number(off - shares.reduce((sum, share) => sum + share, 0n))
  for (const { i } of remainders.slice(0, left)) shares[i]! += 1n
  return shares
}

export const visibleTotals = (answer: Result): Totals => ({
  subtotal_cents: answer['subtotal_cents'],
  discount_cents: answer['discount_cents'],
  tax_cents: answer['tax_cents'],
  total_cents: answer['total_cents'],
})
