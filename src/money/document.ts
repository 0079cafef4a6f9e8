import { invalidFields } from '../platform/errors/refusal.ts'
import { MAX_CENTS, MAX_LINES, discountAmount, percent, quantity, unitPrice } from './bounds.ts'
import { type Decimal, parseDecimal } from './decimal.ts'
import type { Rate } from './rates.ts'
import { refusals } from './refusals.ts'
import { percentOf, round, sum } from './rounding.ts'
import { spread } from './spread.ts'
import { type RateTotal, type TaxedLine, taxDocument } from './tax.ts'

/** A sold item: a quantity at a unit price in cents, and the tax rate that applies to it (`rateFor`). */
export type ItemLine = {
  kind: 'service' | 'product' | 'labor' | 'fee' | 'bundle'
  quantity: Decimal
  unit_price_cents: Decimal
  taxable: boolean
  rate: Rate | null
}

/** A percentage of the subtotal, or cents, off all item lines in proportion. */
export type DiscountLine = { kind: 'discount'; discount_type: DiscountType; discount_value: Decimal }
export type DiscountType = 'percent' | 'amount'
export type DocumentLine = ItemLine | DiscountLine

/** A percentage, or cents, off the amount that remains after the discount lines. */
export type Discount = { type: DiscountType; value: Decimal }

/** An invoice, quote, plan, series or job before pricing; a job's rates are null. */
export type Priceable = { line_items: readonly DocumentLine[]; discount: Discount | null; tax_exempt: boolean }

/** Fields that pricing adds to a line, in the order of the lines. A discount line's total is negative. */
export type PricedLine = { line_total_cents: number; discount_share_cents: number } & TaxedLine

/** Amounts in the currency's minor unit; total = subtotal - discount + tax. */
export type DocumentPrice = {
  line_items: PricedLine[]
  subtotal_cents: number
  discount_cents: number
  taxable_cents: number
  tax_cents: number
  total_cents: number
  taxes: RateTotal[]
}

/**
 * Prices a document (docs/spec/money.md#pricing-a-document). Throws `invalid_input` for a value out of bounds, a
 * discount that is too large, or an amount above the cap.
 */
export function priceDocument({ line_items: lines, discount, tax_exempt }: Priceable): DocumentPrice {
  if (lines.length > MAX_LINES)
    throw invalidFields([
      { path: 'line_items', rule: refusals.tooManyLines({ max: MAX_LINES }), note: ` (got ${lines.length})` },
    ])

  const itemTotals = lines.map(itemTotal)
  const subtotal = requireUnderCap(sum(itemTotals), 'line_items')
  const lineDiscounts = computeLineDiscounts(lines, subtotal)
  const afterLines = subtotal - sum(lineDiscounts)
  const documentDiscount = discount ? computeDocumentDiscount(discount, afterLines) : 0n
  const discountTotal = subtotal - afterLines + documentDiscount

  const shares = spread(discountTotal, itemTotals)
  const nets = itemTotals.map((total, i) => total - (shares[i] ?? 0n))
  const taxed = taxDocument(lines.map(rateOf), nets, tax_exempt)
  const total = requireUnderCap(subtotal - discountTotal + taxed.tax, 'line_items', refusals.totalTooLargeWithTax)

  return {
    line_items: taxed.lines.map((line, i) => ({
      line_total_cents: Number((itemTotals[i] ?? 0n) - (lineDiscounts[i] ?? 0n)),
      discount_share_cents: Number(shares[i]),
      ...line,
    })),
    subtotal_cents: Number(subtotal),
    discount_cents: Number(discountTotal),
    taxable_cents: Number(taxed.base),
    tax_cents: Number(taxed.tax),
    total_cents: Number(total),
    taxes: taxed.rates,
  }
}

/** Returns R(quantity x unit price); 0 for a discount line. */
function itemTotal(line: DocumentLine, position: number): bigint {
  if (line.kind === 'discount') return 0n
  const field = `line_items[${position}]`
  const thousandths = parseDecimal(line.quantity, quantity, `${field}.quantity`)
  const price = parseDecimal(line.unit_price_cents, unitPrice, `${field}.unit_price_cents`)
  return requireUnderCap(round(thousandths * price, 1000n), field)
}

/** Returns the discount of each line. Percentages don't compound: each applies to the whole subtotal. */
function computeLineDiscounts(lines: readonly DocumentLine[], subtotal: bigint): bigint[] {
  let remaining = subtotal
  return lines.map((line, position) => {
    if (line.kind !== 'discount') return 0n
    const field = `line_items[${position}]`
    const discount = { type: line.discount_type, value: line.discount_value }
    const amount = requireAtMost(remaining, discountOf(discount, subtotal, `${field}.discount_value`), field)
    remaining -= amount
    return amount
  })
}

/** Returns the document's discount on the amount that remains after the discount lines. */
const computeDocumentDiscount = (discount: Discount, base: bigint): bigint =>
  requireAtMost(base, discountOf(discount, base, 'discount.value'), 'discount')

function discountOf({ type, value }: Discount, base: bigint, field: string): bigint {
  if (type === 'amount') return parseDecimal(value, discountAmount, field)
  return percentOf(base, parseDecimal(value, percent, field))
}

function requireAtMost(remaining: bigint, amount: bigint, field: string): bigint {
  if (amount <= remaining) return amount
  throw invalidFields([
    { path: field, rule: refusals.discountTooLarge({ left: String(remaining) }), note: ` (got ${amount})` },
  ])
}

const rateOf = (line: DocumentLine): Rate | null => (line.kind !== 'discount' && line.taxable ? line.rate : null)

function requireUnderCap(cents: bigint, field: string, refuse = refusals.totalTooLarge): bigint {
  if (cents > MAX_CENTS)
    throw invalidFields([{ path: field, rule: refuse({ max: String(MAX_CENTS) }), note: ` (got ${cents})` }])
  return cents
}
