import { sql, type Sql } from '../../db/tenant.ts'
import type { DataKeys } from '../data_keys.ts'
import { seal, sealedBy, unseal, type SealedFor } from '../sealing.ts'

/** Begins a secret that stands in clear, since there is no data key; a sealed one begins with another byte. */
const CLEAR = 0

const placeOf = (tenant: string): SealedFor => ({ table: 'company_providers', row: tenant })

/** Returns a client secret as the database keeps it: sealed for its company, where there is a data key. */
export function keptSecret(keys: DataKeys, tenant: string, secret: string): Buffer {
  const key = keys.sealing()
  const value = Buffer.from(secret)
  return key === null ? Buffer.concat([Buffer.of(CLEAR), value]) : seal(key, placeOf(tenant), value)
}

/** Returns the secret of what the database keeps, or null where no key here opens it. */
export const openedSecret = (keys: DataKeys, tenant: string, kept: Buffer): string | null =>
  (kept[0] === CLEAR ? kept.subarray(1) : unseal(keys.opening(), placeOf(tenant), kept))?.toString() ?? null

/** Tells whether the key that seals now sealed it. */
export const isSealedNow = (keys: DataKeys, kept: Buffer): boolean =>
  kept[0] !== CLEAR && sealedBy(kept) === (keys.sealing()?.id ?? null)

/** Reads the kept secret of a company, inside it. */
export const secretOf = (tenant: string): Sql =>
  sql`select client_secret as kept from company_providers where tenant_id = ${tenant} and client_secret is not null`
