import { writeTenant, type Database, type Db, type TenantEntry } from '../../../platform/db/tenant.ts'
import type { Account } from '../accounts.ts'
import { ceilingOf, type Ceiling, type Role } from '../../permissions/areas.ts'
import type { Actor } from '../../audit.ts'
import { ask, invited, withdrawOpen, type IssuedInvitation } from './invitations.ts'
import { addition, admit, nameOf, preparePerson, type Added, type NewMember, type Prepared } from '../people.ts'

/** Says since when an account exists, through which company, and who stands for its address. */
export type KnownAccount = { since: string; through: string | null; isVouched: boolean; isProved: boolean }

/**
 * Holds the new member, or the person asked by a link because the account of the address is another company's own;
 * `known` unless the account is new.
 */
export type Hired = { known: KnownAccount | null } & ({ added: Added } | { asked: IssuedInvitation })

/** Adds a person to a company for the operator, or makes the link by which they join by themselves and start over. */
export async function hire(database: Database, entry: TenantEntry, given: NewMember, by: Actor = null): Promise<Hired> {
  const person = await preparePerson(database, given, await nameOf(database, entry))
  const ceiling = ceilingOf(given.role, given.areas)
  return writeTenant(
    database,
    entry,
    (db) => hireIn(db, person, given.role, ceiling, by),
    (hired) => [hiring(entry.tenant, by, hired)],
  )
}

export async function hireIn(db: Db, person: Prepared, role: Role, ceiling: Ceiling, by: Actor): Promise<Hired> {
  const { email, isNameAssumed } = person
  const name = isNameAssumed ? null : person.name
  const { member, account } = await admit(db, person, role, ceiling)
  const known = knownOf(account)
  if (member === null) return { known, asked: await ask(db, { email, name, role, ceiling, startsOver: true }, by) }
  await withdrawOpen(db, email)
  return { known, added: member }
}

/** Returns the audit row for either way. */
export const hiring = (tenant: string, by: Actor, hired: Hired) =>
  'added' in hired ? addition(tenant, by, hired.added) : invited(tenant, by, hired.asked)

const knownOf = ({ isNew, since, through, isVouched, isProved }: Account): KnownAccount | null =>
  isNew ? null : { since, through, isVouched, isProved }
