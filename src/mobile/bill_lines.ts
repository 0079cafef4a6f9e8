import type { LineItem } from '../records/line_items/line.ts'

/** Tax rate: its id, and the rate in millionths. Lines with the same rate are taxed together. */
export type BillRate = readonly [id: string, millionths: number]

export type BillLine =
  | { quantity: number; unit_price_cents: number; rate: BillRate | null }
  | { discount_type: string; discount_value: number }

/** Converts priced lines to what a phone adds up; `tax_rate_id` applies to lines without their own rate. */
export const toBillLines = (lines: readonly LineItem[], tax_rate_id: string | null): BillLine[] =>
  lines.map((line) =>
    line.discount_type === null
      ? { quantity: line.quantity ?? 1, unit_price_cents: line.unit_price_cents ?? 0, rate: rateOf(line, tax_rate_id) }
      : { discount_type: line.discount_type, discount_value: line.discount_value ?? 0 },
  )

/** Returns the rate of a priced line, or null; `tax_rate_id` applies to lines without their own. */
export const rateOf = (
  { tax_rate_id: ownRateId, rate_decimal }: LineItem,
  tax_rate_id: string | null | undefined,
): BillRate | null => {
  const id = ownRateId === undefined ? tax_rate_id : ownRateId
  return id == null || rate_decimal === null ? null : [id, Math.round(rate_decimal * 1_000_000)]
}
