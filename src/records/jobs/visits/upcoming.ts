import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { Job } from '../fields.ts'
import type { Assignment } from './work_fields.ts'

/** Describes a visit that is still to come, or under way, as its customer is told of it. */
export type UpcomingVisit = Pick<
  Job,
  | 'id'
  | 'title'
  | 'status'
  | 'scheduled_start'
  | 'scheduled_end'
  | 'all_day'
  | 'arrival_window_minutes'
  | 'timezone'
  | 'location_address'
> & { scheduled_start: string; scheduled_end: string; assignments: Assignment[] }

const MAX_VISITS = 20

/** Returns the visits of a customer that are not over, soonest first. */
export const listUpcomingVisits = (db: Db, customer: string): Promise<UpcomingVisit[]> =>
  db.all(sql`select id, title, status, scheduled_start, scheduled_end, all_day, arrival_window_minutes, timezone,
    location_address,
      crew(assignee_ids) as assignments from jobs
    where tenant_id = ${db.tenant} and customer_id = ${customer} and scheduled_start is not null
      and (status in ('en_route', 'in_progress') or (status = 'scheduled' and scheduled_end > moment()))
    order by scheduled_start, id limit ${MAX_VISITS}`)
