import { insertSelected, sql, type Db, type Sql } from '../../../../platform/db/tenant.ts'
import { ALL_DAYS, markedDays, type DailyReport } from './marked_days.ts'

/** A report with the statements that aggregate its days. */
type AggregatedReport = DailyReport & {
  /** Selects the `first` and `last` day with records. */
  dayBounds(db: Db): Sql
  /** Returns the statements that aggregate days. */
  aggregate(db: Db, days: readonly string[]): Promise<readonly Sql[]>
}

/** Maximum days of a mark, marks per transaction, and marks before all days are marked instead. */
const [MAX_DAYS, MAX_PER_TRANSACTION, MAX_MARKS] = [7, 4, 500]

/** Aggregates changed days and deletes their marks. Returns whether there may be more. */
export async function aggregateMarkedDays(db: Db, report: AggregatedReport): Promise<boolean> {
  const marks = await db.all<{ id: string; is_long: boolean; is_piece: boolean }>(sql`
    select id, coalesce(from_day <= to_day - ${MAX_DAYS}::integer, false) as is_long,
      coalesce(from_day = to_day - ${MAX_DAYS - 1}::integer, false) as is_piece
    from report_marks
    where tenant_id = ${db.tenant} and report = ${report.name} order by is_long desc, is_piece desc, id
    limit ${MAX_MARKS + 1}`)
  const isLong = marks[0]?.is_long === true
  const ids = marks
    .filter(({ is_long }) => is_long === isLong)
    .slice(0, isLong ? MAX_MARKS : MAX_PER_TRANSACTION)
    .map(({ id }) => id)
  const removal = sql`delete from report_marks where tenant_id = ${db.tenant} and id = any(${ids}::uuid[])`
  const buildStatements = async (): Promise<readonly Sql[]> => {
    if (isLong) return [splitMarks(db, report, ids), removal]
    const hasTooManyMarks = marks.filter(({ is_piece }) => !is_piece).length > MAX_MARKS
    return hasTooManyMarks ? markAll(db, report) : [...(await aggregateDays(db, report, ids)), removal]
  }
  await Promise.all((await buildStatements()).map((statement) => db.run(statement)))
  return marks.length > 0
}

/** Marks all days in place of very many marks, such as those of an import. */
const markAll = (db: Db, { name }: AggregatedReport): Sql[] => [
  sql`delete from report_marks where tenant_id = ${db.tenant} and report = ${name}`,
  sql`insert into report_marks (tenant_id, report, from_day, to_day)
    values (${db.tenant}, ${name}, ${ALL_DAYS.from}, ${ALL_DAYS.to})`,
]

/** Replaces long marks by short ones over days with records. A later record brings its own mark. */
const splitMarks = (db: Db, { name, dayBounds }: AggregatedReport, ids: readonly string[]): Sql =>
  insertSelected(sql`insert into report_marks (tenant_id, report, from_day, to_day)
    select ${db.tenant}::uuid, ${name}, n.day, n.day + ${MAX_DAYS - 1}::integer
    from (select greatest(min(m.from_day), min(d.first)) as first, least(max(m.to_day), max(d.last)) as last
      from report_marks m cross join (${dayBounds(db)}
        union all select min(day), max(day) from report_days where tenant_id = ${db.tenant} and report = ${name}) d
      where m.tenant_id = ${db.tenant} and m.id = any(${[...ids]}::uuid[])
      having min(d.first) is not null) e
      cross join lateral (
        select e.first + n as day from generate_series(0, e.last - e.first, ${MAX_DAYS}) n) n`)

/**
 * Aggregates the days of some marks. A change and its mark become visible together, so a change not seen here keeps a
 * mark that isn't among these.
 */
async function aggregateDays(db: Db, report: AggregatedReport, ids: readonly string[]): Promise<Sql[]> {
  const rows = await db.all<{ day: string }>(markedDays(db, report, ALL_DAYS, ids))
  const days = rows.map(({ day }) => day)
  return [
    sql`delete from report_days
      where tenant_id = ${db.tenant} and report = ${report.name} and day = any(${days}::date[])`,
    ...(await report.aggregate(db, days)),
  ]
}
