import { fraction, percent } from './bounds.ts'
import { type Decimal, decimalText, parseDecimal } from './decimal.ts'

/** Snapshot of a tax rate in a document: a rate's value never changes, but its name may. */
export type Rate = { tax_rate_id: string; name: string; rate_decimal: Decimal }

/**
 * Returns the rate of a line (docs/spec/money.md#which-rate-applies). `undefined` means not given. On a line or a
 * document `null` means untaxed; on a location or a tenant it means no rate of its own.
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

/** Converts 8.25 to "0.0825", exactly: up to 4 decimals of a percent become up to 6. */
export const rateDecimal = (percentage: Decimal): string =>
  decimalText(parseDecimal(percentage, percent, 'rate_percentage'), fraction.scale)

/** Converts "0.0825" to "8.25", exactly. */
export const ratePercentage = (rate: Decimal): string =>
  decimalText(parseDecimal(rate, fraction, 'rate_decimal'), percent.scale)
