import { sql, type Database, type Db } from '../../../platform/db/tenant.ts'
import { resealText, sealEach, sealText, unsealText, type DataKeys, type SealingCounts } from '../../data_keys.ts'
import type { SealContext } from '../../sealing.ts'

const sealContext = (tenant: string): SealContext => ({ table: 'company_providers', row: tenant })

/** Returns a client secret in its stored form. */
export const sealClientSecret = (keys: DataKeys, tenant: string, secret: string): Buffer =>
  sealText(keys, sealContext(tenant), secret)

/** Returns the secret of a stored value, or null if no key here opens it. */
export const unsealClientSecret = (keys: DataKeys, tenant: string, sealed: Buffer): string | null =>
  unsealText(keys, sealContext(tenant), sealed)

/** Seals the companies' client secrets with the current key, both clear ones and those under an earlier key. */
export const sealCompanySecrets = (
  database: Database,
  keys: DataKeys,
  tenants: readonly string[],
): Promise<SealingCounts> => sealEach(database, tenants, (db) => sealOneSecret(db, keys))

async function sealOneSecret(db: Db, keys: DataKeys): Promise<keyof SealingCounts | null> {
  const row = await db.maybe<{ stored: Buffer }>(
    sql`select client_secret as stored from company_providers
      where tenant_id = ${db.tenant} and client_secret is not null
      for update`,
  )
  if (row === undefined) return null
  const sealed = resealText(keys, sealContext(db.tenant), row.stored)
  if (typeof sealed === 'string') return sealed
  await db.run(sql`update company_providers set client_secret = ${sealed} where tenant_id = ${db.tenant}`)
  return 'sealed'
}
