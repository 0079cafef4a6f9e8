import { isDeepStrictEqual } from 'node:util'
import type { DiscountType, ItemLine } from '../../money/document.ts'
import type { Rate } from '../../money/rates.ts'
import { newId } from '../../platform/validation/id.ts'

/**
 * A line item in storage and in results (docs/spec/money.md#line-items). `tax_rate_id` is present only if the line has
 * its own rate, or null for untaxed; otherwise the document's rate applies.
 */
export type LineItem = {
  id: string
  position: number
  kind: ItemLine['kind'] | 'discount'
  catalog_item_id: string | null
  name: string
  description: string | null
  /** Null on a discount line, like the unit and its price. */
  quantity: number | null
  unit: string | null
  unit_price_cents: number | null
  taxable: boolean
  tax_rate_id?: string | null
  discount_type: DiscountType | null
  discount_value: number | null
  /** Negative on a discount line. */
  line_total_cents: number
  discount_share_cents: number
  tax_cents: number
  rate_decimal: number | null
  tax_name: string | null
}

type Common = Pick<LineItem, 'id' | 'catalog_item_id' | 'name' | 'description'>

/** A line that is complete except for its price. */
export type ResolvedLine = SoldLine | DiscountLineItem
export type SoldLine = Common & {
  kind: ItemLine['kind']
  quantity: number
  unit: string
  unit_price_cents: number
  taxable: boolean
  tax_rate_id?: string | null
  /** Rate of `tax_rate_id`, if no query is needed for it. */
  rate?: Rate
}
export type DiscountLineItem = Common & { kind: 'discount'; discount_type: DiscountType; discount_value: number }

/**
 * Returns stored lines without their prices, to price them again. They are snapshots: later changes of the catalog
 * don't affect them.
 */
export const unpriceLines = (stored: readonly LineItem[]): ResolvedLine[] => stored.map(unpriceLine)

/** A price change of a catalog item, for lines at the earlier price. */
export type PriceStep = { item: string; from: number; to: number }

/** Returns stored lines with an item's new price; the same array if none has the earlier price. */
export const replacePrice = (lines: LineItem[], { item, from, to }: PriceStep): LineItem[] => {
  const hasOldPrice = ({ catalog_item_id, unit_price_cents }: LineItem) =>
    catalog_item_id === item && unit_price_cents === from
  return lines.some(hasOldPrice)
    ? lines.map((line) => (hasOldPrice(line) ? { ...line, unit_price_cents: to } : line))
    : lines
}

/** Returns the same lines for another document, with new ids. */
export const copyLines = (stored: readonly LineItem[]): ResolvedLine[] =>
  stored.map((line) => ({ ...unpriceLine(line), id: newId() }))

/** Fields of a line that callers set; the rest is computed. */
export const INPUT_FIELDS = [
  'kind',
  'catalog_item_id',
  'name',
  'description',
  'quantity',
  'unit',
  'unit_price_cents',
  'taxable',
  'tax_rate_id',
  'discount_type',
  'discount_value',
] as const satisfies readonly (keyof LineItem)[]

/** Order of a line's fields in every result (docs/spec/money.md#line-items); storage has another order. */
const FIELD_ORDER = [
  ...INPUT_FIELDS,
  'position',
  'id',
  'line_total_cents',
  'discount_share_cents',
  'tax_cents',
  'rate_decimal',
  'tax_name',
] as const satisfies readonly (keyof LineItem)[]

/** Returns a stored document with its line fields in that order. */
export const orderLineFields = <Document extends { line_items: LineItem[]; optional_lines?: LineItem[] | null }>(
  stored: Document,
): Document => ({
  ...stored,
  line_items: stored.line_items.map(orderFields),
  ...(stored.optional_lines == null ? {} : { optional_lines: stored.optional_lines.map(orderFields) }),
})

function orderFields(line: LineItem): LineItem {
  const fields: Record<string, unknown> = {}
  for (const name of FIELD_ORDER) if (line[name] !== undefined) fields[name] = line[name]
  return fields as LineItem
}

/** Returns the new lines, or the stored ones, which keep their ids, if both have the same content. */
export const reuseLines = (stored: readonly LineItem[], lines: LineItem[]): LineItem[] =>
  isDeepStrictEqual(stored.map(toComparable), lines.map(toComparable)) ? [...stored] : lines

/** Returns a line without its id, as JSON stores it. */
const toComparable = (line: LineItem): unknown => JSON.parse(JSON.stringify({ ...line, id: null }))

function unpriceLine(line: LineItem): ResolvedLine {
  const { id, catalog_item_id, name, description, kind } = line
  const common = { id, catalog_item_id, name, description }
  if (kind === 'discount')
    return { ...common, kind, discount_type: line.discount_type!, discount_value: line.discount_value! }
  return {
    ...common,
    kind,
    quantity: line.quantity!,
    unit: line.unit!,
    unit_price_cents: line.unit_price_cents!,
    taxable: line.taxable,
    ...(line.tax_rate_id === undefined ? {} : { tax_rate_id: line.tax_rate_id }),
    ...rateSnapshot(line),
  }
}

const rateSnapshot = ({ tax_rate_id, tax_name, rate_decimal }: LineItem): { rate?: Rate } =>
  tax_rate_id == null || tax_name === null || rate_decimal === null
    ? {}
    : { rate: { tax_rate_id, name: tax_name, rate_decimal } }
