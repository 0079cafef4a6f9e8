import { sql, writeTenant, type Database, type Db } from '../../../platform/db/tenant.ts'
import { resealText, sealText, unsealText, type DataKeys } from '../../data_keys.ts'
import type { Sealing } from '../../factors/app_secrets.ts'
import type { SealContext } from '../../sealing.ts'

const sealContext = (tenant: string): SealContext => ({ table: 'company_providers', row: tenant })

/** Returns a client secret as the database keeps it. */
export const sealClientSecret = (keys: DataKeys, tenant: string, secret: string): Buffer =>
  sealText(keys, sealContext(tenant), secret)

/** Returns the secret of what the database keeps, or null where no key here opens it. */
export const unsealClientSecret = (keys: DataKeys, tenant: string, kept: Buffer): string | null =>
  unsealText(keys, sealContext(tenant), kept)

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
  const sealed = resealText(keys, sealContext(db.tenant), found.kept)
  if (typeof sealed === 'string') return sealed
  await db.run(sql`update company_providers set client_secret = ${sealed} where tenant_id = ${db.tenant}`)
  return 'sealed'
}
