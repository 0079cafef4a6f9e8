import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import { announceReceipt } from './announcing.ts'
import { noteActivity, noteFailure, type InvoiceStanding } from '../accounting/activity.ts'
import { disputeInvoice } from './disputes.ts'
import { namePayment, paymentNamed } from './payment_names.ts'
import { balance, settle, unbalance } from './payments.ts'
import { newlyRefunded, type ReportedRefund } from './refunds.ts'

/** Says what has happened to money, by the payments provider. */
export type Receipt = {
  /** Is the invoice it names, or that somebody assigned it to (`isAssigned`); null: only the payment tells. */
  invoice: string | null
  isAssigned: boolean
  currency: string
  /** Are the provider's names of the payment that everything belongs to: its intent, then its charge. */
  names: readonly [string, ...string[]]
  /** Is the event, which counts once. */
  source: string
} & (
  | { kind: 'charge'; amount_cents: number }
  /** Is promised and not taken yet. */
  | { kind: 'authorized'; amount_cents: number }
  | ({ kind: 'refund' } & ReportedRefund)
  | { kind: 'dispute_opened'; dispute: string; disputed_cents: number | null; reason: string | null }
  /** Is what a lost dispute took, in `amount_cents`; 0 for one that ended otherwise. */
  | { kind: 'dispute_closed'; dispute: string; amount_cents: number; outcome: string | null }
  /** Moved no money. `attempt` is the charge that failed, or another name of this one try. */
  | { kind: 'failed'; attempt: string; tried_cents: number | null; code: string | null; message: string | null }
)

/** Describes a receipt whose invoice is known, and the name that its payment is booked under. */
type Placed = Receipt & { invoice: string; charge: string }

type Of<Kind extends Receipt['kind']> = Extract<Placed, { kind: Kind }>

/**
 * Says how it ended. `nothing`: no money moved. `unknown`: no such invoice here. `unpaid`: the payment that it names
 * isn't known yet. `void`, `currency` and `other_invoice` (it names another than its payment's) wait for a person;
 * nothing was written.
 */
export type Booked = 'booked' | 'counted' | 'nothing' | 'unknown' | 'unpaid' | 'void' | 'currency' | 'other_invoice'

type Locked = InvoiceStanding & { currency: string }

/**
 * Books what was paid, refunded, disputed or failed (docs/spec/money.md#payments), once by its event and once by its
 * payment, with an entry in the invoice's history.
 */
export async function book(db: Db, receipt: Receipt): Promise<Booked> {
  const placed = await place(db, receipt)
  if (typeof placed === 'string') return placed
  const { invoice, charge } = placed
  const locked = await db.maybe<Locked>(sql`select status, amount_paid_cents, disputed, currency from invoices
    where tenant_id = ${db.tenant} and id = ${invoice} for no key update`)
  if (locked === undefined) return 'unknown'
  const { currency, ...before } = locked
  if (placed.kind === 'failed') return newly(await failed(db, placed, before))
  if (before.status === 'void') return 'void'
  if (placed.kind !== 'dispute_opened' && placed.currency !== currency) return 'currency'
  await namePayment(db, [...new Set([...placed.names, charge])], { invoice, charge })
  switch (placed.kind) {
    case 'authorized':
      return 'nothing'
    case 'charge':
      return newly(await charged(db, placed, before))
    case 'refund':
      return refunded(db, placed, before)
    case 'dispute_opened':
      return newly(await disputeOpened(db, placed, before))
    case 'dispute_closed':
      return newly(await disputeClosed(db, placed, before))
  }
}

/**
 * Finds the invoice of the payment it names; for an unknown payment, the invoice that it names itself. An attempt that
 * failed belongs to no payment.
 */
async function place(db: Db, receipt: Receipt): Promise<Placed | 'unpaid' | 'other_invoice'> {
  const { names, invoice, isAssigned, kind } = receipt
  const payment = kind === 'failed' ? undefined : await paymentNamed(db, names)
  if (payment !== undefined && invoice !== null && invoice !== payment.invoice && !isAssigned) return 'other_invoice'
  const known = isAssigned || payment === undefined ? invoice : payment.invoice
  return known === null ? 'unpaid' : { ...receipt, invoice: known, charge: payment?.charge ?? names[0] }
}

const newly = (isNew: boolean): Booked => (isNew ? 'booked' : 'counted')

function failed(
  db: Db,
  { invoice, attempt, tried_cents, code, message }: Of<'failed'>,
  before: InvoiceStanding,
): Promise<boolean> {
  return noteFailure(db, invoice, before, { attempt, amount_cents: tried_cents, code, message })
}

async function charged(db: Db, receipt: Of<'charge'>, before: InvoiceStanding): Promise<boolean> {
  const { invoice, amount_cents, charge } = receipt
  if (!(await came(db, receipt, before, amount_cents))) return false
  await noteActivity(db, invoice, 'invoices.payment_received', before, { amount_cents, charge })
  return true
}

/** Books money that came; on an invoice that was marked paid by hand, the entry that balances it shrinks by the same amount. */
async function came(
  db: Db,
  receipt: Of<'charge' | 'refund'>,
  { status }: InvoiceStanding,
  amount: number,
): Promise<boolean> {
  const { invoice, kind } = receipt
  if (status === 'paid') await unbalance(db, invoice)
  const isNew = await entered(db, receipt, kind, amount)
  if (status === 'paid') await balance(db, invoice)
  if (isNew) await settle(db, invoice, true)
  return isNew
}

/** Books a refund; one that failed after it was booked is booked back. */
async function refunded(db: Db, receipt: Of<'refund'>, before: InvoiceStanding): Promise<Booked> {
  const { invoice, charge, failed } = receipt
  const amount_cents = await newlyRefunded(db, charge, receipt)
  if (amount_cents < 0) {
    await came(db, receipt, before, -amount_cents)
    await noteActivity(db, invoice, 'invoices.refund_failed', before, { amount_cents: -amount_cents, charge })
    return 'booked'
  }
  if (!(await entered(db, receipt, 'refund', -amount_cents))) return failed ? 'nothing' : 'counted'
  await settle(db, invoice, false)
  await noteActivity(db, invoice, 'invoices.payment_refunded', before, { amount_cents, charge })
  return 'booked'
}

async function disputeOpened(
  db: Db,
  { invoice, dispute, disputed_cents: amount_cents, reason }: Of<'dispute_opened'>,
  before: InvoiceStanding,
): Promise<boolean> {
  const isNew = await disputeInvoice(db, invoice, { dispute, amount_cents, reason, closed: false, outcome: null })
  if (isNew) await noteActivity(db, invoice, 'invoices.dispute_opened', before, { dispute, amount_cents, reason })
  return isNew
}

async function disputeClosed(db: Db, receipt: Of<'dispute_closed'>, before: InvoiceStanding): Promise<boolean> {
  const { invoice, dispute, amount_cents, outcome } = receipt
  const isNew = await disputeInvoice(db, invoice, {
    dispute,
    amount_cents: amount_cents || null,
    reason: null,
    closed: true,
    outcome,
  })
  const isLost = await entered(db, { ...receipt, charge: dispute }, 'dispute', -amount_cents)
  if (isLost) await settle(db, invoice, false)
  if (!isNew && !isLost) return false
  const activity = isLost
    ? 'invoices.dispute_lost'
    : outcome === 'won'
      ? 'invoices.dispute_won'
      : 'invoices.dispute_closed'
  await noteActivity(db, invoice, activity, before, { dispute, outcome, ...(isLost ? { amount_cents } : {}) })
  return true
}

async function entered(
  db: Db,
  { invoice, charge, source }: Placed,
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
