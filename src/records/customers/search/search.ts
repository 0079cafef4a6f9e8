import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Sql } from '../../../platform/db/database.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { formatCursor, parseCursor } from '../../../platform/validation/cursor.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { isId } from '../../../platform/validation/id.ts'
import { parsePhoneQuery } from '../../../platform/validation/formats/phone.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../../tools/call/by_change.ts'
import type { TagRow } from '../../tags/index.ts'
import { sortName, type Customer } from '../fields.ts'
import { queryCondition, phoneDigits } from './matching.ts'
import { matchesByName } from './matches.ts'

type Search = ChangeFilter & {
  query?: string | null | undefined
  status?: Customer['status'] | undefined
  tag?: string | null | undefined
  customer_type?: Customer['customer_type'] | undefined
  cursor?: string | undefined
  limit: number
}

export type CustomerRow = Pick<Customer, 'id' | 'display_name' | 'customer_type' | 'status' | 'updated_at'> &
  Record<'primary_phone' | 'primary_email' | 'primary_address', string | null> & { tags: TagRow[] }

/** Position of a row in its list, used as the cursor. */
type RowPosition = { rank: number; at: string; id: string }

type CustomerPage = { rows: (CustomerRow & RowPosition)[]; cursorAfter: (last: CustomerRow & RowPosition) => string }

/**
 * Returns a page of customers and one extra row. With a query: exact phone or name first, then by name. With
 * `updated_since`: oldest change first. With neither: newest first.
 */
export async function searchCustomers(db: Db, { tenant }: Caller, search: Search): Promise<CustomerPage> {
  const { cursor, limit, ...filters } = search
  const page = pageOf(
    db,
    tenant.country,
    filters,
    cursor === undefined ? undefined : readPosition(cursor, filters),
    limit + 1,
  )
  const rows = await db.all<CustomerRow & RowPosition>(sql`
    with page as materialized (${page})
    select c.id, c.display_name, c.customer_type, c.status, k.phone as primary_phone, k.email as primary_email,
      (select l.formatted_address from locations l
        where l.tenant_id = ${db.tenant} and l.customer_id = c.id and l.is_primary and l.archived_at is null
        order by l.type desc limit 1) as primary_address, t.tags, c.updated_at, p.rank, p.at
      ${changeColumns(filters, sql`c.updated_at`, sql`c.archived_at is not null`)}
    from page p join customers c on c.tenant_id = ${db.tenant} and c.id = p.id
    left join contacts k on k.tenant_id = ${db.tenant} and k.customer_id = c.id and k.is_primary
      and k.archived_at is null
    left join lateral (
      select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
        order by t.name_folded, t.id),
        '[]') as tags
      from customer_tags a
        cross join lateral (select * from tags where tenant_id = ${db.tenant} and id = a.tag_id offset 0) t
      where a.tenant_id = ${db.tenant} and a.customer_id = c.id
    ) t on true
    order by p.position`)
  return { rows, cursorAfter: ({ rank, at, id }) => formatCursor(filters, [rank, at, id]) }
}

type Filters = Omit<Search, 'cursor' | 'limit'>

/** Parses a position. Lists by name sort by text, the others by an instant. */
function readPosition(cursor: string, filters: Filters): RowPosition {
  const isByName = filters.query != null && filters.updated_since === undefined
  const [rank, at, id] = isByName ? parseCursor(cursor, filters, () => true) : parseCursor(cursor, filters)
  return { rank, at, id }
}

function pageOf(db: Db, country: string, filters: Filters, after: RowPosition | undefined, limit: number): Sql {
  const { query, updated_since } = filters
  const where = sql`c.tenant_id = ${db.tenant} ${whereListed(filters, sql`c.archived_at is null`)}
    ${filterConditions(db, filters)} ${query == null ? sql`` : sql`and ${queryCondition(query)}`}`
  if (updated_since !== undefined)
    return withRowNumbers(
      byInstant(
        'updated_at',
        sql`${where} and c.updated_at >= ${updated_since} and c.updated_at < settled()`,
        after,
        limit,
        'asc',
      ),
    )
  if (query == null && filters.tag != null) return withRowNumbers(newestTagged(db, filters.tag, filters, after, limit))
  if (query == null) return withRowNumbers(byInstant('created_at', where, after, limit, 'desc'))
  const exact = exactMatch(db, query, country)
  const first = sql`select 0::int as rank, c.sort_name as at, c.id from customers c
    where c.tenant_id = ${db.tenant} and c.archived_at is null ${filterConditions(db, filters)} and ${exact}
      ${after === undefined ? sql`` : sql`and (c.sort_name, c.id) > (${after.at}, ${after.id}::uuid)`}
    order by c.sort_name, c.id limit ${limit}`
  const conditions = sql`${queryCondition(query)} and not ${exact} ${filterConditions(db, filters)}`
  const rest = matchesByName(db, query, conditions, after?.rank === 1 ? after : undefined, limit)
  const both = after?.rank === 1 ? rest : sql`(${first}) union all (${rest})`
  return sql`select id, rank, at, row_number() over (order by rank, at, id) as position
    from (${both}) found
    order by rank, at, id limit ${limit}`
}

const withRowNumbers = (page: Sql): Sql => sql`select *, row_number() over () as position from (${page}) found`

function byInstant(
  column: 'created_at' | 'updated_at',
  where: Sql,
  after: RowPosition | undefined,
  limit: number,
  direction: 'asc' | 'desc',
): Sql {
  const name = column === 'created_at' ? sql`c.created_at` : sql`c.updated_at`
  const comparison = direction === 'asc' ? sql`>` : sql`<`
  const order = direction === 'asc' ? sql`${name}, c.id` : sql`${name} desc, c.id desc`
  return sql`select c.id, 0 as rank, to_char(${name}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from customers c
    where ${where}
      ${after === undefined ? sql`` : sql`and (${name}, c.id) ${comparison} (${after.at}::timestamptz, ${after.id}::uuid)`}
    order by ${order} limit ${limit}`
}

/** Reads the newest customers with a tag from the tag's own index. */
const newestTagged = (
  db: Db,
  tag: string,
  { status, customer_type }: Filters,
  after: RowPosition | undefined,
  limit: number,
): Sql => sql`
  select c.id, 0 as rank, to_char(c.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
  from customer_tags a join customers c on c.tenant_id = ${db.tenant} and c.id = a.customer_id
  where a.tenant_id = ${db.tenant} and a.tag_id = (select t.id from tags t where ${isTag(db, tag)})
    and c.archived_at is null
    ${filterConditions(db, { status, customer_type })}
    ${
      after === undefined
        ? sql``
        : sql`and (a.customer_created_at, a.customer_id) < (${after.at}::timestamptz, ${after.id}::uuid)`
    }
  order by a.customer_created_at desc, a.customer_id desc limit ${limit}`

const isTag = (db: Db, tag: string): Sql =>
  sql`t.tenant_id = ${db.tenant}
    and ${isId(tag.toLowerCase()) ? sql`t.id = ${tag}` : sql`t.name_folded = ${fold(tag)}`}`

const filterConditions = (db: Db, { status, customer_type, tag }: Filters): Sql => sql`
  ${status === undefined ? sql`` : sql`and c.status = ${status}`}
  ${customer_type === undefined ? sql`` : sql`and c.customer_type = ${customer_type}`}
  ${
    tag == null
      ? sql``
      : sql`and c.id in (select a.customer_id from customer_tags a
    where a.tenant_id = ${db.tenant} and a.tag_id = (select t.id from tags t where ${isTag(db, tag)}))`
  }`

function exactMatch(db: Db, query: string, country: string): Sql {
  const phone = phoneDigits(query) === undefined ? undefined : parsePhoneQuery(query, country)
  return phone === undefined
    ? sql`c.sort_name = ${sortName(query)}`
    : sql`c.id in (
    select k.customer_id from contacts k
    where k.tenant_id = ${db.tenant} and k.phone = ${phone} and k.archived_at is null)`
}
