import { readTenant, type Database } from '../../platform/db/tenant.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { requireOwner } from '../permissions/rights.ts'
import type { Actor } from '../audit.ts'
import { listGrants, revokeGrant, type Grant } from '../credentials/clients/grants.ts'
import { isAllowed, selectAppPolicy, toPolicyDecision, type PolicyRow } from './app_policy_decision.ts'

/** Maximum apps to disconnect per request. */
const MAX_DISCONNECTED = 200

/** Returns the connected apps that the company's current policy would refuse. */
export async function listGrantsOutsidePolicy(
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
        return { grant, isAllowed: isAllowed(toPolicyDecision(row), grant) }
      }),
    )
    return judged.filter(({ isAllowed }) => !isAllowed).map(({ grant }) => grant)
  })
}

/**
 * Disconnects the apps that the current policy would refuse, at most 200, for an owner. Returns the disconnected ones.
 */
export async function disconnectOutsidePolicy(
  database: Database,
  tenant: string,
  by: Actor,
): Promise<readonly Grant[]> {
  await readTenant(database, { tenant }, (db) => requireOwner(db, by))
  const outside = (await listGrantsOutsidePolicy(database, tenant, await listGrants(database, { tenant }))).slice(
    0,
    MAX_DISCONNECTED,
  )
  const disconnected: Grant[] = []
  for (const { client_id, user_id } of outside) {
    const grant = await revokeGrant(database, client_id, user_id, by, tenant).catch(ignoreNotFound)
    if (grant !== undefined) disconnected.push(grant)
  }
  return disconnected
}

/** Ignores an app that somebody else disconnected in the meantime. */
function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
}
