import { ENTERED_TENANT, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'

/** Correspondent in the inbox list: a customer, or an address that belongs to no customer yet. */
export type Correspondent = {
  id: string
  customer_id: string | null
  customer_name: string | null
  /** Address that has no customer; null for a customer. */
  address: string | null
  unread: number
  assigned_to: string | null
  assigned_name: string | null
  archived_at: string | null
  blocked_at: string | null
  last_id: string
  last_at: string
  /** Time the newest message was written; a late message shows it. */
  last_occurred_at: string
  last_channel: 'sms' | 'email'
  last_direction: 'inbound' | 'outbound'
  last_status: 'received' | 'queued' | 'sending' | 'delivered' | 'failed'
  /** True if the last text may mean STOP and awaits a decision. */
  is_stop_unclear: boolean
  /** Subject and beginning of the text. */
  last_text: string
}

/** Inbox views: `open` is neither archived nor blocked; `unread`, `mine` and `unknown` are subsets of it. */
export type CorrespondentView = 'open' | 'unread' | 'mine' | 'unknown' | 'archived' | 'blocked'

const PAGE_SIZE = 25

/** Maximum number of messages and of names that a search considers. */
const MAX_MATCHES = 100

const selectCorrespondents = sql`
  select p.id, p.customer_id, c.display_name as customer_name, p.address, p.unread, p.assigned_to,
    u.name as assigned_name, p.archived_at, p.blocked_at,
    p.last_id, p.last_at, m.channel as last_channel, m.direction as last_direction, m.status as last_status,
    m.occurred_at as last_occurred_at,
    exists (select 1 from suppressions s
      where s.tenant_id = ${ENTERED_TENANT} and s.channel = 'sms' and s.reason = 'unclear'
      and s.address = coalesce(p.address, m.sender_address)) as is_stop_unclear,
    concat_ws(' · ', nullif(m.subject, ''), left(m.body, 200)) as last_text
  from correspondents p join communications m on m.tenant_id = p.tenant_id and m.id = p.last_id
    left join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    left join users u on u.id = p.assigned_to`

/** Returns one page of a view, newest message first, and the cursor of the next page. */
export async function listCorrespondents(
  db: Db,
  view: CorrespondentView,
  { user, after }: { user: string; after?: string | undefined },
): Promise<{ rows: Correspondent[]; next: string | null }> {
  const last = sql`(select last_at, id from correspondents where tenant_id = ${db.tenant} and id = ${after})`
  const matches = await db.all<Correspondent>(sql`${selectCorrespondents}
      where p.tenant_id = ${db.tenant} and ${viewCondition(view, user)}
      ${after === undefined ? sql`` : sql`and (p.last_at, p.id) < ${last}`}
    order by p.last_at desc, p.id desc limit ${PAGE_SIZE + 1}`)
  const rows = matches.slice(0, PAGE_SIZE)
  return { rows, next: matches.length > PAGE_SIZE ? (rows.at(-1)?.id ?? null) : null }
}

function viewCondition(view: CorrespondentView, user: string): Sql {
  const open = sql`p.archived_at is null and p.blocked_at is null`
  switch (view) {
    case 'open':
      return open
    case 'unread':
      return sql`p.unread > 0 and ${open}`
    case 'mine':
      return sql`p.assigned_to = ${user} and ${open}`
    case 'unknown':
      return sql`p.customer_id is null and ${open}`
    case 'archived':
      return sql`p.archived_at is not null and p.blocked_at is null`
    case 'blocked':
      return sql`p.blocked_at is not null`
  }
}

/** Returns correspondents whose names, numbers, addresses or messages match every text, using the search index. */
export function searchCorrespondents(
  db: Db,
  texts: readonly string[],
  digits: string | undefined,
): Promise<Correspondent[]> {
  const words = sql`${[...texts]}::text[]`
  const nameTerms = digits === undefined ? words : sql`${[digits]}::text[]`
  return db.all<Correspondent>(sql`with found as materialized (
      select p.id from search_matching('message', ${words}, ${words}, ${MAX_MATCHES}) e
        join communications m on m.tenant_id = ${db.tenant} and m.id = e.id
        join correspondents p on p.tenant_id = ${db.tenant} and (p.customer_id = m.customer_id
          or (m.customer_id is null and p.address = counterpart_of(m.direction, m.sender_address, m.recipients)))
      union select p.id from search_matching('contact', ${nameTerms}, ${nameTerms}, ${MAX_MATCHES}) e
        join correspondents p on p.tenant_id = ${db.tenant} and p.customer_id = e.customer_id)
    ${selectCorrespondents} join found on found.id = p.id where p.tenant_id = ${db.tenant}
    order by p.last_at desc, p.id desc limit ${PAGE_SIZE}`)
}

/** Throws `not_found` for an unknown id. */
export const findCorrespondent = (db: Db, id: string): Promise<Correspondent> =>
  db.present<Correspondent>(
    sql`${selectCorrespondents} where p.tenant_id = ${db.tenant} and p.id = ${id}`,
    'conversation',
  )

/** Returns a customer's correspondent; undefined before the first message. */
export const findCustomerCorrespondent = (db: Db, customer: string): Promise<Correspondent | undefined> =>
  db.maybe<Correspondent>(sql`${selectCorrespondents} where p.tenant_id = ${db.tenant} and p.customer_id = ${customer}`)

/** Returns the address of an unknown sender; undefined for a customer's id or an unknown id. */
export const findStranger = async (db: Db, id: string): Promise<string | undefined> =>
  (
    await db.maybe<{ address: string }>(sql`select address from correspondents
      where tenant_id = ${db.tenant} and id = ${id} and customer_id is null`)
  )?.address

/** Counts correspondents with unread messages, up to `limit`. */
export const countUnreadCorrespondents = async (db: Db, limit: number): Promise<number> =>
  (
    await db.one<{
      count: number
    }>(sql`select count(*) as count from (select from correspondents p where p.tenant_id = ${db.tenant}
    and p.unread > 0 and p.archived_at is null and p.blocked_at is null limit ${limit}) c`)
  ).count

/** Assigns a conversation to an active member, or unassigns it. */
export async function assignCorrespondent(db: Db, by: string, id: string, member: string | null): Promise<void> {
  if (member !== null)
    await db.present(
      sql`select from members where tenant_id = ${db.tenant} and user_id = ${member} and deactivated_at is null`,
      'member',
    )
  await changeCorrespondent(db, by, id, 'assign', sql`assigned_to = ${member}::uuid`, { assigned_to: member })
}

/** Archives a conversation until the next message arrives, or unarchives it. */
export const archiveCorrespondent = (db: Db, by: string, id: string, isArchived: boolean): Promise<void> =>
  changeCorrespondent(
    db,
    by,
    id,
    isArchived ? 'archive' : 'unarchive',
    sql`archived_at = ${isArchived ? sql`moment()` : null}`,
    { archived: isArchived },
  )

/** Blocks a correspondent, which hides all their messages from the lists, or unblocks them. */
export const blockCorrespondent = (db: Db, by: string, id: string, isBlocked: boolean): Promise<void> =>
  changeCorrespondent(
    db,
    by,
    id,
    isBlocked ? 'block' : 'unblock',
    sql`blocked_at = ${isBlocked ? sql`moment()` : null}`,
    { blocked: isBlocked },
  )

async function changeCorrespondent(
  db: Db,
  by: string,
  id: string,
  action: string,
  set: Sql,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.present(
    sql`update correspondents set ${set} where tenant_id = ${db.tenant} and id = ${id} returning id`,
    'conversation',
  )
  await db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${by}, ${`messages.${action}`}, 'conversation', ${id}, ${JSON.stringify(
      Object.fromEntries(Object.entries(after).map(([name, value]) => [name, [null, value]])),
    )})`)
}
