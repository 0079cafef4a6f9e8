import { randomBytes } from 'node:crypto'
import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { lockRecipient, requireConsent } from './consent.ts'
import { resolveRouting, type MessageRouting } from './conversation.ts'
import { checkOutgoing, type CheckedMessage, type OutgoingMessage } from './outgoing.ts'
import { findRecordFacts } from './stale.ts'
import { countSegments } from './segments.ts'
import { bodyWithStopHint, isBody } from './stop_hint.ts'

/** Sending task of each channel. */
export const SENDING_TASKS = { email: 'email_sending', sms: 'sms_sending' } as const

/**
 * Queues a message in its conversation, in the caller's transaction; a task sends it later (docs/spec/outbox.md).
 * Throws a `Refusal` for a bad address, an opt-out or a suppressed recipient. An identical message within a minute is
 * queued once. A resend of the failed message `insteadOf` is queued once for all users together.
 */
export async function queueMessage(
  db: Db,
  outgoing: OutgoingMessage,
  insteadOf: string | null = null,
): Promise<{ id: string }> {
  const { country, name } = await db.one<{ country: string; name: string }>(
    sql`select country, name from tenants where id = ${db.tenant}`,
  )
  const checked = checkOutgoing(outgoing, country)
  await lockRecipient(db, checked)
  await requireConsent(db, checked)
  const duplicate = await findDuplicate(db, checked, insteadOf)
  if (duplicate !== undefined) return duplicate
  const routing = await resolveRouting(db, checked)
  const [body, facts] = await Promise.all([
    bodyWithStopHint(db, checked, { conversation: routing.conversation_id, company: name }),
    findRecordFacts(db, checked),
  ])
  const [id, message] = [newId(), { ...checked, body }]
  await addMessage(db, id, message, routing, name)
  await Promise.all([addRow(db, id, message, facts), auditQueued(db, id, message), scheduleSending(db, message)])
  return { id }
}

/** Returns an identical message: by the same user within the last minute, or by anyone after the failed one. */
const findDuplicate = (
  db: Db,
  { channel, to, subject, body, about, by }: CheckedMessage,
  insteadOf: string | null,
): Promise<{ id: string } | undefined> => {
  const isRepeated =
    insteadOf === null
      ? sql`o.created_at > moment() - interval '1 minute' and o.queued_by is not distinct from ${by}::uuid`
      : sql`o.id > ${insteadOf}`
  return db.maybe<{ id: string }>(sql`select o.id from outbox o
    join communications m on m.tenant_id = o.tenant_id and m.id = o.id
    where o.tenant_id = ${db.tenant} and o.state not in ('failed', 'cancelled') and o.channel = ${channel}
      and o.recipient = ${to}
      and ${isRepeated}
      and o.about_id is not distinct from ${about?.id ?? null}::uuid
      and m.subject is not distinct from ${subject}::text and ${isBody(body)}
    order by o.created_at, o.id limit 1`)
}

const addMessage = (
  db: Db,
  id: string,
  { channel, to, subject, body }: CheckedMessage,
  { sender_address, ...routing }: MessageRouting,
  company: string,
): Promise<unknown> =>
  Promise.all([
    db.run(
      sql`insert into communications ${values({
        tenant_id: db.tenant,
        id,
        channel,
        direction: 'outbound',
        status: 'queued',
        provider: channel,
        sender: company,
        sender_address,
        recipients: [to],
        subject,
        body,
        ...routing,
      })}`,
    ),
    db.run(sql`update conversations
      set last_at = greatest(last_at, moment_of(tenant_id)), customer_id = coalesce(customer_id, ${routing.customer_id})
      where tenant_id = ${db.tenant} and id = ${routing.conversation_id}`),
  ])

const addRow = (
  db: Db,
  id: string,
  { channel, cause, to, toName, about, body, by, attachments, notBefore }: CheckedMessage,
  facts: object | null,
) =>
  db.run(
    sql`insert into outbox ${values({
      tenant_id: db.tenant,
      id,
      channel,
      cause,
      recipient: to,
      recipient_name: toName,
      about_kind: about?.kind ?? null,
      about_id: about?.id ?? null,
      queued_by: by,
      attachments: JSON.stringify(attachments),
      facts: facts && JSON.stringify(facts),
      segments: channel === 'sms' ? countSegments(body).count : 1,
      ...(channel === 'email' && cause === 'reminder' ? { unsubscribe_secret: randomBytes(16) } : {}),
      ...(notBefore === null ? {} : { next_at: utc(notBefore), reason: 'later' }),
    })}`,
  )

const auditQueued = (db: Db, id: string, { channel, cause, to, about, by }: CheckedMessage): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${by}, 'messages.send', ${about === null ? 'message' : RECORDS[about.kind]},
      ${about?.id ?? id},
      ${JSON.stringify({ message: [null, id], channel: [null, channel], cause: [null, cause], to: [null, to] })})`)

const RECORDS = { invoices: 'invoice', quotes: 'quote', jobs: 'job', customers: 'customer', plans: 'plan' } as const

/** Schedules the task for when the message may be sent. */
const scheduleSending = (db: Db, { channel, notBefore }: CheckedMessage): Promise<number> =>
  db.run(
    sql`select ask_chore_by(${db.tenant}, ${SENDING_TASKS[channel]},
        coalesce(${notBefore && utc(notBefore)}::timestamptz, moment()))`,
  )
