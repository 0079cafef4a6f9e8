import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Sets the date of an imported quote's earlier answer, in the transaction that imports it. */
export const backdateQuote = (db: Db, id: string, answered_at: string): Promise<number> =>
  db.run(sql`update quotes
    set accepted_at = case when accepted_at is null then null else ${answered_at}::timestamptz end,
      declined_at = case when declined_at is null then null else ${answered_at}::timestamptz end
    where tenant_id = ${db.tenant} and id = ${id} and status in ('accepted', 'declined')`)
