import { readTenant, type Database } from '../../platform/db/tenant.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { requireOwner } from '../permissions/rights.ts'
import type { Actor } from '../audit.ts'
import { listGrants, withdrawGrant, type Grant } from '../credentials/clients/grants.ts'
import { isAllowed, selectAppPolicy, toVerdict, type PolicyRow } from './verdict.ts'

/** Limits what is ended by one press. */
const MAX_AT_ONCE = 200

/** Returns what is connected and could not be connected now, by the company's policy. */
export async function listOutsidePolicy(
  database: Database,
  tenant: string,
  grants: readonly Grant[],
): Promise<readonly Grant[]> {
  if (grants.length === 0) return []
  return readTenant(database, { tenant }, async (db) => {
    const judged = await Promise.all(
      grants.map(async (grant) => {
        const app = { id: grant.client_id, kind: grant.client_kind }
        const row = await db.maybe<PolicyRow>(selectAppPolicy(db.tenant, app, grant.user_id))
        return { grant, isAllowed: isAllowed(toVerdict(row), grant) }
      }),
    )
    return judged.filter(({ isAllowed }) => !isAllowed).map(({ grant }) => grant)
  })
}

/**
 * Disconnects for an owner what the policy of now would not let in, 200 at once. Returns the apps that were
 * disconnected.
 */
export async function disconnectOutside(database: Database, tenant: string, by: Actor): Promise<readonly Grant[]> {
  await readTenant(database, { tenant }, (db) => requireOwner(db, by))
  const outside = (await listOutsidePolicy(database, tenant, await listGrants(database, { tenant }))).slice(
    0,
    MAX_AT_ONCE,
  )
  const ended: Grant[] = []
  for (const { client_id, user_id } of outside) {
    const grant = await withdrawGrant(database, client_id, user_id, by, tenant).catch(ignoreNotFound)
    if (grant !== undefined) ended.push(grant)
  }
  return ended
}

/** Passes over what somebody else disconnected meanwhile. */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
}
