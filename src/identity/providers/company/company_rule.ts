import { readTenant, sql, type Database } from '../../../platform/db/tenant.ts'
import { factorsOf, hasSecondFactor } from '../../factors/factors.ts'
import type { Role } from '../../permissions/areas.ts'
import { isBound, type AnySession } from '../../sign_in/sessions.ts'

/** Time since which a company's own provider is on (null: off), and whether it is the only way in. */
export type ProviderRule = { onSince: string | null; isRequired: boolean }

/**
 * Returns what a session lacks for a company. A session of its provider ends when the provider is turned off. If the
 * provider is required, other sessions don't count, except those of owners with a second factor, who can fix it when it
 * fails.
 */
export async function missingSignIn(
  database: Database,
  session: AnySession,
  { role, ownProvider: { onSince, isRequired } }: { role: Role; ownProvider: ProviderRule },
): Promise<'session' | 'provider' | 'factors' | null> {
  if (isBound(session)) return onSince === null || Date.parse(session.since) < Date.parse(onSince) ? 'session' : null
  if (!isRequired) return null
  if (role !== 'owner') return 'provider'
  return hasSecondFactor(await factorsOf(database.send, session.user.id)) ? 'factors' : 'provider'
}

export const providerRuleOf = async (database: Database, tenant: string): Promise<ProviderRule> =>
  (await readTenant(database, { tenant }, (db) =>
    db.maybe<ProviderRule>(sql`
      select on_since as "onSince", required_since is not null as "isRequired" from company_providers
      where tenant_id = ${db.tenant}`),
  )) ?? { onSince: null, isRequired: false }
