import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { dataKeyOf, seal, sealKeyId, unseal, type DataKey, type SealContext } from './sealing.ts'
import { writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { requireValue } from '../platform/errors/require_value.ts'
import { errorCode } from '../platform/errors/error_code.ts'

/** Source of the data keys. `file` is created if no other source is set; null: no file. */
type DataKeySource = { current: Buffer | null; previous: Buffer | null; file: string | null }

export type DataKeys = {
  /**
   * Returns the key that seals, or null if there is none and values stay in clear. Creates the key file if configured.
   */
  sealingKey(): DataKey | null
  /** Returns the keys that can open a value, the sealing key first. */
  openingKeys(): readonly DataKey[]
}

/** Opens the data keys on first use. Throws the file system's error if the file can't be read or created. */
export function openDataKeys(source: DataKeySource): DataKeys {
  let cached: DataKey | null | undefined
  const sealingKey = (): DataKey | null =>
    (cached ??= source.current === null ? readOrMakeKey(source) : dataKeyOf(source.current))
  return { sealingKey, openingKeys: () => uniqueKeys([sealingKey(), ...existingKeys(source)]) }
}

/** Returns the keys that exist now, without creating one. */
export function existingKeys({ current, previous, file }: DataKeySource): readonly DataKey[] {
  const keys = [current, previous].map((key) => (key === null ? null : dataKeyOf(key)))
  return uniqueKeys([...keys, file === null ? null : readKey(file)])
}

const uniqueKeys = (keys: readonly (DataKey | null)[]): readonly DataKey[] => [
  ...new Map(keys.flatMap((key) => (key === null ? [] : [[key.id, key] as const]))).values(),
]

const readOrMakeKey = ({ file }: DataKeySource): DataKey | null =>
  file === null ? null : (readKey(file) ?? makeKey(file))

function readKey(file: string): DataKey | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new Error(`${file} must contain 32 bytes in base64: restore the original file`)
  return dataKeyOf(key)
}

/** Creates the file atomically. If several processes create it at once, one key wins. */
function makeKey(file: string): DataKey {
  const tempFile = `${file}.${randomUUID()}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(tempFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(tempFile, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(tempFile)
  }
  return requireValue(readKey(file), `The key in ${file}`)
}

/** First byte of a value in clear, without a data key. A sealed value starts with another byte. */
const CLEAR = 0

/** Returns a secret in its stored form: sealed for its row if there is a data key. */
export function sealText(keys: DataKeys, context: SealContext, secret: string): Buffer {
  const key = keys.sealingKey()
  const value = Buffer.from(secret)
  return key === null ? Buffer.concat([Buffer.of(CLEAR), value]) : seal(key, context, value)
}

/** Returns the secret of a stored value, or null if no key here opens it. */
export const unsealText = (keys: DataKeys, context: SealContext, sealed: Buffer): string | null =>
  (sealed[0] === CLEAR ? sealed.subarray(1) : unseal(keys.openingKeys(), context, sealed))?.toString() ?? null

/**
 * Reseals a stored value with the current key. Returns `before` if that key already sealed it, and `unopened` if no key
 * here opens it.
 */
export function resealText(keys: DataKeys, context: SealContext, sealed: Buffer): Buffer | 'before' | 'unopened' {
  const secret = unsealText(keys, context, sealed)
  if (secret === null) return 'unopened'
  if (sealed[0] !== CLEAR && sealKeyId(sealed) === (keys.sealingKey()?.id ?? null)) return 'before'
  return sealText(keys, context, secret)
}

/** Counts of secrets: sealed now, sealed by the current key before, and not opened by any key here. */
export type SealingCounts = { sealed: number; before: number; unopened: number }

/** Seals one secret per company with the current key. `seal` returns null if a company has none. */
export async function sealEach(
  database: Database,
  tenants: readonly string[],
  seal: (db: Db) => Promise<keyof SealingCounts | null>,
): Promise<SealingCounts> {
  const counts: SealingCounts = { sealed: 0, before: 0, unopened: 0 }
  for (const tenant of tenants) {
    const outcome = await writeTenant(database, { tenant }, seal)
    if (outcome !== null) counts[outcome]++
  }
  return counts
}
