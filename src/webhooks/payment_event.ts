import { createHash } from 'node:crypto'
import { storable } from '../shape/storable.ts'
import { fields, readJson } from './json.ts'

/** What is read of a signed event before it is stored; the bytes themselves are kept too. */
export type PaymentEvent = {
  /** SHA-256 of the id, which may hold what no text column does. */
  digest: Buffer
  event_id: string
  type: string | null
  /** The connected account: the event's own, or where the money of a platform charge goes. */
  account_id: string | null
  /** Null when the event doesn't say. */
  livemode: boolean | null
}

/** Undefined for a body without a parseable event id. */
export function readPaymentEvent(body: Buffer): PaymentEvent | undefined {
  const event = fields(readJson(body))
  const id = event['id']
  if (typeof id !== 'string' || id === '') return undefined
  return {
    digest: createHash('sha256').update(JSON.stringify(id)).digest(),
    event_id: storable(id, 255)!,
    type: storable(event['type'], 100),
    account_id: storable(event['account'] ?? destinationOf(fields(fields(event['data'])['object'])), 100),
    livemode: typeof event['livemode'] === 'boolean' ? event['livemode'] : null,
  }
}

const destinationOf = (object: ReturnType<typeof fields>): unknown => fields(object['transfer_data'])['destination'] ?? object['on_behalf_of'] ?? object['destination']
