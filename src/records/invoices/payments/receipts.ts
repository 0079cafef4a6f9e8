import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import { announceReceipt } from './announcements.ts'
import { recordActivity, recordFailure, type InvoiceState } from '../accounting/activity.ts'
import { recordDispute } from './disputes.ts'
import { savePaymentNames, findPaymentByName } from './payment_names.ts'
import { savePaymentOutcome } from './pending_payments.ts'
import { addBalancingEntry, settleInvoice, removeBalancingEntry } from './payments.ts'
import { recordRefunds, type ReportedRefund } from './refunds.ts'
import { addTip, splitReturn } from './tips.ts'

/** A movement of money, or an attempt, as reported by the payments provider. */
export type Receipt = {
  /** Invoice that the event names or was assigned to (`isAssigned`); null if only the payment identifies it. */
  invoice: string | null
  isAssigned: boolean
  currency: string
  /** The provider's ids of the payment: its intent, then its charge. */
  names: readonly [string, ...string[]]
  /** Source event, which counts once. */
  source: string
} &
  /** Money received; `tip_cents` of it is a tip and isn't the invoice's. */
  (
    | { kind: 'charge'; amount_cents: number; tip_cents?: number }
    /** Authorized money that isn't captured yet. */
    | { kind: 'authorized'; amount_cents: number }
    | ({ kind: 'refund' } & ReportedRefund)
    | { kind: 'dispute_opened'; dispute: string; disputed_cents: number | null; reason: string | null }
    /** Outcome of a dispute; `amount_cents` is the amount taken if it was lost, else 0. */
    | { kind: 'dispute_closed'; dispute: string; amount_cents: number; outcome: string | null }
    /** Failed attempt, which moved no money. `attempt` is the failed charge, or another id of the attempt. */
    | {
        kind: 'failed'
        attempt: string
        tried_cents: number | null
        code: string | null
        message: string | null
        at: string | null
      }
    /** Pending bank payment; `session` is its checkout page. */
    | { kind: 'pending'; session: string | null; pending_cents: number | null; at: string | null }
    /** End of a pending payment without money; another event reports the failed attempt. */
    | { kind: 'given_up'; session: string | null; at: string | null }
  )

/** A receipt with a known invoice, and the id under which its payment is booked. */
type MatchedReceipt = Receipt & { invoice: string; charge: string }

type ReceiptOfKind<Kind extends Receipt['kind']> = Extract<MatchedReceipt, { kind: Kind }>

/**
 * Outcome of a booking. `nothing`: no money moved. `unknown`: no such invoice here. `unpaid`: its payment isn't known
 * yet. `void`, `currency` and `other_invoice` (not the invoice of its payment) wait for a person; nothing was written.
 */
export type BookingResult =
  | 'booked'
  | 'counted'
  | 'nothing'
  | 'unknown'
  | 'unpaid'
  | 'void'
  | 'currency'
  | 'other_invoice'

type LockedInvoice = InvoiceState & { currency: string }

/**
 * Books a payment, refund, dispute or failure (docs/spec/money.md#payments), once per event and once per payment, with
 * an entry in the invoice's history.
 */
export async function bookReceipt(db: Db, receipt: Receipt): Promise<BookingResult> {
  const matched = await matchReceipt(db, receipt)
  if (typeof matched === 'string') return matched
  const { invoice, charge } = matched
  const locked = await db.maybe<LockedInvoice>(sql`select status, amount_paid_cents, disputed, currency from invoices
    where tenant_id = ${db.tenant} and id = ${invoice} for no key update`)
  if (locked === undefined) return 'unknown'
  const { currency, ...before } = locked
  if (matched.kind === 'failed') return toResult(await bookFailure(db, matched, before))
  if (matched.kind === 'pending' || matched.kind === 'given_up') return toResult(await bookOutcome(db, matched, before))
  if (before.status === 'void') return 'void'
  if (matched.kind !== 'dispute_opened' && matched.currency !== currency) return 'currency'
  await savePaymentNames(db, [...new Set([...matched.names, charge])], { invoice, charge })
  switch (matched.kind) {
    case 'authorized':
      return 'nothing'
    case 'charge':
      return toResult(await bookCharge(db, matched, before))
    case 'refund':
      return bookRefund(db, matched, before)
    case 'dispute_opened':
      return toResult(await bookDispute(db, matched, before))
    case 'dispute_closed':
      return toResult(await bookDisputeClosed(db, matched, before))
  }
}

/**
 * Finds the invoice of the receipt's payment; for an unknown payment, the invoice that the receipt names. Failed and
 * pending attempts belong to no payment.
 */
async function matchReceipt(db: Db, receipt: Receipt): Promise<MatchedReceipt | 'unpaid' | 'other_invoice'> {
  const { names, invoice, isAssigned, kind } = receipt
  const payment = KINDS_WITHOUT_PAYMENT.has(kind) ? undefined : await findPaymentByName(db, names)
  if (payment !== undefined && invoice !== null && invoice !== payment.invoice && !isAssigned) return 'other_invoice'
  const invoiceId = isAssigned || payment === undefined ? invoice : payment.invoice
  return invoiceId === null ? 'unpaid' : { ...receipt, invoice: invoiceId, charge: payment?.charge ?? names[0] }
}

const KINDS_WITHOUT_PAYMENT: ReadonlySet<Receipt['kind']> = new Set(['failed', 'pending', 'given_up'])

const toResult = (isNew: boolean): BookingResult => (isNew ? 'booked' : 'counted')

async function bookFailure(
  db: Db,
  { invoice, names, attempt, tried_cents, code, message, at }: ReceiptOfKind<'failed'>,
  before: InvoiceState,
): Promise<boolean> {
  const payment = names[0]
  await savePaymentOutcome(db, invoice, { payment, session: null, amount_cents: null, outcome: 'failed', at })
  return recordFailure(db, invoice, before, { attempt, amount_cents: tried_cents, code, message })
}

/** Saves that a bank payment is pending or was given up. The history has it once, even if reported twice. */
async function bookOutcome(
  db: Db,
  { invoice, names: [payment], session, at, ...receipt }: ReceiptOfKind<'pending' | 'given_up'>,
  before: InvoiceState,
): Promise<boolean> {
  if (receipt.kind === 'given_up')
    return savePaymentOutcome(db, invoice, { payment, session, amount_cents: null, outcome: 'failed', at })
  const amount_cents = receipt.pending_cents
  const isNew = await savePaymentOutcome(db, invoice, { payment, session, amount_cents, outcome: 'pending', at })
  if (isNew) await recordActivity(db, invoice, 'invoices.payment_pending', before, { amount_cents, charge: payment })
  return isNew
}

async function bookCharge(db: Db, receipt: ReceiptOfKind<'charge'>, before: InvoiceState): Promise<boolean> {
  const { invoice, charge, tip_cents = 0 } = receipt
  const amount_cents = receipt.amount_cents - tip_cents
  if (!(await bookMoney(db, receipt, before, amount_cents))) return false
  await addTip(db, invoice, charge, 'tip', tip_cents)
  const facts = { amount_cents, charge, ...(tip_cents > 0 && { tip_cents }) }
  await recordActivity(db, invoice, 'invoices.payment_received', before, facts)
  return true
}

/** Books received money. On an invoice marked paid by hand, the balancing entry shrinks by the same amount. */
async function bookMoney(
  db: Db,
  receipt: ReceiptOfKind<'charge' | 'refund'>,
  { status }: InvoiceState,
  amount: number,
): Promise<boolean> {
  const { invoice, kind } = receipt
  if (status === 'paid') await removeBalancingEntry(db, invoice)
  const isNew = await addPayment(db, receipt, kind, amount)
  if (status === 'paid') await addBalancingEntry(db, invoice)
  if (isNew) await settleInvoice(db, invoice, true)
  return isNew
}

/** Books a refund; reverses one that failed after it was booked. */
async function bookRefund(db: Db, receipt: ReceiptOfKind<'refund'>, before: InvoiceState): Promise<BookingResult> {
  const { invoice, charge, failed } = receipt
  const amount_cents = await recordRefunds(db, charge, receipt)
  const { invoice_cents, tip_cents } = await splitReturn(db, charge, amount_cents)
  const isTip = (await addTip(db, invoice, charge, 'refund', 0 - tip_cents)) > 0
  if (amount_cents < 0) {
    await bookMoney(db, receipt, before, 0 - invoice_cents)
    await recordActivity(db, invoice, 'invoices.refund_failed', before, { amount_cents: -amount_cents, charge })
    return 'booked'
  }
  const isRefunded = await addPayment(db, receipt, 'refund', 0 - invoice_cents)
  if (!isRefunded && !isTip) return failed ? 'nothing' : 'counted'
  await settleInvoice(db, invoice, false)
  await recordActivity(db, invoice, 'invoices.payment_refunded', before, { amount_cents, charge })
  return 'booked'
}

async function bookDispute(
  db: Db,
  { invoice, dispute, disputed_cents: amount_cents, reason }: ReceiptOfKind<'dispute_opened'>,
  before: InvoiceState,
): Promise<boolean> {
  const isNew = await recordDispute(db, invoice, { dispute, amount_cents, reason, closed: false, outcome: null })
  if (isNew) await recordActivity(db, invoice, 'invoices.dispute_opened', before, { dispute, amount_cents, reason })
  return isNew
}

async function bookDisputeClosed(
  db: Db,
  receipt: ReceiptOfKind<'dispute_closed'>,
  before: InvoiceState,
): Promise<boolean> {
  const { invoice, dispute, amount_cents, outcome } = receipt
  const isNew = await recordDispute(db, invoice, {
    dispute,
    amount_cents: amount_cents || null,
    reason: null,
    closed: true,
    outcome,
  })
  const { invoice_cents, tip_cents } = await splitReturn(db, receipt.charge, amount_cents)
  await addTip(db, invoice, dispute, 'dispute', 0 - tip_cents)
  const isLost = await addPayment(db, { ...receipt, charge: dispute }, 'dispute', 0 - invoice_cents)
  if (isLost) await settleInvoice(db, invoice, false)
  if (!isNew && !isLost) return false
  const activity = isLost
    ? 'invoices.dispute_lost'
    : outcome === 'won'
      ? 'invoices.dispute_won'
      : 'invoices.dispute_closed'
  await recordActivity(db, invoice, activity, before, { dispute, outcome, ...(isLost ? { amount_cents } : {}) })
  return true
}

async function addPayment(
  db: Db,
  { invoice, charge, source }: MatchedReceipt,
  kind: 'charge' | 'refund' | 'dispute',
  amount: number,
): Promise<boolean> {
  if (amount === 0) return false
  const id = newId()
  const isNew =
    (await db.run(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents, source, charge)
    values (${db.tenant}, ${id}, ${invoice}, ${kind}, ${amount}, ${source}, ${charge}) on conflict do nothing`)) === 1
  if (isNew && kind === 'charge') await announceReceipt(db, invoice, id, amount)
  return isNew
}
