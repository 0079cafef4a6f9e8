import type { Caller } from '../../identity/credentials/caller.ts'
import { ENTERED, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import type { RateChoice } from '../line_items/columns.ts'
import { orderLineFields, type LineItem } from '../line_items/line.ts'
import type { Discount, DocumentPrice } from '../../money/document.ts'
import type { InvoiceStatus } from './status.ts'

/** What became of a message that carried the invoice. */
export type Delivery = {
  channel: 'email' | 'sms'
  status: string
  to: string
  error_message: string | null
  error_code: string | null
  at: string
  read_at: string | null
}

export type Invoice = {
  id: string
  number: number
  display_number: string
  customer_id: string
  customer_name: string
  location_id: string | null
  /** Current address while the invoice is a draft; afterwards the address at that time. */
  location_address: string | null
  contact_id: string | null
  job_ids: string[]
  quote_id: string | null
  plan_id: string | null
  status: InvoiceStatus
  is_overdue: boolean
  subject: string | null
  issue_date: string
  due_date: string
  po_number: string | null
  message: string | null
  internal_memo: string | null
  line_items: LineItem[]
  discount: Discount | null
  /** Rate of lines that name none. */
  tax_rate_id: string | null
  tax_exempt: boolean
  taxes: DocumentPrice['taxes']
  subtotal_cents: number
  discount_cents: number
  taxable_cents: number
  tax_cents: number
  total_cents: number
  amount_paid_cents: number
  balance_due_cents: number
  currency: string
  fields: Record<string, string | number | boolean | null>
  deliveries: Delivery[]
  sent_at: string | null
  paid_at: string | null
  voided_at: string | null
  void_reason: string | null
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

/** Who writes; null is the service itself. */
export type Writer = Pick<Caller, 'user'> | null

/** Matches invoices that are overdue on a day. */
export const overdueOn = (today: string) =>
  sql`(i.status in ('sent', 'partially_paid') and i.due_date < ${today}::date)`

const columns = (today: string) => sql`i.id, i.number, i.display_number, i.customer_id, c.display_name as customer_name,
  i.location_id, coalesce(i.location_address, l.formatted_address) as location_address, i.contact_id,
  array(select j.job_id from invoice_jobs j where j.tenant_id = ${ENTERED} and j.invoice_id = i.id order by j.job_id) as job_ids,
  i.quote_id, i.plan_id, i.status, ${overdueOn(today)} as is_overdue, i.subject, i.issue_date, i.due_date, i.po_number, i.message,
  i.internal_memo, i.line_items, i.discount, i.tax_rate_id, i.tax_exempt, i.taxes, i.subtotal_cents, i.discount_cents, i.taxable_cents,
  i.tax_cents, i.total_cents, i.amount_paid_cents, i.balance_due_cents, i.currency, i.fields,
  (select coalesce(json_agg(json_build_object('channel', d.channel, 'status', d.status, 'to', d.recipient,
      'error_message', d.error_message, 'error_code', d.error_code, 'at', ${inUtc(sql`d.at`)}, 'read_at', ${inUtc(sql`d.read_at`)})
      order by d.at, d.id), '[]')
    from invoice_deliveries d where d.tenant_id = ${ENTERED} and d.invoice_id = i.id) as deliveries,
  i.sent_at, i.paid_at, i.voided_at, i.void_reason, i.created_at, i.updated_at, i.created_by, i.updated_by`

function inUtc(instant: Sql): Sql {
  return sql`to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

const joined = sql`invoices i join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
  left join locations l on l.tenant_id = i.tenant_id and l.id = i.location_id`

/** Returns an invoice, voided ones too; `today` is the tenant's calendar day. */
export const findInvoice = (db: Db, id: string, today: string): Promise<Invoice> =>
  db
    .present<Invoice>(
      sql`select ${columns(today)} from ${joined} where i.tenant_id = ${db.tenant} and i.id = ${id}`,
      'invoice',
    )
    .then(orderLineFields)

/** What a save of a draft depends on, as it is now. */
export type InvoiceTerms = RateChoice & { customer_exempt: boolean; net_days: number }

/**
 * Returns an invoice that no other call changes until this one ends; it is locked before it is read, because its
 * customer may change meanwhile.
 */
export async function lockInvoice(db: Db, id: string, today: string): Promise<{ before: Invoice; now: InvoiceTerms }> {
  const [, { tax_rate_chosen, rate_archived, customer_exempt, net_days, ...before }] = await Promise.all([
    db.run(sql`select id from invoices where tenant_id = ${db.tenant} and id = ${id} for no key update`),
    db
      .present<Invoice & InvoiceTerms>(
        sql`
      select ${columns(today)}, i.tax_rate_chosen, r.archived_at is not null as rate_archived, c.tax_exempt as customer_exempt,
        coalesce(c.payment_terms_days, t.default_net_days) as net_days
      from ${joined} join tenants t on t.id = i.tenant_id left join tax_rates r on r.tenant_id = i.tenant_id and r.id = i.tax_rate_id
      where i.tenant_id = ${db.tenant} and i.id = ${id}`,
        'invoice',
      )
      .then(orderLineFields),
  ])
  return { before, now: { tax_rate_id: before.tax_rate_id, tax_rate_chosen, rate_archived, customer_exempt, net_days } }
}

/** Returns the invoices that bill a job, oldest first. */
export const invoicesOfJob = async (db: Db, job: string): Promise<string[]> =>
  (
    await db.all<{ invoice_id: string }>(sql`select invoice_id from invoice_jobs
    where tenant_id = ${db.tenant} and job_id = ${job} order by invoice_id`)
  ).map(({ invoice_id }) => invoice_id)

/** Returns what a customer owes, in sent and partially paid invoices. */
export const customerBalance = (
  db: Db,
  customer: string,
): Promise<{ unpaid_invoices: number; balance_due_cents: number }> =>
  db.one(sql`select count(*) as unpaid_invoices, coalesce(sum(balance_due_cents), 0)::bigint as balance_due_cents from invoices
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status in ('sent', 'partially_paid')`)
