import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, valuesOf } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalid, invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { readPhone } from '../../platform/validation/formats/phone.ts'
import { say } from '../../platform/i18n/say.ts'
import type { WrittenRecord } from '../../tools/call/outcome.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { CONTACT, type Contact, type ContactDraft, type ContactInput } from './fields.ts'
import { refusals } from './refusals.ts'

/** Lists live contacts of a customer, primary first, then oldest first. */
export const contactsOf = (db: Db, customer: string): Promise<Contact[]> =>
  db.all<Contact>(sql`select ${CONTACT.columns()} from contacts
    where tenant_id = ${db.tenant} and customer_id = ${customer} and archived_at is null
    order by is_primary desc, created_at, id`)

type Listing = ChangeFilter & { customer_id: string; page: number; limit: number }

/** Lists contacts, one row more than the page holds. */
export const listContacts = (db: Db, { page, limit, ...listing }: Listing): Promise<Contact[]> =>
  db.all<Contact>(sql`select ${CONTACT.columns('k')}
    ${changeColumns(listing, CHANGED_AT, sql`k.archived_at is not null or c.archived_at is not null`)} ${fromClause(db, listing)}
    order by ${listing.updated_since === undefined ? sql`k.is_primary desc, k.created_at, k.id` : sql`${CHANGED_AT}, k.id`}
    limit ${limit + 1} offset ${(page - 1) * limit}`)

export const countContacts = async (db: Db, listing: Listing): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) as count ${fromClause(db, listing)}`)).count

const fromClause = (
  db: Db,
  { customer_id, ...byChange }: Pick<Listing, 'customer_id' | keyof ChangeFilter>,
): Sql => sql`
  from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
  where k.tenant_id = ${db.tenant}
    and k.customer_id = ${customer_id} ${whereListed(byChange, sql`k.archived_at is null`)}
  ${byChange.updated_since === undefined ? sql`` : sql`and ${CHANGED_AT} >= ${byChange.updated_since} and ${CHANGED_AT} < settled()`}`

/** Time of the contact's last change, or of its customer's archiving if later. */
const CHANGED_AT = sql`greatest(k.updated_at, c.archived_at)`

/** Returns a live contact of a live customer. */
export const findContact = (db: Db, id: string): Promise<Contact> =>
  db.present<Contact>(
    sql`select ${CONTACT.columns('k')}
      from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${db.tenant} and k.id = ${id} and k.archived_at is null and c.archived_at is null`,
    'contact',
  )

/** Returns the contact for a document: the named live one of the live customer, else the primary one. */
export async function contactFor(
  db: Db,
  customer: string,
  requestedId: string | null | undefined,
): Promise<string | null> {
  if (requestedId === null) return null
  const existing = await db.maybe<{
    id: string
  }>(sql`select k.id from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
    where k.tenant_id = ${db.tenant} and k.customer_id = ${customer} and k.archived_at is null and c.archived_at is null
      and ${requestedId === undefined ? sql`k.is_primary` : sql`k.id = ${requestedId}`}`)
  if (existing === undefined && requestedId !== undefined) throw invalidField('contact_id', refusals.notOfCustomer())
  return existing?.id ?? null
}

/**
 * Adds contacts to a locked customer. A customer's first contact becomes primary in any case; a later one marked
 * primary replaces it.
 */
export async function addContacts(
  db: Db,
  { user }: Caller,
  customer: string,
  contacts: readonly ContactInput[],
): Promise<{ added: Contact[]; also: WrittenRecord[] }> {
  if (contacts.length === 0) return { added: [], also: [] }
  const { count } = await db.one<{ count: number }>(sql`select count(*) as count from contacts
    where tenant_id = ${db.tenant} and customer_id = ${customer} and archived_at is null`)
  const lastPrimary = contacts.findLastIndex(({ is_primary }) => is_primary)
  const primary = lastPrimary >= 0 ? lastPrimary : count === 0 ? 0 : -1
  const also = primary >= 0 ? await demotePrimary(db, customer) : []
  const added = await db.all<Contact>(
    sql`insert into contacts ${valuesOf(
      contacts.map((contact, i) => ({
        tenant_id: db.tenant,
        id: newId(),
        customer_id: customer,
        ...CONTACT.toColumns({ ...contact, is_primary: i === primary }),
        created_by: user,
        updated_by: user,
      })),
    )} returning ${CONTACT.columns()}`,
  )
  return { added, also }
}

/** Changes a contact of a locked customer. */
export async function changeContact(
  db: Db,
  { user }: Caller,
  before: Contact,
  contact: ContactInput,
): Promise<{ after: Contact; also: WrittenRecord[] }> {
  if (before.is_primary && !contact.is_primary) {
    throw invalidField('is_primary', refusals.primaryRequired())
  }
  const also = contact.is_primary && !before.is_primary ? await demotePrimary(db, before.customer_id) : []
  const after = await db.one<Contact>(sql`update contacts
      set ${assignments({ ...CONTACT.toColumns(contact), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${before.id} returning ${CONTACT.columns()}`)
  return { after, also }
}

/** Archives a contact of a locked customer. The oldest remaining contact replaces a primary one. */
export async function archiveContact(
  db: Db,
  { user }: Caller,
  contact: Contact,
): Promise<{ id: string; archived_at: string; new_primary_id: string | null }> {
  const archived = await db.one<{ id: string; archived_at: string }>(sql`
    update contacts
      set archived_at = moment(), is_primary = false, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${contact.id} returning id, archived_at`)
  const promoted = contact.is_primary ? await promoteOldest(db, contact.customer_id) : undefined
  return { ...archived, new_primary_id: promoted?.id ?? null }
}

/**
 * Moves the contacts of a customer, including archived ones, to another; both rows are locked. The target keeps its
 * primary contact.
 */
export const moveContacts = (db: Db, user: string | null, customer: string, into: string): Promise<{ id: string }[]> =>
  db.all(sql`update contacts set customer_id = ${into}, updated_at = later_than(updated_at), updated_by = ${user},
      is_primary = is_primary and not exists (select 1 from contacts k
        where k.tenant_id = ${db.tenant} and k.customer_id = ${into} and k.is_primary and k.archived_at is null)
    where tenant_id = ${db.tenant} and customer_id = ${customer} returning id`)

/** Makes the primary contact an ordinary one. Returns its audit entry, if there was one. */
const demotePrimary = async (db: Db, customer: string): Promise<WrittenRecord[]> =>
  (
    await db.all<{ id: string }>(sql`update contacts set is_primary = false, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and customer_id = ${customer} and is_primary and archived_at is null returning id`)
  ).map(({ id }) => ({ record: id, changes: { is_primary: [true, false] } }))

const promoteOldest = (db: Db, customer: string): Promise<{ id: string } | undefined> =>
  db.maybe<{ id: string }>(sql`update contacts set is_primary = true, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = (
      select id from contacts
      where tenant_id = ${db.tenant} and customer_id = ${customer} and archived_at is null
      order by created_at, id limit 1)
    returning id`)

/**
 * Returns a contact with its phone in E.164 and any extension typed after it. `path` is the prefix of field paths in
 * refusals.
 */
export function completeContact(draft: ContactDraft, country: string, path = ''): ContactInput {
  const parsedPhone = draft.phone == null ? undefined : readPhone(draft.phone, country, `${path}phone`)
  const contact = CONTACT.complete({
    ...draft,
    phone: parsedPhone?.phone,
    phone_extension: draft.phone_extension ?? parsedPhone?.extension,
  })
  requireReachable(contact, path)
  return contact
}

/**
 * Returns a contact after a change. The extension belongs to the number: it stays if the number is the same, in any
 * format.
 */
export function reviseContact(before: Contact, patch: ContactDraft, country: string): ContactInput {
  if (patch.phone === undefined) return completeContact(applyPatch<ContactDraft>(before, patch), country)
  const changedContact = completeContact(applyPatch<ContactDraft>({ ...before, phone_extension: null }, patch), country)
  return changedContact.phone === before.phone && patch.phone_extension === undefined
    ? { ...changedContact, phone_extension: changedContact.phone_extension ?? before.phone_extension }
    : changedContact
}

/** Throws unless a contact has at least one of the four fields that identify it. */
function requireReachable({ first_name, last_name, email, phone }: ContactInput, path = ''): void {
  if (first_name === null && last_name === null && email === null && phone === null) {
    const fields = ['first_name', 'last_name', 'email', 'phone'].map(fieldName)
    throw path === ''
      ? invalid(refusals.unreachable({ fields }))
      : invalidField(path.slice(0, -1), refusals.listedUnreachable({ fields }))
  }
}

/** Returns a contact's display name: the name, else the email or phone. */
export const contactName = ({
  first_name,
  last_name,
  email,
  phone,
}: Pick<Contact, 'first_name' | 'last_name' | 'email' | 'phone'>): string =>
  [first_name, last_name].filter(Boolean).join(' ') || (email ?? phone ?? say`No name`)
