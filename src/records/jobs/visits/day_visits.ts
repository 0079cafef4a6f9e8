import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import type { Job } from '../fields.ts'
import { CREW } from '../listing.ts'
import type { Assignment } from './work_fields.ts'
import { MAX_VISIT_DAYS } from './schedule.ts'

/** Visit as a day sheet shows it. */
export type DayVisit = Pick<
  Job,
  'display_number' | 'title' | 'status' | 'priority' | 'customer_name' | 'location_address' | 'all_day'
> & { scheduled_start: string; scheduled_end: string; assignees: Assignment[] }

/**
 * Returns up to `limit` visits of a time span by start, without canceled ones but including those that began earlier
 * and continue, and how many there are.
 */
export async function visitsBetween(
  db: Db,
  from: string,
  until: string,
  limit: number,
): Promise<{ visits: DayVisit[]; count: number }> {
  const earliest = Temporal.Instant.from(from).subtract({ hours: MAX_VISIT_DAYS * 24 })
  const visitRows = await db.all<DayVisit & { count: number }>(sql`
    select j.display_number, j.title, j.status, j.priority, c.display_name as customer_name, j.location_address,
      j.all_day, j.scheduled_start, j.scheduled_end, crew(j.assignee_ids) as assignees, j.count
    from (select *, count(*) over () as count
      from jobs
      where tenant_id = ${db.tenant} and scheduled_start >= ${earliest.toString()}
        and scheduled_start < ${until} and scheduled_end > ${from} and status <> 'cancelled'
      order by scheduled_start, id limit ${limit}) j
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    order by j.scheduled_start, j.id`)
  return { visits: visitRows, count: visitRows[0]?.count ?? 0 }
}

/** Counts the jobs without a time, and the urgent ones among them. */
export const countWaiting = (db: Db): Promise<{ waiting: number; urgent: number }> =>
  db.one(sql`select count(*) as waiting, count(*) filter (where priority = 'urgent') as urgent
    from jobs where tenant_id = ${db.tenant} and status = 'unscheduled'`)

/** Counts the jobs without a time, up to `limit`. */
export const countUnscheduledJobs = async (db: Db, limit: number): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count
        from (select from jobs j where j.tenant_id = ${db.tenant} and j.status = 'unscheduled' limit ${limit}) c`,
    )
  ).count

/** Visit with a time, as the schedule shows it; an all-day one starts at midnight. */
export type BookedVisit = Pick<
  Job,
  'id' | 'display_number' | 'title' | 'status' | 'priority' | 'customer_name' | 'all_day' | 'updated_at'
> & {
  location_address?: string | null
  assignees: readonly Assignment[]
  scheduled_start: string
  scheduled_end: string
}

const VISIT_COLUMNS = sql`j.id, j.display_number, j.title, j.status, j.priority, c.display_name as customer_name,
  j.location_address, ${CREW} as assignees, j.scheduled_start, j.scheduled_end, j.all_day, j.updated_at`

const overlapsSpan = (db: Db, begin: Temporal.Instant, end: Temporal.Instant): Sql => sql`j.tenant_id = ${db.tenant}
  and j.scheduled_start >= ${utc(begin.subtract({ hours: MAX_VISIT_DAYS * 24 }))}
  and j.scheduled_start < ${utc(end)} and j.scheduled_end > ${utc(begin)} and j.status <> 'cancelled'`

/** Returns up to `limit` visits that overlap a time span, by start, without canceled ones. */
export const listBookedVisits = (
  db: Db,
  begin: Temporal.Instant,
  end: Temporal.Instant,
  limit: number,
): Promise<BookedVisit[]> =>
  db.all<BookedVisit>(sql`
  select ${VISIT_COLUMNS}
  from (select * from jobs j where ${overlapsSpan(db, begin, end)} order by j.scheduled_start, j.id limit ${limit}) j
    join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
  order by j.scheduled_start, j.id`)

const startOf = (day: Temporal.PlainDate, zone: string): Temporal.Instant => day.toZonedDateTime(zone).toInstant()

/** Range of days in a company's calendar. */
type CalendarDays = { from: Temporal.PlainDate; to: Temporal.PlainDate; zone: string }

/** Returns the first `limit` visits of each day, all-day ones first, and how many the day has. */
export const listFirstVisits = (
  db: Db,
  { from, to, zone }: CalendarDays,
  limit: number,
): Promise<(BookedVisit & { day: string; visits: number })[]> =>
  db.all(sql`
  with touching as (
    select j.id, j.all_day, j.scheduled_start, (j.scheduled_start at time zone ${zone})::date as first,
      case when j.all_day then (j.scheduled_start at time zone ${zone})::date - 1
          + greatest(1, round(extract(epoch from j.scheduled_end - j.scheduled_start) / 86400))::integer
        else ((j.scheduled_end - interval '1 ms') at time zone ${zone})::date end as last
    from jobs j
    where ${overlapsSpan(db, startOf(from, zone), startOf(to.add({ days: 1 }), zone))}),
  placed as (
    select t.id, d.day, count(*) over (partition by d.day)::integer as visits,
      row_number() over (partition by d.day order by t.all_day desc, t.scheduled_start, t.id) as place
    from touching t cross join lateral (
      select greatest(t.first, ${from.toString()}) + n as day
      from generate_series(0, least(t.last, ${to.toString()}) - greatest(t.first, ${from.toString()})) n) d)
  select ${VISIT_COLUMNS}, p.day, p.visits
  from (select * from placed where place <= ${limit} offset 0) p
    cross join lateral (select * from jobs where tenant_id = ${db.tenant} and id = p.id limit 1) j
    cross join lateral (
      select display_name from customers where tenant_id = ${db.tenant} and id = j.customer_id limit 1) c
  order by p.day, p.place`)

/** Job without a time, as the schedule shows it. */
export type UnscheduledVisit = Omit<BookedVisit, 'scheduled_start' | 'scheduled_end' | 'all_day'> & {
  duration_minutes: number
}

/** Returns the newest jobs without a time. */
export const listUnscheduledVisits = (db: Db, limit: number): Promise<UnscheduledVisit[]> =>
  db.all(sql`
  select ${VISIT_COLUMNS}, j.duration_minutes
  from jobs j join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
  where j.tenant_id = ${db.tenant} and j.status = 'unscheduled'
  order by j.created_at desc, j.id desc limit ${limit}`)
