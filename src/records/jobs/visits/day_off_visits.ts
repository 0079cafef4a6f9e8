import { sql, type Db } from '../../../platform/db/tenant.ts'
import { findOffTime } from '../../../scheduling/off_time.ts'
import { rosterOf } from '../../../scheduling/roster.ts'
import type { Job } from '../fields.ts'
import type { Assignment } from './work_fields.ts'

/** Open visit on a day that the company or a member has off or works other hours. */
export type DayOffVisit = Pick<Job, 'id' | 'display_number' | 'title' | 'customer_name' | 'all_day'> & {
  exception_id: string
  day: string
  scheduled_start: string
  scheduled_end: string
  assignees: Assignment[]
}

/** Maximum visits to read. */
const MAX_VISITS = 200

/**
 * Returns the open visits that fall into the off time of a member's days off, or the company's (`user` null), by day. A
 * company day off counts only if the assignee has no other hours on that day.
 */
export async function visitsOnDaysOff(
  db: Db,
  { user, zone, from }: { user: string | null; zone: string; from: string },
): Promise<{ visits: DayOffVisit[]; isTruncated: boolean }> {
  const first = Temporal.PlainDate.from(from)
  const visitRows = await db.all<DayOffVisit>(sql`
    select e.id as exception_id, e.day, j.id, j.display_number, j.title, c.display_name as customer_name, j.all_day,
      j.scheduled_start, j.scheduled_end, crew(j.assignee_ids) as assignees
    from working_exceptions e
      join jobs j on j.tenant_id = e.tenant_id and j.status not in ('done', 'cancelled')
        and j.scheduled_start < (e.day + 1)::timestamp at time zone ${zone}
        and j.scheduled_start > (e.day - 15)::timestamp at time zone ${zone}
        and j.scheduled_end > e.day::timestamp at time zone ${zone}
      join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    where e.tenant_id = ${db.tenant} and e.user_id is not distinct from ${user} and e.day >= ${from}
      and (e.user_id is null or e.user_id = any(j.assignee_ids))
    order by e.day, j.scheduled_start, j.id limit ${MAX_VISITS + 1}`)
  const visits = visitRows.slice(0, MAX_VISITS)
  const last = visits.at(-1)
  if (last === undefined) return { visits: [], isTruncated: false }
  const roster = await rosterOf(db, first, Temporal.PlainDate.from(last.day))
  const isOff = (visit: DayOffVisit): boolean =>
    peopleOf(visit, user).some((one) => findOffTime(roster, zone, one, visit) !== undefined)
  return { visits: visits.filter(isOff), isTruncated: visitRows.length > MAX_VISITS }
}

const peopleOf = ({ assignees }: DayOffVisit, user: string | null): readonly (string | null)[] =>
  user !== null ? [user] : assignees.length === 0 ? [null] : assignees.map(({ user_id }) => user_id)
