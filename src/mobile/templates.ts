import type { Caller } from '../identity/credentials/caller.ts'
import type { Db } from '../platform/db/tenant.ts'
import { readTemplates, type QuoteTemplate, type TemplateLine } from '../records/quotes/index.ts'
import type { FieldItem } from './catalog.ts'
import { mayQuote } from './visit_rows.ts'

type Option = QuoteTemplate['options'][number]
type OptionLine = { catalog_item_id: string; quantity: number }

/** Quote template that works on an offline phone. */
export type FieldTemplate = {
  id: string
  name: string
  options: (Pick<Option, 'title' | 'terms' | 'discount' | 'deposit'> &
    Record<'line_items' | 'optional_lines', OptionLine[]>)[]
}

/** Maximum number of templates sent to a phone, and maximum size of one in the database in bytes. */
const TEMPLATE_LIMITS = { max: 20, maxBytes: 8_000 }

/** Returns the company's small templates, for those who may quote. */
export const fieldTemplates = (db: Db, caller: Caller): Promise<QuoteTemplate[]> =>
  mayQuote(caller) ? readTemplates(db, TEMPLATE_LIMITS) : Promise.resolve([])

/** Returns the templates whose lines all match items in the phone's catalog. */
export function fitTemplates(templates: readonly QuoteTemplate[], catalog: readonly FieldItem[]): FieldTemplate[] {
  const items = new Map(catalog.map((item) => [item.id, item]))
  const isListed = (line: TemplateLine): boolean => matchesItem(line, items.get(line.catalog_item_id ?? ''))
  const toLine = ({ catalog_item_id, quantity }: TemplateLine): OptionLine => ({
    catalog_item_id: String(catalog_item_id),
    quantity: quantity ?? 1,
  })
  return templates
    .filter(({ options }) =>
      options.every(({ line_items, optional_lines }) => [...line_items, ...optional_lines].every(isListed)),
    )
    .map(({ id, name, options }) => ({
      id,
      name,
      options: options.map(({ title, terms, discount, deposit, line_items, optional_lines }) => ({
        title,
        terms,
        discount,
        deposit,
        line_items: line_items.map(toLine),
        optional_lines: optional_lines.map(toLine),
      })),
    }))
}

/** Checks whether a line has the name, price and tax of its item. */
function matchesItem(line: TemplateLine, item: FieldItem | undefined): boolean {
  if (item === undefined || item.price_cents === null || !line.has_catalog_price || line.name !== item.name)
    return false
  if (item.rate === undefined) return line.taxable !== false && line.tax_rate_id === undefined
  return item.rate === null ? line.taxable === false : line.taxable !== false && line.tax_rate_id === item.rate[0]
}
