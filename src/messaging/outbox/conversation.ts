import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { values } from '../../platform/db/rows.ts'
import { findContactsByAddress } from '../../records/contacts/index.ts'
import { newId } from '../../platform/validation/id.ts'
import type { CheckedMessage } from './outgoing.ts'

/** Conversation and sender of a message, from the company's own records. */
export type MessageRouting = {
  /** Null for a notice to a member of the company. */
  conversation_id: string | null
  customer_id: string | null
  contact_id: string | null
  /** Provider's id of the message it answers. */
  in_reply_to: string | null
  /** The company's own mailbox or number; empty for the configured sender. */
  sender_address: string
}

type AnsweredMessage = {
  conversation_id: string | null
  customer_id: string | null
  channel: 'email' | 'sms'
  provider_message_id: string | null
  recipients: string[]
}

/**
 * Finds or creates the conversation of a message: that of the message it answers, of an SMS's two numbers, or of the
 * last email to this address about the same record (docs/spec/outbox.md#conversation).
 */
export async function resolveRouting(db: Db, outgoing: CheckedMessage): Promise<MessageRouting> {
  const { channel, to } = outgoing
  const [answered, contacts, own] = await Promise.all([
    findAnsweredMessage(db, outgoing),
    findContactsByAddress(db, channel === 'sms' ? to : null, channel === 'email' ? [to] : []),
    ownAddresses(db, channel),
  ])
  const customer_id = outgoing.customerId ?? answered?.customer_id ?? null
  const sender_address = answered?.recipients.find((one) => own.includes(one)) ?? own[0] ?? ''
  const conversation_id =
    answered?.conversation_id ??
    (outgoing.cause === 'notice' ? null : await threadOf(db, outgoing, sender_address, customer_id))
  return {
    conversation_id,
    customer_id,
    contact_id: contacts.find((one) => one.customer_id === customer_id)?.id ?? null,
    in_reply_to: channel === 'email' ? (answered?.provider_message_id ?? null) : null,
    sender_address,
  }
}

const threadOf = async (db: Db, outgoing: CheckedMessage, own: string, customer_id: string | null): Promise<string> =>
  outgoing.channel === 'sms'
    ? threadOfNumbers(db, `${outgoing.to} ${own}`, customer_id)
    : ((await threadAbout(db, outgoing)) ?? newThread(db, outgoing, customer_id))

/** Returns the answered message if it used the same channel. */
const findAnsweredMessage = async (
  db: Db,
  { channel, inReplyTo }: CheckedMessage,
): Promise<AnsweredMessage | undefined> => {
  if (inReplyTo === null) return undefined
  const answered = await db.present<AnsweredMessage>(
    sql`select conversation_id, customer_id, channel, provider_message_id, recipients from communications
      where tenant_id = ${db.tenant} and id = ${inReplyTo}`,
    'message',
  )
  return answered.channel === channel ? answered : undefined
}

/** Returns the company's own mailboxes or numbers, oldest first. */
const ownAddresses = async (db: Db, channel: 'email' | 'sms'): Promise<string[]> =>
  (
    await db.all<{ address: string }>(
      channel === 'email'
        ? sql`select address from mailboxes where tenant_id = ${db.tenant} order by created_at, address`
        : sql`select number as address from managed_numbers where tenant_id = ${db.tenant} order by created_at, number`,
    )
  ).map(({ address: place }) => place)

const threadOfNumbers = async (db: Db, counterpart: string, customer_id: string | null): Promise<string> => {
  const row = { tenant_id: db.tenant, id: newId(), channel: 'sms', customer_id, subject: null, counterpart }
  return (await db.one<{ id: string }>(upsertConversation(row))).id
}

/** Inserts a conversation, or returns the existing one with the same counterpart and customer. */
export const upsertConversation = (row: Record<string, unknown>): Sql => sql`insert into conversations ${values(row)}
  on conflict (tenant_id, channel, counterpart, customer_id) where counterpart is not null
  do update set last_at = greatest(conversations.last_at, excluded.last_at) returning id`

const threadAbout = async (db: Db, { about, to }: CheckedMessage): Promise<string | undefined> =>
  about === null
    ? undefined
    : (
        await db.maybe<{ id: string }>(sql`select m.conversation_id as id from outbox o
          join communications m on m.tenant_id = o.tenant_id and m.id = o.id
          where o.tenant_id = ${db.tenant} and o.about_id = ${about.id} and o.about_kind = ${about.kind}
            and o.channel = 'email' and o.recipient = ${to} and m.conversation_id is not null
          order by o.created_at desc, o.id desc limit 1`)
      )?.id

async function newThread(db: Db, { subject }: CheckedMessage, customer_id: string | null): Promise<string> {
  const id = newId()
  await db.run(
    sql`insert into conversations ${values({ tenant_id: db.tenant, id, channel: 'email', customer_id, subject })}`,
  )
  return id
}
