import { sql, writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import type { DataKeys } from '../../data_keys.ts'
import type { Sealing } from '../../factors/app_secrets.ts'
import { seal, sealKeyId, unseal, type SealContext } from '../../sealing.ts'

/** Begins a secret that stands in clear, since there is no data key; a sealed one begins with another byte. */
const CLEAR = 0

const sealContext = (tenant: string): SealContext => ({ table: 'company_providers', row: tenant })

/** Returns a client secret as the database keeps it: sealed for its company, where there is a data key. */
export function sealClientSecret(keys: DataKeys, tenant: string, secret: string): Buffer {
  const key = keys.sealing()
  const value = Buffer.from(secret)
  return key === null ? Buffer.concat([Buffer.of(CLEAR), value]) : seal(key, sealContext(tenant), value)
}

/** Returns the secret of what the database keeps, or null where no key here opens it. */
export const unsealClientSecret = (keys: DataKeys, tenant: string, kept: Buffer): string | null =>
  (kept[0] === CLEAR ? kept.subarray(1) : unseal(keys.opening(), sealContext(tenant), kept))?.toString() ?? null

/** Seals the secrets of companies by the present key, those in clear and those of an earlier key. */
export async function sealCompanySecrets(
  database: Database,
  keys: DataKeys,
  tenants: readonly string[],
): Promise<Sealing> {
  const done: Sealing = { sealed: 0, before: 0, unopened: 0 }
  for (const tenant of tenants) {
    const now = await writeTenant(database, { tenant }, (db) => sealOneSecret(db, keys))
    if (now !== null) done[now]++
  }
  return done
}

async function sealOneSecret(db: Db, keys: DataKeys): Promise<keyof Sealing | null> {
  const found = await db.maybe<{ kept: Buffer }>(
    sql`select client_secret as kept from company_providers where tenant_id = ${db.tenant} and client_secret is not null
      for update`,
  )
  if (found === undefined) return null
  const secret = unsealClientSecret(keys, db.tenant, found.kept)
  if (secret === null) return 'unopened'
  if (found.kept[0] !== CLEAR && sealKeyId(found.kept) === (keys.sealing()?.id ?? null)) return 'before'
  await db.run(
    sql`update company_providers set client_secret = ${sealClientSecret(keys, db.tenant, secret)}
      where tenant_id = ${db.tenant}`,
  )
  return 'sealed'
}
