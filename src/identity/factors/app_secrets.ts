import { rowsOf, sql, type Database } from '../../platform/db/tenant.ts'
import type { DataKeys, SealingCounts } from '../data_keys.ts'
import { MIN_SEALED_BYTES, seal, sealKeyId, unseal, type SealContext } from '../sealing.ts'

const sealContext = (user: string): SealContext => ({ table: 'totp_secrets', row: user })

/** Returns a secret in its stored form: sealed for its user if there is a data key. */
export function sealTotpSecret(keys: DataKeys, user: string, secret: Buffer): Buffer {
  const key = keys.sealingKey()
  return key === null ? secret : seal(key, sealContext(user), secret)
}

/** Returns the secret of a stored value, or null if its data key is missing here or the value was tampered with. */
export const unsealTotpSecret = (keys: DataKeys, user: string, sealed: Buffer): Buffer | null =>
  sealed.length < MIN_SEALED_BYTES ? sealed : unseal(keys.openingKeys(), sealContext(user), sealed)

/** Returns the value to store from now on: unchanged, unless it is in clear or sealed by an earlier key. */
export const resealTotpSecret = (keys: DataKeys, user: string, sealed: Buffer, secret: Buffer): Buffer =>
  sealKeyId(sealed) === (keys.sealingKey()?.id ?? null) ? sealed : sealTotpSecret(keys, user, secret)

/** Seals every secret with the current key, both clear ones and those under an earlier key. */
export async function sealTotpSecrets(database: Database, keys: DataKeys): Promise<SealingCounts> {
  const rows = await rowsOf(
    database.send,
    sql<{ user_id: string; secret: Buffer }>`select user_id, secret from totp_secrets order by user_id`,
  )
  const counts: SealingCounts = { sealed: 0, before: 0, unopened: 0 }
  for (const { user_id: user, secret: sealed } of rows) counts[await sealOne(database, keys, user, sealed)]++
  return counts
}

async function sealOne(database: Database, keys: DataKeys, user: string, sealed: Buffer): Promise<keyof SealingCounts> {
  const secret = unsealTotpSecret(keys, user, sealed)
  if (secret === null) return 'unopened'
  const next = resealTotpSecret(keys, user, sealed, secret)
  if (next === sealed) return 'before'
  await database.send([sql`update totp_secrets set secret = ${next} where user_id = ${user} and secret = ${sealed}`])
  return 'sealed'
}
