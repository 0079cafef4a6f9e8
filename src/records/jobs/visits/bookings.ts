import { sql, type Db } from '../../../platform/db/tenant.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import type { Assignment, Job } from '../job.ts'
import { MAX_VISIT_DAYS } from './schedule.ts'

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
  where j.tenant_id = ${db.tenant} and j.scheduled_start >= ${utc(begin.subtract({ hours: MAX_VISIT_DAYS * 24 }))} and j.scheduled_start < ${utc(begin)}
    and j.scheduled_end > ${utc(begin)} and j.status <> 'cancelled'
  order by j.scheduled_start, j.id limit ${most}`)

/** Returns how long the newest jobs without a time will take. */
export const listJobDurations = (db: Db, most: number): Promise<{ id: string; duration_minutes: number }[]> =>
  db.all(sql`
  select id, duration_minutes from jobs where tenant_id = ${db.tenant} and status = 'unscheduled' order by created_at desc, id desc limit ${most}`)
