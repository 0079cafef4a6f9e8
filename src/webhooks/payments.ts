import type { WebhookConfig } from '../platform/config/config.ts'
import { Unavailable } from '../platform/errors/refusal.ts'
import { jsonAnswer, type HttpAnswer } from '../platform/errors/http_refusal.ts'
import type { Endpoint } from './handler.ts'
import type { Intake } from './body/intake.ts'
import { readPaymentEvent } from '../payments/events/payment_event.ts'
import { insertEvent, matchesMode, selectFrozen, type PaymentEndpoint } from '../payments/events/record_event.ts'
import { paymentsScheme } from './signatures/payments.ts'

/**
 * Returns the endpoint for events of the payments provider, from the platform's own account or from connected accounts
 * (docs/spec/webhooks.md#payment-events).
 */
export function paymentsEndpoint(
  account: PaymentEndpoint,
  { payments, strictSignatures }: WebhookConfig,
  intake: Intake,
): Endpoint {
  const { mode } = payments

  /** Checks the mode of a verified event and records it once. The worker applies it. */
  async function handle(body: Buffer): Promise<HttpAnswer> {
    const event = readPaymentEvent(body)
    if (event === undefined) return NOTHING
    const matches = matchesMode(event, mode)
    const [recorded, frozen] = await intake([
      insertEvent(account, event, matches, body),
      selectFrozen(event.account_id),
    ])
    if (frozen.rows.length > 0) throw new Unavailable('the company is being moved')
    if (!matches) return PARKED
    return recorded.count === 1 ? INGESTED : REPEATED
  }

  return {
    name: `payments/${account}`,
    contentType: 'application/json',
    maxBytes: 2 ** 20,
    deadlineMs: 10_000,
    scheme: paymentsScheme(payments[account], strictSignatures),
    unsigned: jsonAnswer(400, { error: 'Invalid signature' }),
    handle,
    failed: jsonAnswer(500, { error: 'ingest_failed' }),
  }
}

const NOTHING = jsonAnswer(200, { received: true, ingested: 0 })
const INGESTED = jsonAnswer(200, { received: true, ingested: 1 })
const REPEATED = jsonAnswer(200, { received: true, deduped: true })
const PARKED = jsonAnswer(200, { received: true, parked: true, reason: 'mode_mismatch' })
