import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Sets the completion time of a job that was done before its import, in the transaction of the import. */
export const backdateJob = (db: Db, id: string, completed_at: string): Promise<number> =>
  db.run(
    sql`update jobs set completed_at = ${completed_at}
      where tenant_id = ${db.tenant} and id = ${id} and status = 'done'`,
  )
