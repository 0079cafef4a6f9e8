import { sql, type Db } from '../../../platform/db/tenant.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import type { Job } from '../fields.ts'
import type { Assignment } from './work_fields.ts'
import { MAX_VISIT_DAYS } from './schedule.ts'

/** Describes a visit of a day as a sheet of it shows one. */
export type DayVisit = Pick<
  Job,
  'display_number' | 'title' | 'status' | 'priority' | 'customer_name' | 'location_address' | 'all_day'
> & { scheduled_start: string; scheduled_end: string; assignees: Assignment[] }

/**
 * Returns the visits of a stretch of time by start, those that began before and go on included, without canceled ones;
 * at most so many, and how many there are.
 */
export async function visitsBetween(
  db: Db,
  from: string,
  until: string,
  most: number,
): Promise<{ visits: DayVisit[]; count: number }> {
  const earliest = Temporal.Instant.from(from).subtract({ hours: MAX_VISIT_DAYS * 24 })
  const visitRows = await db.all<DayVisit & { count: number }>(sql`
    select j.display_number, j.title, j.status, j.priority, c.display_name as customer_name, j.location_address,
      j.all_day, j.scheduled_start, j.scheduled_end, crew(j.assignee_ids) as assignees, j.count
    from (select *, count(*) over () as count
      from jobs
      where tenant_id = ${db.tenant} and scheduled_start >= ${earliest.toString()}
        and scheduled_start < ${until} and scheduled_end > ${from} and status <> 'cancelled'
      order by scheduled_start, id limit ${most}) j
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    order by j.scheduled_start, j.id`)
  return { visits: visitRows, count: visitRows[0]?.count ?? 0 }
}

/** Counts the jobs that have no time yet, the urgent ones among them. */
export const countWaiting = (db: Db): Promise<{ waiting: number; urgent: number }> =>
  db.one(sql`select count(*) as waiting, count(*) filter (where priority = 'urgent') as urgent
    from jobs where tenant_id = ${db.tenant} and status = 'unscheduled'`)

/** Counts the jobs that have no time yet, up to `most`. */
export const countUnscheduledJobs = async (db: Db, most: number): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count
        from (select from jobs j where j.tenant_id = ${db.tenant} and j.status = 'unscheduled' limit ${most}) c`,
    )
  ).count

/** Describes a visit with its time as the schedule shows it; an all-day one starts at midnight. */
export type BookedVisit = Pick<
  Job,
  'id' | 'display_number' | 'title' | 'status' | 'priority' | 'customer_name' | 'all_day' | 'updated_at'
> & {
  location_address?: string | null
  assignees: readonly Assignment[]
  scheduled_start: string
  scheduled_end: string
}

/** Returns visits that began before a moment and go on, by start; canceled ones are left out. */
export const listOngoingVisits = (db: Db, begin: Temporal.Instant, most: number): Promise<BookedVisit[]> =>
  db.all<BookedVisit>(sql`
  select j.id, j.display_number, j.title, j.status, j.priority, c.display_name as customer_name, j.location_address,
    crew(j.assignee_ids) as assignees, j.scheduled_start, j.scheduled_end, j.all_day, j.updated_at
  from jobs j join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
  where j.tenant_id = ${db.tenant} and j.scheduled_start >= ${utc(begin.subtract({ hours: MAX_VISIT_DAYS * 24 }))}
    and j.scheduled_start < ${utc(begin)}
    and j.scheduled_end > ${utc(begin)} and j.status <> 'cancelled'
  order by j.scheduled_start, j.id limit ${most}`)

/** Returns how long the newest jobs without a time will take. */
export const listJobDurations = (db: Db, most: number): Promise<{ id: string; duration_minutes: number }[]> =>
  db.all(sql`
  select id, duration_minutes from jobs
  where tenant_id = ${db.tenant} and status = 'unscheduled'
  order by created_at desc, id desc limit ${most}`)
