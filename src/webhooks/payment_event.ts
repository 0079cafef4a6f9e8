import { createHash } from 'node:crypto'
import { invoiceIdIn } from '../payments/effects.ts'
import { toStorableText } from '../platform/validation/text/storable.ts'
import { fields, readJson } from './json.ts'

/** Holds what is read of a signed event before it is stored; its bytes are kept too. */
export type PaymentEvent = {
  /** Is the SHA-256 of the id, which may hold what no text column does. */
  digest: Buffer
  event_id: string
  type: string | null
  /** Is the connected account: the event's own, the one it is about, or where the money of a platform charge goes. */
  account_id: string | null
  /** Is null when the event doesn't say. */
  livemode: boolean | null
  /** Says whether its object has the id of an invoice in its metadata. */
  names_invoice: boolean
}

/** Reads an event; undefined for a body without a parseable event id. */
export function readPaymentEvent(body: Buffer): PaymentEvent | undefined {
  const event = fields(readJson(body))
  const id = event['id']
  if (typeof id !== 'string' || id === '') return undefined
  return {
    digest: createHash('sha256').update(JSON.stringify(id)).digest(),
    event_id: toStorableText(id, 255)!,
    type: toStorableText(event['type'], 100),
    account_id: toStorableText(event['account'] ?? subjectOf(event) ?? destinationOf(objectOf(event)), 100),
    livemode: typeof event['livemode'] === 'boolean' ? event['livemode'] : null,
    names_invoice: invoiceIdIn(objectOf(event)) !== null,
  }
}

type Fields = ReturnType<typeof fields>

const objectOf = (event: Fields): Fields => fields(fields(event['data'])['object'])

/** Returns the account that an event is about; events of v2 name it beside their data. */
function subjectOf(event: Fields): unknown {
  const [object, related] = [objectOf(event), fields(event['related_object'])]
  if (related['type'] === 'v2.core.account') return related['id']
  return object['object'] === 'account'
    ? object['id']
    : object['object'] === 'capability'
      ? object['account']
      : undefined
}

const destinationOf = (object: Fields): unknown =>
  fields(object['transfer_data'])['destination'] ?? object['on_behalf_of'] ?? object['destination']
