import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { RateChoice } from '../line_items/columns.ts'
import { orderLineFields } from '../line_items/line.ts'
import { INVOICE, type Invoice } from './fields.ts'

/** The user who writes; null for the service itself. */
export type Writer = Pick<Caller, 'user'> | null

/** Returns the condition for invoices that are overdue on a day. */
export const overdueOn = (today: string) =>
  sql`(i.status in ('sent', 'partially_paid') and i.due_date < ${today}::date)`

const columns = (today: string) => INVOICE.columns('i', { is_overdue: overdueOn(today) })

const fromClause = sql`invoices i join customers c on c.tenant_id = i.tenant_id and c.id = i.customer_id
  left join locations l on l.tenant_id = i.tenant_id and l.id = i.location_id`

/** Returns an invoice, void or not; `today` is the tenant's calendar day. */
export const findInvoice = (db: Db, id: string, today: string): Promise<Invoice> =>
  db
    .present<Invoice>(
      sql`select ${columns(today)} from ${fromClause} where i.tenant_id = ${db.tenant} and i.id = ${id}`,
      'invoice',
    )
    .then(orderLineFields)

/** Current values that a save of a draft depends on. */
export type InvoiceTerms = RateChoice & { customer_exempt: boolean; net_days: number; is_on_account: boolean }

/**
 * Locks an invoice until the transaction ends, and returns it. The lock comes before the read, because its customer may
 * change meanwhile.
 */
export async function lockInvoice(
  db: Db,
  id: string,
  today: string,
): Promise<{ before: Invoice; currentTerms: InvoiceTerms }> {
  const [, { tax_rate_chosen, rate_archived, customer_exempt, net_days, is_on_account, ...before }] = await Promise.all(
    [
      db.run(sql`select id from invoices where tenant_id = ${db.tenant} and id = ${id} for no key update`),
      db
        .present<Invoice & InvoiceTerms>(
          sql`
      select ${columns(today)}, i.tax_rate_chosen, r.archived_at is not null as rate_archived,
        c.tax_exempt as customer_exempt, coalesce(c.payment_terms_days, t.default_net_days) as net_days,
        i.deposit_of is not null as is_on_account
      from ${fromClause} join tenants t on t.id = i.tenant_id
        left join tax_rates r on r.tenant_id = i.tenant_id and r.id = i.tax_rate_id
      where i.tenant_id = ${db.tenant} and i.id = ${id}`,
          'invoice',
        )
        .then(orderLineFields),
    ],
  )
  const { tax_rate_id } = before
  return {
    before,
    currentTerms: { tax_rate_id, tax_rate_chosen, rate_archived, customer_exempt, net_days, is_on_account },
  }
}

/** Returns the invoices that bill a job, oldest first. */
export const invoicesOfJob = async (db: Db, job: string): Promise<string[]> =>
  (
    await db.all<{ invoice_id: string }>(sql`select invoice_id from invoice_jobs
    where tenant_id = ${db.tenant} and job_id = ${job} order by invoice_id`)
  ).map(({ invoice_id }) => invoice_id)

/** Returns a customer's balance over sent and partially paid invoices. */
export const customerBalance = (
  db: Db,
  customer: string,
): Promise<{ unpaid_invoices: number; balance_due_cents: number }> =>
  db.one(sql`select count(*) as unpaid_invoices, coalesce(sum(balance_due_cents), 0)::bigint as balance_due_cents
    from invoices
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status in ('sent', 'partially_paid')`)
