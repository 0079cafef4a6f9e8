import { insertSelected, sql, type Db, type Sql } from '../../../../platform/db/tenant.ts'
import {
  SPANS,
  isByTime,
  partsOf,
  soldInvoices,
  sumByGroup,
  type DayRange,
  type SalesBy,
  type SalesReport,
  type SalesRow,
} from '../sales.ts'
import { aggregateMarkedDays } from './aggregate_days.ts'
import { NO_KEY, markedDays, type DailyReport } from './marked_days.ts'

/** Splits that are aggregated by day; weeks and months are sums of days. */
const AGGREGATED_SPLITS = ['day', 'technician', 'service', 'category'] as const
type AggregatedSplit = (typeof AGGREGATED_SPLITS)[number]

const SALES: DailyReport = {
  name: 'sales',
  recordDays: (db, marks) => sql`
    select i.issue_date from ${marks} m join invoices i on i.tenant_id = ${db.tenant} and i.id = m.record_id
    union all
    select i.issue_date
    from ${marks} m join invoice_jobs b on b.tenant_id = ${db.tenant} and b.job_id = m.record_id
      join invoices i on i.tenant_id = ${db.tenant} and i.id = b.invoice_id`,
}

/**
 * Returns sales of issued invoices by issue date, up to `limit` rows: time spans in order, other groups by size. Reads
 * the invoices only for days that changed since they were aggregated.
 */
export function salesOf(db: Db, by: SalesBy, range: DayRange, limit: number): Promise<SalesReport> {
  if (by === 'customer' || by === 'source') return sumByGroup(db, by, soldInvoices(db, issuedWithin(range)), { limit })
  const { invoices, ...page } = salesOfDays(db, by, range)
  return sumByGroup(db, by, invoices, { limit, ...page })
}

const issuedWithin = ({ from, to }: DayRange): Sql => sql`i.issue_date between ${from} and ${to}`

/** Returns the customers with the largest sales; there may be too many customers to add up all columns of each. */
export async function largestCustomers(db: Db, range: DayRange, limit: number): Promise<SalesRow[]> {
  const largest = await db.all<{ id: string }>(sql`
    select customer_id as id from ${soldInvoices(db, issuedWithin(range))}
    group by customer_id order by sum_cents(total_cents) desc, customer_id limit ${limit}`)
  const ids = largest.map(({ id }) => id)
  const invoices = soldInvoices(db, sql`${issuedWithin(range)} and i.customer_id = any(${ids}::uuid[])`)
  return (await sumByGroup(db, 'customer', invoices, { limit })).rows
}

/** Returns the invoices `i` of changed days, and the aggregates of the other days. */
const salesOfDays = (
  db: Db,
  by: Exclude<SalesBy, 'customer' | 'source'>,
  range: DayRange,
): Record<'marked' | 'invoices' | 'aggregates', Sql> => ({
  marked: markedDays(db, SALES, range),
  invoices: sql`marked m cross join lateral (
    select * from invoices i
    where i.tenant_id = ${db.tenant} and i.issue_date = m.day and i.status not in ('draft', 'void') offset 0) i`,
  aggregates: sql`
    select ${isByTime(by) ? SPANS[by](sql`d.day`) : sql`nullif(d.key, ${NO_KEY})`},
      d.records, d.sums[1], d.sums[2], d.sums[3], d.sums[4]
    from report_days d
    where d.tenant_id = ${db.tenant} and d.report = 'sales' and d.split = ${isByTime(by) ? 'day' : by}
      and d.day between ${range.from} and ${range.to} and not exists (select 1 from marked m where m.day = d.day)`,
})

/** Aggregates days whose sales changed. Returns whether there may be more. */
export const aggregateSalesDays = (db: Db): Promise<boolean> =>
  aggregateMarkedDays(db, {
    ...SALES,
    dayBounds: () =>
      sql`select min(issue_date) as first, max(issue_date) as last from invoices where tenant_id = ${db.tenant}`,
    aggregate: async (_db, days) =>
      days.flatMap((day) => AGGREGATED_SPLITS.map((split) => aggregateDay(db, split, day))),
  })

const aggregateDay = (db: Db, split: AggregatedSplit, day: string): Sql =>
  insertSelected(sql`insert into report_days (tenant_id, report, split, day, key, records, sums)
    select ${db.tenant}::uuid, 'sales', ${split}, ${day}::date,
      ${split === 'day' ? sql`${NO_KEY}::uuid` : sql`coalesce(p.key, ${NO_KEY})`},
      sum(p.invoices),
      array[sum(p.sales), sum(p.deposit), sum(p.taxable), sum(p.tax)]::bigint[]
    from (${partsOf(db, split, soldInvoices(db, sql`i.issue_date = ${day}`))}) p group by p.key`)
