import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Visits in a time span: those done, and those that aren't done. */
type VisitCounts = { done: number; remaining: number }

/** Counts the visits that start in a time span, without canceled ones. */
export const countVisits = (db: Db, from: string, until: string): Promise<VisitCounts> =>
  db.one<VisitCounts>(sql`select count(*) filter (where status = 'done')::integer as done,
    count(*) filter (where status <> 'done')::integer as remaining
  from jobs where tenant_id = ${db.tenant} and scheduled_start >= ${from} and scheduled_start < ${until}
    and status <> 'cancelled'`)
