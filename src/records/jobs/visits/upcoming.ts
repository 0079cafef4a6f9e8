import { sql, type Db } from '../../../platform/db/tenant.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { arrivalWindowOf } from '../../../scheduling/hours.ts'
import type { Job } from '../fields.ts'
import type { Assignment } from './work_fields.ts'

/** Visit that is ahead or under way, as its customer sees it. */
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

const MAX_UPCOMING = 20

/** Returns a customer's visits that aren't over, soonest first. */
export const listUpcomingVisits = (db: Db, customer: string): Promise<UpcomingVisit[]> =>
  db.all(sql`select id, title, status, scheduled_start, scheduled_end, all_day,
    ${arrivalWindowOf(sql`arrival_window_minutes`)} as arrival_window_minutes, timezone, location_address,
      crew(assignee_ids) as assignments from jobs
    where tenant_id = ${db.tenant} and customer_id = ${customer} and scheduled_start is not null
      and (status in ('en_route', 'in_progress') or (status = 'scheduled' and scheduled_end > moment()))
    order by scheduled_start, id limit ${MAX_UPCOMING}`)

/** Visit as a calendar shows it. */
export type CalendarVisit = Pick<
  Job,
  | 'id'
  | 'display_number'
  | 'title'
  | 'status'
  | 'customer_name'
  | 'location_address'
  | 'all_day'
  | 'arrival_window_minutes'
  | 'timezone'
  | 'updated_at'
> & {
  scheduled_start: string
  scheduled_end: string
  crew: string[]
  /** Whole seconds from the job's creation to its last change. */
  revision: number
}

/** Days before and after today that a calendar shows. */
const PAST_DAYS = 31
const FUTURE_DAYS = 366
/** Maximum past and future visits in a calendar, nearest first. The past can't crowd out the future. */
const MAX_PAST_VISITS = 500
const MAX_FUTURE_VISITS = 1_500

/** Returns a company's visits around a moment by start, including canceled ones; with `member`, only theirs. */
export function listCalendarVisits(db: Db, now: Temporal.Instant, member: string | null): Promise<CalendarVisit[]> {
  const condition = sql`tenant_id = ${db.tenant} and (${member}::uuid is null or ${member} = any(assignee_ids))`
  return db.all<CalendarVisit>(sql`
  with near as (
    (select id from jobs where ${condition} and scheduled_start < ${utc(now)}
        and scheduled_start >= ${utc(now.subtract({ hours: PAST_DAYS * 24 }))}
      order by scheduled_start desc limit ${MAX_PAST_VISITS})
    union all
    (select id from jobs where ${condition} and scheduled_start >= ${utc(now)}
        and scheduled_start < ${utc(now.add({ hours: FUTURE_DAYS * 24 }))}
      order by scheduled_start limit ${MAX_FUTURE_VISITS})
  )
  select j.id, j.display_number, j.title, j.status, c.display_name as customer_name, j.location_address, j.all_day,
    ${arrivalWindowOf(sql`j.arrival_window_minutes`)} as arrival_window_minutes,
    j.timezone, j.updated_at, j.scheduled_start, j.scheduled_end,
    array(select u.name from unnest(j.assignee_ids) with ordinality a (id, at) join users u on u.id = a.id
      order by a.at) as crew,
    extract(epoch from j.updated_at - j.created_at)::integer as revision
  from near n join jobs j on j.tenant_id = ${db.tenant} and j.id = n.id
    join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
  order by j.scheduled_start, j.id`)
}
