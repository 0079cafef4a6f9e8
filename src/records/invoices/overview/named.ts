import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { InvoiceStatus } from '../status.ts'

/** The fields of an invoice for references from other records; amounts are in cents. */
type NamedInvoice = { id: string; display_number: string; status: InvoiceStatus; total_cents: number }

const MAX_INVOICES = 50

/** Returns names of invoices, newest first; unknown ids are left out. */
export const listInvoiceNames = async (db: Db, ids: readonly string[]): Promise<NamedInvoice[]> =>
  ids.length === 0
    ? []
    : db.all<NamedInvoice>(sql`select id, display_number, status, total_cents from invoices
      where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[]) order by number desc`)

/** Returns the invoices that were made from a quote, newest first. */
export const invoicesOfQuote = (db: Db, quote: string): Promise<NamedInvoice[]> =>
  db.all<NamedInvoice>(sql`select id, display_number, status, total_cents from invoices
    where tenant_id = ${db.tenant} and quote_id = ${quote} order by number desc limit ${MAX_INVOICES}`)

/** An open invoice of a customer; amounts are in cents. */
export type OwedInvoice = NamedInvoice & { due_date: string; balance_due_cents: number; currency: string }

/** Returns the open invoices of a customer, by due date. */
export const invoicesOwedBy = (db: Db, customer: string): Promise<OwedInvoice[]> =>
  db.all<OwedInvoice>(sql`select id, display_number, status, total_cents, due_date, balance_due_cents, currency
    from invoices
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status in ('sent', 'partially_paid')
      and balance_due_cents > 0
    order by due_date, number limit ${MAX_INVOICES}`)

/** Returns the ids of the given invoices that are disputed now. */
export const findDisputed = async (db: Db, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    ids.length === 0
      ? []
      : (
          await db.all<{ id: string }>(sql`select id from invoices
      where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[]) and disputed`)
        ).map(({ id }) => id),
  )

/** Returns the invoices with a display number; `numbers` are the numbers that it can end with. */
export const findInvoicesByNumber = (
  db: Db,
  numbers: readonly number[],
  text: string,
): Promise<{ id: string; said: string }[]> =>
  db.all(sql`select id, display_number as said from invoices
    where tenant_id = ${db.tenant} and number = any(${[...numbers]}::int[]) and lower(display_number) = ${text}`)
