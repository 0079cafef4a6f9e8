import type { Caller } from '../../../identity/credentials/caller.ts'
import { values } from '../../../platform/db/rows.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField, notFound } from '../../../platform/errors/refusal.ts'
import { money, shortDay } from '../../format/formats.ts'
import { newId } from '../../../platform/validation/id.ts'
import { announceReceipt } from './announcements.ts'
import type { Invoice } from '../fields.ts'
import { findInvoice } from '../invoice.ts'
import { settleInvoice } from './payments.ts'
import { refusals } from './refusals.ts'

/** Methods of recorded payments; payments reported by the provider have none. */
export const METHODS = ['cash', 'check', 'card', 'bank_transfer', 'other'] as const
export type PaymentMethod = (typeof METHODS)[number]

/** Earliest payment date; an earlier one is a typo in the year. */
const EARLIEST_DATE = '2000-01-01'

/** A payment to record; the amount defaults to the balance due, the day to today. */
type PaymentInput = {
  amount_cents?: number | null | undefined
  method: PaymentMethod
  paid_on?: string | null | undefined
  reference?: string | null | undefined
  note?: string | null | undefined
}

/** The recorded payment, and the invoice after it. */
export type RecordedPayment = { after: Invoice; payment: { payment_id: string } & Record<string, unknown> }

/** Records a payment on a locked invoice and updates its status (docs/spec/money.md#recorded-payments). */
export async function recordPayment(
  db: Db,
  { user }: Caller,
  before: Invoice,
  payment: PaymentInput,
  today: string,
): Promise<RecordedPayment> {
  requireOwed(before)
  const amount_cents = payment.amount_cents ?? before.balance_due_cents
  requireWithinBalance(before, amount_cents)
  const paid_on = payment.paid_on ?? today
  requireDayBetween(paid_on, EARLIEST_DATE, today)
  const row = {
    amount_cents,
    method: payment.method,
    paid_on,
    reference: payment.reference ?? null,
    note: payment.note ?? null,
  }
  return insertPayment(db, user, before, { kind: 'recorded', ...row }, today)
}

/**
 * Reverses a recorded payment of a locked invoice by a second row, at most once. The reversal counts on the payment's
 * own day unless another is given, such as that of a bounced check.
 */
export async function reversePayment(
  db: Db,
  { user }: Caller,
  before: Invoice,
  { payment_id, paid_on }: { payment_id: string; paid_on?: string | null | undefined },
  today: string,
): Promise<RecordedPayment> {
  const payment = await db.maybe<StoredPayment>(sql`select p.kind, p.amount_cents, p.method, p.paid_on, p.reference,
      exists (select 1 from payments b where b.tenant_id = ${db.tenant} and b.takes_back = p.id) as is_taken_back
    from payments p where p.tenant_id = ${db.tenant} and p.id = ${payment_id} and p.invoice_id = ${before.id}`)
  if (payment === undefined) throw notFound('payment')
  requireReversible(before, payment)
  const day = paid_on ?? payment.paid_on
  requireDayBetween(day, payment.paid_on, today < payment.paid_on ? payment.paid_on : today)
  const { method, reference } = payment
  const row = { amount_cents: -payment.amount_cents, method, paid_on: day, reference, note: null }
  return insertPayment(db, user, before, { kind: 'taken_back', takes_back: payment_id, ...row }, today)
}

type StoredPayment = {
  kind: string
  amount_cents: number
  method: PaymentMethod
  paid_on: string
  reference: string | null
  is_taken_back: boolean
}

function requireOwed({ status, display_number, balance_due_cents }: Invoice): void {
  if (status === 'void') throw conflict(refusals.nothingOwedOnVoid({ number: display_number }))
  if (status === 'paid') throw conflict(refusals.paid({ number: display_number }))
  if (balance_due_cents <= 0) throw conflict(refusals.nothingOwed({ number: display_number }))
}

function requireWithinBalance({ balance_due_cents, currency }: Invoice, amount: number): void {
  if (amount > balance_due_cents)
    throw invalidField('amount_cents', refusals.aboveBalance({ balance: money(balance_due_cents, currency) }))
}

function requireDayBetween(day: string, first: string, last: string): void {
  if (day > last) throw invalidField('paid_on', refusals.tooLate({ last, given: day, lastDay: shortDay(last) }))
  if (day < first) throw invalidField('paid_on', refusals.tooEarly({ first, given: day, firstDay: shortDay(first) }))
}

function requireReversible({ status, display_number }: Invoice, { kind, is_taken_back }: StoredPayment): void {
  if (status === 'void') throw conflict(refusals.voided({ number: display_number }))
  if (kind === 'manual') throw conflict(refusals.markedByHand())
  if (kind === 'taken_back') throw conflict(refusals.isReversal())
  if (kind !== 'recorded') throw conflict(refusals.paidOnline())
  if (is_taken_back) throw conflict(refusals.takenBack())
}

type Row = { kind: 'recorded' | 'taken_back'; amount_cents: number; takes_back?: string } & Required<
  Omit<PaymentInput, 'amount_cents'>
>

async function insertPayment(
  db: Db,
  user: string | null,
  { id }: Invoice,
  row: Row,
  today: string,
): Promise<RecordedPayment> {
  const payment_id = newId()
  const columns = { tenant_id: db.tenant, id: payment_id, invoice_id: id, ...row, created_by: user }
  const writes = [
    db.run(sql`insert into payments ${values(columns)}`),
    settleInvoice(db, id, row.kind === 'recorded'),
    ...(row.kind === 'recorded' ? [announceReceipt(db, id, payment_id, row.amount_cents)] : []),
    db.run(sql`update invoices set updated_by = ${user} where tenant_id = ${db.tenant} and id = ${id}`),
  ]
  const [after] = await Promise.all([findInvoice(db, id, today), ...writes])
  const { amount_cents, method, paid_on, reference, note } = row
  return { after, payment: { payment_id, amount_cents, method, paid_on, reference, note } }
}

/** Returns the customer's last payment method, check by default. */
export async function defaultPaymentMethod(db: Db, customer: string): Promise<PaymentMethod> {
  const last = await db.maybe<{ method: PaymentMethod }>(sql`select p.method from invoices i
    join payments p on p.tenant_id = i.tenant_id and p.invoice_id = i.id and p.kind = 'recorded'
    where i.tenant_id = ${db.tenant} and i.customer_id = ${customer} order by p.at desc limit 1`)
  return last?.method ?? 'check'
}
