import { timingSafeEqual } from 'node:crypto'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { UnsubscribeLink } from '../outbox/unsubscribe_link.ts'
import { setExcluded } from './exclusions.ts'

/** Recipient of a reminder, found by its unsubscribe link. */
export type ReminderRecipient = { recipient: string; customer_id: string | null; preferred_language: string | null }

/** Returns the recipient that an unsubscribe link belongs to; undefined if the secret is wrong. */
export async function reminderRecipient(
  db: Db,
  { message, secret }: UnsubscribeLink,
): Promise<ReminderRecipient | undefined> {
  const row = await db.maybe<ReminderRecipient & { unsubscribe_secret: Buffer }>(
    sql`select o.recipient, o.unsubscribe_secret, m.customer_id, c.preferred_language from outbox o
      join communications m on m.tenant_id = o.tenant_id and m.id = o.id
      left join customers c on c.tenant_id = m.tenant_id and c.id = m.customer_id
      where o.tenant_id = ${db.tenant} and o.id = ${message} and o.unsubscribe_secret is not null`,
  )
  return row !== undefined && timingSafeEqual(row.unsubscribe_secret, secret) ? row : undefined
}

const MAX_CUSTOMERS = 100

/**
 * Stops reminders to the customer of a reminder, and to every other customer with its address. It covers all their
 * addresses, so that no reminder arrives at another one or by text instead.
 */
export async function unsubscribe(db: Db, { recipient, customer_id }: ReminderRecipient): Promise<void> {
  const customers = await db.all<{ id: string }>(sql`select id from customers c
    where c.tenant_id = ${db.tenant} and c.archived_at is null
      and (c.id = ${customer_id} or exists (select 1 from contacts k
      where k.tenant_id = ${db.tenant} and k.customer_id = c.id and k.archived_at is null and k.email = ${recipient}))
    order by c.id limit ${MAX_CUSTOMERS}`)
  for (const { id } of customers) await setExcluded(db, null, id, true)
}
