import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Visits of a span of time that are done, and those that are still ahead or under way. */
type VisitCounts = { done: number; ahead: number }

/** Counts the visits that begin in a span of time; canceled ones are left out. */
export const countVisits = (db: Db, from: string, until: string): Promise<VisitCounts> =>
  db.one<VisitCounts>(sql`select count(*) filter (where status = 'done')::integer as done,
    count(*) filter (where status <> 'done')::integer as ahead
  from jobs where tenant_id = ${db.tenant} and scheduled_start >= ${from} and scheduled_start < ${until}
    and status <> 'cancelled'`)
