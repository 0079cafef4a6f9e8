import { values } from '../../db/rows.ts'
import { sql, type Db } from '../../db/tenant.ts'
import { pricedColumns } from '../../lines/columns.ts'
import type { TypedLine } from '../../lines/inputs.ts'
import { priced } from '../../lines/price.ts'
import { resolveLines } from '../../lines/resolve.ts'
import { newId } from '../../shape/id.ts'
import { contactFor } from '../contacts/index.ts'
import { lockCustomer } from '../customers/index.ts'
import { locationFor } from '../locations/index.ts'
import { requireLiveRate } from '../tax_rates/index.ts'
import { findQuote, type Quote } from './quote.ts'
import { requireStillValid, validUntil } from './validity.ts'

type Typed = Pick<Quote, 'location_id' | 'contact_id' | 'message' | 'terms' | 'discount' | 'tax_rate_id' | 'fields'> & {
  issue_date: string | null
  valid_until: string | null
}

/** Describes a new quote; what is undefined takes its default, null is nothing. */
export type NewQuote = { [Name in keyof Typed]?: Typed[Name] | undefined } & {
  customer_id: string
  title: string
  line_items: readonly TypedLine[]
}

/** Adds a draft of `owner`'s, priced by the rates of now. */
export async function addQuote(db: Db, owner: string, given: NewQuote, today: string): Promise<Quote> {
  const { customer_id, title } = given
  const issue_date = given.issue_date ?? today
  const valid_until = given.valid_until ?? validUntil(issue_date)
  requireStillValid(valid_until, today)
  const [{ tax_exempt }, { currency }, lines, location_id, contact_id] = await Promise.all([
    lockCustomer(db, customer_id),
    db.one<{ currency: string }>(sql`select currency from tenants where id = ${db.tenant}`),
    resolveLines(db, given.line_items),
    locationFor(db, customer_id, given.location_id, ['billing', 'service']),
    contactFor(db, customer_id, given.contact_id),
    requireLiveRate(db, given.tax_rate_id),
  ])
  const document = await priced(db, {
    lines,
    discount: given.discount,
    tax_rate_id: given.tax_rate_id,
    location_id,
    tax_exempt,
    taxed: true,
  })
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
      message: given.message ?? null,
      terms: given.terms ?? null,
      ...pricedColumns(document),
      tax_rate_chosen: given.tax_rate_id !== undefined,
      tax_exempt,
      fields: given.fields ?? {},
      currency,
      created_by: owner,
      updated_by: owner,
    })}`,
  )
  const [quote] = await Promise.all([findQuote(db, id), inserted])
  return quote
}
