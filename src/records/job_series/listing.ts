import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { MAX_COUNTED } from '../../tools/call/outcome.ts'
import { changeColumns, type ChangeFilter } from '../../tools/call/by_change.ts'
import { DTSTART, type JobSeries } from './fields.ts'
import { describeRule, upcomingStarts } from './rhythm/timing.ts'

type SeriesFilters = ChangeFilter & {
  status?: JobSeries['status'] | undefined
  customer_id?: string | undefined
  page: number
  limit: number
}

type Row = Pick<
  JobSeries,
  'id' | 'title' | 'customer_id' | 'customer_name' | 'rrule' | 'dtstart' | 'timezone' | 'status' | 'end_date'
>
type SeriesRow = Omit<Row, 'dtstart'> & { rule_text: string; next_occurrence_at: string | null }

/** Returns a page of series and one extra row, newest first; with `updated_since`, oldest change first. */
export async function listSeries(db: Db, listing: SeriesFilters, now: Temporal.Instant): Promise<SeriesRow[]> {
  const { page, limit, updated_since } = listing
  const rows = await db.all<Row>(sql`
    select s.id, s.title, s.customer_id, c.display_name as customer_name, s.rrule, s.timezone, s.status, s.end_date,
      ${DTSTART} as dtstart
      ${changeColumns(listing, sql`s.updated_at`, sql`false`)}
    from job_series s join customers c on c.tenant_id = s.tenant_id and c.id = s.customer_id
    where ${listConditions(db, listing)}
    order by ${updated_since === undefined ? sql`s.created_at desc, s.id desc` : sql`s.updated_at, s.id`}
    limit ${limit + 1} offset ${(page - 1) * limit}`)
  return rows.map(
    ({ id, title, customer_id, customer_name, rrule, timezone, dtstart, status, end_date, ...changeFields }) => {
      const timing = { rrule, timezone, dtstart, end_date }
      const [next_occurrence_at = null] = upcomingStarts(timing, now, 1)
      return {
        id,
        title,
        customer_id,
        customer_name,
        rrule,
        rule_text: describeRule(timing),
        timezone,
        status,
        next_occurrence_at,
        end_date,
        ...changeFields,
      }
    },
  )
}

/** Counts series, up to one more than the limit. */
export const countSeries = async (db: Db, listing: SeriesFilters): Promise<number> =>
  (
    await db.one<{ total: number }>(
      sql`select count(*) as total
        from (select from job_series s where ${listConditions(db, listing)} limit ${MAX_COUNTED + 1}) counted`,
    )
  ).total

const listConditions = (
  db: Db,
  { status, customer_id, updated_since }: SeriesFilters,
): Sql => sql`s.tenant_id = ${db.tenant}
  ${status === undefined ? sql`` : sql`and s.status = ${status}`}
  ${customer_id === undefined ? sql`` : sql`and s.customer_id = ${customer_id}`}
  ${updated_since === undefined ? sql`` : sql`and s.updated_at >= ${updated_since} and s.updated_at < settled()`}`
