import { sql, type Db } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { findObjection } from './consent.ts'
import { findWait, type OutboxWait } from './limits.ts'
import type { CheckedMessage, AboutKind, OutgoingAttachment } from './outgoing.ts'
import { findStaleReason } from './stale.ts'
import type { Handover } from './senders/sender.ts'
import { conflictField } from '../../platform/errors/refusal.ts'

/** Message due for sending, with everything its sender needs. */
export type DueMessage = {
  id: string
  channel: 'email' | 'sms'
  cause: CheckedMessage['cause']
  about_kind: AboutKind | null
  recipient: string
  recipient_name: string | null
  queued_by: string | null
  attachments: OutgoingAttachment[]
  attempts: number
  first_attempt_at: string | null
  subject: string | null
  body: string
  in_reply_to: string | null
  /** Ids of the thread's newest emails before the one it answers, oldest first. */
  thread: string[]
  provider_message_id: string | null
  /** The company's own mailbox or number; empty for the configured sender. */
  sender_address: string
  /** Secret in a reminder's unsubscribe link; null if the email has none. */
  unsubscribe_secret: Buffer | null
  company: string
  company_email: string | null
}

/** Returns the message that has been due longest. */
export const nextDueMessage = (
  db: Db,
  channel: 'email' | 'sms',
  now: Temporal.Instant,
  after: readonly string[],
): Promise<DueMessage | undefined> =>
  db.maybe<DueMessage>(sql`select o.id, o.channel, o.cause, o.about_kind, o.recipient, o.recipient_name, o.queued_by,
      o.attachments, o.attempts,
      o.first_attempt_at, o.unsubscribe_secret, m.subject, m.body, m.in_reply_to, m.provider_message_id,
      m.sender_address,
      array(select e.provider_message_id from (select provider_message_id, occurred_at, id from communications c
        where c.tenant_id = ${db.tenant} and c.conversation_id = m.conversation_id and c.channel = 'email'
          and m.in_reply_to is not null
          and c.provider_message_id is not null and c.provider <> 'link' and c.id <> m.id
          and c.created_at <= m.created_at
          and trim(c.provider_message_id, '<>') <> trim(m.in_reply_to, '<>') order by occurred_at desc, id desc
          limit 20) e
        order by e.occurred_at, e.id) as thread, t.name as company, t.email as company_email
    from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
    join tenants t on t.id = o.tenant_id
    where o.tenant_id = ${db.tenant} and o.channel = ${channel} and o.state = 'queued' and o.next_at <= ${utc(now)}
      and o.id <> all(${[...after]}::uuid[])
    order by o.next_at, o.id limit 1`)

/** Sender address, and the message id of an email. */
export type SenderIdentity = { sender_address: string; provider_message_id: string | null }

/**
 * Starts an attempt. Once it commits, only `endAttempt` can show that the message was not sent. Returns false if it
 * doesn't go now: canceled, waiting, or no longer allowed (docs/spec/outbox.md#attempts).
 */
export async function startAttempt(
  db: Db,
  { id, recipient: to, queued_by: by, ...message }: DueMessage,
  identity: SenderIdentity,
  now: Temporal.Instant,
  zone: string,
): Promise<boolean> {
  if (!(await lockQueued(db, id))) return false
  const objection = await findObjection(db, { channel: message.channel, to, by })
  if (objection?.reason === 'unclear') {
    await keepWaiting(db, id, { until: now.add(UNDECIDED_CHECK_INTERVAL), reason: 'unclear' })
    return false
  }
  if (objection !== undefined) {
    await settleMessage(db, id, 'failed', objection.reason, conflictField(to, objection.rule).message)
    return false
  }
  if (message.cause === 'reminder' && (await isExcluded(db, id))) {
    await settleMessage(db, id, 'cancelled', 'opted_out', null)
    return false
  }
  const staleReason = await findStaleReason(db, { id, ...message })
  if (staleReason !== undefined) {
    await settleMessage(db, id, message.cause === 'reminder' ? 'cancelled' : 'failed', staleReason, null)
    return false
  }
  const wait = await findWait(db, { id, ...message }, now, zone)
  if (wait !== undefined) {
    await keepWaiting(db, id, wait)
    return false
  }
  await db.run(sql`update communications set sender_address = ${identity.sender_address},
      provider_message_id = coalesce(provider_message_id, ${identity.provider_message_id}),
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  await db.run(sql`update outbox
    set state = 'attempting', reason = null, attempts = attempts + 1, last_attempt_at = ${utc(now)},
      first_attempt_at = coalesce(first_attempt_at, ${utc(now)}), updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  return true
}

/** Interval between checks of a text that awaits a person's decision; the decision itself triggers a check at once. */
const UNDECIDED_CHECK_INTERVAL = { hours: 24 }

const keepWaiting = (
  db: Db,
  id: string,
  { until, reason }: OutboxWait | { until: Temporal.Instant; reason: 'unclear' },
): Promise<number> =>
  db.run(sql`update outbox set next_at = ${utc(until)}, reason = ${reason}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)

/** Checks whether the message's customer is excluded from reminders. */
const isExcluded = async (db: Db, id: string): Promise<boolean> =>
  (await db.maybe(sql`select from communications m
    join reminder_exclusions e on e.tenant_id = m.tenant_id and e.customer_id = m.customer_id
    where m.tenant_id = ${db.tenant} and m.id = ${id}`)) !== undefined

/** Locks a message before its outbox row, as status updates do; returns false if it is no longer queued. */
async function lockQueued(db: Db, id: string): Promise<boolean> {
  await db.run(sql`select 1 from communications where tenant_id = ${db.tenant} and id = ${id} for update`)
  const row = await db.maybe(
    sql`select 1 from outbox where tenant_id = ${db.tenant} and id = ${id} and state = 'queued' for update`,
  )
  return row !== undefined
}

/** Marks a message as held without a sender, or as failed because it can never be sent. */
export async function markUnsent(
  db: Db,
  { id }: DueMessage,
  outcome: { state: 'held'; reason: 'no_sender' } | { state: 'failed'; reason: 'unreadable'; message: string },
): Promise<void> {
  if (!(await lockQueued(db, id))) return
  if (outcome.state === 'failed') return settleMessage(db, id, outcome.state, outcome.reason, outcome.message)
  await db.run(sql`update outbox set state = 'held', reason = ${outcome.reason}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
}

/**
 * Records the result of an attempt, even if the task's lease has moved on. It changes nothing if the message was
 * retried since, or if a status has already settled it.
 */
export async function endAttempt(
  db: Db,
  { id, recipient, first_attempt_at, ...message }: DueMessage,
  handover: Handover,
  now: Temporal.Instant,
): Promise<void> {
  const attempt = message.attempts + 1
  await db.run(sql`select 1 from communications where tenant_id = ${db.tenant} and id = ${id} for update`)
  const row = await db.maybe<{ state: string }>(sql`select state from outbox
    where tenant_id = ${db.tenant} and id = ${id} and attempts = ${attempt} for update`)
  if (row === undefined) return
  if (handover.end === 'handed_over') return recordHandover(db, id, handover)
  if (row.state !== 'attempting' && row.state !== 'uncertain') return
  if (handover.end === 'unknown') return markUncertain(db, id, 'no_answer', handover.reply)
  if (handover.end === 'refused') {
    if (handover.isOptOut)
      await db.run(
        sql`select suppress(${db.tenant}, ${message.channel}, array[${recipient}]::text[], 'stopped',
            ${handover.reply})`,
      )
    return settleMessage(db, id, 'failed', 'refused', handover.reply)
  }
  const firstAttempt = first_attempt_at === null ? now : Temporal.Instant.from(first_attempt_at)
  const next = now.add({ seconds: retryDelay(attempt) })
  if (Temporal.Instant.compare(next, firstAttempt.add(RETRY_WINDOW)) > 0)
    return settleMessage(db, id, 'failed', 'gave_up', handover.reply)
  await db.run(sql`update outbox
    set state = 'queued', reason = 'retry', reply = ${handover.reply}, next_at = ${utc(next)},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
}

/** Time after the first attempt during which a message is retried. */
const RETRY_WINDOW = { hours: 24 }

/** Returns the retry delay in seconds: exponential backoff from 30 seconds to one hour. */
export const retryDelay = (attempts: number): number => Math.min(3_600, 30 * 2 ** Math.min(attempts - 1, 20))

/** Stores the provider's message id, which also applies early statuses; they may change the state further. */
async function recordHandover(
  db: Db,
  id: string,
  { providerId, reply }: Extract<Handover, { end: 'handed_over' }>,
): Promise<void> {
  await db.run(sql`update outbox
    set state = case when state in ('attempting', 'uncertain') then 'handed_over' else state end,
      reason = case when state in ('attempting', 'uncertain') then null else reason end,
      reply = coalesce(nullif(${reply}, ''), reply), settled_at = moment(), updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  await db.run(sql`update communications set status = next_status(status, 'sending', false),
      provider_message_id = coalesce(${providerId}, provider_message_id), updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
}

async function markUncertain(db: Db, id: string, reason: string, reply: string): Promise<void> {
  await db.run(sql`update outbox
    set state = 'uncertain', reason = ${reason}, reply = ${reply}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
}

/** Settles a message for good, with a text for people. */
export async function settleMessage(
  db: Db,
  id: string,
  state: 'failed' | 'cancelled',
  reason: string,
  message: string | null,
  by: string | null = null,
): Promise<void> {
  await db.run(sql`update communications
    set status = 'failed', error_message = coalesce(${message}, error_message), updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  await db.run(sql`update outbox
    set state = ${state}, reason = ${reason}, reply = coalesce(${message}, reply), settled_at = moment(),
      settled_by = ${by}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
}

/**
 * Marks attempts of a dead process as uncertain: nobody knows whether they were sent, so a person decides. Only the
 * holder of the task's lease may call it.
 */
export const markInterrupted = (db: Db, channel: 'email' | 'sms'): Promise<number> =>
  db.run(sql`update outbox set state = 'uncertain', reason = 'interrupted', updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and channel = ${channel} and state = 'attempting'`)

/** Schedules the task for the company's next queued message, behind other companies already waiting. */
export const scheduleNextAttempt = (
  db: Db,
  channel: 'email' | 'sms',
  task: string,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql`select ask_chore_by(${db.tenant}, ${task}, greatest(next_at, ${utc(now)}::timestamptz)) from outbox
    where tenant_id = ${db.tenant} and channel = ${channel} and state = 'queued' order by next_at limit 1`)
