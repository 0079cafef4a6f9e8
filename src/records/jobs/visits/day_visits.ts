import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { Job } from '../fields.ts'
import type { Assignment } from './work_fields.ts'

/** Describes a visit of a day as a sheet of it shows one. */
export type DayVisit = Pick<
  Job,
  'display_number' | 'title' | 'status' | 'priority' | 'customer_name' | 'location_address' | 'all_day'
> & { scheduled_start: string; scheduled_end: string; assignees: Assignment[] }

/** Maximum length of a visit, in days (docs/spec/records.md#job-schedule). */
const MAX_DAYS = 14

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
  const earliest = Temporal.Instant.from(from).subtract({ hours: MAX_DAYS * 24 })
  const found = await db.all<DayVisit & { count: number }>(sql`
    select j.display_number, j.title, j.status, j.priority, c.display_name as customer_name, j.location_address,
      j.all_day, j.scheduled_start, j.scheduled_end, crew(j.assignee_ids) as assignees, j.count
    from (select *, count(*) over () as count
      from jobs
      where tenant_id = ${db.tenant} and scheduled_start >= ${earliest.toString()}
        and scheduled_start < ${until} and scheduled_end > ${from} and status <> 'cancelled'
      order by scheduled_start, id limit ${most}) j
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    order by j.scheduled_start, j.id`)
  return { visits: found, count: found[0]?.count ?? 0 }
}

/** Counts the jobs that have no time yet, the urgent ones among them. */
export const countWaiting = (db: Db): Promise<{ waiting: number; urgent: number }> =>
  db.one(sql`select count(*) as waiting, count(*) filter (where priority = 'urgent') as urgent
    from jobs where tenant_id = ${db.tenant} and status = 'unscheduled'`)
