import { join } from '../../platform/db/sql.ts'
import { ENTERED_TENANT, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { MAX_PAGE_BYTES, MAX_LIST_CHARACTERS, truncateBytes } from '../../files/screening/long_text.ts'
import { reasonText, type RejectionReason } from '../../files/screening/screening.ts'
import { isOlder, type HistoryPage } from '../../records/history/history_cursor.ts'
import { hideLinks } from './inbound/hidden_links.ts'

/** Message as members of the company see it; its HTML is never shown. */
export type Message = {
  id: string
  /** Id shared by all messages of a thread. */
  conversation_id: string | null
  channel: 'sms' | 'email'
  direction: 'inbound' | 'outbound'
  status: 'received' | 'queued' | 'sending' | 'delivered' | 'failed'
  /** Address or number as the message states it. */
  sender: string
  /** First recipients. */
  recipients: string[]
  customer_id: string | null
  customer_name: string | null
  contact_id: string | null
  contact_name: string | null
  subject: string | null
  /** Beginning of the text. */
  body: string
  /** True if there is more text (`findMessage`). */
  is_cut: boolean
  /** `fail` if the sender may be forged. */
  dmarc: 'pass' | 'fail' | 'neutral' | 'none' | null
  error_message: string | null
  error_code: string | null
  /** Time a member first read an inbound message, or the recipient first opened an outbound one. */
  read_at: string | null
  occurred_at: string
  attachments: MessageAttachment[]
}

export type MessageAttachment = {
  id: string
  file_name: string
  content_type: string
  size_bytes: number | null
  state: 'pending' | 'stored' | 'rejected' | 'elsewhere'
  /** Reason for rejection, worded for people. */
  reason: string | null
  /** URL at which members download it; null if the file isn't stored. */
  path: string | null
}

/**
 * Filters, all combined with AND. `stranger` is an address without a customer; `unlinked` means linked to no customer.
 */
export type MessageFilter = {
  customer?: string
  conversation?: string
  stranger?: string
  unread?: boolean
  unlinked?: boolean
}

/** Page of messages, newest last; `earlier` is the cursor to older ones, null at the beginning. */
export type Messages = { rows: Message[]; earlier: string | null }

/** Returns the download path of an attachment. */
const attachmentPath = (tenant: string, id: string): string => `/${tenant}/attachments/${id}`

type Row = Omit<Message, 'attachments'> & {
  attachments: (Omit<MessageAttachment, 'reason' | 'path'> & { reason: RejectionReason | null })[]
}

const MAX_RECIPIENTS = 20

/** Selects message columns with a limited number of characters of the text, since an email may be megabytes long. */
const selectMessages = (characters: number): Sql => sql`
  select m.id, m.conversation_id, m.channel, m.direction, m.status, m.sender,
    m.recipients[:${MAX_RECIPIENTS}] as recipients, m.customer_id, c.display_name as customer_name,
    m.contact_id, nullif(concat_ws(' ', k.first_name, k.last_name), '') as contact_name, m.subject,
    left(m.body, ${characters}) as body,
    char_length(left(m.body, ${characters} + 1)) > ${characters} as is_cut, m.dmarc, m.error_message, m.error_code,
    m.read_at, m.occurred_at,
    (select coalesce(json_agg(json_build_object('id', a.id, 'file_name', a.file_name, 'content_type', a.content_type,
      'size_bytes', a.size_bytes, 'state', a.state, 'reason', a.reason) order by a.position), '[]')
      from attachments a where a.tenant_id = ${ENTERED_TENANT} and a.communication_id = m.id) as attachments
  from communications m left join customers c on c.tenant_id = m.tenant_id and c.id = m.customer_id
    left join contacts k on k.tenant_id = m.tenant_id and k.id = m.contact_id`

/** Returns the newest messages, or those before a given one. */
export async function listMessages(
  db: Db,
  filter: MessageFilter,
  { before, limit = 25 }: { before?: string | undefined; limit?: number } = {},
): Promise<Messages> {
  const matches = await db.all<Row>(sql`${selectMessages(MAX_LIST_CHARACTERS)}
    where m.tenant_id = ${db.tenant}
      and ${filterCondition(filter)}
      ${before === undefined ? sql`` : sql`and (m.occurred_at, m.id) < ${positionOf(db, before)}`}
    order by m.occurred_at desc, m.id desc limit ${limit + 1}`)
  const rows = matches.slice(0, limit).map((row) => toMessage(db.tenant, row))
  return { rows: rows.toReversed(), earlier: matches.length > limit ? (rows.at(-1)?.id ?? null) : null }
}

/** Maximum characters of a message in an activity history. */
const MAX_HISTORY_CHARACTERS = 700

/** Returns a customer's messages for their activity history, newest first, with the beginning of each text. */
export async function listMessageEvents(db: Db, customer: string, page: HistoryPage): Promise<Message[]> {
  const rows = await db.all<Row>(sql`${selectMessages(MAX_HISTORY_CHARACTERS)}
    where m.tenant_id = ${db.tenant} and m.customer_id = ${customer}
      and ${isOlder(page, sql`m.occurred_at`, sql`m.id`)}
    order by m.occurred_at desc, m.id desc limit ${page.limit}`)
  return rows.map((row) => toMessage(db.tenant, row))
}

/** Returns one message with as much text as its own page shows; throws `not_found` if it isn't the tenant's. */
export async function findMessage(db: Db, id: string): Promise<Message> {
  const row = toMessage(
    db.tenant,
    await db.present<Row>(
      sql`${selectMessages(MAX_PAGE_BYTES)} where m.tenant_id = ${db.tenant} and m.id = ${id}`,
      'message',
    ),
  )
  const body = truncateBytes(row.body, MAX_PAGE_BYTES)
  return { ...row, body, is_cut: row.is_cut || body.length < row.body.length }
}

function filterCondition({ customer, conversation, stranger, unread = false, unlinked = false }: MessageFilter): Sql {
  const conditions = [
    customer === undefined ? [] : sql`m.customer_id = ${customer}`,
    conversation === undefined ? [] : sql`m.conversation_id = ${conversation}`,
    stranger === undefined
      ? []
      : sql`m.customer_id is null and counterpart_of(m.direction, m.sender_address, m.recipients) = ${stranger}`,
    unread ? sql`m.direction = 'inbound' and m.read_at is null` : [],
    unlinked ? sql`m.direction = 'inbound' and m.customer_id is null` : [],
  ].flat()
  return join([sql`true`, ...conditions], ' and ')
}

/** Returns a message's position; for another tenant's message it is empty, so nothing matches. */
const positionOf = (db: Db, message: string): Sql =>
  sql`(select occurred_at, id from communications where tenant_id = ${db.tenant} and id = ${message})`

const toMessage = (tenant: string, row: Row): Message => ({
  ...row,
  body: hideLinks(row.body),
  attachments: row.attachments.map((one) => ({
    ...one,
    reason: one.reason === null ? null : reasonText(one.reason),
    path: one.state === 'rejected' || one.state === 'elsewhere' ? null : attachmentPath(tenant, one.id),
  })),
})

/** Counts unread inbound messages. */
export const countUnread = async (db: Db): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select count(*) as n from communications
        where tenant_id = ${db.tenant} and direction = 'inbound' and read_at is null`,
    )
  ).n

/** Marks inbound messages as read, up to `through`: those that arrived since stay unread. Returns how many. */
export const markRead = (db: Db, filter: MessageFilter, through: string): Promise<number> =>
  db.run(sql`update communications m set read_at = moment(), updated_at = later_than(m.updated_at)
    where m.tenant_id = ${db.tenant} and m.direction = 'inbound' and m.read_at is null and ${filterCondition(filter)}
      and (m.occurred_at, m.id) <= ${positionOf(db, through)}`)
