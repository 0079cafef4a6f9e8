import type { JWK } from 'jose'
import { sql, type Database } from '../../../platform/db/tenant.ts'
import type { DataKeys, SealingCounts } from '../../data_keys.ts'
import { seal, sealKeyId, unseal, type DataKey, type SealContext } from '../../sealing.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Stored signing key. The private part is sealed for its row, or is in `jwk` if there is no data key. */
export type StoredKey = { kid: string; jwk: JWK; sealed: Buffer | null }

const sealContext = (kid: string): SealContext => ({ table: 'signing_keys', row: kid })

/** Returns the form in which a key is stored. */
export function toStoredKey(dataKeys: DataKeys, { kid, jwk }: Pick<StoredKey, 'kid' | 'jwk'>): StoredKey {
  const dataKey = dataKeys.sealingKey()
  return dataKey === null ? { kid, jwk, sealed: null } : sealKey(dataKey, { kid, jwk })
}

function sealKey(dataKey: DataKey, { kid, jwk: { d, ...open } }: Pick<StoredKey, 'kid' | 'jwk'>): StoredKey {
  const secret = Buffer.from(requireValue(d, 'The private part of a key'), 'base64url')
  return { kid, jwk: open, sealed: seal(dataKey, sealContext(kid), secret) }
}

/** Returns the whole key, or only the public part if no data key here opens the private part. */
export function unsealKey(dataKeys: DataKeys, { kid, jwk, sealed }: StoredKey): JWK {
  if (sealed === null) return jwk
  const d = unseal(dataKeys.openingKeys(), sealContext(kid), sealed)
  return d === null ? jwk : { ...jwk, d: d.toString('base64url') }
}

/** Seals every key that is in clear or under an earlier key with the current data key, if there is one. */
export async function sealSigningKeys(database: Database, dataKeys: DataKeys): Promise<SealingCounts> {
  const counts: SealingCounts = { sealed: 0, before: 0, unopened: 0 }
  const [answer] = await database.send([sql<StoredKey>`select kid, jwk, sealed from signing_keys order by kid`])
  const dataKey = answer.rows.length === 0 ? null : dataKeys.sealingKey()
  if (dataKey !== null) for (const row of answer.rows) counts[await sealOne(database, dataKeys, dataKey, row)]++
  return counts
}

async function sealOne(
  database: Database,
  dataKeys: DataKeys,
  dataKey: DataKey,
  row: StoredKey,
): Promise<keyof SealingCounts> {
  const { kid } = row
  if (row.sealed !== null && sealKeyId(row.sealed) === dataKey.id) return 'before'
  const jwk = unsealKey(dataKeys, row)
  if (jwk.d === undefined) return 'unopened'
  const next = sealKey(dataKey, { kid, jwk })
  await database.send([
    sql`update signing_keys set jwk = ${JSON.stringify(next.jwk)}::jsonb, sealed = ${next.sealed}
      where kid = ${kid} and sealed is not distinct from ${row.sealed}`,
  ])
  return 'sealed'
}
