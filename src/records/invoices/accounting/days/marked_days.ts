import { sql, type Db, type Sql } from '../../../../platform/db/tenant.ts'
import type { DayRange } from '../sales.ts'

/** A report with daily aggregates (docs/spec/money.md#sums-by-day). */
export type DailyReport = {
  name: 'sales' | 'profit'
  /** Selects the `day`s to which the records of `marks` (invoices and jobs) count. */
  recordDays(db: Db, marks: Sql): Sql
}

/** Key of amounts without a person, item or category. */
export const NO_KEY = '00000000-0000-0000-0000-000000000000'

export const ALL_DAYS: DayRange = { from: '-infinity', to: 'infinity' }

/** Selects the days of a range whose records changed since their aggregation, by all marks or the given ones. */
export function markedDays(
  db: Db,
  { name, recordDays }: DailyReport,
  { from, to }: DayRange,
  ids?: readonly string[],
): Sql {
  const condition = sql`m.tenant_id = ${db.tenant} and m.report = ${name}
    ${ids === undefined ? sql`` : sql`and m.id = any(${[...ids]}::uuid[])`}`
  return sql`
  select distinct d.day from (
    select greatest(m.from_day, ${from}) + n as day
    from report_marks m
      cross join lateral generate_series(0, least(m.to_day, ${to}) - greatest(m.from_day, ${from})) n
    where ${condition} and m.from_day <= ${to} and m.to_day >= ${from}
    union all ${recordDays(
      db,
      sql`(select m.record_id from report_marks m where ${condition} and m.record_id is not null)`,
    )}) d
  where d.day between ${from} and ${to}`
}
