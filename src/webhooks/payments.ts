import type { WebhookConfig } from '../platform/config/config.ts'
import { sql, type Sql } from '../platform/db/tenant.ts'
import { Unavailable } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { jsonAnswer, type HttpAnswer } from '../platform/errors/http_refusal.ts'
import type { Endpoint } from './handler.ts'
import type { Intake } from './body/intake.ts'
import { readPaymentEvent, type PaymentEvent } from './payment_event.ts'
import { paymentsScheme } from './signatures/payments.ts'

type Account = 'platform' | 'connect'

/**
 * Returns the endpoint for events of the payments provider: of the platform's own account, or of connected accounts
 * (docs/spec/webhooks.md#payment-events).
 */
export function paymentsEndpoint(
  account: Account,
  { payments, strictSignatures }: WebhookConfig,
  intake: Intake,
): Endpoint {
  const { mode } = payments

  /** Verified by now: read, compared with the mode, recorded once. Effects are the worker's. */
  async function take(body: Buffer): Promise<HttpAnswer> {
    const event = readPaymentEvent(body)
    if (event === undefined) return NOTHING
    const matches = event.livemode === null || event.livemode === (mode === 'live')
    const [recorded, frozen] = await intake([insertEvent(account, event, matches, body), frozenOf(event.account_id)])
    if (frozen.rows.length > 0) throw new Unavailable('the company is being moved')
    if (!matches) return PARKED
    return recorded.count === 1 ? INGESTED : REPEATED
  }

  return {
    name: `payments/${account}`,
    contentType: 'application/json',
    mostBytes: 2 ** 20,
    deadlineMs: 10_000,
    scheme: paymentsScheme(payments[account], strictSignatures),
    unsigned: jsonAnswer(400, { error: 'Invalid signature' }),
    take,
    failed: jsonAnswer(500, { error: 'ingest_failed' }),
  }
}

const NOTHING = jsonAnswer(200, { received: true, ingested: 0 })
const INGESTED = jsonAnswer(200, { received: true, ingested: 1 })
const REPEATED = jsonAnswer(200, { received: true, deduped: true })
const PARKED = jsonAnswer(200, { received: true, parked: true, reason: 'mode_mismatch' })

/** Finds whether an account's company takes nothing now; its provider sends the event again. */
const frozenOf = (account: string | null): Sql =>
  sql`select 1 from payment_accounts join frozen_companies using (tenant_id) where account_id = ${account}`

/**
 * Records an event unless it was recorded before, or its company is frozen. One of the other mode is marked, so that it
 * isn't taken for ingested.
 */
export function insertEvent(endpoint: Account, event: PaymentEvent, matches: boolean, raw: Buffer): Sql {
  const { digest, event_id, type, account_id, livemode, names_invoice } = event
  return sql`
    insert into payment_events (id, digest, mode_matches, event_id, endpoint, type, account_id, livemode, names_invoice,
      state, reason, raw)
    select ${newId()}, ${digest}, ${matches}, ${event_id}, ${endpoint}, ${type}, ${account_id}, ${livemode},
      ${names_invoice}, ${matches ? 'pending' : 'review'}, ${matches ? null : 'mode_mismatch'}, ${raw}
    where not exists (${frozenOf(account_id)})
    on conflict do nothing returning id`
}
