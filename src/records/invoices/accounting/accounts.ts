import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import type { DayRange } from './sales.ts'

/** Totals of a month or a customer, in cents (docs/spec/money.md#reports). */
type AccountRow = {
  /** A month such as `2026-11`, or the name of a customer. */
  name: string
  /** Total of the invoices issued in the range, tax and deposits included. */
  invoiced_cents: number
  /** Payments in the range, less refunds. */
  received_cents: number
  /** Amount still owed on invoices that fell due in the range, before `today`. */
  overdue_cents: number
}

const KEYS = {
  month: (day: Sql): Sql => sql`to_char(${day}, 'YYYY-MM')`,
  customer: (_: Sql, customer: Sql): Sql => sql`${customer}::text`,
}

/** Returns the invoiced, received and overdue amounts by month in order, or by customer, largest first. */
export async function accountsOf(
  db: Db,
  by: keyof typeof KEYS,
  { from, to }: DayRange,
  today: string,
  limit: number,
): Promise<{ rows: AccountRow[]; count: number; sums: Omit<AccountRow, 'name'> }> {
  const key = KEYS[by]
  const rows = await db.all<
    AccountRow & { count: number } & Record<`all_${keyof Omit<AccountRow, 'name'>}`, number>
  >(sql`
    with parts as (
      select ${key(sql`issue_date`, sql`customer_id`)} as key, total_cents as invoiced, 0::bigint as received,
        0::bigint as overdue
      from invoices
        where tenant_id = ${db.tenant} and issue_date between ${from} and ${to} and status not in ('draft', 'void')
      union all select ${key(sql`p.paid_on`, sql`i.customer_id`)}, 0, p.amount_cents, 0
        from payments p join invoices i on i.tenant_id = ${db.tenant} and i.id = p.invoice_id
        where p.tenant_id = ${db.tenant} and p.paid_on between ${from} and ${to}
      union all select ${key(sql`due_date`, sql`customer_id`)}, 0, 0, balance_due_cents from invoices
        where tenant_id = ${db.tenant} and status in ('sent', 'partially_paid') and due_date between ${from} and ${to}
          and due_date < ${today}),
    sums as (select key, sum(invoiced)::bigint as invoiced_cents, sum(received)::bigint as received_cents,
      sum(overdue)::bigint as overdue_cents,
        count(*) over ()::integer as count, (sum(sum(invoiced)) over ())::bigint as all_invoiced_cents,
        (sum(sum(received)) over ())::bigint as all_received_cents,
        (sum(sum(overdue)) over ())::bigint as all_overdue_cents
      from parts
      group by key
      order by ${by === 'month' ? sql`key` : sql`sum(invoiced) + sum(received) + sum(overdue) desc, key`}
        limit ${limit})
    select ${by === 'month' ? sql`s.key` : sql`c.display_name`} as name, s.invoiced_cents, s.received_cents,
      s.overdue_cents, s.count, s.all_invoiced_cents, s.all_received_cents, s.all_overdue_cents
    from sums s ${by === 'month' ? sql`` : sql`join customers c on c.tenant_id = ${db.tenant} and c.id = s.key::uuid`}
    order by ${by === 'month' ? sql`s.key` : sql`s.invoiced_cents + s.received_cents + s.overdue_cents desc, s.key`}`)
  const [first] = rows
  return {
    rows,
    count: first?.count ?? 0,
    sums: {
      invoiced_cents: first?.all_invoiced_cents ?? 0,
      received_cents: first?.all_received_cents ?? 0,
      overdue_cents: first?.all_overdue_cents ?? 0,
    },
  }
}

type OverdueInvoice = {
  display_number: string
  customer_name: string
  due_date: string
  days_late: number
  balance_due_cents: number
}

/** Returns up to `limit` overdue invoices on a day, longest overdue first, with the count and sum of all of them. */
export async function overdueOf(
  db: Db,
  today: string,
  limit: number,
): Promise<{ rows: OverdueInvoice[]; count: number; sum_cents: number }> {
  const rows = await db.all<OverdueInvoice & { count: number; sum_cents: number }>(sql`
    select i.display_number, c.display_name as customer_name, i.due_date, ${today}::date - i.due_date as days_late,
      i.balance_due_cents, i.count, i.sum_cents
    from (select *, count(*) over ()::integer as count, (sum(balance_due_cents) over ())::bigint as sum_cents
      from invoices
        where tenant_id = ${db.tenant} and status in ('sent', 'partially_paid') and due_date < ${today}
          and balance_due_cents > 0
        order by due_date, number limit ${limit}) i
      join customers c on c.tenant_id = ${db.tenant} and c.id = i.customer_id
    order by i.due_date, i.number`)
  const [first] = rows
  return { rows, count: first?.count ?? 0, sum_cents: first?.sum_cents ?? 0 }
}
