import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { PaymentKind } from '../billing/billing.ts'
import type { PaymentMethod } from './recorded_payments.ts'

/** The content of a payment's receipt, besides its invoice. */
export type PaymentReceipt = {
  id: string
  invoice_id: string
  /** Sequence number of the payment on its invoice, from 1. */
  ordinal: number
  kind: PaymentKind
  method: PaymentMethod | null
  reference: string | null
  amount_cents: number
  /** Amount paid on the invoice before this payment, net of refunds. */
  before_cents: number
  paid_on: string
  at: string
  is_taken_back: boolean
}

/** Returns the receipts of an invoice, oldest first, for money recorded here or reported by the provider. */
export const listReceipts = (db: Db, invoice: string): Promise<PaymentReceipt[]> =>
  db.all<PaymentReceipt>(sql`select * from (
      select p.id, p.invoice_id, p.kind, p.method, p.reference, p.amount_cents, p.paid_on, p.at,
        (count(*) filter (where p.kind in ('recorded', 'charge') and p.amount_cents > 0) over earlier)::integer
          as ordinal,
        (sum(p.amount_cents) over earlier - p.amount_cents)::bigint as before_cents,
        exists (select 1 from payments b where b.tenant_id = ${db.tenant} and b.takes_back = p.id) as is_taken_back
      from payments p where p.tenant_id = ${db.tenant} and p.invoice_id = ${invoice}
      window earlier as (order by p.at, p.id)) r
    where r.kind in ('recorded', 'charge') and r.amount_cents > 0 order by r.at, r.id`)

/** Returns the receipt of a payment; looks up its invoice if it isn't given. */
export async function findReceipt(db: Db, payment: string, invoice?: string): Promise<PaymentReceipt | undefined> {
  const invoiceId =
    invoice ??
    (
      await db.maybe<{ invoice_id: string }>(
        sql`select invoice_id from payments where tenant_id = ${db.tenant} and id = ${payment}`,
      )
    )?.invoice_id
  return invoiceId === undefined ? undefined : (await listReceipts(db, invoiceId)).find(({ id }) => id === payment)
}
