import type { Receipt } from '../../records/invoices/index.ts'
import { isId } from '../../platform/validation/id.ts'
import { toStorableText } from '../../platform/validation/text/storable.ts'
import { toFields } from '../../platform/validation/json_fields.ts'
import { parseCode, parseId, readEvent, type ProviderEvent } from './event_object.ts'

/** Task that applies a tenant's events. */
export const APPLY_PAYMENTS_TASK = 'payment_effects'

type Fields = ProviderEvent['object']

/**
 * Returns the effect of a stored event on an invoice (docs/spec/money.md#provider-events): `amount` if its amount can't
 * be read, undefined for none. `assigned` is an invoice that a person chose; it overrides the event's own.
 */
export function readEffect(
  raw: Buffer,
  source: string,
  assigned: string | null = null,
): Receipt | 'amount' | undefined {
  const { event, type, object } = readEvent(raw)
  const read = EFFECTS.get(type) ?? PENDING_EFFECTS.get(type)
  const invoice = assigned ?? invoiceIdIn(object)
  if (read === undefined || (invoice === null && !FOLLOW_UP_TYPES.includes(type))) return undefined
  const effect = read(object, source, momentOf(event['created']))
  if (effect === undefined) return undefined
  if ('amount_cents' in effect && !isAmount(effect.amount_cents)) return 'amount'
  const currency = parseCode(object['currency'])?.toUpperCase() ?? ''
  return {
    ...effect,
    invoice,
    isAssigned: assigned !== null,
    source,
    currency,
    names: paymentIdsOf(object, source),
  } as Receipt
}

/** Returns the invoice id in the metadata of the event's object. */
export function invoiceIdIn(object: Fields): string | null {
  const id = parseCode(toFields(object['metadata'])['invoice_id'])?.toLowerCase()
  return id !== undefined && isId(id) ? id : null
}

type ReadObject = (
  object: Fields,
  source: string,
  at: string | null,
) => ({ kind: Receipt['kind'] } & Fields) | undefined

/** Reads a charge. An authorization moves no money until it is captured. */
const charge: ReadObject = ({ captured, amount_captured, amount, metadata }) =>
  captured === false
    ? { kind: 'authorized', amount_cents: amount }
    : { kind: 'charge', ...withTip(amount_captured ?? amount, metadata) }

/** Reads the tip of a payment from its metadata. A tip that isn't below the payment is ignored. */
function withTip(amount: unknown, metadata: unknown): { amount_cents: unknown; tip_cents?: number } {
  const tip = Number(toFields(metadata)['tip_cents'] ?? 0)
  return isAmount(tip) && tip > 0 && Number(amount) > tip
    ? { amount_cents: amount, tip_cents: tip }
    : { amount_cents: amount }
}

/** Reads a refund. A pending one moves no money yet, and a failed one no longer does. */
const refund: ReadObject = ({ id, amount, status = 'succeeded', created }, _, at) => {
  const failed = status === 'failed' || status === 'canceled'
  if (parseCode(id) === undefined || !(failed || status === 'succeeded' || status === null)) return undefined
  return { kind: 'refund', amount_cents: amount, refund: id, failed, at, made_at: momentOf(created) }
}

/** Reads the total refunded so far. Releasing an uncaptured amount refunds nothing. */
const refundSum: ReadObject = ({ amount_refunded, captured }, _, at) =>
  captured === false
    ? undefined
    : { kind: 'refund', amount_cents: amount_refunded, refund: null, failed: false, at, made_at: null }

const disputeOpened: ReadObject = ({ id, amount, reason }) =>
  parseCode(id) === undefined
    ? undefined
    : {
        kind: 'dispute_opened',
        dispute: id,
        disputed_cents: isAmount(amount) ? amount : null,
        reason: parseCode(reason) ?? null,
      }

const disputeClosed: ReadObject = ({ id, status, amount }) =>
  parseCode(id) === undefined
    ? undefined
    : {
        kind: 'dispute_closed',
        dispute: id,
        amount_cents: status === 'lost' ? amount : 0,
        outcome: parseCode(status) ?? null,
      }

const chargeFailed: ReadObject = ({ id, amount, failure_code, failure_message }, source, at) =>
  failure(parseCode(id) ?? source, amount, failure_code, failure_message, at)

const intentFailed: ReadObject = ({ amount, latest_charge, last_payment_error }, source, at) => {
  const { code, decline_code, message, charge } = toFields(last_payment_error)
  return failure(parseId(charge) ?? parseId(latest_charge) ?? source, amount, decline_code ?? code, message, at)
}

const failure = (
  attempt: string,
  amount: unknown,
  code: unknown,
  message: unknown,
  at: string | null,
): ReturnType<ReadObject> => ({
  kind: 'failed',
  attempt,
  tried_cents: isAmount(amount) ? amount : null,
  code: parseCode(code) ?? null,
  message: toStorableText(message, 500),
  at,
})

const pending = (amount: unknown, session: string | null, at: string | null): ReturnType<ReadObject> => ({
  kind: 'pending',
  session,
  pending_cents: isAmount(amount) ? amount : null,
  at,
})

/** Reads a page paid by bank debit. Without a payment intent, no later event could end the pending payment. */
const sessionCompleted: ReadObject = ({ id, payment_status, payment_intent, amount_total }, _, at) =>
  payment_status === 'unpaid' && parseId(payment_intent) !== undefined
    ? pending(amount_total, parseCode(id) ?? null, at)
    : undefined

/** Reads a page whose payment won't come. A page without a payment attempt names no payment intent. */
const sessionEnded: ReadObject = ({ id, payment_intent }, _, at) =>
  parseId(payment_intent) === undefined ? undefined : { kind: 'given_up', session: parseCode(id) ?? null, at }

const EFFECTS: ReadonlyMap<string, ReadObject> = new Map<string, ReadObject>([
  ['charge.succeeded', charge],
  ['charge.captured', charge],
  ['charge.failed', chargeFailed],
  [
    'payment_intent.succeeded',
    ({ amount_received, amount, metadata }) => ({ kind: 'charge', ...withTip(amount_received ?? amount, metadata) }),
  ],
  ['payment_intent.payment_failed', intentFailed],
  ['charge.refunded', refundSum],
  ['refund.created', refund],
  ['refund.updated', refund],
  ['refund.failed', refund],
  ['charge.refund.updated', refund],
  ['charge.dispute.created', disputeOpened],
  ['charge.dispute.closed', disputeClosed],
])

/** Events that move no money: the progress of a bank payment (docs/spec/money.md#pending-bank-payments). */
const PENDING_EFFECTS: ReadonlyMap<string, ReadObject> = new Map<string, ReadObject>([
  ['payment_intent.processing', ({ amount }, _, at) => pending(amount, null, at)],
  ['payment_intent.canceled', (_object, _, at) => ({ kind: 'given_up', session: null, at })],
  ['checkout.session.completed', sessionCompleted],
  ['checkout.session.async_payment_failed', sessionEnded],
  ['checkout.session.expired', sessionEnded],
])

/** Event types that report a bank payment or the end of a page; they never wait for a person. */
export const PENDING_TYPES: readonly string[] = [...PENDING_EFFECTS.keys()]

/** Returns a page that the provider expired, with its invoice. */
export function readExpiredPage(raw: Buffer): { session: string; invoice: string } | undefined {
  const { type, object } = readEvent(raw)
  const [session, invoice] = [parseCode(object['id']), invoiceIdIn(object)]
  return type !== 'checkout.session.expired' || session === undefined || invoice === null
    ? undefined
    : { session, invoice }
}

/** Event types that may affect an invoice's money and history. */
export const EFFECTIVE_TYPES: readonly string[] = [...EFFECTS.keys()]

/** Types of later events of a payment; they may name only the payment (docs/spec/money.md#the-invoice-of-a-payment). */
export const FOLLOW_UP_TYPES: readonly string[] = EFFECTIVE_TYPES.filter(
  (type) => type.includes('refund') || type.includes('dispute') || type === 'charge.captured',
)

/**
 * Returns the ids of a payment, which events report by its intent or its charge. The first one identifies the payment:
 * the intent, else the charge.
 */
function paymentIdsOf(object: Fields, source: string): readonly [string, ...string[]] {
  const own = parseCode(object['id'])
  const intent = object['object'] === 'payment_intent' ? own : parseId(object['payment_intent'])
  const charge = object['object'] === 'charge' ? own : (parseId(object['charge']) ?? parseId(object['latest_charge']))
  const [first, ...more] = [intent, charge].filter((name) => name !== undefined)
  return first === undefined ? [own ?? source] : [first, ...more]
}

/** Reads a Unix time in seconds. */
const momentOf = (seconds: unknown): string | null =>
  Number.isSafeInteger(seconds) && (seconds as number) >= 0 && (seconds as number) < 1e11
    ? new Date((seconds as number) * 1_000).toISOString()
    : null

/** Checks for an amount in cents within the limit of a document (docs/spec/money.md#amounts). */
const isAmount = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000_000_000
