import { sql, type Db } from '../../db/tenant.ts'

/** What was paid for an invoice and is disputed of it, with the provider's own ids. */
export type Billing = {
  /** Whether a dispute is open now. */
  disputed: boolean
  /** Newest first. */
  disputes: Dispute[]
  /** Oldest first; what went back is negative. */
  payments: Payment[]
}

export type Dispute = {
  /** The provider's id. */
  dispute: string
  amount_cents: number | null
  /** As the provider says: why it was opened, how it ended. */
  reason: string | null
  outcome: string | null
  closed: boolean
  /** When we were told; null for one whose opening was never told. */
  opened_at: string | null
  closed_at: string | null
}

export type Payment = {
  id: string
  /** `manual` balances an invoice that was marked paid by hand. */
  kind: 'manual' | 'charge' | 'refund' | 'dispute'
  amount_cents: number
  at: string
  /** The provider's payment (of a lost dispute, the dispute) and the event that told of it. */
  charge: string | null
  event_id: string | null
}

/** For the invoice's page; `not_found` for an invoice that is not the tenant's. */
export async function billingStateOf(db: Db, invoice: string): Promise<Billing> {
  const [{ disputed }, disputes, payments] = await Promise.all([
    db.present<{ disputed: boolean }>(sql`select disputed from invoices where tenant_id = ${db.tenant} and id = ${invoice}`, 'invoice'),
    db.all<Dispute>(sql`select dispute, amount_cents, reason, outcome, closed, opened_at, closed_at from payment_disputes
      where tenant_id = ${db.tenant} and invoice_id = ${invoice} order by coalesce(opened_at, closed_at) desc nulls last, dispute`),
    db.all<Payment>(sql`select p.id, p.kind, p.amount_cents, p.at, p.charge, e.event_id from payments p
      left join payment_events e on e.tenant_id = p.tenant_id and e.id = case when p.source ~ '^[0-9a-f-]{36}$' then p.source::uuid end
      where p.tenant_id = ${db.tenant} and p.invoice_id = ${invoice} order by p.at, p.id`),
  ])
  return { disputed, disputes, payments }
}

/** What decides whether money can be booked on an invoice. */
export type Payee = { id: string; display_number: string; status: string; currency: string }

/** The invoice that an event names, if it is the tenant's. */
export const findPayee = (db: Db, invoice: string): Promise<Payee | undefined> =>
  db.maybe<Payee>(sql`select id, display_number, status, currency from invoices where tenant_id = ${db.tenant} and id = ${invoice}`)
