import { createHash } from 'node:crypto'
import { readJson, toFields, type JsonFields } from '../../platform/validation/json_fields.ts'
import { toStorableText } from '../../platform/validation/text/storable.ts'
import { invoiceIdIn } from './effects.ts'

/** Values read from a signed event before it is stored. Its bytes are kept too. */
export type PaymentEvent = {
  /** SHA-256 of the id, which may contain characters that a text column can't store. */
  digest: Buffer
  event_id: string
  type: string | null
  /** Connected account: the event's own, the one it is about, or the destination of a platform charge. */
  account_id: string | null
  /** Null if the event doesn't include it. */
  livemode: boolean | null
  /** Whether the metadata of the event's object has an invoice id. */
  names_invoice: boolean
}

/** Reads an event; undefined for a body without a parseable event id. */
export function readPaymentEvent(body: Buffer): PaymentEvent | undefined {
  const event = toFields(readJson(body))
  const id = event['id']
  if (typeof id !== 'string' || id === '') return undefined
  return {
    digest: createHash('sha256').update(JSON.stringify(id)).digest(),
    event_id: toStorableText(id, 255),
    type: toStorableText(event['type'], 100),
    account_id: toStorableText(event['account'] ?? subjectOf(event) ?? destinationOf(objectOf(event)), 100),
    livemode: typeof event['livemode'] === 'boolean' ? event['livemode'] : null,
    names_invoice: invoiceIdIn(objectOf(event)) !== null,
  }
}

const objectOf = (event: JsonFields): JsonFields => toFields(toFields(event['data'])['object'])

/** Returns the account that an event is about; v2 events name it outside their data. */
function subjectOf(event: JsonFields): unknown {
  const [object, related] = [objectOf(event), toFields(event['related_object'])]
  if (related['type'] === 'v2.core.account') return related['id']
  return object['object'] === 'account'
    ? object['id']
    : object['object'] === 'capability'
      ? object['account']
      : undefined
}

const destinationOf = (object: JsonFields): unknown =>
  toFields(object['transfer_data'])['destination'] ?? object['on_behalf_of'] ?? object['destination']
