import { ENTERED_TENANT, sql, type Db, type Sql } from '../../../platform/db/tenant.ts'

/** State of a bank payment by its latest report. */
export type BankPayment = { state: 'pending' | 'failed'; amount_cents: number | null }

/** Report of a bank payment; `at` is the provider's time of the event. */
type PaymentOutcome = {
  payment: string
  session: string | null
  amount_cents: number | null
  outcome: 'pending' | 'failed'
  at: string | null
}

/**
 * Days for which a payment counts as pending. Banks decide within 14 business days, and its checkout page is kept for
 * 30 days.
 */
const MAX_PENDING_DAYS = 28

/** Condition for a payment `d` that the bank hasn't decided: it hasn't failed since, nor expired with its page. */
const isUndecided = sql`d.pending_at > coalesce(d.failed_at, '-infinity'::timestamptz)
  and d.reported_at > moment() - make_interval(days => ${MAX_PENDING_DAYS})
  and not exists (select 1 from checkout_sessions s
    where s.tenant_id = ${ENTERED_TENANT} and s.invoice_id = d.invoice_id and s.session = d.session
      and s.state = 'expired')`

/** Condition for a payment `d` whose money isn't booked. */
const isUnbooked = sql`not exists (select 1 from payment_names n
    join payments p on p.tenant_id = n.tenant_id and p.charge = n.charge and p.kind = 'charge'
    where n.tenant_id = ${ENTERED_TENANT} and n.name = d.payment)`

/** Returns the condition for an invoice, by its id, with a pending bank payment. */
export const hasPendingPayment = (invoice: Sql): Sql => sql`exists (select 1 from pending_payments d
  where d.tenant_id = ${ENTERED_TENANT} and d.invoice_id = ${invoice} and ${isUndecided} and ${isUnbooked})`

export const isBankPaymentPending = async (db: Db, invoice: string): Promise<boolean> =>
  (await db.maybe(sql`select where ${hasPendingPayment(sql`${invoice}::uuid`)}`)) !== undefined

/** Returns the pending bank payment of an invoice, else the last failed one without a later payment. */
export const findBankPayment = (db: Db, invoice: string): Promise<BankPayment | undefined> =>
  db.maybe<BankPayment>(sql`select case when ${isUndecided} then 'pending' else 'failed' end as state, amount_cents
    from pending_payments d
    where d.tenant_id = ${db.tenant} and d.invoice_id = ${invoice} and d.pending_at is not null and ${isUnbooked}
      and d.reported_at > moment() - make_interval(days => ${MAX_PENDING_DAYS})
      and (${isUndecided} or not exists (select 1 from payments p
        where p.tenant_id = ${db.tenant} and p.invoice_id = ${invoice} and p.amount_cents > 0
          and p.at > coalesce(d.failed_at, d.reported_at)))
    order by ${isUndecided} desc, greatest(d.pending_at, d.failed_at) desc, d.payment limit 1`)

/** Time of a report without a time; every other time is later. */
const EPOCH = '1970-01-01T00:00:00.000Z'

/**
 * Saves the report of a payment; for each outcome, the latest time counts. Returns whether it is the first report of
 * its outcome. The invoice is locked.
 */
export async function savePaymentOutcome(db: Db, invoice: string, report: PaymentOutcome): Promise<boolean> {
  const { payment, session, amount_cents, outcome, at } = report
  const isPending = outcome === 'pending'
  const earlier = await db.maybe<{ is_reported: boolean }>(
    sql`select case when ${isPending}::boolean then pending_at else failed_at end is not null as is_reported
      from pending_payments where tenant_id = ${db.tenant} and invoice_id = ${invoice} and payment = ${payment}`,
  )
  const time = at ?? EPOCH
  await db.run(sql`insert into pending_payments as d (tenant_id, invoice_id, payment, session, amount_cents, pending_at,
      failed_at)
    values (${db.tenant}, ${invoice}, ${payment}, ${session}, ${amount_cents}, ${isPending ? time : null},
      ${isPending ? null : time})
    on conflict (tenant_id, invoice_id, payment) do update set session = coalesce(d.session, excluded.session),
      amount_cents = greatest(d.amount_cents, excluded.amount_cents),
      pending_at = greatest(d.pending_at, excluded.pending_at),
      failed_at = greatest(d.failed_at, excluded.failed_at)`)
  return !earlier?.is_reported
}
