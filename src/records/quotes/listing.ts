import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import { orderBy, type Order } from '../../tools/declare/list_order.ts'
import { isFound, searchRecords, type RecordSearch } from '../search/record_search.ts'
import { byStatus } from '../list/by_status.ts'
import { changeColumns, type ChangeFilter } from '../../tools/call/by_change.ts'
import type { Quote, QuoteStatus } from './fields.ts'

type QuoteRow = Pick<
  Quote,
  | 'id'
  | 'display_number'
  | 'title'
  | 'status'
  | 'customer_id'
  | 'customer_name'
  | 'owner_name'
  | 'valid_until'
  | 'total_cents'
  | 'updated_at'
>

export type QuoteFilters = ChangeFilter & {
  status?: readonly QuoteStatus[] | undefined
  customer_id?: string | undefined
  owner_id?: string | undefined
  created_from?: string | undefined
  created_to?: string | undefined
  /** Part of the customer's name, the title or the number. */
  query?: string | null | undefined
}
type Page = { page: number; limit: number; sort?: QuoteSort | undefined }

/** The filters with the results of their text search. */
type QuoteSelection = QuoteFilters & { search?: RecordSearch | undefined }

export const withSearch = async (db: Db, filters: QuoteFilters): Promise<QuoteSelection> => ({
  ...filters,
  search: await searchRecords(db, 'quote', filters.query),
})

const rowsByStatus = byStatus<QuoteStatus>('archived', {
  from: sql`quotes q`,
  row: sql`q`,
  isHidden: sql`q.status = 'archived'`,
  isListed: sql`q.status <> 'archived'`,
})
export const { hasStatus } = rowsByStatus

/**
 * Returns quotes, newest first, one row more than the page holds. Archived ones are included only if the status filter
 * asks for them, or as removals from the list.
 */
export const listQuotes = async (
  db: Db,
  { tenant }: Caller,
  { page, limit, sort, ...listing }: QuoteFilters & Page,
): Promise<QuoteRow[]> => {
  const filters = await withSearch(db, listing)
  const where = listConditions(db, tenant.timezone, filters)
  const order = filters.updated_since !== undefined ? CHANGED : sort === undefined ? NEWEST : ORDERS[sort]
  return db.all<QuoteRow>(sql`select q.id, q.display_number, q.title, q.status, q.customer_id,
    c.display_name as customer_name,
    u.name as owner_name, q.valid_until,
      q.total_cents, q.updated_at ${changeColumns(filters, sql`q.updated_at`, rowsByStatus.isRemoved(filters.status))}
    from (${rowsByStatus.matchingIds(filters, where, order, page * limit + 1)}
      limit ${limit + 1} offset ${(page - 1) * limit}) f
    join quotes q on q.tenant_id = ${db.tenant} and q.id = f.id
    join customers c on c.tenant_id = ${db.tenant} and c.id = q.customer_id join users u on u.id = q.owner_id
    order by ${order.of}`)
}

const sortBy = (column: Sql, direction: 'asc' | 'desc' = 'asc'): Order => orderBy(column, direction, sql`q`)
const NEWEST = sortBy(sql`q.created_at`, 'desc')
const CHANGED: Order = { ...sortBy(sql`q.updated_at`), rows: sql`q.updated_at, q.id`, of: sql`f.at, f.id` }

/** Sort orders that people choose, each covered by an index. */
const ORDERS = {
  number_asc: sortBy(sql`q.number`),
  number_desc: sortBy(sql`q.number`, 'desc'),
  valid_asc: sortBy(sql`q.valid_until`),
  valid_desc: sortBy(sql`q.valid_until`, 'desc'),
  total_asc: sortBy(sql`q.total_cents`),
  total_desc: sortBy(sql`q.total_cents`, 'desc'),
} as const satisfies Record<string, Order>

type QuoteSort = keyof typeof ORDERS
export const QUOTE_SORTS = Object.keys(ORDERS) as [QuoteSort, ...QuoteSort[]]

/** Counts quotes, up to the maximum that a list shows. */
export async function countQuotes(db: Db, { tenant }: Caller, listing: QuoteFilters): Promise<number> {
  const filters = await withSearch(db, listing)
  return rowsByStatus.count(db, listConditions(db, tenant.timezone, filters), filters)
}

export const listConditions = (
  db: Db,
  zone: string,
  { customer_id, owner_id, created_from, created_to, search, updated_since }: QuoteSelection,
): Sql => sql`
  q.tenant_id = ${db.tenant}
  ${customer_id === undefined ? sql`` : sql`and q.customer_id = ${customer_id}`}
  ${owner_id === undefined ? sql`` : sql`and q.owner_id = ${owner_id}`}
  ${created_from === undefined ? sql`` : sql`and q.created_at >= ${lowerBound(zone, created_from)}`}
  ${created_to === undefined ? sql`` : sql`and q.created_at < ${upperBound(zone, created_to)}`}
  ${search === undefined ? sql`` : sql`and ${isFound(search, sql`q`)}`}
  ${updated_since === undefined ? sql`` : sql`and q.updated_at >= ${updated_since} and q.updated_at < settled()`}`
