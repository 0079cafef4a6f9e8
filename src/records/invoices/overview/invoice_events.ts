import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { isOlder, type HistoryPage } from '../../history/history_cursor.ts'
import type { PaymentKind } from '../billing/billing.ts'
import type { Invoice } from '../fields.ts'
import type { PaymentMethod } from '../payments/recorded_payments.ts'

/** Filter of invoices: those of a customer, or those that bill a job. */
type InvoiceScope = { customer: string } | { job: string }

/** An event of an invoice; `draft` only while it hasn't been sent. */
export type InvoiceEvent = Pick<Invoice, 'id' | 'display_number' | 'subject' | 'total_cents' | 'currency'> & {
  at: string
  event: 'draft' | 'sent' | 'void'
}

/** A payment of an invoice; refunds are negative. */
export type InvoicePaymentEvent = {
  id: string
  at: string
  kind: PaymentKind
  method: PaymentMethod | null
  amount_cents: number
  currency: string
  invoice_id: string
  display_number: string
  recorded_by: string | null
}

const invoicesFor = (db: Db, scope: InvoiceScope): Sql =>
  'customer' in scope
    ? sql`invoices i where i.tenant_id = ${db.tenant} and i.customer_id = ${scope.customer}`
    : sql`invoice_jobs b join invoices i on i.tenant_id = ${db.tenant} and i.id = b.invoice_id
      where b.tenant_id = ${db.tenant} and b.job_id = ${scope.job}`

/** Returns the events of invoices, newest first. */
export const listInvoiceEvents = (db: Db, scope: InvoiceScope, page: HistoryPage): Promise<InvoiceEvent[]> =>
  db.all<InvoiceEvent>(sql`
    select i.id, i.display_number, i.subject, i.total_cents, i.currency, e.event, e.at
    from (select i.* from ${invoicesFor(db, scope)}) i cross join lateral (values
      ('draft', case when i.sent_at is null then i.created_at end), ('sent', i.sent_at), ('void', i.voided_at))
      e(event, at)
    where e.at is not null and ${isOlder(page, sql`e.at`, sql`i.id`)}
    order by e.at desc, i.id desc, e.event limit ${page.limit}`)

/** Returns the payments of invoices, newest first. */
export const listPaymentEvents = (db: Db, scope: InvoiceScope, page: HistoryPage): Promise<InvoicePaymentEvent[]> =>
  db.all<InvoicePaymentEvent>(sql`
    select p.id, p.at, p.kind, p.method, p.amount_cents, i.currency, p.invoice_id, i.display_number,
      u.name as recorded_by
    from (select i.id, i.display_number, i.currency from ${invoicesFor(db, scope)}) i
      join payments p on p.tenant_id = ${db.tenant} and p.invoice_id = i.id
      left join users u on u.id = p.created_by
    where ${isOlder(page, sql`p.at`, sql`p.id`)}
    order by p.at desc, p.id desc limit ${page.limit}`)

/** Returns the total that a customer has paid, net of refunds. */
export const sumPaid = async (db: Db, customer: string): Promise<number> =>
  (
    await db.one<{ cents: number }>(sql`select coalesce(sum(amount_paid_cents), 0)::bigint as cents from invoices
      where tenant_id = ${db.tenant} and customer_id = ${customer}`)
  ).cents
