import type { Config } from '../../platform/config/config.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { jsonAnswer, type HttpAnswer } from '../../platform/errors/http_refusal.ts'
import type { Endpoint } from '../handler.ts'
import { readJson, toFields } from '../../platform/validation/json_fields.ts'
import type { StoreStatus } from './late_statuses.ts'
import { emailScheme } from '../signatures/email.ts'
import type { SignatureScheme } from '../signatures/signature.ts'
import type { StatusChange } from '../../messaging/outbox/delivery_status.ts'

/** Settings that all endpoints of the email provider share. */
export const emailDefaults = {
  contentType: 'application/json',
  unsigned: jsonAnswer(401, { error: 'Invalid signature' }),
  failed: jsonAnswer(503, { error: 'unavailable' }, { 'Retry-After': '5' }),
} as const satisfies Partial<Endpoint>

export const emailSchemeOf = ({ webhooks }: Config): SignatureScheme =>
  emailScheme(webhooks.email, webhooks.strictSignatures)

/**
 * Returns the endpoint for the email provider's status events (docs/spec/webhooks.md#email-events). Answers a signed
 * event with 200 even if it can't be stored.
 */
export function emailEventsEndpoint(scheme: SignatureScheme, storeStatus: StoreStatus): Endpoint {
  async function handle(body: Buffer): Promise<HttpAnswer> {
    const { type, created_at, data } = toFields(readJson(body))
    const change = typeof type === 'string' ? CHANGES.get(type) : undefined
    if (change === undefined) return RECEIVED
    const { email_id, message_id, bounce, failed } = toFields(data)
    const read_at = change.opened ? utc(momentOf(created_at)) : null
    const message = toFields(bounce)['message'] ?? toFields(failed)['reason']
    const suppresses = toFields(bounce)['type'] === 'Transient' ? undefined : change.suppresses
    for (const id of new Set([email_id, message_id]))
      await storeStatus('email', id, { ...change, message, read_at, suppresses })
    return RECEIVED
  }
  return { ...emailDefaults, name: 'email/email-events', maxBytes: 256 * 2 ** 10, deadlineMs: 10_000, scheme, handle }
}

const RECEIVED = jsonAnswer(200, { received: true })

type Change = Pick<StatusChange, 'status' | 'reversed' | 'suppresses'> & { opened?: true }

/** Changes by event type. Other events are ignored. */
const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  ['email.sent', { status: 'sending' }],
  ['email.delivered', { status: 'delivered' }],
  ['email.opened', { status: 'delivered', opened: true }],
  ['email.clicked', { status: 'delivered', opened: true }],
  ['email.bounced', { status: 'failed', reversed: true, suppresses: 'bounced' }],
  ['email.complained', { status: 'failed', reversed: true, suppresses: 'complained' }],
  ['email.failed', { status: 'failed' }],
])

/** Returns the event's own time, or the current time if that is invalid or in the future. */
function momentOf(text: unknown): Temporal.Instant {
  const now = Temporal.Now.instant()
  try {
    const at = Temporal.Instant.from(text as string)
    return Temporal.Instant.compare(at, now) < 0 && at.epochMilliseconds > 0 ? at : now
  } catch {
    return now
  }
}
