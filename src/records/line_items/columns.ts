import type { PricedDocument } from './price.ts'

/** Returns the table columns of a priced document. */
export const toDocumentColumns = ({ line_items, taxes, discount, ...totals }: PricedDocument) => ({
  line_items: JSON.stringify(line_items),
  taxes: JSON.stringify(taxes),
  discount: discount && JSON.stringify(discount),
  ...totals,
})

/** Source of a document's rate: chosen for it, or the location's or the tenant's default. */
export type RateChoice = { tax_rate_id: string | null; tax_rate_chosen: boolean; rate_archived: boolean }

/**
 * Returns the rate to keep when a draft is saved again: one that was chosen, or archived since. Returns undefined for
 * the rate in effect now.
 */
export const rateToKeep = ({ tax_rate_id, tax_rate_chosen, rate_archived }: RateChoice): string | null | undefined =>
  tax_rate_chosen || rate_archived ? tax_rate_id : undefined
