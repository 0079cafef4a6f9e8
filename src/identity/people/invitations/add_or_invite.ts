import { writeTenant, type Database, type Db, type TenantEntry } from '../../../platform/db/tenant.ts'
import type { Account } from '../accounts.ts'
import { ceilingOf, type Ceiling, type Role } from '../../permissions/areas.ts'
import type { Actor } from '../../audit.ts'
import { createInvitation, auditInvitation, withdrawOpenInvitations, type IssuedInvitation } from './invitations.ts'
import {
  auditAddedMember,
  admitPerson,
  companyName,
  preparePerson,
  type AddedMember,
  type NewMember,
  type PreparedPerson,
} from '../people.ts'

/** Age of an account, the company that created it, and whether its address is vouched for or verified. */
export type ExistingAccount = { since: string; createdThrough: string | null; isVouched: boolean; isVerified: boolean }

/** New member, or an invitation if the account is another company's. `existing` is null for a new account. */
export type MemberAddition = { existing: ExistingAccount | null } & (
  | { added: AddedMember }
  | { invitation: IssuedInvitation }
)

/** Adds a person to a company for the operator, or creates the link by which they join with a new sign-in. */
export async function addOrInviteMember(
  database: Database,
  entry: TenantEntry,
  input: NewMember,
  by: Actor = null,
): Promise<MemberAddition> {
  const person = await preparePerson(database, input, await companyName(database, entry))
  const ceiling = ceilingOf(input.role, input.areas)
  return writeTenant(
    database,
    entry,
    (db) => addOrInviteMemberIn(db, person, input.role, ceiling, by),
    (addition) => [auditMemberAddition(entry.tenant, by, addition)],
  )
}

export async function addOrInviteMemberIn(
  db: Db,
  person: PreparedPerson,
  role: Role,
  ceiling: Ceiling,
  by: Actor,
): Promise<MemberAddition> {
  const { email, isNameAssumed } = person
  const name = isNameAssumed ? null : person.name
  const { member, account } = await admitPerson(db, person, role, ceiling)
  const existing = toExistingAccount(account)
  if (member === null)
    return { existing, invitation: await createInvitation(db, { email, name, role, ceiling, startsOver: true }, by) }
  await withdrawOpenInvitations(db, email)
  return { existing, added: member }
}

/** Returns the audit row of either outcome. */
export const auditMemberAddition = (tenant: string, by: Actor, addition: MemberAddition) =>
  'added' in addition ? auditAddedMember(tenant, by, addition.added) : auditInvitation(tenant, by, addition.invitation)

const toExistingAccount = ({ isNew, since, createdThrough, isVouched, isVerified }: Account): ExistingAccount | null =>
  isNew ? null : { since, createdThrough, isVouched, isVerified }
