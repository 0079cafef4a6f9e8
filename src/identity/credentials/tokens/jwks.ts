import { createLocalJWKSet, type CryptoKey, type JWK } from 'jose'
import { fetchBounded } from '../../providers/bounded_fetch.ts'
import { publicPart, type Keyring, type SigningKey } from './signing_keys.ts'

/** Finds the public key of a `kid`; undefined if there is none. Throws `KeysUnavailable` if the keys can't be read. */
export type TokenKeys = (kid: string) => Promise<CryptoKey | undefined>

export class KeysUnavailable extends Error {}

/** Returns the keys of our own authorization server, from the database. */
export function ownKeys(keyring: Keyring): TokenKeys {
  const sets = new WeakMap<readonly SigningKey[], TokenKeys>()
  const keyIn = (keys: readonly SigningKey[], kid: string): Promise<CryptoKey | undefined> => {
    const keyOf = sets.get(keys) ?? keySet(keys.map(publicPart))
    sets.set(keys, keyOf)
    return keyOf(kid)
  }
  return async (kid) =>
    (await keyIn(await keyring.keys().catch(throwKeysUnavailable), kid)) ??
    keyIn(await keyring.reread().catch(throwKeysUnavailable), kid)
}

const throwKeysUnavailable = (cause: unknown): never => {
  throw new KeysUnavailable('The signing keys could not be read', { cause })
}

type CachedKeys = { keyOf: TokenKeys; at: number }

const COOLDOWN_MS = 30_000
const FRESH_MS = 600_000
const MAX_BYTES = 64 * 1024

/**
 * Returns the keys that another authorization server publishes at a URL (RFC 7517 5). They are cached, and fetched
 * again for an unknown `kid` after a cooldown. While the server is unreachable, the cached keys are used.
 */
export function remoteKeys(url: string, now: () => number = Date.now): TokenKeys {
  let cached: CachedKeys | undefined
  let triedAt = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    triedAt = now()
    const response = await fetchBounded(url, { headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    const text = await response.text()
    if (text.length > MAX_BYTES) throw new Error('The key set is too large')
    cached = { keyOf: keySet((JSON.parse(text) as { keys: unknown[] }).keys), at: now() }
  }

  async function readOnce(): Promise<void> {
    reading ??= read().finally(() => (reading = undefined))
    await reading
  }

  return async (kid) => {
    const isStale = cached === undefined || now() - cached.at > FRESH_MS
    const existing = await cached?.keyOf(kid)
    if (existing !== undefined && !isStale) return existing
    let failed = cached === undefined || cached.at < triedAt
    if (reading !== undefined || now() - triedAt >= COOLDOWN_MS)
      failed = await readOnce().then(
        () => false,
        () => true,
      )
    const key = await cached?.keyOf(kid)
    if (key === undefined && failed) throw new KeysUnavailable(`The keys at ${url} could not be read`)
    return key
  }
}

/** Returns the keys of a set that verify ES256. Skips an invalid key, so that the others still work. */
function keySet(keys: readonly unknown[]): TokenKeys {
  const keyOf = createLocalJWKSet({ keys: keys.filter((key): key is JWK => key?.constructor === Object) })
  return (kid) => keyOf({ alg: 'ES256', kid }).catch(() => undefined)
}
