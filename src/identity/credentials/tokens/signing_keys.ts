import { exportJWK, calculateJwkThumbprint, generateKeyPair, type JWK } from 'jose'
import { rowsOf, sql } from '../../../platform/db/database.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import type { DataKeys } from '../../data_keys.ts'
import { toStoredKey, unsealKey, sealSigningKeys, type StoredKey } from './sealed_keys.ts'
import { onlyRow } from '../../../platform/db/sql.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Token signing key. `jwk` includes the private part, unless it is sealed with a data key that isn't available. */
export type SigningKey = { kid: string; jwk: JWK; created_at: string; signs_from: string }

/** Minutes that a new key is published before it signs: longer than anyone caches the published keys. */
const PUBLISH_MINUTES = 10

/** Lists signing keys, newest first. The first key that is due and has its private part signs. */
export async function listSigningKeys(database: Database, dataKeys: DataKeys): Promise<SigningKey[]> {
  const rows = await rowsOf(
    database.send,
    sql<
      SigningKey & StoredKey
    >`select kid, jwk, sealed, created_at, signs_from from signing_keys order by signs_from desc, kid`,
  )
  return rows.map(({ sealed, ...key }) => ({ ...key, jwk: unsealKey(dataKeys, { ...key, sealed }) }))
}

/** Adds a key that takes over in ten minutes, or at once if no other can sign. Tokens of old keys stay valid. */
export async function rotateSigningKey(database: Database, dataKeys: DataKeys): Promise<SigningKey> {
  const isFirst = !(await listSigningKeys(database, dataKeys)).some(canSign)
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey))
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
  const stored = toStoredKey(dataKeys, { kid, jwk })
  const [answer] = await database.send([
    sql<Omit<SigningKey, 'jwk'>>`
    insert into signing_keys (kid, jwk, sealed, signs_from)
    values (${kid}, ${JSON.stringify(stored.jwk)}::jsonb, ${stored.sealed},
      moment() + make_interval(mins => ${isFirst ? 0 : PUBLISH_MINUTES}))
    returning kid, created_at, signs_from`,
  ])
  return { ...onlyRow(answer), jwk }
}

/** Checks whether the private part of a key is available. */
export const canSign = ({ jwk }: SigningKey): boolean => jwk.d !== undefined

/** Returns the newest key that is due, among those that can sign here, or among all if none can. */
export function signerOf(keys: readonly SigningKey[], now = Date.now()): SigningKey {
  const candidates = keys.some(canSign) ? keys.filter(canSign) : keys
  const current = candidates.find(({ signs_from }) => Date.parse(signs_from) <= now)
  return requireValue(current ?? candidates.at(-1), 'A signing key')
}

/** Returns the public part of a key (RFC 7517). */
export const publicPart = ({ kid, jwk: { kty, crv, x, y } }: SigningKey) => ({
  kty,
  crv,
  x,
  y,
  kid,
  alg: 'ES256',
  use: 'sig',
})

export type Keyring = {
  /** Returns the current keys, newest first, at least one. A rotation appears within a minute. */
  keys(): Promise<readonly SigningKey[]>
  /** Reads the keys again because one was missing, at most once a second. */
  reread(): Promise<readonly SigningKey[]>
}

const FRESH_MS = 60_000
const COOLDOWN_MS = 1_000

/**
 * Opens the service's own keys, cached. The first read seals clear keys. Creates a key if none can sign, as at the
 * first start or after the data key was lost.
 */
export function openKeyring(database: Database, dataKeys: DataKeys): Keyring {
  let cached: { keys: Promise<SigningKey[]>; at: number } | undefined
  let isSealed = false
  const read = (): Promise<SigningKey[]> => {
    const keys = isSealed
      ? listOrCreateKeys(database, dataKeys)
      : sealSigningKeys(database, dataKeys).then(() => {
          isSealed = true
          return listOrCreateKeys(database, dataKeys)
        })
    cached = { keys, at: Date.now() }
    keys.catch(() => {
      cached = undefined
    })
    return keys
  }
  const keysYoungerThan = (age: number): Promise<readonly SigningKey[]> =>
    cached !== undefined && Date.now() - cached.at < age ? cached.keys : read()
  return { keys: () => keysYoungerThan(FRESH_MS), reread: () => keysYoungerThan(COOLDOWN_MS) }
}

async function listOrCreateKeys(database: Database, dataKeys: DataKeys): Promise<SigningKey[]> {
  const keys = await listSigningKeys(database, dataKeys)
  if (keys.some(canSign)) return keys
  await rotateSigningKey(database, dataKeys)
  return listSigningKeys(database, dataKeys)
}

/** Removes keys whose successor has signed for a day, when all their tokens have expired. */
export const sweepSigningKeys = () => sql`delete from signing_keys old where exists (
  select 1 from signing_keys newer
  where newer.signs_from > old.signs_from and newer.signs_from < moment() - interval '1 day')`
