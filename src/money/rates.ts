import { fraction, percent } from './bounds.ts'
import { type Decimal, decimalText, parseDecimal } from './decimal.ts'

/**
 * Describes a tax rate as a document keeps it: a snapshot, since the value of a rate never changes but its name may.
 */
export type Rate = { tax_rate_id: string; name: string; rate_decimal: Decimal }

/**
 * Returns the rate of a line (docs/spec/money.md#which-rate-applies). `undefined` is not given; on a line or a document
 * `null` is explicitly untaxed, while a location or a tenant has no way to say so: there `null` is no rate of its own.
 */
export function rateFor<R>(
  line: R | null | undefined,
  document: R | null | undefined,
  location: R | null | undefined,
  tenantDefault: R | null | undefined,
): R | null {
  if (line !== undefined) return line
  if (document !== undefined) return document
  return location ?? tenantDefault ?? null
}

/** Turns 8.25 into "0.0825", exactly; at most 4 decimals of a percent become at most 6. */
export const rateDecimal = (percentage: Decimal): string =>
  decimalText(parseDecimal(percentage, percent, 'rate_percentage'), fraction.scale)

/** Turns "0.0825" into "8.25", exactly. */
export const ratePercentage = (rate: Decimal): string =>
  decimalText(parseDecimal(rate, fraction, 'rate_decimal'), percent.scale)
