import { recordReview, type ReviewAction } from '../../identity/people/reviews.ts'
import { findTenant } from '../../identity/companies/tenants.ts'
import { transact } from '../../platform/db/transaction.ts'
import { rowsOf, readTenant, sql, writeTenant, type Database, type Sql } from '../../platform/db/tenant.ts'
import {
  findPayableInvoice,
  findPaymentByName,
  type PayableInvoice,
  type Receipt,
} from '../../records/invoices/index.ts'
import { conflict, invalidField, notFound } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import type { ReviewScope } from '../../identity/people/review_scope.ts'
import { readEvent } from './event_object.ts'
import { findParkedEvent, lockParkedEvent, type ParkedEvent } from './parked_events.ts'
import { APPLY_PAYMENTS_TASK, readEffect, invoiceIdIn } from './effects.ts'
import { refusals } from '../refusals.ts'

/** A parked event with the details a person needs to decide on it. */
export type ParkedDetails = ParkedEvent & {
  /** Effect if applied; null for none, or an unreadable one. */
  effect: Receipt['kind'] | null
  /** Amount of the event, in the minor unit of its currency. */
  amount_cents: number | null
  currency: string | null
  invoice_id: string | null
  /** Invoice of its payment, else the one it names; null until its company is known. */
  invoice: PayableInvoice | null
  /** The received event as indented JSON, truncated if it is very long. */
  text: string
}

const MAX_TEXT = 100_000

/** Returns a parked event of a scope with its details. */
export async function openParkedEvent(database: Database, scope: ReviewScope, id: string): Promise<ParkedDetails> {
  const { raw, ...event } = await findParkedEvent(database, scope, id)
  const effect = readEffect(raw, id)
  const receipt = typeof effect === 'object' ? effect : null
  const invoice_id = (await invoiceOf(database, event, receipt)) ?? invoiceIdIn(readEvent(raw).object)
  const invoice =
    event.tenant_id === null || invoice_id === null
      ? undefined
      : await readTenant(database, { tenant: event.tenant_id }, (db) => findPayableInvoice(db, invoice_id))
  return {
    ...event,
    effect: receipt?.kind ?? null,
    amount_cents: receipt === null ? null : centsOf(receipt),
    currency: receipt?.currency || null,
    invoice_id,
    invoice: invoice ?? null,
    text: indentJson(raw.toString()).slice(0, MAX_TEXT),
  }
}

/** Returns the invoice of the payment that an event names, which may differ from the invoice in its metadata. */
const invoiceOf = async (
  database: Database,
  { tenant_id }: ParkedEvent,
  receipt: Receipt | null,
): Promise<string | undefined> =>
  tenant_id === null || receipt === null
    ? undefined
    : (await readTenant(database, { tenant: tenant_id }, (db) => findPaymentByName(db, receipt.names)))?.invoice

function centsOf(receipt: Receipt): number | null {
  switch (receipt.kind) {
    case 'dispute_opened':
      return receipt.disputed_cents
    case 'failed':
      return receipt.tried_cents
    case 'pending':
      return receipt.pending_cents
    case 'given_up':
      return null
    default:
      return receipt.amount_cents
  }
}

/** Indents JSON; returns it unchanged if it is nested too deeply to serialize. */
function indentJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/**
 * Assigns an event to a company and an invoice (by default the one it names), and has the worker apply it. Refuses an
 * event of the other mode or with an unreadable amount. An owner can assign it only to their own company.
 */
export async function assignParkedEvent(
  database: Database,
  scope: ReviewScope,
  id: string,
  to: { tenant: string; invoice?: string | undefined },
): Promise<ParkedEvent> {
  const company = await findTenant(database, to.tenant)
  if (scope.tenant !== null && scope.tenant !== company.id) throw notFound('tenant')
  requireAssignable(await findParkedEvent(database, scope, id), company.id)
  return writeTenant(database, { tenant: company.id }, async (db) => {
    const { raw, ...event } = await db.present<ParkedEvent & { raw: Buffer }>(
      lockParkedEvent(scope, id),
      'parked event',
    )
    requireAssignable(event, company.id)
    const invoice = to.invoice ?? invoiceIdIn(readEvent(raw).object) ?? ''
    const payee = isId(invoice) ? await findPayableInvoice(db, invoice) : undefined
    if (payee === undefined) throw invalidField('invoice', refusals.unknownInvoice({ invoice }))
    requirePayable(payee, readEffect(raw, id, payee.id))
    await Promise.all([
      db.run(
        sql`update payment_events
          set state = 'routed', reason = null, tenant_id = ${db.tenant}, assigned_invoice_id = ${payee.id}
          where id = ${id}`,
      ),
      db.run(requestApply(db.tenant)),
      db.run(
        recordReview(scope.by, 'payment_events.assign', id, { ...facts(event), tenant: db.tenant, invoice: payee.id }),
      ),
    ])
    return event
  })
}

function requireAssignable({ reason, tenant_id }: ParkedEvent, tenant: string): void {
  if (reason === 'mode_mismatch') throw conflict(refusals.otherMode())
  if (reason === 'unreadable_amount') throw conflict(refusals.unreadableAmount())
  if (tenant_id !== null && tenant_id !== tenant) throw conflict(refusals.otherCompany())
}

/**
 * Refuses other currencies, since money is never converted, and void invoices, which are final. Allows failed attempts,
 * which move no money.
 */
function requirePayable(
  { display_number, status, currency }: PayableInvoice,
  effect: Receipt | 'amount' | undefined,
): void {
  if (effect === undefined || effect === 'amount') throw conflict(refusals.noMoney())
  if (effect.kind === 'failed') return
  if (status === 'void') throw conflict(refusals.invoiceVoided({ number: display_number }))
  if (effect.kind !== 'dispute_opened' && effect.currency !== currency)
    throw conflict(
      refusals.otherCurrency({ event_currency: effect.currency || 'no currency', number: display_number, currency }),
    )
}

/** Current mode of the installation (`config.webhooks.payments.mode`). */
type Mode = 'test' | 'live' | null

/** Has the worker apply the event as if it had just arrived. One of the other mode then counts as ingested. */
export const replayParkedEvent = (
  database: Database,
  scope: ReviewScope,
  id: string,
  mode: Mode,
): Promise<ParkedEvent> =>
  recordDecision(database, scope, id, 'payment_events.replay', (event) => {
    requireReplayable(event, mode)
    return [
      sql`update payment_events
        set state = ${event.tenant_id === null ? 'pending' : 'routed'}, reason = null, mode_matches = true
        where id = ${event.id}
        and not exists (select 1 from payment_events o
          where o.id <> payment_events.id and o.digest = payment_events.digest and o.mode_matches)`,
      ...(event.tenant_id === null ? [] : [requestApply(event.tenant_id)]),
    ]
  })

function requireReplayable({ reason, livemode, account_id }: ParkedEvent, mode: Mode): void {
  if (reason === 'no_account') throw conflict(refusals.noAccount())
  if (reason === 'unknown_account') throw conflict(refusals.unknownAccount({ account: String(account_id) }))
  if (reason === 'mode_mismatch' && livemode !== null && livemode !== (mode === 'live')) {
    throw conflict(
      refusals.wrongKey({
        event_mode: livemode ? 'live' : 'test',
        service_mode: mode === null ? 'without PAYMENTS_SECRET_KEY' : `in ${mode} mode`,
      }),
    )
  }
}

/** Discards the event without any effect. */
export const discardParkedEvent = (database: Database, scope: ReviewScope, id: string): Promise<ParkedEvent> =>
  recordDecision(database, scope, id, 'payment_events.discard', (event) => [
    sql`update payment_events set state = 'discarded', settled_at = moment() where id = ${event.id}`,
  ])

/** Writes the decision and its review row in one transaction. Throws `not_found` if the event no longer waits. */
async function recordDecision(
  database: Database,
  scope: ReviewScope,
  id: string,
  action: ReviewAction,
  changes: (event: ParkedEvent) => Sql[],
): Promise<ParkedEvent> {
  await findParkedEvent(database, scope, id)
  return transact(database, async (send) => {
    const [row] = await rowsOf(send, lockParkedEvent(scope, id))
    if (row === undefined) throw notFound('parked event')
    const { raw: _, ...event } = row
    const [changed] = await send([...changes(event), recordReview(scope.by, action, id, facts(event))])
    if (changed.count === 0) throw conflict(refusals.ingestedSince())
    return event
  })
}

const requestApply = (tenant: string): Sql => sql`select ask_chore(${tenant}, ${APPLY_PAYMENTS_TASK})`

const facts = ({ reason, event_id }: ParkedEvent) => ({ reason, event: event_id })
