import type { Receipt } from '../entities/invoices/invoice.ts'
import { isId } from '../shape/id.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a stored event means for an invoice; `amount` is one whose amount can't be read. Undefined: nothing (money 7). */
export function effectOf(raw: Buffer, source: string): Receipt | 'amount' | undefined {
  const event = fields(JSON.parse(raw.toString()))
  const object = fields(fields(event['data'])['object'])
  const read = EFFECTS.get(String(event['type']))
  const invoice = textOf(fields(object['metadata'])['invoice_id'])?.toLowerCase()
  if (read === undefined || invoice === undefined || !isId(invoice)) return undefined
  const effect = read(object)
  if (effect === undefined) return undefined
  if (effect.amount_cents !== undefined && !isAmount(effect.amount_cents)) return 'amount'
  const currency = textOf(object['currency'])?.toUpperCase() ?? ''
  return { ...effect, invoice, source, currency, charge: chargeOf(object, source) } as Receipt
}

type Read = (object: Fields) => { kind: Receipt['kind']; amount_cents?: unknown; refund?: string | null; dispute?: string } | undefined

/** An authorization is no money until it is captured. */
const charge: Read = ({ captured, amount_captured, amount }) =>
  captured === false ? undefined : { kind: 'charge', amount_cents: amount_captured ?? amount }

/** A refund that failed or waits is no money yet. */
const refund: Read = ({ id, amount, status }) =>
  (status ?? 'succeeded') === 'succeeded' && textOf(id) !== undefined ? { kind: 'refund', amount_cents: amount, refund: textOf(id)! } : undefined

const disputeOpened: Read = ({ id }) => (textOf(id) === undefined ? undefined : { kind: 'dispute_opened', dispute: textOf(id)! })

const disputeClosed: Read = ({ id, status, amount }) =>
  textOf(id) === undefined ? undefined : { kind: 'dispute_closed', dispute: textOf(id)!, amount_cents: status === 'lost' ? amount : 0 }

const EFFECTS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['charge.succeeded', charge],
  ['charge.captured', charge],
  ['payment_intent.succeeded', ({ amount_received, amount }) => ({ kind: 'charge', amount_cents: amount_received ?? amount })],
  ['charge.refunded', ({ amount_refunded }) => ({ kind: 'refund', amount_cents: amount_refunded, refund: null })],
  ['refund.created', refund],
  ['refund.updated', refund],
  ['charge.refund.updated', refund],
  ['charge.dispute.created', disputeOpened],
  ['charge.dispute.closed', disputeClosed],
])

/** The types of events that may have an effect. */
export const EFFECTIVE_TYPES: readonly string[] = [...EFFECTS.keys()]

/** A payment is told of by its intent, by its charge and by what happens to them: the intent names them all, else the charge. */
function chargeOf(object: Fields, source: string): string {
  const own = textOf(object['id'])
  const intent = object['object'] === 'payment_intent' ? own : idOf(object['payment_intent'])
  return intent ?? idOf(object['charge']) ?? own ?? source
}

/** An id, or the id of an object that was sent in its place. */
const idOf = (value: unknown): string | undefined => textOf(value) ?? textOf(fields(value)['id'])

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : undefined)

/** Cents, up to the cap of a document (money 1). */
const isAmount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000_000_000

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? value as Fields : {})
