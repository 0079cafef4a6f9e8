import type { Role } from '../identity/permissions/areas.ts'
import { sql, type Db } from '../platform/db/tenant.ts'

/** Active member with their visits in a time span; `count` is the number of active members. */
type MemberVisits = { user_id: string; name: string; role: Role; skills: string[]; visits: number; count: number }

/** Returns active members, technicians first, each with the number of visits in a time span. */
export const listMemberVisits = (
  db: Db,
  from: Temporal.Instant,
  until: Temporal.Instant,
  limit: number,
): Promise<MemberVisits[]> =>
  db.all<MemberVisits>(sql`
    select u.id as user_id, u.name, m.role, m.skills, count(*) over ()::integer as count,
      (select count(*) from job_assignees a where a.tenant_id = ${db.tenant} and a.user_id = u.id and a.status <> 'cancelled'
        and a.scheduled_start >= ${from.toString()} and a.scheduled_start < ${until.toString()}) as visits
    from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null
      order by m.role = 'tech' desc, lower(u.name), u.id limit ${limit}`)
