import { sql } from '../../platform/db/tenant.ts'
import type { Job } from '../../records/jobs/index.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'

/** Describes a visit of today as whoever makes it needs it at the door. */
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
  /** Says that the customer asked for no texts. */
  sms_opt_out: boolean
  files: number
  lines: number
}

const MAX_VISITS = 50

/**
 * Returns a member's own visits of a day by time, those that began before and go on included; phone and way in only for
 * those who may see customers.
 */
export const ownVisits = (context: MemberContext, day: string): Promise<OwnVisit[]> => {
  const { timezone } = context.company
  const isTold = context.may('read:customers')
  return context.read((db) =>
    db.all<OwnVisit>(sql`
    select j.id, j.display_number, j.title, j.status, j.priority, j.customer_id, c.display_name as customer_name, j.location_address,
      j.scheduled_start, j.scheduled_end, j.all_day, j.arrival_window_minutes, j.instructions,
      case when ${isTold} then l.access_notes end as access_notes, case when ${isTold} then k.phone end as phone,
      case when ${isTold} then k.phone_extension end as phone_extension, coalesce(k.sms_opt_out, false) as sms_opt_out,
      (select count(*) from job_media m where m.tenant_id = ${db.tenant} and m.job_id = j.id) as files,
      jsonb_array_length(j.line_items) as lines
    from job_assignees a
      join jobs j on j.tenant_id = ${db.tenant} and j.id = a.job_id
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
      left join locations l on l.tenant_id = ${db.tenant} and l.id = j.location_id and l.archived_at is null
      left join lateral (
        select phone, phone_extension, sms_opt_out from contacts k
        where k.tenant_id = ${db.tenant} and k.customer_id = j.customer_id and k.archived_at is null and k.phone is not null
        order by k.id = j.contact_id desc nulls last, k.is_primary desc, k.created_at limit 1
      ) k on true
    where a.tenant_id = ${db.tenant} and a.user_id = ${context.user.id} and a.status not in ('cancelled', 'unscheduled')
      and (a.scheduled_start >= ${lowerBound(timezone, day)} or (a.status in ('en_route', 'in_progress', 'on_hold')
        and a.scheduled_start >= ${lowerBound(timezone, earlier(day))}))
      and a.scheduled_start < ${upperBound(timezone, day)}
    order by j.scheduled_start, j.id limit ${MAX_VISITS}`),
  )
}

const earlier = (day: string): string => Temporal.PlainDate.from(day).subtract({ days: 14 }).toString()
