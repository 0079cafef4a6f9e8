import type { DepositState, Quote } from '../records/quotes/index.ts'
import type { LineItem } from '../records/line_items/line.ts'

const LINE = [
  'kind',
  'name',
  'description',
  'quantity',
  'unit',
  'unit_price_cents',
  'taxable',
  'discount_type',
  'discount_value',
  'line_total_cents',
  'tax_cents',
  'rate_decimal',
  'tax_name',
] as const satisfies readonly (keyof LineItem)[]

const TERMS = [
  'display_number',
  'title',
  'issue_date',
  'location_address',
  'discount',
  'tax_exempt',
  'subtotal_cents',
  'discount_cents',
  'taxable_cents',
  'tax_cents',
  'total_cents',
  'currency',
  'terms',
] as const satisfies readonly (keyof Quote)[]

/** What a quote offers, as its customer reads it; what the office may change at any time is not in it. */
export type OfferContent = Pick<Quote, (typeof TERMS)[number]> & {
  line_items: Pick<LineItem, (typeof LINE)[number]>[]
  taxes: Pick<Quote['taxes'][number], 'name' | 'rate_decimal' | 'base_cents' | 'tax_cents'>[]
  /** Amount due up front; null for none. */
  deposit_cents: number | null
}

/** Returns what a quote offers now, with the deposit that it asks for. */
export const toOffer = (quote: Quote, deposit: DepositState | undefined): OfferContent => ({
  ...pickFields(quote, TERMS),
  line_items: quote.line_items.map((line) => pickFields(line, LINE)),
  taxes: quote.taxes.map((tax) => pickFields(tax, ['name', 'rate_decimal', 'base_cents', 'tax_cents'])),
  deposit_cents: deposit?.amount_cents ?? null,
})

function pickFields<T extends object, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Pick<T, Name>
}
