import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'

/** Lists what sales are added up by. */
export const SALES_BY = ['month', 'week', 'day', 'customer', 'technician', 'service', 'category', 'source'] as const
export type SalesBy = (typeof SALES_BY)[number]

/** Two calendar days, both included. */
export type DayRange = { from: string; to: string }

/** What a span of time, customer, person, item, category or source comes to, in cents (docs/spec/money.md#reports). */
export type SalesRow = Sums & { key: string | null; name: string | null; invoices: number }

/** The same with what is still owed, where a whole invoice falls into one group: by customer and by month. */
type OwedRow = SalesRow & { balance_due_cents: number; oldest_due_date: string | null }

type Sums = {
  sales_cents: number
  deposit_cents: number
  taxable_cents: number
  tax_cents: number
  total_cents: number
}

/** Returns true where the rows are spans of time, in their order: a month by its name, a week by its Monday. */
export const isByTime = (by: SalesBy): boolean => by === 'month' || by === 'week' || by === 'day'

/** The rows of a report, the sums of all that there are, and how many those are. */
export type SalesReport = { rows: SalesRow[]; sums: Sums; groups: number }

const NO_SUMS: Sums = { sales_cents: 0, deposit_cents: 0, taxable_cents: 0, tax_cents: 0, total_cents: 0 }

/**
 * Returns sales of issued invoices by the days of their dates, at most so many rows: spans of time in order, others by
 * size.
 */
export const salesOf = async (db: Db, by: SalesBy, { from, to }: DayRange, most: number): Promise<SalesReport> => {
  const isSold = sql`i.issue_date between ${from} and ${to} and i.status not in ('draft', 'void')`
  const { rows, sums, groups } = await sumByGroup(db, by, isSold, { most })
  return { rows: rows.map(({ balance_due_cents: _owed, oldest_due_date: _due, ...row }) => row), sums, groups }
}

/** Which of the groups are read, and whether those that owe most come first. */
type GroupPage = { most: number; skip?: number; isByBalance?: boolean }

/** Returns what the invoices `i` that meet a condition come to by group. */
export async function sumByGroup(
  db: Db,
  by: SalesBy,
  condition: Sql,
  { most, skip = 0, isByBalance = false }: GroupPage,
): Promise<{ rows: OwedRow[]; sums: Sums & { balance_due_cents: number }; groups: number }> {
  const size = isByBalance ? sql`balance_due_cents desc, total_cents desc, key` : sql`total_cents desc, key`
  const order = isByTime(by) ? sql`key` : size
  const groupRows = await db.all<
    OwedRow & { groups: number } & Record<`all_${keyof Sums | 'balance_due_cents'}`, number>
  >(
    sql`with sold as (${sold(db, condition, by === 'service' || by === 'category')}), parts as (${PARTS[by](db)}),
      sums as (
      select key, count(distinct id)::integer as invoices,
        sum(sales)::bigint as sales_cents, sum(deposit)::bigint as deposit_cents, sum(taxable)::bigint as taxable_cents,
        sum(tax)::bigint as tax_cents, (sum(sales) + sum(deposit) + sum(tax))::bigint as total_cents
      from parts group by key), owed as (${OWED[by] ?? NOT_OWED}), shown as (
      select s.*, coalesce(o.balance, 0)::bigint as balance_due_cents, o.oldest_due_date,
        count(*) over ()::integer as groups, (sum(sales_cents) over ())::bigint as all_sales_cents,
        (sum(deposit_cents) over ())::bigint as all_deposit_cents,
        (sum(taxable_cents) over ())::bigint as all_taxable_cents, (sum(tax_cents) over ())::bigint as all_tax_cents,
        (sum(total_cents) over ())::bigint as all_total_cents,
        (sum(coalesce(o.balance, 0)) over ())::bigint as all_balance_due_cents
      from sums s left join owed o using (key) order by ${order} limit ${most} offset ${skip})
    select s.*, ${NAMES[by](db)} as name
    from shown s
    order by ${order}`,
  )
  const [first] = groupRows
  // Rows carry the sums; beyond the last page there are none, and the sums stay what they are.
  if (first === undefined && skip > 0) return { ...(await sumByGroup(db, by, condition, { most: 1 })), rows: [] }
  if (first === undefined) return { rows: [], sums: { ...NO_SUMS, balance_due_cents: 0 }, groups: 0 }
  return {
    rows: groupRows.map((row) => ({
      key: row.key,
      name: row.name,
      invoices: row.invoices,
      sales_cents: row.sales_cents,
      deposit_cents: row.deposit_cents,
      taxable_cents: row.taxable_cents,
      tax_cents: row.tax_cents,
      total_cents: row.total_cents,
      balance_due_cents: row.balance_due_cents,
      oldest_due_date: row.oldest_due_date,
    })),
    sums: {
      sales_cents: first.all_sales_cents,
      deposit_cents: first.all_deposit_cents,
      taxable_cents: first.all_taxable_cents,
      tax_cents: first.all_tax_cents,
      total_cents: first.all_total_cents,
      balance_due_cents: first.all_balance_due_cents,
    },
    groups: first.groups,
  }
}

/** Selects the invoices that count, each with its sale: what a deposit bills or takes off again is none. */
const sold = (db: Db, condition: Sql, hasLines: boolean): Sql => sql`
  select id, issue_date, due_date, customer_id, taxable_cents as taxable, tax_cents as tax,
    ${hasLines ? sql`line_items, deposit_of, tax_exempt,` : sql``}
    case when deposit_of is null then subtotal_cents - discount_cents + deducted_cents else 0 end as sales,
    case when deposit_of is null then -deducted_cents else subtotal_cents - discount_cents end as deposit,
    case when status in ('sent', 'partially_paid') then balance_due_cents else 0 end as balance
  from invoices i
  where i.tenant_id = ${db.tenant} and ${condition}`

const sumOwedBy = (key: Sql): Sql => sql`select ${key} as key, sum(balance) as balance,
    min(due_date) filter (where balance > 0) as oldest_due_date from sold group by 1`
const NOT_OWED = sql`select null::text as key, 0 as balance, null::date as oldest_due_date where false`

/** Adds up what is owed by the groups that no invoice is split between. */
const OWED: Readonly<Partial<Record<SalesBy, Sql>>> = {
  month: sumOwedBy(sql`to_char(issue_date, 'YYYY-MM')`),
  customer: sumOwedBy(sql`customer_id::text`),
}

/**
 * Splits each invoice into its parts. People of its jobs share it evenly, the cents left over going one each to the
 * first; a line's service and category are those of its item now, a customer's source what it is now.
 */
const PARTS: Readonly<Record<SalesBy, (db: Db) => Sql>> = {
  month: () => sql`select id, to_char(issue_date, 'YYYY-MM') as key, sales, deposit, taxable, tax from sold`,
  customer: () => sql`select id, customer_id::text as key, sales, deposit, taxable, tax from sold`,
  technician: (db) => sql`
    select s.id, c.user_id::text as key, ${personShare(sql`s.sales`)} as sales,
      ${personShare(sql`s.deposit`)} as deposit, ${personShare(sql`s.taxable`)} as taxable,
      ${personShare(sql`s.tax`)} as tax
    from sold s left join (
      select id, user_id, row_number() over (partition by id order by user_id) as place,
        count(*) over (partition by id) as heads
      from (select distinct s.id, u.user_id
        from sold s join invoice_jobs b on b.tenant_id = ${db.tenant} and b.invoice_id = s.id
        join job_assignees u on u.tenant_id = b.tenant_id and u.job_id = b.job_id) crew) c on c.id = s.id`,
  week: () => sql`select id, date_trunc('week', issue_date)::date::text as key, sales, deposit, taxable, tax from sold`,
  day: () => sql`select id, issue_date::text as key, sales, deposit, taxable, tax from sold`,
  source: (db) => sql`
    select s.id, nullif(trim(c.lead_source), '') as key, s.sales, s.deposit, s.taxable, s.tax
    from sold s join customers c on c.tenant_id = ${db.tenant} and c.id = s.customer_id`,
  service: (db) => lineParts(db, sql`i.id`),
  category: (db) => lineParts(db, sql`i.category_id`),
}

/** Selects the lines of each invoice by a column of their items; what is taken off of deposits stands by itself. */
const lineParts = (db: Db, key: Sql): Sql => sql`
    select s.id, ${key}::text as key,
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
    union all select s.id, null, 0, least(s.deposit, 0), 0, 0 from sold s where s.deposit < 0`

/** Returns one person's share of an amount; the deposit that is taken off is negative. */
const personShare = (cents: Sql): Sql =>
  sql`case when c.heads is null then ${cents}
    else sign(${cents})::bigint * (abs(${cents}) / c.heads + (c.place <= abs(${cents}) % c.heads)::integer) end`

const NAMES: Readonly<Record<SalesBy, (db: Db) => Sql>> = {
  month: () => sql`s.key`,
  week: () => sql`s.key`,
  day: () => sql`s.key`,
  source: () => sql`s.key`,
  service: (db) => sql`(select name from catalog_items where tenant_id = ${db.tenant} and id = s.key::uuid)`,
  customer: (db) => sql`(select display_name from customers where tenant_id = ${db.tenant} and id = s.key::uuid)`,
  technician: () => sql`(select name from users where id = s.key::uuid)`,
  category: (db) => sql`(select name from catalog_categories where tenant_id = ${db.tenant} and id = s.key::uuid)`,
}
