import { sql, type Db } from '../../../platform/db/tenant.ts'
import { isOlder, type HistoryPage } from '../../history/history_cursor.ts'
import type { Job } from '../fields.ts'
import type { Assignment } from '../visits/work_fields.ts'

type JobSummary = Pick<
  Job,
  'id' | 'display_number' | 'title' | 'status' | 'scheduled_start' | 'scheduled_end' | 'all_day'
>

/** Event of a job in its customer's history: its booking, or its completion, cancellation or planned start. */
export type JobEvent = JobSummary & {
  at: string
  is_booking: boolean
  booked_by: string | null
  crew: Assignment[]
  cancel_reason: string | null
  files: number
  photos: { id: string; caption: string | null; file_name: string }[]
}

/** Upcoming visit, or a job without a time. */
export type UpcomingJob = JobSummary & { crew: Assignment[] }

/** Time of a job in the history. The index `jobs_of_story` has the same expression. */
const HISTORY_TIME = sql`coalesce(j.completed_at, j.cancelled_at, j.scheduled_start, j.created_at)`

const SUMMARY_COLUMNS = sql`j.id, j.display_number, j.title, j.status, j.scheduled_start, j.scheduled_end, j.all_day,
  crew(j.assignee_ids) as crew`

/** Maximum photos of a visit in its customer's history. */
const MAX_PHOTOS = 4

/** Returns the events of a customer's jobs, newest first. Jobs of a series have no booking event. */
export const listJobEvents = (db: Db, customer: string, page: HistoryPage): Promise<JobEvent[]> =>
  db.all<JobEvent>(sql`
    with visits as (
      select j.id, ${HISTORY_TIME} as at, false as is_booking from jobs j
      where j.tenant_id = ${db.tenant} and j.customer_id = ${customer} and ${HISTORY_TIME} <= now()
        and ${isOlder(page, HISTORY_TIME, sql`j.id`)}
      order by ${HISTORY_TIME} desc, j.id desc limit ${page.limit}),
    bookings as (
      select j.id, j.created_at as at, true as is_booking from jobs j
      where j.tenant_id = ${db.tenant} and j.customer_id = ${customer}
        and j.series_id is null and j.scheduled_start is not null and ${isOlder(page, sql`j.created_at`, sql`j.id`)}
      order by j.created_at desc, j.id desc limit ${page.limit})
    select e.at, e.is_booking, ${SUMMARY_COLUMNS}, u.name as booked_by, j.cancel_reason,
      case when e.is_booking then 0 else (
        select count(*)::int from job_media m where m.tenant_id = ${db.tenant} and m.job_id = j.id) end as files,
      case when e.is_booking then '[]' else (
        select coalesce(json_agg(json_build_object('id', m.id, 'caption', m.caption, 'file_name', m.file_name)), '[]')
        from (select id, caption, file_name from job_media
          where tenant_id = ${db.tenant} and job_id = j.id
            and content_type in ('image/jpeg', 'image/png', 'image/gif', 'image/webp')
          order by created_at desc, id desc limit ${MAX_PHOTOS}) m) end as photos
    from (select * from visits union all select * from bookings order by at desc, id desc limit ${page.limit}) e
      join jobs j on j.tenant_id = ${db.tenant} and j.id = e.id left join users u on u.id = j.created_by
    order by e.at desc, e.id desc, e.is_booking`)

/** Returns a customer's next visits, soonest first. */
export const listNextVisits = (db: Db, customer: string, limit: number): Promise<UpcomingJob[]> =>
  db.all<UpcomingJob>(sql`select ${SUMMARY_COLUMNS} from jobs j
    where j.tenant_id = ${db.tenant} and j.customer_id = ${customer} and ${HISTORY_TIME} > now()
      and j.status not in ('done', 'cancelled')
    order by ${HISTORY_TIME}, j.id limit ${limit}`)

/** Returns a customer's jobs without a time, oldest first. */
export const listUnscheduledJobs = (db: Db, customer: string, limit: number): Promise<UpcomingJob[]> =>
  db.all<UpcomingJob>(sql`select ${SUMMARY_COLUMNS} from jobs j
    where j.tenant_id = ${db.tenant} and j.customer_id = ${customer} and j.status = 'unscheduled'
    order by j.created_at, j.id limit ${limit}`)
