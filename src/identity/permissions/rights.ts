import { StaleAccess, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { ROLES, ceilingOf, isOffice, scopesUnder, type Ceiling, type Role } from './areas.ts'
import type { Scope } from './scopes.ts'
import type { Actor } from '../audit.ts'
import { errorCode } from '../../platform/errors/error_code.ts'
import { Unavailable } from '../../platform/errors/refusal.ts'

/** Returns the first statement of a transaction, which aborts it unless the actor is an owner or the operator. */
export const ownerCheck = (tenant: string, by: Actor): Sql[] => roleCheck(tenant, by, ['owner'])

/** Returns the same for a member's changes to their own record, which an owner may also make. */
const ownerOrSelfCheck = (tenant: string, by: Actor, person: string | null): Sql[] =>
  roleCheck(tenant, by, by?.user === person ? ROLES : ['owner'])

const roleCheck = (tenant: string, by: Actor, roles: readonly Role[]): Sql[] =>
  by === null ? [] : [sql`select still_in(${tenant}, ${by.user}, ${[...roles]}::text[])`]

export const requireActiveMember = (db: Db, user: string): Promise<unknown> =>
  db.present(
    sql`select user_id from members where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null`,
    'member',
  )

/** Requires an owner, in a transaction of one tenant. */
export const requireOwner = async (db: Db, by: Actor): Promise<void> => runChecks(db, ownerCheck(db.tenant, by))
/** Requires an owner or an office member, in a transaction of one tenant. */
export const requireOffice = async (db: Db, by: Actor): Promise<void> =>
  runChecks(db, roleCheck(db.tenant, by, ['owner', 'office']))
export const requireOwnerOrSelf = async (db: Db, by: Actor, person: string | null): Promise<void> =>
  runChecks(db, ownerOrSelfCheck(db.tenant, by, person))

async function runChecks(db: Db, statements: readonly Sql[]): Promise<void> {
  for (const statement of statements) await db.run(statement)
}

/** Refuses to grant scopes that the actor doesn't have now. */
export async function requireScopes(db: Db, by: Actor, scopes: readonly string[]): Promise<void> {
  if (by === null) return
  const { role, ceiling } = await db.one<{ role: Role; ceiling: Ceiling }>(sql`select role, ceiling from members
    where tenant_id = ${db.tenant} and user_id = ${by.user}`)
  const scopesHeld: ReadonlySet<string> = scopesOfRole(role, ceiling)
  if (scopes.some((scope) => !scopesHeld.has(scope))) throw new StaleAccess()
}

const scopesOfRole = (role: Role, ceiling: Ceiling): Set<Scope> =>
  scopesUnder(role === 'owner' ? ceilingOf('owner', undefined) : ceiling)

/** Checks whether an office member has a scope now, for work that continues after their request. */
export async function isOfficeWith(db: Db, user: string, scope: Scope): Promise<boolean> {
  const member = await db.maybe<{ role: Role; ceiling: Ceiling }>(sql`select role, ceiling from members
    where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null`)
  return member !== undefined && isOffice(member) && scopesOfRole(member.role, member.ceiling).has(scope)
}

/** Checks whether work failed because the actor's rights ended meanwhile. */
export const isStale = (error: unknown): boolean => error instanceof StaleAccess || errorCode(error) === 'CA001'

const MAX_TRIES = 3

/** Runs work, and retries it after `refresh` has read changed rights. Throws `Unavailable` after three tries. */
export async function retryStale<T>(
  work: () => Promise<T>,
  refresh: (stale: StaleAccess) => Promise<void>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StaleAccess)) throw error
      if (tries === MAX_TRIES) throw new Unavailable('the rights of the caller are being changed')
      await refresh(error)
    }
  }
}
