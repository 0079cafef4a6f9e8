import { exportJWK, calculateJwkThumbprint, generateKeyPair, type JWK } from 'jose'
import { sql } from '../../db/database.ts'
import type { Database } from '../../db/tenant.ts'

/** Describes a key that signs tokens. `jwk` has the private part. */
export type SigningKey = { kid: string; jwk: JWK; created_at: string; signs_from: string }

/** Is in minutes, for which a new key is published before it signs: longer than anyone caches the published keys. */
const PUBLISHED_FIRST = 10

/** Lists signing keys, newest first; the first whose time has come signs. */
export async function listSigningKeys(database: Database): Promise<SigningKey[]> {
  const [answer] = await database.send([
    sql`select kid, jwk, created_at, signs_from from signing_keys order by signs_from desc, kid`,
  ])
  return answer!.rows as SigningKey[]
}

/** Adds a key that takes over in ten minutes, or at once when it is the first; tokens of the old ones stay valid. */
export async function rotateSigningKey(database: Database): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = await calculateJwkThumbprint(await exportJWK(publicKey))
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
  const [answer] = await database.send([
    sql`
    insert into signing_keys (kid, jwk, signs_from)
    select ${kid}, ${JSON.stringify(jwk)}::jsonb,
      moment() + case when exists (select from signing_keys) then make_interval(mins => ${PUBLISHED_FIRST}) else interval '0' end
    returning kid, jwk, created_at, signs_from`,
  ])
  return answer!.rows[0] as SigningKey
}

/** Returns the newest key whose time to sign has come. */
export const signerOf = (keys: readonly SigningKey[], now = Date.now()): SigningKey =>
  keys.find(({ signs_from }) => Date.parse(signs_from) <= now) ?? keys.at(-1)!

/** Returns the part of a key that is published (RFC 7517). */
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
  /** Returns the present keys, newest first, at least one; a rotation shows within a minute. */
  keys(): Promise<readonly SigningKey[]>
  /** Reads the keys again because one was not among them; at most once a second. */
  reread(): Promise<readonly SigningKey[]>
}

const FRESH_FOR = 60_000
const COOLDOWN = 1_000

/** Opens the service's own keys, cached; makes the first one when there is none. */
export function openKeyring(database: Database): Keyring {
  let held: { keys: Promise<SigningKey[]>; at: number } | undefined
  const read = (): Promise<SigningKey[]> => {
    const keys = readOrMake(database)
    held = { keys, at: Date.now() }
    keys.catch(() => {
      held = undefined
    })
    return keys
  }
  const within = (age: number): Promise<readonly SigningKey[]> =>
    held !== undefined && Date.now() - held.at < age ? held.keys : read()
  return { keys: () => within(FRESH_FOR), reread: () => within(COOLDOWN) }
}

async function readOrMake(database: Database): Promise<SigningKey[]> {
  const keys = await listSigningKeys(database)
  if (keys.length > 0) return keys
  await rotateSigningKey(database)
  return listSigningKeys(database)
}

/** Removes keys whose successor has signed for a day: by then every token of theirs has expired. */
export const sweepSigningKeys = () => sql`delete from signing_keys old where exists (
  select from signing_keys newer where newer.signs_from > old.signs_from and newer.signs_from < moment() - interval '1 day')`
