import { sql, type Db } from '../../platform/db/tenant.ts'
import { bookReceipt, type BookingResult } from '../../records/invoices/index.ts'
import { isAccountEvent, readAccountEvent } from './account_changes.ts'
import { saveAccountReport } from '../accounts.ts'
import { endExpiredPage } from '../checkout_pages.ts'
import { PENDING_TYPES, readEffect, readExpiredPage } from './effects.ts'
import { applyMethodEvent, METHOD_TYPES } from './method_events.ts'
import { wakeCharges } from '../saved/open_charges.ts'
import { waitForPayment, wakeWaitingEvents } from './waits.ts'

/** Returns the next events of a tenant to apply, in order of arrival. */
export const listRoutedEvents = (db: Db, after: string): Promise<{ id: string }[]> =>
  db.all(
    sql`select id from payment_events where tenant_id = ${db.tenant} and state = 'routed' and id > ${after} order by id
      limit 100`,
  )

type Event = {
  id: string
  type: string | null
  account_id: string | null
  assigned_invoice_id: string | null
  received_at: string
  raw: Buffer
}

/** Applies an event and records the outcome. */
export async function applyEvent(db: Db, { id }: { id: string }): Promise<void> {
  const event =
    await db.maybe<Event>(sql`select id, type, account_id, assigned_invoice_id, received_at, raw from payment_events
    where tenant_id = ${db.tenant} and id = ${id} and state = 'routed' for update`)
  if (event === undefined) return
  const { state, reason } = EVENT_STATES[await applyByType(db, event)]
  await db.run(
    sql`update payment_events
      set state = ${state}, reason = ${reason}, settled_at = case when ${state}::text <> 'review' then moment_of(id) end
      where id = ${id}`,
  )
}

type ApplyOutcome = BookingResult | 'outdated' | 'amount' | 'none' | 'other'

async function applyByType(db: Db, event: Event): Promise<ApplyOutcome> {
  if (isAccountEvent(event.type)) return applyAccountEvent(db, event)
  if (!METHOD_TYPES.includes(event.type ?? '')) return bookEvent(db, event)
  return (await applyMethodEvent(db, event.raw)) ? 'booked' : 'other'
}

async function applyAccountEvent(db: Db, { id: source, account_id, received_at, raw }: Event): Promise<ApplyOutcome> {
  const { parts, at } = readAccountEvent(raw)
  return account_id === null
    ? 'none'
    : (await saveAccountReport(db, account_id, parts, { source, at, received_at }))
      ? 'booked'
      : 'outdated'
}

async function bookEvent(db: Db, { id, type, assigned_invoice_id, raw }: Event): Promise<ApplyOutcome> {
  const page = readExpiredPage(raw)
  const isPageEnded = page !== undefined && (await endExpiredPage(db, page)) > 0
  const effect = readEffect(raw, id, assigned_invoice_id)
  if (effect === undefined) return isPageEnded ? 'booked' : PENDING_TYPES.includes(type ?? '') ? 'nothing' : 'none'
  if (effect === 'amount') return effect
  const outcome = await bookReceipt(db, effect)
  await wakeCharges(db, effect.names)
  if (outcome === 'unpaid') await waitForPayment(db, id, effect.names)
  else if (KNOWN_PAYMENT_OUTCOMES.includes(outcome)) await wakeWaitingEvents(db, effect.names)
  return outcome
}

/** Outcomes after which the payment is known. */
const KNOWN_PAYMENT_OUTCOMES: readonly BookingResult[] = ['booked', 'counted', 'nothing']

const EVENT_STATES: Readonly<Record<ApplyOutcome, { state: string; reason: string | null }>> = {
  booked: { state: 'applied', reason: null },
  counted: { state: 'applied', reason: 'already_counted' },
  outdated: { state: 'applied', reason: 'outdated' },
  none: { state: 'stored', reason: 'no_invoice' },
  other: { state: 'stored', reason: null },
  nothing: { state: 'stored', reason: 'no_money' },
  unpaid: { state: 'stored', reason: 'unknown_payment' },
  unknown: { state: 'stored', reason: 'unknown_invoice' },
  void: { state: 'review', reason: 'void_invoice' },
  currency: { state: 'review', reason: 'other_currency' },
  other_invoice: { state: 'review', reason: 'other_invoice' },
  amount: { state: 'review', reason: 'unreadable_amount' },
}
