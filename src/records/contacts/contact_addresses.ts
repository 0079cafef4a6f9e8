import { sql, type Db } from '../../platform/db/tenant.ts'
import { quoteText } from '../../platform/errors/refusal.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { phone } from '../format/formats.ts'
import type { Contact } from './fields.ts'
import { warnings } from './refusals.ts'

type ContactAddresses = Pick<Contact, 'phone' | 'email'>

/** Returns a warning for each other customer with one of these phones or emails. */
export async function otherCustomerWarnings(
  db: Db,
  customer: string,
  contacts: readonly ContactAddresses[],
): Promise<Warning[]> {
  const phones = contacts.flatMap(({ phone }) => phone ?? [])
  const emails = contacts.flatMap(({ email }) => email ?? [])
  if (phones.length + emails.length === 0) return []
  const others = await db.all<{ id: string; display_name: string; reach: string }>(sql`
    select distinct on (c.id) c.id, c.display_name,
      case when k.phone = any(${phones}) then k.phone else k.email end as reach
    from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${db.tenant} and k.archived_at is null and c.archived_at is null and c.id <> ${customer}
      and (k.phone = any(${phones}) or k.email = any(${emails})) order by c.id, k.id limit 5`)
  return others.map(({ id, display_name, reach }) =>
    warnings.otherCustomer({
      reach: { forAgent: reach.startsWith('+') ? reach : quoteText(reach), forPeople: () => phone(reach) },
      name: { forAgent: quoteText(display_name), forPeople: () => display_name },
      id,
    }),
  )
}

/**
 * Returns the live contacts with this phone in E.164 or one of these emails. The limit is enough to distinguish one
 * customer from several.
 */
export const findContactsByAddress = (
  db: Db,
  phone: string | null,
  emails: readonly string[],
): Promise<{ id: string; customer_id: string }[]> =>
  db.all<{ id: string; customer_id: string }>(sql`
    select k.id, k.customer_id from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${db.tenant} and k.archived_at is null and c.archived_at is null
      and (k.phone = ${phone} or k.email = any(${[...emails]}))
    order by k.is_primary desc, k.customer_id, k.id limit 100`)

/** Clears the STOP opt-out of every contact with a number. `updated_at` stays, since no tool shows the field. */
export const clearSmsOptOut = (db: Db, phone: string): Promise<number> =>
  db.run(sql`update contacts set sms_stopped_at = null
    where tenant_id = ${db.tenant} and phone = ${phone} and sms_stopped_at is not null`)

/** Returns when a contact's number opted out of SMS by reply; null if it didn't. */
export const smsStoppedAt = async (db: Db, id: string): Promise<string | null> =>
  (
    await db.maybe<{ at: string | null }>(
      sql`select sms_stopped_at as at from contacts where tenant_id = ${db.tenant} and id = ${id}`,
    )
  )?.at ?? null

/** Returns a warning if another contact of the same customer has the same phone or email, as couples do. */
export async function sameCustomerWarnings(db: Db, contact: Contact): Promise<Warning[]> {
  if (contact.phone === null && contact.email === null) return []
  const duplicates = await db.all<ContactAddresses>(sql`select phone, email from contacts
    where tenant_id = ${db.tenant} and customer_id = ${contact.customer_id} and id <> ${contact.id}
      and archived_at is null
      and (phone = ${contact.phone} or email = ${contact.email}) limit 1`)
  return duplicates.map(({ phone }) =>
    phone !== null && phone === contact.phone ? warnings.samePhone() : warnings.sameEmail(),
  )
}
