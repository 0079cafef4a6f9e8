import { readTenant, sql, writeTenant, type Database, type Db, type TenantEntry } from '../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { claimAccountIn } from './recovery/claim_account.ts'
import { findOrCreateAccount, hasNoSignIn, isOtherCompanysAccount, type Account } from './accounts.ts'
import { deleteAppRequests } from '../apps/requests.ts'
import { AREA_NAMES, ceilingOf, type Ceiling, type Role } from '../permissions/areas.ts'
import { auditChange, type Actor } from '../audit.ts'
import { hashChosenPassword } from '../sign_in/passwords/chosen_password.ts'
import { emitAccessChange } from '../sign_in/access_changes.ts'
import { readEmail, readName } from '../inputs.ts'
import { hashPassword, newPassword } from '../sign_in/passwords/passwords.ts'
import { requireOwner } from '../permissions/rights.ts'
import { refusals } from './refusals.ts'

/** User as one company sees them; `areas` is their ceiling. */
export type Member = {
  user_id: string
  email: string
  name: string
  role: Role
  areas: Ceiling
  created_at: string
  /** Null while they are an active member. */
  deactivated_at: string | null
}

/**
 * First password of a user: a chosen one, refused if they already have a sign-in; a generated one unless they do; none.
 * Only the operator may use the first two: the person who sets it could sign in to the user's other companies too.
 */
export type FirstPassword = { chosen: string } | 'generated' | 'none'

export type NewPerson = { email: string; name?: string | undefined; password: FirstPassword }
export type NewMember = NewPerson & { role: Role; areas?: Partial<Ceiling> | undefined }

/** Added member; `password` is in clear text, once, if it was generated. */
export type AddedMember = Member & { password: string | null }

type MemberChange = { role?: Role | undefined; areas?: Partial<Ceiling> | undefined }

/** Adds a user to a company, and creates the user if necessary. A removed member returns without their old keys. */
export async function addMember(
  database: Database,
  entry: TenantEntry,
  input: NewMember,
  by: Actor = null,
): Promise<AddedMember> {
  const person = await preparePerson(database, input, await companyName(database, entry))
  const ceiling = ceilingOf(input.role, input.areas)
  return writeTenant(
    database,
    entry,
    async (db) => requireAdmitted(await admitPerson(db, person, input.role, ceiling), person.email),
    (added) => [auditAddedMember(entry.tenant, by, added)],
  )
}

/** Lists current and former members of the company: active ones first, then owners, office, technicians. */
export const listMembers = (database: Database, entry: TenantEntry): Promise<Member[]> =>
  readTenant(database, entry, (db) =>
    db.all<Member>(sql`select ${columns} from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant}
    order by m.deactivated_at is not null, array_position(array['owner', 'office', 'tech'], m.role), lower(u.name),
      u.id`),
  )

/** Returns an active member, by email address or ID. */
export const findMember = (database: Database, entry: TenantEntry, emailOrId: string): Promise<Member> =>
  readTenant(database, entry, (db) =>
    db.present<Member>(
      sql`select ${columns} from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null and ${memberCondition(emailOrId)}`,
      'member',
    ),
  )

/**
 * Changes a member's role, areas or both. A new role starts from its defaults; otherwise areas start from the current
 * ones. Throws `conflict` for the last owner's role.
 */
export async function changeMember(
  database: Database,
  entry: TenantEntry,
  user: string,
  change: MemberChange,
  by: Actor = null,
): Promise<Member> {
  const { after } = await writeTenant(
    database,
    entry,
    async (db) => {
      await requireOwner(db, by)
      const before = await lockMember(db, user)
      const role = change.role ?? before.role
      const areas = ceilingOf(role, change.areas, role === before.role ? before.areas : undefined)
      if (before.role === 'owner' && role !== 'owner') await requireAnotherOwner(db, user)
      if (role === before.role && !isDifferent(areas, before.areas)) return { before, after: before }
      await db.run(
        sql`update members set role = ${role}, ceiling = ${areas} where tenant_id = ${db.tenant} and user_id = ${user}`,
      )
      return { before, after: { ...before, role, areas } }
    },
    ({ before, after }) =>
      before === after
        ? []
        : [
            auditChange(entry.tenant, by, 'members.set', user, {
              role: [before.role, after.role],
              areas: [before.areas, after.areas],
            }),
          ],
  )
  emitAccessChange(user)
  return after
}

/** Ends a membership and revokes the member's keys. Throws `conflict` for the last owner. */
export async function removeMember(
  database: Database,
  entry: TenantEntry,
  user: string,
  by: Actor = null,
): Promise<Member> {
  const removed = await writeTenant(
    database,
    entry,
    async (db) => {
      await requireOwner(db, by)
      const before = await lockMember(db, user)
      if (before.role === 'owner') await requireAnotherOwner(db, user)
      const [{ deactivated_at }] = await Promise.all([
        db.one<{ deactivated_at: string }>(sql`update members set deactivated_at = moment()
        where tenant_id = ${db.tenant} and user_id = ${user} returning deactivated_at`),
        db.run(sql`update credentials set revoked_at = moment()
        where tenant_id = ${db.tenant} and user_id = ${user} and revoked_at is null`),
        db.run(deleteAppRequests(db.tenant, user)),
        db.run(sql`delete from oauth_grants where tenant_id = ${db.tenant} and user_id = ${user}`),
        db.run(sql`delete from sessions where user_id = ${user} and bound_to = ${db.tenant}`),
      ])
      return { ...before, deactivated_at }
    },
    ({ deactivated_at }) => [
      auditChange(entry.tenant, by, 'members.remove', user, { deactivated_at: [null, deactivated_at] }),
    ],
  )
  emitAccessChange(user)
  return removed
}

/** Person parsed from the input, with the password already hashed: slow work that must not hold a transaction. */
export type PreparedPerson = {
  email: string
  name: string
  /** True if no name was given. It is derived from the address until the user enters one. */
  isNameAssumed: boolean
  password: string | null
  hash: string | null
  mustBeNew: boolean
}

export async function preparePerson(
  database: Database,
  { email: address, name: input, password: firstPassword }: NewPerson,
  company: string,
): Promise<PreparedPerson> {
  const email = readEmail(address)
  const isNameAssumed = input === undefined
  const name = isNameAssumed ? nameInAddress(email) : readName(input, 'name', 100)
  if (typeof firstPassword === 'object') {
    const [answer] = await database.send([sql`select from users u where u.email = ${email} and not ${hasNoSignIn}`])
    requireNoSignIn(email, answer.count === 0)
    return {
      email,
      name,
      isNameAssumed,
      password: firstPassword.chosen,
      hash: await hashChosenPassword(firstPassword.chosen, { email, name, companies: [company] }),
      mustBeNew: true,
    }
  }
  const password = firstPassword === 'none' ? null : newPassword()
  const hash = password === null ? null : await hashPassword(password)
  return { email, name, isNameAssumed, password, hash, mustBeNew: false }
}

/** Returns the name of an account until its user enters one. */
export const nameInAddress = (email: string): string => email.slice(0, email.indexOf('@')).slice(0, 100)

/** New member, or null if the account of the address belongs to another company and nothing changed. */
type Admission = { member: AddedMember | null; account: Account }

function requireNoSignIn(email: string, hasNone: boolean): void {
  if (!hasNone) throw conflict(refusals.canSignIn({ email }))
}

/** Returns a company's name, or an empty string if there is no such company. */
export const companyName = (database: Database, entry: TenantEntry): Promise<string> =>
  readTenant(
    database,
    entry,
    async (db) => (await db.maybe<{ name: string }>(sql`select name from tenants where id = ${db.tenant}`))?.name ?? '',
  )

/** Makes a prepared person a member, for an operator. Leaves an account that another company created unchanged. */
export async function admitPerson(db: Db, person: PreparedPerson, role: Role, ceiling: Ceiling): Promise<Admission> {
  const { email, password, hash, mustBeNew } = person
  const account = await findOrCreateAccount(db, person, { isVouched: true })
  const needsPassword = account.isNew || account.hasNoSignIn
  if (mustBeNew && !account.isNew) requireNoSignIn(email, account.hasNoSignIn)
  if (isOtherCompanysAccount(account, db.tenant)) return { member: null, account }
  if (account.isUnclaimed && needsPassword && hash !== null) await claimAccountIn(db, account.id, { next: { hash } })
  if (!account.isNew && needsPassword && hash !== null)
    await db.run(sql`update users set password_hash = ${hash}, vouched_at = moment() where id = ${account.id}`)
  const member = await enrollMember(db, { id: account.id, email }, role, ceiling)
  return { member: { ...member, password: needsPassword && !mustBeNew ? password : null }, account }
}

/** Makes a user a member. A removed member returns without their old keys. */
export async function enrollMember(
  db: Db,
  { id, email }: { id: string; email: string },
  role: Role,
  ceiling: Ceiling,
): Promise<Member> {
  const member = await db.maybe(sql`
    insert into members as m (tenant_id, user_id, role, ceiling) values (${db.tenant}, ${id}, ${role}, ${ceiling})
    on conflict (tenant_id, user_id) do update set role = excluded.role, ceiling = excluded.ceiling,
      deactivated_at = null
      where m.deactivated_at is not null
    returning user_id`)
  if (member === undefined) throw conflict(refusals.alreadyMember({ email }))
  return requireMember(db, id)
}

/** Returns the admitted member. Throws `conflict` if there is none, for callers that can't issue a link. */
export function requireAdmitted({ member }: Admission, email: string): AddedMember {
  if (member === null) throw conflict(refusals.otherCompany({ email }))
  return member
}

/** Returns the audit row of an added member. */
export const auditAddedMember = (tenant: string, by: Actor, { user_id, role, areas }: Member) =>
  auditChange(tenant, by, 'members.add', user_id, { role: [null, role], areas: [null, areas] })

const columns = sql`m.user_id, u.email, u.name, m.role, m.ceiling as areas, m.created_at, m.deactivated_at`

const requireMember = (db: Db, user: string): Promise<Member> =>
  db.present<Member>(
    sql`select ${columns} from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.user_id = ${user} and m.deactivated_at is null`,
    'member',
  )

/** Locks the tenant's row first, so that two owners can't demote or remove each other at once, then the member's. */
async function lockMember(db: Db, user: string): Promise<Member> {
  await db.present(sql`select id from tenants where id = ${db.tenant} for no key update`, 'tenant')
  return requireMember(db, user)
}

async function requireAnotherOwner(db: Db, user: string): Promise<void> {
  const other = await db.maybe(sql`select user_id from members
    where tenant_id = ${db.tenant} and role = 'owner' and deactivated_at is null and user_id <> ${user} limit 1`)
  if (other === undefined) throw conflict(refusals.lastOwner())
}

const isDifferent = (a: Ceiling, b: Ceiling): boolean => AREA_NAMES.some((area) => a[area] !== b[area])

function memberCondition(emailOrId: string) {
  const text = emailOrId.trim().toLowerCase()
  if (isId(text)) return sql`m.user_id = ${text}`
  if (text.includes('@')) return sql`u.email = ${readEmail(text)}`
  throw invalidField('user', refusals.unknown({ given: emailOrId }))
}
