import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { instantIn } from '../../platform/validation/formats/instants.ts'
import { numbersIn } from '../../tools/call/numbers.ts'
import { orderBy, type Order } from '../../tools/declare/list_order.ts'
import { isFound, searchRecords, type RecordSearch } from '../search/record_search.ts'
import { byStatus } from '../list/by_status.ts'
import { changeColumns, type ChangeFilter } from '../../tools/call/by_change.ts'
import type { Invoice } from './fields.ts'
import { overdueOn } from './invoice.ts'
import type { InvoiceStatus } from './status.ts'

type InvoiceRow = Pick<
  Invoice,
  | 'id'
  | 'number'
  | 'display_number'
  | 'status'
  | 'is_overdue'
  | 'customer_id'
  | 'customer_name'
  | 'issue_date'
  | 'due_date'
  | 'total_cents'
  | 'balance_due_cents'
  | 'currency'
  | 'updated_at'
>

export type InvoiceFilters = ChangeFilter & {
  status?: readonly InvoiceStatus[] | undefined
  customer_id?: string | undefined
  job_id?: string | undefined
  overdue?: boolean | undefined
  issued_from?: string | undefined
  issued_to?: string | undefined
  due_from?: string | undefined
  due_to?: string | undefined
  /** A number, or a display number. */
  number?: number | string | undefined
  /** Part of the customer's name, the subject or the number. */
  query?: string | null | undefined
}
type Page = { page: number; limit: number; sort?: InvoiceSort | undefined }

/** The filters with the results of their text search. */
type InvoiceSelection = InvoiceFilters & { search?: RecordSearch | undefined }

export const withSearch = async (db: Db, filters: InvoiceFilters): Promise<InvoiceSelection> => ({
  ...filters,
  search: await searchRecords(db, 'invoice', filters.query),
})

const rowsByStatus = byStatus<InvoiceStatus>('void', {
  from: sql`invoices i`,
  row: sql`i`,
  isHidden: sql`i.status = 'void'`,
  isListed: sql`i.status <> 'void'`,
})
export const { hasStatus } = rowsByStatus

/**
 * Returns invoices, newest first, one row more than the page holds. Void ones are included only if the status filter
 * asks for them, or as removals from the list.
 */
export const listInvoices = async (
  db: Db,
  { tenant }: Caller,
  today: string,
  { page, limit, sort, ...listing }: InvoiceFilters & Page,
): Promise<InvoiceRow[]> => {
  const filters = await withSearch(db, listing)
  const where = listConditions(db, tenant.timezone, today, filters)
  const order = filters.updated_since !== undefined ? CHANGED : sort === undefined ? NEWEST : ORDERS[sort]
  return db.all<InvoiceRow>(sql`select i.id, i.number, i.display_number, i.status, ${overdueOn(today)} as is_overdue,
    i.customer_id, c.display_name as customer_name,
      i.issue_date, i.due_date, i.total_cents, i.balance_due_cents, i.currency, i.updated_at
      ${changeColumns(filters, sql`i.updated_at`, rowsByStatus.isRemoved(filters.status))}
    from (${rowsByStatus.matchingIds(filters, where, order, page * limit + 1)}
      limit ${limit + 1} offset ${(page - 1) * limit}) f
    join invoices i on i.tenant_id = ${db.tenant} and i.id = f.id
    join customers c on c.tenant_id = ${db.tenant} and c.id = i.customer_id
    order by ${order.of}`)
}

const NEWEST = orderBy(sql`i.created_at`, 'desc')
const CHANGED: Order = { ...orderBy(sql`i.updated_at`), rows: sql`i.updated_at, i.id`, of: sql`f.at, f.id` }

/** Sort orders that people choose, each covered by an index. */
const ORDERS = {
  number_asc: orderBy(sql`i.number`),
  number_desc: orderBy(sql`i.number`, 'desc'),
  issued_asc: orderBy(sql`i.issue_date`),
  issued_desc: orderBy(sql`i.issue_date`, 'desc'),
  due_asc: orderBy(sql`i.due_date`),
  due_desc: orderBy(sql`i.due_date`, 'desc'),
  total_asc: orderBy(sql`i.total_cents`),
  total_desc: orderBy(sql`i.total_cents`, 'desc'),
  balance_asc: orderBy(sql`i.balance_due_cents`),
  balance_desc: orderBy(sql`i.balance_due_cents`, 'desc'),
} as const satisfies Record<string, Order>

type InvoiceSort = keyof typeof ORDERS
export const INVOICE_SORTS = Object.keys(ORDERS) as [InvoiceSort, ...InvoiceSort[]]

/** Counts invoices, up to the maximum that a list shows. */
export async function countInvoices(
  db: Db,
  { tenant }: Caller,
  today: string,
  listing: InvoiceFilters,
): Promise<number> {
  const filters = await withSearch(db, listing)
  return rowsByStatus.count(db, listConditions(db, tenant.timezone, today, filters), filters)
}

export const listConditions = (
  db: Db,
  zone: string,
  today: string,
  { customer_id, job_id, overdue, number, search, updated_since, include_removed, ...days }: InvoiceSelection,
): Sql => sql`
  i.tenant_id = ${db.tenant}
  ${customer_id === undefined ? sql`` : sql`and i.customer_id = ${customer_id}`}
  ${
    job_id === undefined
      ? sql``
      : sql`and i.id in (select j.invoice_id from invoice_jobs j
        where j.tenant_id = ${db.tenant} and j.job_id = ${job_id})`
  }
  ${
    overdue === undefined
      ? sql``
      : overdue
        ? sql`and (${overdueOn(today)} ${include_removed === true ? sql`or i.status = 'void'` : sql``})`
        : sql`and not ${overdueOn(today)}`
  }
  ${days.issued_from === undefined ? sql`` : sql`and i.issue_date >= ${dayOf(zone, days.issued_from)}`}
  ${days.issued_to === undefined ? sql`` : sql`and i.issue_date <= ${dayOf(zone, days.issued_to)}`}
  ${days.due_from === undefined ? sql`` : sql`and i.due_date >= ${dayOf(zone, days.due_from)}`}
  ${days.due_to === undefined ? sql`` : sql`and i.due_date <= ${dayOf(zone, days.due_to)}`}
  ${number === undefined ? sql`` : sql`and ${hasNumber(number)}`}
  ${search === undefined ? sql`` : sql`and ${isFound(search, sql`i`)}`}
  ${updated_since === undefined ? sql`` : sql`and i.updated_at >= ${updated_since} and i.updated_at < settled()`}`

/** Returns the calendar day of a bound. */
const dayOf = (zone: string, bound: string): string =>
  bound.length === 10 ? bound : instantIn(zone, bound).toZonedDateTimeISO(zone).toPlainDate().toString()

/** Returns the condition for invoices with a number or a display number. */
const hasNumber = (number: number | string): Sql =>
  typeof number === 'number'
    ? sql`i.number = ${number}`
    : sql`i.number = any(${numbersIn(number)}::int[]) and lower(i.display_number) = ${number.toLowerCase()}`
