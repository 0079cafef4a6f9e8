import { values } from '../../../platform/db/rows.ts'
import { sql, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../platform/errors/refusal.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import type { InboundMessage } from '../communication.ts'
import {
  MAX_ID,
  queryInScope,
  scopeCondition,
  toWaitingPage,
  type ReviewScope,
  type WaitingPage,
} from '../../../identity/people/review_scope.ts'

/** Message that awaits a decision: it matches no company, or its id belongs to another message of its company. */
export type QuarantineEntry = {
  id: string
  channel: 'sms' | 'email'
  provider_message_id: string
  reason: 'no_tenant' | 'other_content'
  /** Null if no company matches. */
  tenant_id: string | null
  sender: string
  recipients: string[]
  subject: string | null
  /** Beginning of the text. */
  excerpt: string
  received_at: string
}

const MAX_EXCERPT = 500

const columns = sql`id, channel, provider_message_id, reason, tenant_id, sender, recipients, subject, excerpt,
  received_at`

type Filter = {
  channel?: QuarantineEntry['channel']
  reason?: QuarantineEntry['reason']
  before?: string
  limit?: number
}

/** Lists the waiting messages in a scope, newest first, before an id. */
export async function listQuarantined(
  database: Database,
  scope: ReviewScope,
  { channel, reason, before = MAX_ID, limit = 50 }: Filter = {},
): Promise<WaitingPage<QuarantineEntry>> {
  const listed = await queryInScope(
    scope,
    database.send,
    sql<QuarantineEntry>`select ${columns} from quarantined_messages
    where state = 'open' and id < ${before} and ${scopeCondition(scope)}
      and (${channel ?? null}::text is null or channel = ${channel ?? null})
      and (${reason ?? null}::text is null or reason = ${reason ?? null})
    order by id desc limit ${limit + 1}`,
  )
  return toWaitingPage(listed.rows, limit)
}

/** Returns one waiting message in a scope, with its raw bytes. */
export async function findQuarantined(
  database: Database,
  scope: ReviewScope,
  id: string,
): Promise<QuarantineEntry & { raw: Buffer; content_hash: Buffer }> {
  const answer = isId(id)
    ? await queryInScope(
        scope,
        database.send,
        sql<
          QuarantineEntry & { raw: Buffer; content_hash: Buffer }
        >`select ${columns}, raw, content_hash from quarantined_messages
          where id = ${id} and state = 'open' and ${scopeCondition(scope)}`,
      )
    : undefined
  const row = answer?.rows[0]
  if (row === undefined) throw notFound('quarantined message')
  return row
}

/** Locks a waiting message for the rest of the transaction. */
export const lockQuarantined = (id: string): Sql =>
  sql`select ${columns} from quarantined_messages where id = ${id} and state = 'open' for update`

/** Closes a quarantine entry and deletes the raw message. */
export const closeQuarantined = (id: string, state: 'assigned' | 'discarded', to: readonly string[]): Sql =>
  sql`update quarantined_messages
    set state = ${state}, assigned_to = ${[...to]}::uuid[], raw = null, settled_at = moment()
    where id = ${id} and state = 'open'`

/** Filter by sender, domain and age, combined with AND. */
type BulkFilter = { sender?: string | undefined; domain?: string | undefined; before?: string | undefined }

/** Discards all matching entries in a scope. */
export const closeManyQuarantined = (
  scope: ReviewScope,
  { sender = null, domain = null, before = null }: { [Name in keyof BulkFilter]: BulkFilter[Name] | null },
): Sql => sql`
  update quarantined_messages set state = 'discarded', raw = null, settled_at = moment()
  where state = 'open' and ${scopeCondition(scope)} and (${sender}::text is null or sender_address = ${sender})
    and (${domain}::text is null or split_part(sender_address, '@', -1) = ${domain} and strpos(sender_address, '@') > 0)
    and (${before}::timestamptz is null or received_at < ${before})`

/** Quarantines a message once, for a person to decide on. `tenant` is the company with another message under its id. */
export const quarantineMessage = (message: InboundMessage, raw: Buffer | Sql, tenant: string | null): Sql =>
  sql`insert into quarantined_messages ${values({
    id: newId(),
    channel: message.channel,
    provider_message_id: message.provider_message_id,
    content_hash: message.content_hash,
    reason: tenant === null ? 'no_tenant' : 'other_content',
    tenant_id: tenant,
    sender: message.sender,
    sender_address: message.sender_address,
    recipients: message.recipients,
    subject: message.subject,
    excerpt: Array.from(message.body.slice(0, 2 * MAX_EXCERPT))
      .slice(0, MAX_EXCERPT)
      .join('')
      .toWellFormed(),
    raw,
  })} on conflict do nothing`

/** Maximum days a message waits for a decision before it is deleted (docs/spec/messages.md#retention-of-messages). */
export const MAX_WAIT_DAYS = 90

/** Deletes messages decided on before a day, in batches. */
export const deleteSettledMessages = (before: string, limit: number): Sql => sql`delete from quarantined_messages
    where id in (select id from quarantined_messages where settled_at < ${before} limit ${limit})`

/** Deletes waiting messages received before a day, in batches. */
export const deleteWaitingMessages = (before: string, limit: number): Sql => sql`delete from quarantined_messages
    where id in (select id from quarantined_messages where state = 'open' and received_at < ${before} limit ${limit})`
