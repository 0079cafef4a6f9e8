import { insertSelected, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import {
  NO_KEY,
  aggregateMarkedDays,
  markedDays,
  type DayRange,
  type DailyReport,
} from '../../records/invoices/index.ts'
import { PROFIT_DIMENSIONS, profitOf, type ProfitDimension, type ProfitShare, type ProfitSums } from './job_profit.ts'
import { readDays } from './read_profit.ts'

/** Profit of a period, grouped; `sums` covers all jobs, `groups` is the number of rows before the limit. */
export type ProfitReport = {
  rows: ProfitShare[]
  sums: ProfitSums
  groups: number
  jobs: number
  /** Number of jobs without an invoice; `lacking` is the number with an unknown cost. */
  unbilled: number
  lacking: number
  /** True if more jobs changed than a report reads. */
  isTruncated: boolean
}

type ProfitQuery = { range: DayRange; timezone: string; by: ProfitDimension; maxRows: number }

/** Maximum jobs on changed days that one report reads. */
const MAX_JOBS = 50_000

/** Returns the cached report, by the day in a time zone on which jobs were finished. */
const profitDailyReport = (timezone: string): DailyReport => ({
  name: 'profit',
  recordDays: (db, marks) => sql`
    select (j.completed_at at time zone ${timezone})::date
    from jobs j where j.tenant_id = ${db.tenant} and j.status = 'done' and j.id in (
      select m.record_id from ${marks} m
      union all
      select o.job_id from ${marks} m join invoice_jobs o on o.tenant_id = ${db.tenant} and o.invoice_id = m.record_id
      union all
      select o.job_id
      from ${marks} m join invoice_jobs b on b.tenant_id = ${db.tenant} and b.job_id = m.record_id
        join invoice_jobs o on o.tenant_id = ${db.tenant} and o.invoice_id = b.invoice_id)`,
})

/** Selects the days of finished jobs on which a clock is still running. */
const runningDays = (db: Db, timezone: string): Sql => sql`
  select (j.completed_at at time zone ${timezone})::date as day
  from time_entries t join jobs j on j.tenant_id = ${db.tenant} and j.id = t.job_id
  where t.tenant_id = ${db.tenant} and t.ended_at is null and j.status = 'done'`

/**
 * Returns profit by the day jobs were finished, limited to `maxRows` rows: months in order, others by profit. Days that
 * changed since they were cached are computed from their jobs.
 */
export async function readProfit(db: Db, { range, timezone, by, maxRows }: ProfitQuery): Promise<ProfitReport> {
  const changed = await db.all<{ day: string }>(sql`
    ${markedDays(db, profitDailyReport(timezone), range)}
    union select r.day from (${runningDays(db, timezone)}) r where r.day between ${range.from} and ${range.to}
    order by day`)
  const days = changed.map(({ day }) => day)
  const splits = new Set<ProfitDimension>(['month', by])
  const changes = await readRuns(db, timezone, days, [...splits], MAX_JOBS)
  const parts = (split: ProfitDimension): Sql => sql`
    select day, nullif(key, ${NO_KEY}) as key, records, sums from report_days
    where tenant_id = ${db.tenant} and report = 'profit' and split = ${split}
      and day between ${range.from} and ${range.to} and day <> all(${days}::date[])
    union all select day, key, records, sums from jsonb_to_recordset(${JSON.stringify(changes.rows)}::jsonb)
      as f(split text, day date, key uuid, records integer, sums bigint[])
    where split = ${split}`
  const { rows, ...report } = await db.one<Omit<ProfitReport, 'isCut'>>(sql`
    with groups as materialized (${GROUP_QUERIES[by](parts(by))}),
    shown as (select * from groups
      order by ${by === 'month' ? sql`key` : sql`sales_cents - parts_cents - labor_cents desc, key`} limit ${maxRows})
    select (select coalesce(json_agg(r), '[]') from (select s.*, ${NAME_QUERIES[by](db)} as name
      from shown s) r) as rows,
      (select count(*)::integer from groups) as groups, t.*
    from (select json_build_object('sales_cents', coalesce(sum(sums[1]), 0), 'parts_cents', coalesce(sum(sums[2]), 0),
        'labor_cents', coalesce(sum(sums[3]), 0)) as sums, coalesce(sum(records), 0)::integer as jobs,
        coalesce(sum(sums[4]), 0)::integer as unbilled, coalesce(sum(sums[5]), 0)::integer as lacking
      from (${parts('month')}) p) t`)
  return { ...report, rows: sortRows(rows, by), isTruncated: changes.isTruncated }
}

const groupBy = (key: Sql, parts: Sql): Sql => sql`
  select ${key} as key, sum_cents(sums[1]) as sales_cents, sum_cents(sums[2]) as parts_cents,
    sum_cents(sums[3]) as labor_cents
  from (${parts}) p group by 1`

/** Queries that add up the days of each group; a job is finished on a single day. */
const GROUP_QUERIES: Readonly<Record<ProfitDimension, (parts: Sql) => Sql>> = {
  month: (parts) => groupBy(sql`to_char(day, 'YYYY-MM')`, parts),
  job: (parts) => sql`select key, sums[1] as sales_cents, sums[2] as parts_cents, sums[3] as labor_cents
    from (${parts}) p`,
  customer: (parts) => groupBy(sql`key`, parts),
  technician: (parts) => groupBy(sql`key`, parts),
  service: (parts) => groupBy(sql`key`, parts),
}

const NAME_QUERIES: Readonly<Record<ProfitDimension, (db: Db) => Sql>> = {
  month: () => sql`null`,
  job: (db) => sql`(select display_number || ' · ' || title from jobs where tenant_id = ${db.tenant} and id = s.key)`,
  customer: (db) => sql`(select display_name from customers where tenant_id = ${db.tenant} and id = s.key)`,
  technician: () => sql`(select name from users where id = s.key)`,
  service: (db) => sql`(select name from catalog_items where tenant_id = ${db.tenant} and id = s.key)`,
}

const sortRows = (rows: ProfitShare[], by: ProfitDimension): ProfitShare[] =>
  by === 'month'
    ? rows.sort((a, b) => (a.key ?? '').localeCompare(b.key ?? ''))
    : rows.sort((a, b) => profitOf(b) - profitOf(a) || (a.name ?? '').localeCompare(b.name ?? ''))

type DayRow = { split: ProfitDimension; day: string; key: string | null; records: number; sums: number[] }

/** Computes days, reading consecutive ones together; months consist of their days. */
async function readRuns(
  db: Db,
  timezone: string,
  days: readonly string[],
  splits: readonly ProfitDimension[],
  maxJobs = Infinity,
): Promise<{ rows: DayRow[]; isTruncated: boolean }> {
  const runs: DayRange[] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && Temporal.PlainDate.from(run.to).add({ days: 1 }).toString() === day) run.to = day
    else runs.push({ from: day, to: day })
  }
  const rows: DayRow[] = []
  let remaining = maxJobs
  for (const run of runs)
    for (const [day, profits] of await readDays(db, timezone, { range: run, splits, maxJobs: remaining }))
      for (const [split, { shares, jobs, unbilled, lacking }] of profits) {
        if (split === 'month') remaining -= jobs
        rows.push(
          ...shares.map(({ key, sales_cents, parts_cents, labor_cents }): DayRow => ({
            split,
            day,
            key: split === 'month' ? null : key,
            records: split === 'month' ? jobs : 0,
            sums: [sales_cents, parts_cents, labor_cents, ...(split === 'month' ? [unbilled, lacking] : [])],
          })),
        )
      }
  return { rows, isTruncated: remaining <= 0 }
}

/** Updates the cached days whose profit changed; returns whether there may be more. */
export const aggregateProfitDays = (db: Db, timezone: string): Promise<boolean> =>
  aggregateMarkedDays(db, {
    ...profitDailyReport(timezone),
    dayBounds: () => sql`
      select min((completed_at at time zone ${timezone})::date) as first,
        max((completed_at at time zone ${timezone})::date) as last
      from jobs where tenant_id = ${db.tenant} and status = 'done'`,
    aggregate: async (_db, days) => {
      const { rows } = await readRuns(db, timezone, [...days].sort(), PROFIT_DIMENSIONS)
      return [
        insertSelected(sql`insert into report_days (tenant_id, report, split, day, key, records, sums)
          select ${db.tenant}::uuid, 'profit', f.split, f.day, coalesce(f.key, ${NO_KEY}), f.records, f.sums
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as f(split text, day date, key uuid, records integer, sums bigint[])`),
      ]
    },
  })
