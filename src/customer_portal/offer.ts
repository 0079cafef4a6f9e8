import { depositAmount, optionalLines, priceWithOptional, type Quote } from '../records/quotes/index.ts'
import type { Db } from '../platform/db/tenant.ts'
import type { LineItem } from '../records/line_items/line.ts'

const LINE_FIELDS = [
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

const QUOTE_FIELDS = [
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

/** Offer of a quote as its customer reads it, without fields that the office may change at any time. */
export type OfferContent = Pick<Quote, (typeof QUOTE_FIELDS)[number]> & {
  line_items: Pick<LineItem, (typeof LINE_FIELDS)[number]>[]
  taxes: Pick<Quote['taxes'][number], 'name' | 'rate_decimal' | 'base_cents' | 'tax_cents'>[]
  /** Amount due up front; null for none. */
  deposit_cents: number | null
  /** Lines that the customer may choose to add. */
  optional_lines?: OptionalLine[]
}

type OptionalLine = Pick<LineItem, 'id' | (typeof LINE_FIELDS)[number]>

/** Offer that a link to a quote stores, with those of all options when the customer chooses among several. */
export type LinkOffer = OfferContent & { options?: readonly { id: string; offer: OfferContent }[] }

/** Returns the options that a link shows; none for a single quote. */
export const optionsOf = (offer: LinkOffer | null): NonNullable<LinkOffer['options']> => offer?.options ?? []

/** Returns the offer that a link stores for a quote; undefined if it stores none. */
export function offerIn(link: { offer: LinkOffer | null; record: string }, quote: string): OfferContent | undefined {
  const option = optionsOf(link.offer).find(({ id }) => id === quote)
  if (option !== undefined || link.offer === null || link.record !== quote) return option?.offer
  const { options: _, ...offer } = link.offer
  return offer
}

/**
 * Returns an offer with some of its optional lines, priced at the quote's own rates, for its customer to accept. The
 * quote must still offer the content.
 */
export async function chooseLines(
  db: Db,
  quote: Quote,
  content: OfferContent,
  ids: readonly string[],
): Promise<OfferContent> {
  const { optional_lines: _, ...offer } = content
  if (ids.length === 0) return offer
  const priced = await priceWithOptional(db, quote, optionalLines(quote, ids))
  const deposit = content.deposit_cents === null ? null : await depositAmount(db, quote.id, priced.total_cents)
  return toOffer({ ...quote, ...priced, discount: quote.discount, optional_lines: null }, deposit)
}

/** Returns the current offer of a quote, with its deposit in cents. */
export const toOffer = (quote: Quote, deposit_cents: number | null): OfferContent => ({
  ...pickFields(quote, QUOTE_FIELDS),
  line_items: quote.line_items.map((line) => pickFields(line, LINE_FIELDS)),
  taxes: quote.taxes.map((tax) => pickFields(tax, ['name', 'rate_decimal', 'base_cents', 'tax_cents'])),
  deposit_cents,
  ...(quote.optional_lines === null
    ? {}
    : { optional_lines: quote.optional_lines.map((line) => pickFields(line, ['id', ...LINE_FIELDS])) }),
})

function pickFields<T extends object, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null])) as Pick<T, Name>
}
