import { sql, type Db } from '../platform/db/tenant.ts'

/** Deletes up to `limit` of a company's conversations with no message since a time. Returns their number. */
export const sweepConversations = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from assistant_conversations where tenant_id = ${db.tenant} and id in (
    select id from assistant_conversations where tenant_id = ${db.tenant} and updated_at < ${before} limit ${limit})`)
