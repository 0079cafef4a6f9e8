import { findContactsByAddress } from '../../records/contacts/index.ts'
import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { addAttachments } from '../../files/attachment.ts'
import { PIECE_BYTES, runWithBytes } from '../../files/incoming_pieces.ts'
import { splitLongText } from '../../files/screening/long_text.ts'
import type { ScreenedFile } from '../../files/screening/screening.ts'
import { upsertConversation } from '../outbox/conversation.ts'
import { parseOptOut } from '../opt_out/opt_out.ts'
import { allowNumber, holdNumber, stopNumber } from '../opt_out/suppression.ts'

/** Inbound message, parsed and ready to store. */
export type InboundMessage = {
  channel: 'sms' | 'email'
  provider_message_id: string
  sender: string
  /** E.164 number, or a lower-case address. */
  sender_address: string
  recipients: readonly string[]
  subject: string | null
  body: string
  html: string | null
  /** Ids of the messages this one claims to answer. */
  answers: readonly string[]
  dmarc: 'pass' | 'fail' | 'neutral' | 'none' | null
  /** Phone number and email addresses that match the sender to contacts. */
  contactKeys: { phone: string | null; emails: readonly string[] }
  /** Key of an SMS thread; null if `answers` identifies the thread. */
  counterpart: string | null
  content_hash: Buffer
  attachments: readonly ScreenedFile[]
}

/** Outcome of storing a message; `collided`: the company has another message with this id, and nothing was stored. */
type ReceiveOutcome = 'received' | 'repeated' | 'collided'

type Link = { customer_id: string | null; contact_id: string | null }

/** Stores an inbound message once, links it to its sender, and adds its conversation and attachments. */
export async function receiveMessage(db: Db, message: InboundMessage): Promise<ReceiveOutcome> {
  const id = newId()
  const { body, file } = splitLongText(message.body)
  const [added, existing, senders, thread, counterpart] = await Promise.all([
    insertMessage(db, id, { ...message, body, html: isLarge(message.html) ? null : message.html }),
    findContentHash(db, message),
    findContactsByAddress(db, message.contactKeys.phone, message.contactKeys.emails),
    threadOf(db, message),
    counterpartOf(db, message),
  ])
  if (added === 0) return existing?.content_hash?.equals(message.content_hash) ? 'repeated' : 'collided'
  const link =
    message.dmarc === 'fail'
      ? NOBODY
      : senders.length > 0
        ? soleSender(senders)
        : { ...NOBODY, customer_id: thread?.standing_id ?? counterpart }
  if (isLarge(message.html)) await addHtml(db, id, message.html)
  await Promise.all([
    addToConversation(
      db,
      id,
      message,
      link,
      thread !== undefined && (message.dmarc !== 'fail' || thread.customer_id === null) ? thread.id : null,
    ),
    applyOptOut(db, message),
    addAttachments(db, id, file === null ? message.attachments : [file, ...message.attachments]),
  ])
  return 'received'
}

/** Stops, allows or holds texts as the message requests (docs/spec/messages.md#opt-out). Sends no automatic reply. */
async function applyOptOut(db: Db, { channel, body, contactKeys: { phone } }: InboundMessage): Promise<void> {
  if (channel !== 'sms' || phone === null) return
  const answer = parseOptOut(body)
  if (answer === 'stop') await stopNumber(db, phone)
  else if (answer === 'start') await allowNumber(db, phone)
  else if (answer === 'unclear') await holdNumber(db, phone, body.slice(0, 200))
}

const isLarge = (html: string | null): html is string => html !== null && html.length > PIECE_BYTES / 4

/** Adds a large HTML part, once the message is known to be new. */
const addHtml = (db: Db, id: string, html: string): Promise<number> =>
  runWithBytes(
    db,
    Buffer.from(html),
    (bytes) =>
      sql`update communications set html = convert_from(${bytes}, 'UTF8')
        where tenant_id = ${db.tenant} and id = ${id}`,
  )

const NOBODY: Link = { customer_id: null, contact_id: null }

/**
 * Returns the link to the sender: none if the senders belong to several customers, only the customer if several of its
 * contacts match.
 */
function soleSender(senders: readonly { id: string; customer_id: string }[]): Link {
  const [first] = senders
  if (first === undefined || senders.some(({ customer_id }) => customer_id !== first.customer_id)) return NOBODY
  return { customer_id: first.customer_id, contact_id: senders.length === 1 ? first.id : null }
}

/** Inserts the row unless its message id exists; returns how many rows were added. */
const insertMessage = (db: Db, id: string, message: InboundMessage): Promise<number> =>
  db.run(
    sql`insert into communications ${values({
      tenant_id: db.tenant,
      id,
      channel: message.channel,
      direction: 'inbound',
      status: 'received',
      provider: message.channel,
      provider_message_id: message.provider_message_id,
      sender: message.sender,
      sender_address: message.sender_address,
      recipients: message.recipients,
      subject: message.subject,
      body: message.body,
      html: message.html,
      in_reply_to: message.answers[0] ?? null,
      dmarc: message.dmarc,
      content_hash: message.content_hash,
    })} on conflict do nothing`,
  )

const findContentHash = (
  db: Db,
  { channel, provider_message_id }: InboundMessage,
): Promise<{ content_hash: Buffer | null } | undefined> =>
  db.maybe<{ content_hash: Buffer | null }>(sql`select content_hash from communications
    where tenant_id = ${db.tenant} and provider = ${channel} and provider_message_id = ${provider_message_id}`)

/** Conversation; `standing_id` is its customer unless that customer is archived. */
type Thread = { id: string; customer_id: string | null; standing_id: string | null }

/** Returns the conversation of the message that this one answers, ignoring a reference to itself. */
const threadOf = async (
  db: Db,
  { channel, provider_message_id, answers }: InboundMessage,
): Promise<Thread | undefined> =>
  db.maybe<Thread>(sql`select v.id, v.customer_id, c.id as standing_id from communications m
    join conversations v on v.tenant_id = m.tenant_id and v.id = m.conversation_id
    left join customers c on c.tenant_id = v.tenant_id and c.id = v.customer_id and c.archived_at is null
    where m.tenant_id = ${db.tenant} and m.provider = ${channel}
      and m.provider_message_id = any(${answers.flatMap(spellingsOfId)})
      and m.provider_message_id <> ${provider_message_id} order by m.created_at desc, m.id desc limit 1`)

/** Returns the customer who has a thread between these two numbers; null if there are several. */
async function counterpartOf(db: Db, { channel, counterpart }: InboundMessage): Promise<string | null> {
  if (counterpart === null) return null
  const [customer, ...others] = await db.all<{ id: string }>(sql`select distinct c.id from conversations v
    join customers c on c.tenant_id = v.tenant_id and c.id = v.customer_id
    where v.tenant_id = ${db.tenant} and v.channel = ${channel} and v.counterpart = ${counterpart}
      and c.archived_at is null
    limit 2`)
  return customer !== undefined && others.length === 0 ? customer.id : null
}

/** Returns a message id with and without its angle brackets (RFC 5322 3.6.4). */
const spellingsOfId = (id: string): string[] => {
  const bare = id.replace(/^<|>$/g, '')
  return [bare, `<${bare}>`]
}

/** Adds a message to its conversation and creates the conversation if needed. */
function addToConversation(
  db: Db,
  id: string,
  { channel, subject, counterpart }: InboundMessage,
  { customer_id, contact_id }: Link,
  thread: string | null,
): Promise<number> {
  const row = { tenant_id: db.tenant, id: newId(), channel, customer_id, subject, counterpart }
  const conversation =
    thread === null
      ? upsertConversation(row)
      : sql`update conversations
        set last_at = greatest(last_at, moment_of(tenant_id)), customer_id = coalesce(customer_id, ${customer_id})
        where tenant_id = ${db.tenant} and id = ${thread} returning id`
  return db.run(sql`with thread as (${conversation})
    update communications
    set conversation_id = (select id from thread), customer_id = ${customer_id}, contact_id = ${contact_id}
    where tenant_id = ${db.tenant} and id = ${id}`)
}
