import { importJWK, type CryptoKey, type JWK } from 'jose'
import { publicPart, type Keyring } from './signing_keys.ts'

/** Finds the public key of a `kid`; undefined when there is none. Throws `KeysUnavailable` when that can't be told. */
export type TokenKeys = (kid: string) => Promise<CryptoKey | undefined>

export class KeysUnavailable extends Error {}

/** Returns the keys of our own authorization server, from the database. */
export function ownKeys(keyring: Keyring): TokenKeys {
  const imported = new Map<string, Promise<CryptoKey>>()
  return async (kid) => {
    const keys = await keyring.keys().catch(unavailable)
    const key = keys.find((one) => one.kid === kid) ?? (await keyring.reread().catch(unavailable)).find((one) => one.kid === kid)
    if (key === undefined) return undefined
    const known = imported.get(kid) ?? importPublic(publicPart(key))
    imported.set(kid, known)
    return known
  }
}

const unavailable = (cause: unknown): never => {
  throw new KeysUnavailable('The signing keys could not be read', { cause })
}

type Published = { keys: Map<string, CryptoKey>; at: number }

const COOLDOWN = 30_000
const FRESH_FOR = 600_000
const TIMEOUT = 3_000
const LARGEST = 64 * 1024

/**
 * Returns the keys that another authorization server publishes at an address (RFC 7517 5). They are cached, and read
 * again for an unknown `kid` with a pause between tries; while the server can't be reached, those read last serve.
 */
export function publishedKeys(url: string, now: () => number = Date.now): TokenKeys {
  let held: Published | undefined
  let triedAt = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    triedAt = now()
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT), redirect: 'error', headers: { accept: 'application/json' } })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    const text = await response.text()
    if (text.length > LARGEST) throw new Error('The key set is too large')
    held = { keys: await importAll((JSON.parse(text) as { keys: unknown[] }).keys), at: now() }
  }

  async function readOnce(): Promise<void> {
    reading ??= read().finally(() => (reading = undefined))
    await reading
  }

  return async (kid) => {
    const isStale = held === undefined || now() - held.at > FRESH_FOR
    const known = held?.keys.get(kid)
    if (known !== undefined && !isStale) return known
    let failed = held === undefined || held.at < triedAt
    if (reading !== undefined || now() - triedAt >= COOLDOWN) failed = await readOnce().then(() => false, () => true)
    const found = held?.keys.get(kid)
    if (found === undefined && failed) throw new KeysUnavailable(`The keys at ${url} could not be read`)
    return found
  }
}

/** Returns the keys of a published set that can be used; a broken one is skipped, so that the others still verify. */
async function importAll(published: readonly unknown[]): Promise<Map<string, CryptoKey>> {
  const imported = await Promise.allSettled(published.filter(isUsable).map(async (key) => [key.kid, await importPublic(key)] as const))
  return new Map(imported.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
}

function isUsable(key: unknown): key is JWK & { kid: string } {
  const { kty, crv, kid, use = 'sig', alg = 'ES256' } = (key ?? {}) as JWK
  return kty === 'EC' && crv === 'P-256' && typeof kid === 'string' && use === 'sig' && alg === 'ES256'
}

const importPublic = async ({ kty, crv, x, y }: Record<string, unknown>): Promise<CryptoKey> =>
  await importJWK({ kty, crv, x, y } as JWK, 'ES256') as CryptoKey
