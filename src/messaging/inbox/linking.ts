import type { Actor } from '../../identity/audit.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { findCustomer } from '../../records/customers/index.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { refusals } from './refusals.ts'

type Thread = { id: string; channel: string; counterpart: string | null; customer_id: string | null; last_at: string }

/**
 * Links a thread without a customer to one. It had none because two customers share the number, the sender was unknown,
 * or the mail failed its checks. Returns how many messages it moved into the customer's history. Throws `conflict` if
 * the thread belongs to another customer.
 */
export async function linkConversation(db: Db, by: Actor, conversation: string, customer: string): Promise<number> {
  const [thread, { id: customer_id }] = await Promise.all([
    db.present<Thread>(
      sql`select id, channel, counterpart, customer_id, last_at from conversations
        where tenant_id = ${db.tenant} and id = ${conversation} for update`,
      'conversation',
    ),
    findCustomer(db, customer),
  ])
  if (thread.customer_id !== null && thread.customer_id !== customer_id) throw conflict(refusals.otherCustomer())
  const own = await ownThread(db, thread, customer_id)
  const moved = await db.run(sql`update communications
    set customer_id = coalesce(customer_id, ${customer_id}), conversation_id = ${own},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and conversation_id = ${thread.id}
      and (customer_id is null or conversation_id <> ${own})`)
  await Promise.all([
    ...(own === thread.id
      ? []
      : [db.run(sql`delete from conversations where tenant_id = ${db.tenant} and id = ${thread.id}`)]),
    db.run(
      sql`update conversations
        set customer_id = ${customer_id}, last_at = greatest(last_at, ${thread.last_at}::timestamptz)
        where tenant_id = ${db.tenant} and id = ${own}`,
    ),
    ...(moved === 0
      ? []
      : [
          db.run(sql`insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
      values (${db.tenant}, ${newId()}, ${by?.user ?? null}, 'customers.link_messages', 'customer', ${customer_id},
        ${JSON.stringify({ messages: [null, moved], conversation: [null, own] })})`),
        ]),
  ])
  return moved
}

/** Returns the customer's existing thread between the same two numbers, or else this one. */
async function ownThread(db: Db, { id, channel, counterpart, customer_id }: Thread, customer: string): Promise<string> {
  if (counterpart === null || customer_id === customer) return id
  const existing = await db.maybe<{ id: string }>(sql`select id from conversations
    where tenant_id = ${db.tenant} and channel = ${channel} and counterpart = ${counterpart}
      and customer_id = ${customer}
    for update`)
  return existing?.id ?? id
}
