import type { PricedDocument } from './price.ts'

/** A priced document as its table keeps it. */
export const pricedColumns = ({ line_items, taxes, discount, ...totals }: PricedDocument) => ({
  line_items: JSON.stringify(line_items), taxes: JSON.stringify(taxes), discount: discount && JSON.stringify(discount), ...totals,
})

/** How a document came by its rate: chosen for it, or in effect by its location or the tenant's default. */
export type RateKept = { tax_rate_id: string | null; tax_rate_chosen: boolean; rate_archived: boolean }

/** What a draft that is saved again says of its rate: the chosen one, or one that was archived since; else what is in effect now. */
export const rateKept = ({ tax_rate_id, tax_rate_chosen, rate_archived }: RateKept): string | null | undefined =>
  tax_rate_chosen || rate_archived ? tax_rate_id : undefined
