import type { Db } from '../../platform/db/tenant.ts'
import type { LineItem } from '../line_items/line.ts'
import { lineSources, type LineSource } from '../catalog_items/index.ts'
import { liveRates } from '../tax_rates/index.ts'
import type { Quote } from './fields.ts'
import { findQuoteSource, type QuoteSource } from './quote.ts'

type LiveRecords = { items: ReadonlyMap<string, LineSource>; rates: ReadonlyMap<string, unknown> }

/**
 * Returns the arguments of jobs.create for a quote: its location and its lines, so that an invoice of the job has the
 * agreed total. Leaves out records archived since.
 */
export async function jobInputOfQuote(
  db: Db,
  { id, customer_id, title, location_id, contact_id, line_items, discount_cents }: Quote,
): Promise<Record<string, unknown>> {
  const ids = (field: 'catalog_item_id' | 'tax_rate_id'): string[] => line_items.flatMap((line) => line[field] ?? [])
  const source = await findQuoteSource(db, id)
  const [items, rates] = await Promise.all([
    lineSources(db, ids('catalog_item_id')),
    liveRates(db, [...ids('tax_rate_id'), ...(source?.tax_rate_id == null ? [] : [source.tax_rate_id])]),
  ])
  return {
    customer_id,
    title,
    quote_id: id,
    ...(source?.location_archived === false ? { location_id } : {}),
    ...(source?.contact_archived === false ? { contact_id } : {}),
    line_items: [
      ...line_items.map((line) => toLineInput(line, { items, rates }, source)),
      ...(source?.discount == null ? [] : discountLines(source.discount, line_items, discount_cents)),
    ],
  }
}

function toLineInput(line: LineItem, live: LiveRecords, source: QuoteSource | undefined): Record<string, unknown> {
  const { kind, name, description, catalog_item_id } = line
  const common = { kind, name, description, ...(isOfItem(line, live) ? { catalog_item_id } : {}) }
  if (kind === 'discount') return { ...common, discount_type: line.discount_type, discount_value: line.discount_value }
  const { quantity, unit, unit_price_cents, taxable } = line
  return { ...common, quantity, unit, unit_price_cents, taxable, ...rateOf(line, live, source) }
}

/** Checks whether a line can name its item: an item with a rate set since would add that rate. */
function isOfItem({ catalog_item_id, tax_rate_id }: LineItem, { items }: LiveRecords): boolean {
  const item = catalog_item_id === null ? undefined : items.get(catalog_item_id)
  return item !== undefined && (tax_rate_id !== undefined || item.tax_rate_id === null)
}

/** Returns the rate of a line. A rate chosen for the whole quote moves to its lines, since a job has no rate. */
function rateOf(
  line: LineItem,
  { rates }: LiveRecords,
  source: QuoteSource | undefined,
): { tax_rate_id?: string | null } {
  const rate =
    line.tax_rate_id === undefined && source?.tax_rate_chosen === true ? source.tax_rate_id : line.tax_rate_id
  return rate === undefined || (rate !== null && !rates.has(rate)) ? {} : { tax_rate_id: rate }
}

/**
 * Returns the discount of the whole quote as lines. Beside other discount lines a percentage becomes its amount, since
 * it applies to the subtotal that they leave.
 */
function discountLines(
  { type, value }: NonNullable<Quote['discount']>,
  lines: readonly LineItem[],
  discount_cents: number,
): Record<string, unknown>[] {
  const others = lines.filter(({ kind }) => kind === 'discount')
  const amount = discount_cents + others.reduce((sum, { line_total_cents }) => sum + line_total_cents, 0)
  if (amount === 0) return []
  const quoteDiscount =
    type === 'percent' && others.length === 0
      ? { discount_type: type, discount_value: value }
      : { discount_type: 'amount', discount_value: amount }
  return [{ kind: 'discount', name: 'Discount', ...quoteDiscount }]
}
