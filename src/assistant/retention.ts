import { sql, type Db } from '../platform/db/tenant.ts'

/** Deletes some of a company's conversations whose last message is older; returns how many. */
export const sweepConversations = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from assistant_conversations where tenant_id = ${db.tenant} and id in (
    select id from assistant_conversations where tenant_id = ${db.tenant} and updated_at < ${before} limit ${limit})`)
