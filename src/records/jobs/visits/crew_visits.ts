import { sql, type Db } from '../../../platform/db/tenant.ts'
import { lowerBound, upperBound } from '../../../platform/validation/formats/instants.ts'
import type { Job } from '../fields.ts'
import { MAX_VISIT_DAYS } from './schedule.ts'

/** Visit of today with the details that a technician needs on site. */
export type OwnVisit = Pick<
  Job,
  | 'id'
  | 'display_number'
  | 'title'
  | 'status'
  | 'priority'
  | 'customer_id'
  | 'customer_name'
  | 'location_address'
  | 'scheduled_start'
  | 'scheduled_end'
  | 'all_day'
  | 'arrival_window_minutes'
  | 'instructions'
> & {
  access_notes: string | null
  phone: string | null
  phone_extension: string | null
  /** Whether the contact opted out of texts. */
  sms_opt_out: boolean
  files: number
  lines: number
}

const MAX_VISITS = 50

/** Member and day of the visits to read, and whether the member may see the customer's phone and access notes. */
type OwnVisitsQuery = { user: string; timezone: string; day: string; showsContact: boolean }

/** Returns a member's visits of a day by time, including earlier ones that are still under way. */
export function listOwnVisits(db: Db, { user, timezone, day, showsContact }: OwnVisitsQuery): Promise<OwnVisit[]> {
  const earliest = Temporal.PlainDate.from(day).subtract({ days: MAX_VISIT_DAYS }).toString()
  return db.all<OwnVisit>(sql`
  select j.id, j.display_number, j.title, j.status, j.priority, j.customer_id, c.display_name as customer_name,
    j.location_address, j.scheduled_start, j.scheduled_end, j.all_day, j.arrival_window_minutes, j.instructions,
    case when ${showsContact} then l.access_notes end as access_notes,
    case when ${showsContact} then k.phone end as phone,
    case when ${showsContact} then k.phone_extension end as phone_extension,
    coalesce(k.sms_opt_out, false) as sms_opt_out,
    (select count(*) from job_media m where m.tenant_id = ${db.tenant} and m.job_id = j.id) as files,
    jsonb_array_length(j.line_items) as lines
  from job_assignees a
    join jobs j on j.tenant_id = ${db.tenant} and j.id = a.job_id
    join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    left join locations l on l.tenant_id = ${db.tenant} and l.id = j.location_id and l.archived_at is null
    left join lateral (
      select phone, phone_extension, sms_opt_out from contacts k
      where k.tenant_id = ${db.tenant} and k.customer_id = j.customer_id and k.archived_at is null
        and k.phone is not null
      order by k.id = j.contact_id desc nulls last, k.is_primary desc, k.created_at limit 1
    ) k on true
  where a.tenant_id = ${db.tenant} and a.user_id = ${user} and a.status not in ('cancelled', 'unscheduled')
    and (a.scheduled_start >= ${lowerBound(timezone, day)} or (a.status in ('en_route', 'in_progress', 'on_hold')
      and a.scheduled_start >= ${lowerBound(timezone, earliest)}))
    and a.scheduled_start < ${upperBound(timezone, day)}
  order by j.scheduled_start, j.id limit ${MAX_VISITS}`)
}

/** Details that are needed on site. */
export type SiteAccess = { id: string; instructions: string | null; access_notes: string | null; phone: string | null }

/** Returns the details needed on site by job: the instructions and, if `showsContact`, phone and access notes. */
export const listSiteAccess = (db: Db, ids: readonly string[], showsContact: boolean): Promise<SiteAccess[]> =>
  db.all<SiteAccess>(sql`
  select j.id, j.instructions, case when ${showsContact} then l.access_notes end as access_notes,
    case when ${showsContact} then k.phone end as phone
  from jobs j
    left join locations l on l.tenant_id = ${db.tenant} and l.id = j.location_id and l.archived_at is null
    left join lateral (
      select phone from contacts k
      where k.tenant_id = ${db.tenant} and k.customer_id = j.customer_id and k.archived_at is null
        and k.phone is not null
      order by k.id = j.contact_id desc nulls last, k.is_primary desc, k.created_at limit 1
    ) k on true
  where j.tenant_id = ${db.tenant} and j.id = any(${[...new Set(ids)]}::uuid[])`)

/** Visit worked on in the last eight days; its times are in milliseconds since 1970. */
export type RecentVisit = { id: string; title: string; status: string; from: number; until: number; crew: string[] }

/** Returns the one-off visits worked on in the last eight days, oldest first. */
export const listRecentVisits = (db: Db): Promise<RecentVisit[]> =>
  db.all<RecentVisit>(sql`select id, title, status, assignee_ids as crew,
      (extract(epoch from scheduled_start) * 1000)::bigint as
        from, (extract(epoch from scheduled_end) * 1000)::bigint as until
    from jobs where tenant_id = ${db.tenant} and series_id is null and cardinality(assignee_ids) > 0
      and scheduled_start > moment() - interval '8 days' and status in ('done', 'in_progress')
    order by scheduled_start, id`)
