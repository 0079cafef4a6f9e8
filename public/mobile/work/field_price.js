// @ts-check
// Computes what an invoice of a visit comes to, as the service does (docs/spec/money.md), so that a phone without a
// signal can tell its customer. All amounts are whole cents, in BigInt on the way.

/** @typedef {readonly [id: string, millionths: number] | null} Rate */
/** @typedef {{ quantity: number, unit_price_cents: number, rate: Rate } | { discount_type: string, discount_value: number }} Line */
/** @typedef {{ type: string, value: number }} Share */
/** @typedef {{ lines: Line[], rate: Rate, exempt: boolean, deposit_cents: number, discount?: Share | null }} Bill */
/** @typedef {{ subtotal_cents: number, discount_cents: number, tax_cents: number, deposit_cents: number, total_cents: number }} BillTotals */

/**
 * Returns the totals of a bill, or null where its discounts are more than its lines.
 * @param {Bill} bill
 * @returns {BillTotals | null}
 */
export function priceBill({ lines, exempt, deposit_cents, discount: documentDiscount = null }) {
  const items = lines.map((line) => ('quantity' in line ? itemTotal(line) : 0n))
  const subtotal = sum(items)
  const lineDiscounts = sum(lines.map((line) => ('quantity' in line ? 0n : discountOf(line, subtotal))))
  const discount =
    lineDiscounts + (documentDiscount === null ? 0n : applyShare(documentDiscount, subtotal - lineDiscounts))
  if (discount > subtotal) return null
  const shares = allocate(discount, items)
  const nets = items.map((item, at) => item - (shares[at] ?? 0n))
  const tax = exempt ? 0n : taxOf(lines, nets)
  const gross = subtotal - discount + tax
  const deposit = gross < BigInt(deposit_cents) ? gross : BigInt(deposit_cents)
  return {
    subtotal_cents: Number(subtotal),
    discount_cents: Number(discount),
    tax_cents: Number(tax),
    deposit_cents: Number(deposit),
    total_cents: Number(gross - deposit),
  }
}

/** Quantities have three decimals. @param {{ quantity: number, unit_price_cents: number }} line */
const itemTotal = ({ quantity, unit_price_cents }) =>
  round(BigInt(Math.round(quantity * 1_000)) * BigInt(unit_price_cents), 1_000n)

/** Percentages are of the whole subtotal. @param {{ discount_type: string, discount_value: number }} line @param {bigint} subtotal */
const discountOf = ({ discount_type: type, discount_value: value }, subtotal) => applyShare({ type, value }, subtotal)

/** Percentages have four decimals. @param {Share} share @param {bigint} base */
const applyShare = ({ type, value }, base) =>
  type === 'amount' ? BigInt(value) : round(base * BigInt(Math.round(value * 10_000)), 1_000_000n)

/** Returns what a quote asks for up front, at most its total and the cap of a deposit. @param {Share} share @param {number} total */
export const depositOf = (share, total) => Math.min(total, 9_999_999_999, Number(applyShare(share, BigInt(total))))

/**
 * Returns the tax of all rates, each rounded once.
 * @param {readonly Line[]} lines
 * @param {readonly bigint[]} nets
 */
function taxOf(lines, nets) {
  /** @type {Map<string, { base: bigint, millionths: number }>} */
  const rates = new Map()
  lines.forEach((line, at) => {
    if (!('quantity' in line) || line.rate === null) return
    const [id, millionths] = line.rate
    rates.set(id, { millionths, base: (rates.get(id)?.base ?? 0n) + (nets[at] ?? 0n) })
  })
  return sum([...rates.values()].map(({ base, millionths }) => round(base * BigInt(millionths), 1_000_000n)))
}

/**
 * Divides a discount over lines by their totals: leftover cents go to the largest remainders, earlier lines first.
 * @param {bigint} total
 * @param {readonly bigint[]} weights
 */
function allocate(total, weights) {
  if (total === 0n) return weights.map(() => 0n)
  const totalWeight = sum(weights)
  const shares = weights.map((weight) => (total * weight) / totalWeight)
  const leftover = Number(total - sum(shares))
  const roundedUp = weights
    .map((weight, at) => ({ at, rest: (total * weight) % totalWeight }))
    .sort((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest < b.rest ? 1 : -1))
    .slice(0, leftover)
  for (const { at } of roundedUp) shares[at] = (shares[at] ?? 0n) + 1n
  return shares
}

/** @param {bigint} amount @param {bigint} divisor */
const round = (amount, divisor) => (2n * amount + divisor) / (2n * divisor)

/** @param {readonly bigint[]} amounts */
const sum = (amounts) => amounts.reduce((all, one) => all + one, 0n)
