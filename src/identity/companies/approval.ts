import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { auditChange, type Actor } from '../audit.ts'
import { requireOwner } from '../permissions/rights.ts'
import { refusals } from './refusals.ts'

/** Holds a company's rules for what keys and apps remove (docs/spec/proposals.md#what-waits). */
type RemovalRules = {
  /** True when whatever a connection removes, voids or ends waits for approval. */
  destructive_proposes: boolean
  /** Number of such writes in ten minutes that holds a connection; 0: no limit. */
  burst_limit: number
  /** True when the limit applies to API keys too, even those that propose nothing. */
  burst_limits_keys: boolean
}

export const findRemovalRules = (database: Database, tenant: string): Promise<RemovalRules> =>
  readTenant(database, { tenant }, rulesOf)

/** Sets the rules, which hold from the next request of every connection on. */
export async function setRemovalRules(
  database: Database,
  tenant: string,
  given: Omit<RemovalRules, 'burst_limit'> & { burst_limit: string },
  by: Actor,
): Promise<void> {
  const after: RemovalRules = { ...given, burst_limit: parseLimit(given.burst_limit) }
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      const before = await rulesOf(db)
      await db.run(sql`update tenants
        set destructive_proposes = ${after.destructive_proposes}, burst_limit = ${after.burst_limit},
          burst_limits_keys = ${after.burst_limits_keys}
        where id = ${db.tenant}`)
      return before
    },
    (before) => [
      auditChange(tenant, by, 'companies.set_approval', tenant, {
        destructive_proposes: [before.destructive_proposes, after.destructive_proposes],
        burst_limit: [before.burst_limit, after.burst_limit],
        burst_limits_keys: [before.burst_limits_keys, after.burst_limits_keys],
      }),
    ],
  )
}

const rulesOf = (db: Db): Promise<RemovalRules> =>
  db.present<RemovalRules>(
    sql`select destructive_proposes, burst_limit, burst_limits_keys from tenants where id = ${db.tenant}`,
    'company',
  )

const MAX_LIMIT = 1_000

function parseLimit(text: string): number {
  const limit = Number(text.trim())
  if (!/^\d{1,4}$/.test(text.trim()) || limit > MAX_LIMIT)
    throw invalidField(
      'burst_limit',
      refusals.wholeNumber({ field: 'burst_limit', min: 0, max: MAX_LIMIT, given: text.slice(0, 60) }),
    )
  return limit
}
