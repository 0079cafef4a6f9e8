import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Holds what was invoiced in a week, by its Monday; drafts and voided invoices don't count. */
export type InvoicedWeek = { monday: string; total_cents: number }

const WEEKS = 12

/** Returns the twelve weeks up to that of `today`, oldest first, including those without an invoice. */
export const weeklyInvoiceTotals = (db: Db, today: string): Promise<InvoicedWeek[]> =>
  db.all<InvoicedWeek>(sql`
  select w.monday::date as monday, coalesce(sum(i.total_cents), 0)::bigint as total_cents
  from generate_series(date_trunc('week', ${today}::date) - make_interval(weeks => ${WEEKS - 1}),
    date_trunc('week', ${today}::date), interval '1 week') as w (monday)
    left join invoices i on i.tenant_id = ${db.tenant} and i.issue_date >= w.monday::date
      and i.issue_date < w.monday::date + 7 and i.status not in ('draft', 'void')
  group by w.monday order by w.monday`)
