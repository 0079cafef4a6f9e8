import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { isOlder, type HistoryPage } from '../../records/history/history_cursor.ts'
import type { AboutKind } from './outgoing.ts'

const OUTBOX_STATES = [
  'queued',
  'attempting',
  'handed_over',
  'delivered',
  'failed',
  'uncertain',
  'held',
  'cancelled',
] as const

export type OutboxState = (typeof OUTBOX_STATES)[number]

/** Outbox message as people see it. */
export type OutboxEntry = {
  id: string
  channel: 'email' | 'sms'
  cause: string
  state: OutboxState
  reason: string | null
  reply: string | null
  recipient: string
  recipient_name: string | null
  customer_id: string | null
  customer_name: string | null
  about_kind: AboutKind | null
  about_id: string | null
  /** User who sends it; null if automatic. */
  queued_by: string | null
  subject: string | null
  /** Beginning of the text in a list, the whole text on its own page. */
  body: string
  attempts: number
  next_at: string
  created_at: string
  last_attempt_at: string | null
  settled_at: string | null
  conversation_id: string | null
}

const PAGE_SIZE = 25

const selectOutbox = (body: Sql): Sql => sql`
  select o.id, o.channel, o.cause, o.state, o.reason, o.reply, o.recipient, o.recipient_name, m.customer_id,
    c.display_name as customer_name,
    o.about_kind, o.about_id, u.name as queued_by, m.subject, ${body} as body, o.attempts, o.next_at, o.created_at,
    o.last_attempt_at, o.settled_at, m.conversation_id
  from outbox o join communications m on m.tenant_id = o.tenant_id and m.id = o.id
    left join customers c on c.tenant_id = m.tenant_id and c.id = m.customer_id left join users u on u.id = o.queued_by`

/** Lists the newest messages in these states, or those before a given one; `hasMore`: there are older ones. */
export async function listOutbox(
  db: Db,
  states: readonly OutboxState[],
  before?: string,
): Promise<{ rows: OutboxEntry[]; hasMore: boolean }> {
  const last = sql`(select created_at, id from outbox where tenant_id = ${db.tenant} and id = ${before})`
  const matches = await db.all<OutboxEntry>(sql`${selectOutbox(sql`left(m.body, 200)`)}
    where o.tenant_id = ${db.tenant} ${states.length === 0 ? sql`` : sql`and o.state = any(${[...states]})`}
      ${before === undefined ? sql`` : sql`and (o.created_at, o.id) < ${last}`}
    order by o.created_at desc, o.id desc limit ${PAGE_SIZE + 1}`)
  return { rows: matches.slice(0, PAGE_SIZE), hasMore: matches.length > PAGE_SIZE }
}

const MAX_ABOUT = 20

/** Maximum characters of a message in a record's list. */
const MAX_EXCERPT = 300

/** Lists the newest messages about a record, or a page of its history, with the beginning of each text. */
export const listOutgoingAbout = (
  db: Db,
  record: string,
  page: HistoryPage = { before: undefined, limit: MAX_ABOUT },
): Promise<OutboxEntry[]> =>
  db.all<OutboxEntry>(sql`${selectOutbox(sql`left(m.body, ${MAX_EXCERPT})`)}
    where o.tenant_id = ${db.tenant} and o.about_id = ${record} and ${isOlder(page, sql`o.created_at`, sql`o.id`)}
    order by o.created_at desc, o.id desc limit ${page.limit}`)

/** Returns one message in full; throws `not_found` if it isn't the tenant's. */
export const findOutgoing = (db: Db, id: string): Promise<OutboxEntry> =>
  db.present<OutboxEntry>(
    sql`${selectOutbox(sql`m.body`)} where o.tenant_id = ${db.tenant} and o.id = ${id}`,
    'message',
  )

/** Counts messages that need a person's decision: uncertain and held ones. */
export const countUndecided = async (db: Db): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select count(*) as n from outbox where tenant_id = ${db.tenant} and state in ('uncertain', 'held')`,
    )
  ).n
