import type { PricedDocument } from './price.ts'

/** Returns a priced document as the columns of its table. */
export const toDocumentColumns = ({ line_items, taxes, discount, ...totals }: PricedDocument) => ({
  line_items: JSON.stringify(line_items),
  taxes: JSON.stringify(taxes),
  discount: discount && JSON.stringify(discount),
  ...totals,
})

/** Where a document's rate comes from: chosen for it, or in effect by its location or the tenant's default. */
export type RateChoice = { tax_rate_id: string | null; tax_rate_chosen: boolean; rate_archived: boolean }

/**
 * Returns the rate of a draft that is saved again: the chosen one, or one that was archived since; else the rate in
 * effect now.
 */
export const rateToKeep = ({ tax_rate_id, tax_rate_chosen, rate_archived }: RateChoice): string | null | undefined =>
  tax_rate_chosen || rate_archived ? tax_rate_id : undefined
