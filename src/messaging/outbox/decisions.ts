import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { settleMessage } from './attempt.ts'
import { findStaleReason } from './stale.ts'
import type { OutgoingMessage, OutgoingAttachment } from './outgoing.ts'
import { SENDING_TASKS, queueMessage } from './queue.ts'
import { refusals } from './refusals.ts'

type Row = {
  id: string
  channel: 'email' | 'sms'
  cause: OutgoingMessage['cause']
  state: string
  recipient: string
  recipient_name: string | null
  about_kind: NonNullable<OutgoingMessage['about']>['kind'] | null
  about_id: string | null
  attachments: OutgoingAttachment[]
  subject: string | null
  body: string
  customer_id: string | null
  /** Id of the message a reply answers. */
  answers: string | null
}

/** Cancels a message before it is sent. */
export async function cancelMessage(db: Db, by: string, id: string): Promise<void> {
  const { state } = await lockMessage(db, id)
  if (state !== 'queued' && state !== 'held') throw conflict(refusals.underWay())
  await settleMessage(db, id, 'cancelled', 'by_hand', null, by)
  await auditDecision(db, by, id, [state, 'cancelled'])
}

/** Marks a message of unknown outcome as sent. */
export async function markSent(db: Db, by: string, id: string): Promise<void> {
  const { state } = await lockMessage(db, id)
  if (state !== 'uncertain') throw conflict(refusals.notUncertain())
  await db.run(sql`update outbox
    set state = 'handed_over', reason = 'by_hand', settled_at = moment(), settled_by = ${by},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  await db.run(sql`update communications
    set status = next_status(status, 'sending', false), updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  await auditDecision(db, by, id, [state, 'handed_over'])
}

/**
 * Resends a message: an uncertain or held one under its own id, a failed or canceled one as a new message, and only
 * once even if requested again. Returns the id of the message now queued. Throws a `Refusal` if the recipient can't be
 * written to or the text is no longer true.
 */
export async function resendMessage(db: Db, by: string, id: string): Promise<string> {
  const row = await lockMessage(db, id)
  if (row.state === 'failed' || row.state === 'cancelled') {
    await requireStillTrue(db, row)
    return (await queueMessage(db, copyForResend(row, by), id)).id
  }
  if (row.state !== 'uncertain' && row.state !== 'held') throw conflict(refusals.underWay())
  await db.run(sql`update outbox
    set state = 'queued', reason = null, next_at = moment(), first_attempt_at = null, settled_by = ${by},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  await db.run(sql`select ask_chore_by(${db.tenant}, ${SENDING_TASKS[row.channel]}, moment())`)
  await auditDecision(db, by, id, [row.state, 'queued'])
  return id
}

/** Refuses a text that its record has made outdated, since it would read as current. */
async function requireStillTrue(db: Db, row: Row): Promise<void> {
  const reason = await findStaleReason(db, row)
  if (reason === 'too_late') throw conflict(refusals.tooLate())
  if (reason === 'overtaken') throw conflict(refusals.outdated())
}

/** Locks a message before its outbox row, as status updates do. */
async function lockMessage(db: Db, id: string): Promise<Row> {
  await db.run(sql`select 1 from communications where tenant_id = ${db.tenant} and id = ${id} for update`)
  const row =
    await db.maybe<Row>(sql`select o.id, o.channel, o.cause, o.state, o.recipient, o.recipient_name, o.about_kind,
        o.about_id, o.attachments, m.subject, m.body, m.customer_id, case when o.cause = 'reply' then (
        select a.id from communications a
        where a.tenant_id = ${db.tenant} and a.conversation_id = m.conversation_id and a.direction = 'inbound'
          and a.channel = m.channel and a.sender_address = o.recipient and a.created_at <= m.created_at
        order by a.created_at desc, a.id desc limit 1) end as answers
    from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
    where o.tenant_id = ${db.tenant} and o.id = ${id} for update of o`)
  if (row === undefined) throw notFound('message')
  return row
}

const copyForResend = (row: Row, by: string): OutgoingMessage => ({
  channel: row.channel,
  to: row.recipient,
  toName: row.recipient_name,
  ...(row.subject !== null && { subject: row.subject }),
  body: row.body,
  about: row.about_kind === null || row.about_id === null ? null : { kind: row.about_kind, id: row.about_id },
  customerId: row.customer_id,
  cause: row.cause,
  by,
  attachments: row.attachments,
  inReplyTo: row.answers,
})

const auditDecision = (db: Db, by: string, id: string, state: readonly [string, string]): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${by}, 'messages.decide', 'message', ${id}, ${JSON.stringify({ state })})`)

/** Records who lifted a suppression. */
export const auditUnsuppress = (db: Db, by: string, channel: 'email' | 'sms', address: string): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${by}, 'messages.unsuppress', 'company', ${db.tenant},
      ${JSON.stringify({ channel: [channel, null], address: [address, null] })})`)

/** Records who confirmed an unclear answer as an opt-out. */
export const auditSuppress = (db: Db, by: string, address: string): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${by}, 'messages.suppress', 'company', ${db.tenant},
      ${JSON.stringify({ channel: [null, 'sms'], address: [null, address] })})`)
