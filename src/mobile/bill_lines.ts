import type { LineItem } from '../records/line_items/line.ts'

/** A tax rate by its id, in millionths: lines of one rate are taxed together. */
export type BillRate = readonly [id: string, millionths: number]

export type BillLine =
  | { quantity: number; unit_price_cents: number; rate: BillRate | null }
  | { discount_type: string; discount_value: number }

/** Returns priced lines as a phone adds them up; `tax_rate_id` is the rate of those without their own. */
export const toBillLines = (lines: readonly LineItem[], tax_rate_id: string | null): BillLine[] =>
  lines.map((line) =>
    line.discount_type === null
      ? { quantity: line.quantity ?? 1, unit_price_cents: line.unit_price_cents ?? 0, rate: rateOf(line, tax_rate_id) }
      : { discount_type: line.discount_type, discount_value: line.discount_value ?? 0 },
  )

/** Returns the rate of a priced line, null for none; `tax_rate_id` is that of lines without their own. */
export const rateOf = (
  { tax_rate_id: own, rate_decimal }: LineItem,
  tax_rate_id: string | null | undefined,
): BillRate | null => {
  const id = own === undefined ? tax_rate_id : own
  return id == null || rate_decimal === null ? null : [id, Math.round(rate_decimal * 1_000_000)]
}
