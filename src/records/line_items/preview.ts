import { z } from 'zod'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { locationFor } from '../locations/index.ts'
import { id, optional } from '../../platform/validation/fields.ts'
import { documentDiscount, lineItems } from './inputs.ts'
import { priceLines, type PricedDocument } from './price.ts'
import { resolveLines } from './resolve.ts'

/** Fields that a document's price depends on; other form fields are dropped. */
export const previewInput = z.object({
  customer_id: id(),
  location_id: optional(id()),
  line_items: lineItems(),
  discount: documentDiscount().optional(),
  tax_rate_id: optional(id()),
})

/** Prices a document as its tool would, without saving it; `hasTax` is false for a job. */
export async function previewPrices(
  db: Db,
  { customer_id, line_items = [], discount, tax_rate_id, ...locationInput }: z.output<typeof previewInput>,
  hasTax: boolean,
): Promise<PricedDocument> {
  const [customer, location_id] = await Promise.all([
    db.maybe<{ tax_exempt: boolean }>(
      sql`select tax_exempt from customers where tenant_id = ${db.tenant} and id = ${customer_id}`,
    ),
    locationFor(db, customer_id, locationInput.location_id, hasTax ? ['billing', 'service'] : ['service']),
  ])
  const lines = resolveLines(db, line_items)
  return priceLines(db, { lines, discount, tax_rate_id, location_id, tax_exempt: customer?.tax_exempt, hasTax })
}
