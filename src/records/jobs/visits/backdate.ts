import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Dates the end of a job that was done before it came here, in the transaction that brings it in. */
export const backdateJob = (db: Db, id: string, completed_at: string): Promise<number> =>
  db.run(
    sql`update jobs set completed_at = ${completed_at}
      where tenant_id = ${db.tenant} and id = ${id} and status = 'done'`,
  )
