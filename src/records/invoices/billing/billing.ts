import { sql, type Db } from '../../../platform/db/tenant.ts'
import { findBankPayment, type BankPayment } from '../payments/pending_payments.ts'
import type { PaymentMethod } from '../payments/recorded_payments.ts'
import { listTips, type TipRow } from '../payments/tips.ts'

/** Payments, tips and disputes of an invoice, with the provider's own ids. */
export type Billing = {
  /** Whether a dispute is open now. */
  disputed: boolean
  /** Bank payment that is pending or failed last; null if there is none. */
  bank_payment: BankPayment | null
  /** Newest first. */
  disputes: Dispute[]
  /** Oldest first; refunds are negative. */
  tips: TipRow[]
  /** Oldest first; refunds are negative. */
  payments: Payment[]
}

type Dispute = {
  /** Id at the provider. */
  dispute: string
  amount_cents: number | null
  /** The provider's texts for why it was opened and how it ended. */
  reason: string | null
  outcome: string | null
  closed: boolean
  /** Time of the event; null for a dispute whose opening was never reported. */
  opened_at: string | null
  closed_at: string | null
}

export type PaymentKind = 'manual' | 'charge' | 'refund' | 'dispute' | 'recorded' | 'taken_back'

export type Payment = {
  id: string
  /** `manual` is the balancing entry of an invoice marked as paid by hand. */
  kind: PaymentKind
  amount_cents: number
  at: string
  /** Calendar day on which it counts. */
  paid_on: string
  /** Set for recorded payments only, like the fields below. */
  method: PaymentMethod | null
  reference: string | null
  note: string | null
  recorded_by: string | null
  is_taken_back: boolean
  /** The provider's payment, or dispute for a lost dispute; `source` is the event that reported it. */
  charge: string | null
  event_id: string | null
}

/** Returns the payments for the invoice's page. Throws `not_found` if the tenant has no such invoice. */
export async function billingStateOf(db: Db, invoice: string): Promise<Billing> {
  const [{ disputed }, disputes, payments, bankPayment, tips] = await Promise.all([
    db.present<{ disputed: boolean }>(
      sql`select disputed from invoices where tenant_id = ${db.tenant} and id = ${invoice}`,
      'invoice',
    ),
    db.all<Dispute>(sql`select dispute, amount_cents, reason, outcome, closed, opened_at, closed_at
      from payment_disputes
      where tenant_id = ${db.tenant} and invoice_id = ${invoice}
      order by coalesce(opened_at, closed_at) desc nulls last, dispute`),
    db.all<Payment>(sql`select p.id, p.kind, p.amount_cents, p.at, p.paid_on, p.method, p.reference, p.note,
        u.name as recorded_by,
        exists (select 1 from payments b where b.tenant_id = ${db.tenant} and b.takes_back = p.id) as is_taken_back,
        p.charge, e.event_id
      from payments p left join users u on u.id = p.created_by
      left join payment_events e on e.tenant_id = p.tenant_id
        and e.id = case when p.source ~ '^[0-9a-f-]{36}$' then p.source::uuid end
      where p.tenant_id = ${db.tenant} and p.invoice_id = ${invoice} order by p.at, p.id`),
    findBankPayment(db, invoice),
    listTips(db, invoice),
  ])
  return { disputed, bank_payment: bankPayment ?? null, disputes, payments, tips }
}

/** The fields that decide whether money can be booked on an invoice. */
export type PayableInvoice = { id: string; display_number: string; status: string; currency: string }

/** Returns the invoice named by an event, if it is the tenant's. */
export const findPayableInvoice = (db: Db, invoice: string): Promise<PayableInvoice | undefined> =>
  db.maybe<PayableInvoice>(
    sql`select id, display_number, status, currency from invoices where tenant_id = ${db.tenant} and id = ${invoice}`,
  )
