import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { toDocumentColumns } from '../line_items/columns.ts'
import type { LineDraft } from '../line_items/inputs.ts'
import { priceLines, type PricedDocument } from '../line_items/price.ts'
import { resolveLines } from '../line_items/resolve.ts'
import { newId } from '../../platform/validation/id.ts'
import { contactFor } from '../contacts/index.ts'
import { lockCustomer } from '../customers/index.ts'
import { locationFor, locationQuery } from '../locations/index.ts'
import { requireLiveRate } from '../tax_rates/index.ts'
import type { Quote, QuoteDraft } from './fields.ts'
import { findQuote } from './quote.ts'
import { requireStillValid, validUntil } from './validity.ts'

/** A new quote; undefined fields take their defaults, null ones stay empty. */
type NewQuote = Omit<QuoteDraft, 'line_items'> & { customer_id: string; line_items: readonly LineDraft[] }

type PreparedQuote = {
  issue_date: string
  valid_until: string
  tax_exempt: boolean
  currency: string
  document: PricedDocument
  location_id: string | null
  contact_id: string | null
}

/** Reads the data of a new quote in one round trip, prices it by the current rates, and locks its customer. */
export async function prepareQuote(db: Db, draft: NewQuote, today: string): Promise<PreparedQuote> {
  const { customer_id } = draft
  const issue_date = draft.issue_date ?? today
  const valid_until = draft.valid_until ?? validUntil(issue_date)
  requireStillValid(valid_until, today)
  const types = ['billing', 'service'] as const
  const lockedCustomer = lockCustomer(db, customer_id)
  const [{ tax_exempt }, { currency }, document, location_id, contact_id] = await Promise.all([
    lockedCustomer,
    db.one<{ currency: string }>(sql`select currency from tenants where id = ${db.tenant}`),
    priceLines(db, {
      lines: resolveLines(db, draft.line_items),
      discount: draft.discount,
      tax_rate_id: draft.tax_rate_id,
      location_id: draft.location_id === null ? null : locationQuery(db, customer_id, draft.location_id, types),
      tax_exempt: lockedCustomer.then((customer) => customer.tax_exempt),
      hasTax: true,
    }),
    locationFor(db, customer_id, draft.location_id, types),
    contactFor(db, customer_id, draft.contact_id),
    requireLiveRate(db, draft.tax_rate_id),
  ])
  return { issue_date, valid_until, tax_exempt, currency, document, location_id, contact_id }
}

/** Adds a prepared draft that belongs to `owner`. */
export async function addQuote(
  db: Db,
  owner: string,
  draft: NewQuote,
  { issue_date, valid_until, tax_exempt, currency, document, location_id, contact_id }: PreparedQuote,
): Promise<Quote> {
  const { customer_id, title } = draft
  const id = newId()
  const inserted = db.run(
    sql`insert into quotes ${values({
      tenant_id: db.tenant,
      id,
      number: sql`next_number(${db.tenant}, 'quote', 1001)`,
      owner_id: owner,
      customer_id,
      location_id,
      contact_id,
      title,
      status: 'draft',
      issue_date,
      valid_until,
      message: draft.message ?? null,
      terms: draft.terms ?? null,
      ...toDocumentColumns(document),
      tax_rate_chosen: draft.tax_rate_id !== undefined,
      tax_exempt,
      fields: draft.fields ?? {},
      currency,
      created_by: owner,
      updated_by: owner,
    })}`,
  )
  const [quote] = await Promise.all([findQuote(db, id), inserted])
  return quote
}
