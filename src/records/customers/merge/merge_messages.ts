import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Moves the conversations of a locked customer to another, and merges threads with the same counterpart. */
export async function moveConversations(db: Db, id: string, into: string): Promise<{ id: string }[]> {
  const [, , , , moved] = await Promise.all([
    db.run(sql`update communications m set conversation_id = kept.id from conversations own, conversations kept
      where ${sameThread(db, id, into)} and m.tenant_id = ${db.tenant} and m.conversation_id = own.id`),
    db.run(sql`update conversations kept set last_at = own.last_at from conversations own
      where ${sameThread(db, id, into)} and own.last_at > kept.last_at`),
    db.run(sql`delete from conversations own using conversations kept where ${sameThread(db, id, into)}`),
    db.run(sql`update conversations set customer_id = ${into} where tenant_id = ${db.tenant} and customer_id = ${id}`),
    db.all<{ id: string }>(sql`update communications set customer_id = ${into}, updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and customer_id = ${id} returning id`),
  ])
  return moved
}

/** Returns the join condition for threads of both customers with the same counterpart. */
const sameThread = (db: Db, id: string, into: string) => sql`own.tenant_id = ${db.tenant} and own.customer_id = ${id}
  and kept.tenant_id = ${db.tenant} and kept.customer_id = ${into} and kept.channel = own.channel
  and kept.counterpart = own.counterpart`
