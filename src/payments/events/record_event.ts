import type { WebhookConfig } from '../../platform/config/config.ts'
import { sql, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { PaymentEvent } from './payment_event.ts'

/** Webhook endpoint of an event: for the platform's own account, or for connected accounts. */
export type PaymentEndpoint = 'platform' | 'connect'

/** Mode of this installation's secret key; null without a key. */
type PaymentMode = WebhookConfig['payments']['mode']

/** Checks whether an event matches this installation's mode; true if the event doesn't state one. */
export const matchesMode = ({ livemode }: PaymentEvent, mode: PaymentMode): boolean =>
  livemode === null || livemode === (mode === 'live')

/** Selects a row if an account's company is frozen. The provider retries the event. */
export const selectFrozen = (account: string | null): Sql =>
  sql`select 1 from payment_accounts join frozen_companies using (tenant_id) where account_id = ${account}`

/**
 * Inserts an event unless it was recorded before or its company is frozen. Marks one of the other mode, so that it
 * doesn't count as ingested.
 */
export function insertEvent(endpoint: PaymentEndpoint, event: PaymentEvent, matches: boolean, raw: Buffer): Sql {
  const { digest, event_id, type, account_id, livemode, names_invoice } = event
  return sql`
    insert into payment_events (id, digest, mode_matches, event_id, endpoint, type, account_id, livemode, names_invoice,
      state, reason, raw)
    select ${newId()}, ${digest}, ${matches}, ${event_id}, ${endpoint}, ${type}, ${account_id}, ${livemode},
      ${names_invoice}, ${matches ? 'pending' : 'review'}, ${matches ? null : 'mode_mismatch'}, ${raw}
    where not exists (${selectFrozen(account_id)})
    on conflict do nothing returning id`
}

/** Deletes the bytes of up to `limit` events settled before a day. The rows stay for deduplication. */
export const deleteEventBytes = (before: string, limit: number): Sql => sql`update payment_events set raw = null
    where id in (select id from payment_events where raw is not null and settled_at < ${before} limit ${limit})`
