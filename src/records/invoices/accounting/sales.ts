import { join, raw } from '../../../platform/db/database.ts'
import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'

/** Groupings of sales reports. */
export const SALES_BY = ['month', 'week', 'day', 'customer', 'technician', 'service', 'category', 'source'] as const
export type SalesBy = (typeof SALES_BY)[number]

/** Range of calendar days, both included. */
export type DayRange = { from: string; to: string }

/** Totals in cents of a time span, customer, person, item, category or source (docs/spec/money.md#reports). */
export type SalesRow = Sums & { key: string | null; name: string | null; invoices: number }

/** A row with the balance due, for groupings that never split an invoice: by customer and by month. */
type OwedRow = SalesRow & Partial<Owed> & { oldest_due_date?: string | null }

type Sums = {
  sales_cents: number
  deposit_cents: number
  taxable_cents: number
  tax_cents: number
  total_cents: number
}
type Owed = { balance_due_cents: number }

/** Checks whether the rows are time spans, in order: a month by its name, a week by its Monday. */
export const isByTime = (by: SalesBy): by is 'month' | 'week' | 'day' => by === 'month' || by === 'week' || by === 'day'

/** The rows of a report, the sums of all groups, and their number. */
export type SalesReport = { rows: SalesRow[]; sums: Sums; groups: number }

/**
 * Page of the groups. `isOwed` adds balances, `isByBalance` sorts by them, `aggregates` adds parts from daily
 * aggregates.
 */
type GroupPage = {
  limit: number
  skip?: number
  isOwed?: boolean
  isByBalance?: boolean
  marked?: Sql
  aggregates?: Sql
}

/** Returns the totals of invoices `i` by group; `invoices` is a FROM clause. */
export function sumByGroup(
  db: Db,
  by: SalesBy,
  invoices: Sql,
  { limit, skip = 0, isOwed = false, isByBalance = false, marked, aggregates }: GroupPage,
): Promise<{ rows: OwedRow[]; sums: Sums & Partial<Owed>; groups: number }> {
  const size = isByBalance ? sql`balance_due_cents desc, total_cents desc, key` : sql`total_cents desc, key`
  const order = isByTime(by) ? sql`key` : size
  return db.one(sql`
    with ${marked === undefined ? sql`` : sql`marked as materialized (${marked}),`}
    parts as (${partsOf(db, by, invoices, isOwed)} ${aggregates === undefined ? sql`` : sql`union all ${aggregates}`}),
    sums as materialized (select *, sales_cents + deposit_cents + tax_cents as total_cents
      from (select key, sum(invoices)::integer as invoices, sum_cents(sales) as sales_cents,
        sum_cents(deposit) as deposit_cents, sum_cents(taxable) as taxable_cents, sum_cents(tax) as tax_cents
        ${isOwed ? sql`, sum_cents(balance) as balance_due_cents, min(oldest) as oldest_due_date` : sql``}
        from parts group by key) g),
    shown as (select * from sums order by ${order} limit ${limit} offset ${skip})
    select (select coalesce(json_agg(r), '[]') from (select s.*, ${NAMES[by](db)} as name
        from shown s order by ${order}) r) as rows,
      (select count(*)::integer from sums) as groups,
      (select to_json(t) from (select ${join(
        [...SUMS, ...(isOwed ? ['balance_due_cents'] : [])].map(
          (name) => sql`coalesce(sum_cents(${raw(name)}), 0) as ${raw(name)}`,
        ),
      )} from sums) t) as sums`)
}

const SUMS = ['sales_cents', 'deposit_cents', 'taxable_cents', 'tax_cents', 'total_cents'] as const

/** Selects issued invoices `i` that match a condition. */
export const soldInvoices = (db: Db, condition: Sql): Sql =>
  sql`invoices i where i.tenant_id = ${db.tenant} and i.status not in ('draft', 'void') and ${condition}`

/** Selects the amounts that each invoice adds to each group. Deposits billed or deducted aren't sales. */
export const partsOf = (db: Db, by: SalesBy, invoices: Sql, isOwed = false): Sql => sql`
  with sold as (select id, issue_date, customer_id, taxable_cents as taxable, tax_cents as tax,
      case when deposit_of is null then subtotal_cents - discount_cents + deducted_cents else 0 end as sales,
      case when deposit_of is null then -deducted_cents else subtotal_cents - discount_cents end as deposit
      ${by === 'service' || by === 'category' ? sql`, line_items, deposit_of, tax_exempt` : sql``}
      ${isOwed ? sql`, due_date, ${OWED} as balance` : sql``}
    from ${invoices})
  ${PARTS[by](db, isOwed)}`

const OWED = sql`case when status in ('sent', 'partially_paid') then balance_due_cents else 0 end`

/**
 * Queries that split each invoice into its parts. The technicians of its jobs share it evenly, leftover cents going to
 * the first ones. A line's service and category are its item's current ones; a customer's source is the current one.
 */
const PARTS: Readonly<Record<SalesBy, (db: Db, isOwed: boolean) => Sql>> = {
  month: (_db, isOwed) => dayParts('month', isOwed),
  week: (_db, isOwed) => dayParts('week', isOwed),
  day: (_db, isOwed) => dayParts('day', isOwed),
  customer: (_db, isOwed) => sql`select customer_id as key, 1 as invoices, sales, deposit, taxable, tax
    ${isOwed ? sql`, balance, case when balance > 0 then due_date end as oldest` : sql``} from sold`,
  technician: (db) => sql`
    select c.user_id as key, 1 as invoices, ${personShare(sql`s.sales`)} as sales,
      ${personShare(sql`s.deposit`)} as deposit, ${personShare(sql`s.taxable`)} as taxable,
      ${personShare(sql`s.tax`)} as tax
    from sold s left join (
      select id, user_id, row_number() over (partition by id order by user_id) as place,
        count(*) over (partition by id) as heads
      from (select distinct s.id, u.user_id
        from sold s join invoice_jobs b on b.tenant_id = ${db.tenant} and b.invoice_id = s.id
        join job_assignees u on u.tenant_id = b.tenant_id and u.job_id = b.job_id) crew) c on c.id = s.id`,
  source: (db) => sql`
    select nullif(trim(c.lead_source), '') as key, 1 as invoices, s.sales, s.deposit, s.taxable, s.tax
    from sold s left join (
      select id, lead_source from customers where tenant_id = ${db.tenant} and lead_source is not null) c
      on c.id = s.customer_id`,
  service: (db) => lineParts(db, sql`i.id`),
  category: (db) => lineParts(db, sql`i.category_id`),
}

/** Expressions for the time span of a day. */
export const SPANS = {
  month: (day: Sql): Sql => sql`to_char(${day}, 'YYYY-MM')`,
  week: (day: Sql): Sql => sql`date_trunc('week', ${day})::date::text`,
  day: (day: Sql): Sql => sql`${day}::text`,
}

/** Sums each day, so that its time span is computed once for all its invoices. */
const dayParts = (span: keyof typeof SPANS, isOwed: boolean): Sql => sql`
  select ${SPANS[span](sql`issue_date`)} as key, count(*) as invoices, sum_cents(sales) as sales,
    sum_cents(deposit) as deposit,
    sum_cents(taxable) as taxable, sum_cents(tax) as tax
    ${isOwed ? sql`, sum_cents(balance) as balance, min(due_date) filter (where balance > 0) as oldest` : sql``}
  from sold group by issue_date`

/** Selects the lines of each invoice by a column of their items; deducted deposits are a separate part. */
const lineParts = (db: Db, key: Sql): Sql => sql`
  select key, 1 as invoices, sum_cents(sales) as sales, sum_cents(deposit) as deposit,
    sum_cents(taxable) as taxable, sum_cents(tax) as tax
  from (
    select s.id, ${key} as key,
      case when s.deposit_of is null then l.line_total_cents - l.discount_share_cents else 0 end as sales,
      case when s.deposit_of is null then 0 else l.line_total_cents - l.discount_share_cents end as deposit,
      case when l.taxable and l.rate_decimal is not null
        and not s.tax_exempt then l.line_total_cents - l.discount_share_cents else 0 end as taxable,
      l.tax_cents as tax
    from sold s
      cross join lateral jsonb_to_recordset(s.line_items) as l(kind text, catalog_item_id uuid, line_total_cents bigint,
        discount_share_cents bigint, tax_cents bigint, taxable boolean, rate_decimal numeric)
      left join catalog_items i on i.tenant_id = ${db.tenant} and i.id = l.catalog_item_id
    where l.kind <> 'discount'
    union all select s.id, null, 0, least(s.deposit, 0), 0, 0 from sold s where s.deposit < 0) l
  group by id, key`

/** Returns one person's share of an amount, which is negative for a deducted deposit. */
const personShare = (cents: Sql): Sql =>
  sql`case when c.heads is null then ${cents}
    else sign(${cents})::bigint * (abs(${cents}) / c.heads + (c.place <= abs(${cents}) % c.heads)::integer) end`

const NAMES: Readonly<Record<SalesBy, (db: Db) => Sql>> = {
  month: () => sql`s.key`,
  week: () => sql`s.key`,
  day: () => sql`s.key`,
  source: () => sql`s.key`,
  service: (db) => sql`(select name from catalog_items where tenant_id = ${db.tenant} and id = s.key)`,
  customer: (db) => sql`(select display_name from customers where tenant_id = ${db.tenant} and id = s.key)`,
  technician: () => sql`(select name from users where id = s.key)`,
  category: (db) => sql`(select name from catalog_categories where tenant_id = ${db.tenant} and id = s.key)`,
}
