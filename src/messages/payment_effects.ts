import type { Receipt } from '../entities/invoices/invoice.ts'
import { isId } from '../shape/id.ts'
import { storable } from '../shape/storable.ts'
import { codeIn, fields, idIn, readEvent } from './event_object.ts'
import type { EventRead } from './event_object.ts'

/** The chore that a tenant's events are handed to. */
export const APPLY_PAYMENTS = 'payment_effects'

type Fields = EventRead['object']

/**
 * What a stored event means for an invoice; `amount` is money whose amount can't be read. Undefined: nothing (money 7).
 * `assigned` is the invoice that somebody said it is for, whichever it names.
 */
export function effectOf(raw: Buffer, source: string, assigned: string | null = null): Receipt | 'amount' | undefined {
  const { type, object } = readEvent(raw)
  const read = EFFECTS.get(type)
  const invoice = assigned ?? invoiceNamed(object)
  if (read === undefined || invoice === null) return undefined
  const effect = read(object, source)
  if (effect === undefined) return undefined
  if ('amount_cents' in effect && !isAmount(effect.amount_cents)) return 'amount'
  const currency = codeIn(object['currency'])?.toUpperCase() ?? ''
  return { ...effect, invoice, source, currency, charge: chargeOf(object, source) } as Receipt
}

/** The invoice whose id the event's object has in its metadata. */
export function invoiceNamed(object: Fields): string | null {
  const id = codeIn(fields(object['metadata'])['invoice_id'])?.toLowerCase()
  return id !== undefined && isId(id) ? id : null
}

type Read = (object: Fields, source: string) => ({ kind: Receipt['kind'] } & Fields) | undefined

/** An authorization is no money until it is captured. */
const charge: Read = ({ captured, amount_captured, amount }) =>
  captured === false ? undefined : { kind: 'charge', amount_cents: amount_captured ?? amount }

/** A refund that failed or waits is no money yet. */
const refund: Read = ({ id, amount, status }) =>
  (status ?? 'succeeded') === 'succeeded' && codeIn(id) !== undefined ? { kind: 'refund', amount_cents: amount, refund: id } : undefined

const disputeOpened: Read = ({ id, amount, reason }) =>
  codeIn(id) === undefined ? undefined : { kind: 'dispute_opened', dispute: id, disputed_cents: isAmount(amount) ? amount : null, reason: codeIn(reason) ?? null }

const disputeClosed: Read = ({ id, status, amount }) =>
  codeIn(id) === undefined ? undefined : { kind: 'dispute_closed', dispute: id, amount_cents: status === 'lost' ? amount : 0, outcome: codeIn(status) ?? null }

const chargeFailed: Read = ({ id, amount, failure_code, failure_message }, source) => failure(codeIn(id) ?? source, amount, failure_code, failure_message)

const intentFailed: Read = ({ amount, latest_charge, last_payment_error }, source) => {
  const { code, decline_code, message, charge } = fields(last_payment_error)
  return failure(idIn(charge) ?? idIn(latest_charge) ?? source, amount, decline_code ?? code, message)
}

const failure = (attempt: string, amount: unknown, code: unknown, message: unknown): ReturnType<Read> =>
  ({ kind: 'failed', attempt, tried_cents: isAmount(amount) ? amount : null, code: codeIn(code) ?? null, message: storable(message, 500) })

const EFFECTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['charge.succeeded', charge],
  ['charge.captured', charge],
  ['charge.failed', chargeFailed],
  ['payment_intent.succeeded', ({ amount_received, amount }) => ({ kind: 'charge', amount_cents: amount_received ?? amount })],
  ['payment_intent.payment_failed', intentFailed],
  ['charge.refunded', ({ amount_refunded }) => ({ kind: 'refund', amount_cents: amount_refunded, refund: null })],
  ['refund.created', refund],
  ['refund.updated', refund],
  ['charge.refund.updated', refund],
  ['charge.dispute.created', disputeOpened],
  ['charge.dispute.closed', disputeClosed],
])

/** The types of events that may have an effect on an invoice. */
export const EFFECTIVE_TYPES: readonly string[] = [...EFFECTS.keys()]

/** A payment is told of by its intent, by its charge and by what happens to them: the intent names them all, else the charge. */
function chargeOf(object: Fields, source: string): string {
  const own = codeIn(object['id'])
  const intent = object['object'] === 'payment_intent' ? own : idIn(object['payment_intent'])
  return intent ?? idIn(object['charge']) ?? own ?? source
}

/** Cents, up to the cap of a document (money 1). */
const isAmount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000_000_000
