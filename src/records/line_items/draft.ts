import type { Db } from '../../platform/db/tenant.ts'
import { contactFor } from '../contacts/index.ts'
import { locationFor } from '../locations/index.ts'
import { requireLiveRate } from '../tax_rates/index.ts'
import type { Discount } from '../../money/document.ts'
import { toDocumentColumns, rateToKeep, type RateChoice } from './columns.ts'
import type { LineDraft } from './inputs.ts'
import { unpriceLines, reuseLines, type LineItem } from './line.ts'
import { priceLines } from './price.ts'
import { resolveLines } from './resolve.ts'

/** A priced document that is still a draft. */
type Draft = {
  customer_id: string
  location_id: string | null
  contact_id: string | null
  line_items: readonly LineItem[]
  discount: Discount | null
  tax_rate_id: string | null
}

/** Changes; undefined fields stay. */
type Patch = {
  location_id?: string | null | undefined
  contact_id?: string | null | undefined
  line_items?: readonly LineDraft[] | undefined
  discount?: Discount | null | undefined
  tax_rate_id?: string | null | undefined
}

/** Source of the draft's rate, and whether its customer is exempt now. */
type TaxStatus = RateChoice & { customer_exempt: boolean }

/**
 * Returns the columns of a draft that is saved again, priced at current rates in one round trip. Fields without a patch
 * stay, even if their records were archived since.
 */
export async function repriceDraft(db: Db, before: Draft, taxStatus: TaxStatus, patch: Patch) {
  const { customer_id } = before
  const location_id = patch.location_id === undefined ? before.location_id : patch.location_id
  const contact_id = patch.contact_id === undefined ? before.contact_id : patch.contact_id
  const hasMoved = location_id !== before.location_id
  const tax_rate_id =
    patch.tax_rate_id === undefined
      ? rateToKeep(hasMoved ? { ...taxStatus, rate_archived: false } : taxStatus)
      : patch.tax_rate_id
  const [document] = await Promise.all([
    priceLines(db, {
      lines:
        patch.line_items === undefined
          ? unpriceLines(before.line_items)
          : resolveLines(db, patch.line_items, before.line_items),
      discount: patch.discount === undefined ? before.discount : patch.discount,
      tax_rate_id,
      location_id,
      tax_exempt: taxStatus.customer_exempt,
      hasTax: true,
    }),
    hasMoved ? locationFor(db, customer_id, location_id, []) : undefined,
    contact_id === before.contact_id ? undefined : contactFor(db, customer_id, contact_id),
    patch.tax_rate_id === before.tax_rate_id ? undefined : requireLiveRate(db, patch.tax_rate_id),
  ])
  return {
    location_id,
    contact_id,
    ...toDocumentColumns({ ...document, line_items: reuseLines(before.line_items, document.line_items) }),
    tax_exempt: taxStatus.customer_exempt,
    tax_rate_chosen: patch.tax_rate_id !== undefined || taxStatus.tax_rate_chosen,
  }
}
