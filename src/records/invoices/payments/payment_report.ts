import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import type { PaymentKind } from '../billing/billing.ts'
import type { PaymentMethod } from './recorded_payments.ts'
import type { DayRange } from '../accounting/sales.ts'

/**
 * Payment channels of reports: the recorded methods, online through the provider, or marked as paid without a payment.
 */
export const PAYMENT_CHANNELS = ['cash', 'check', 'card', 'bank_transfer', 'other', 'online', 'marked'] as const
export type PaymentChannel = (typeof PAYMENT_CHANNELS)[number]

const channelColumn = (): Sql => sql`coalesce(p.method, case when p.kind = 'manual' then 'marked' else 'online' end)`

/** Amount received in a month through one channel, net of refunds, in cents. */
export type ReceivedRow = { month: string; channel: PaymentChannel; cents: number; payments: number }

/** Returns the amounts received by month and channel, by payment date. */
export const sumReceived = (db: Db, { from, to }: DayRange): Promise<ReceivedRow[]> =>
  db.all<ReceivedRow>(sql`select to_char(p.paid_on, 'YYYY-MM') as month, ${channelColumn()} as channel,
    sum_cents(p.cents) as cents, sum(p.payments)::integer as payments
    from (select paid_on, kind, method, sum_cents(amount_cents) as cents, count(*) as payments from payments
      where tenant_id = ${db.tenant} and paid_on between ${from} and ${to} group by paid_on, kind, method) p
    group by 1, 2
    order by 1, 2`)

/** A payment in the list of all payments of the company. */
export type PaymentRow = {
  id: string
  paid_on: string
  kind: PaymentKind
  method: PaymentMethod | null
  amount_cents: number
  reference: string | null
  note: string | null
  recorded_by: string | null
  currency: string
  invoice_id: string
  invoice_number: string
  customer_id: string
  customer_name: string
}

/** Cursor: the last row of the previous page. */
export type PaymentCursor = { paid_on: string; id: string }

/** Returns payments after a cursor, latest first; `way` limits them to one channel. */
export const listPayments = (
  db: Db,
  { from, to }: DayRange,
  { channel: channelFilter, after }: { channel?: PaymentChannel | undefined; after?: PaymentCursor | undefined },
  limit: number,
): Promise<PaymentRow[]> =>
  db.all<PaymentRow>(sql`select p.id, p.paid_on, p.kind, p.method, p.amount_cents,
    coalesce(p.reference, p.charge) as reference, p.note, u.name as recorded_by,
      i.currency, i.id as invoice_id, i.display_number as invoice_number, c.id as customer_id,
      c.display_name as customer_name
    from (select * from payments p where p.tenant_id = ${db.tenant} and p.paid_on between ${from} and ${to}
        ${channelFilter === undefined ? sql`` : sql`and ${channelColumn()} = ${channelFilter}`}
        ${after === undefined ? sql`` : sql`and (p.paid_on, p.id) < (${after.paid_on}::date, ${after.id}::uuid)`}
      order by p.paid_on desc, p.id desc limit ${limit}) p
    join invoices i on i.tenant_id = ${db.tenant} and i.id = p.invoice_id
    join customers c on c.tenant_id = ${db.tenant} and c.id = i.customer_id
    left join users u on u.id = p.created_by
    order by p.paid_on desc, p.id desc`)
