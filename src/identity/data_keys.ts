import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { dataKeyOf, seal, sealKeyId, unseal, type DataKey, type SealContext } from './sealing.ts'
import { writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import { requireValue } from '../platform/errors/require_value.ts'
import { errorCode } from '../platform/errors/error_code.ts'

/** Source of the data keys. `file` is created where nothing else is set; null: no file is. */
type DataKeySource = { current: Buffer | null; previous: Buffer | null; file: string | null }

export type DataKeys = {
  /**
   * Returns the key that seals; null where there is none and values stay in clear. Makes the file where that is to be.
   */
  sealing(): DataKey | null
  /** Returns the keys that open, the one that seals first. */
  opening(): readonly DataKey[]
}

/**
 * Opens the data keys, when one is needed first. Throws the file system's error where the file can't be read or made.
 */
export function openDataKeys(source: DataKeySource): DataKeys {
  let cached: DataKey | null | undefined
  const sealing = (): DataKey | null =>
    (cached ??= source.current === null ? readOrMakeKey(source) : dataKeyOf(source.current))
  return { sealing, opening: () => uniqueKeys([sealing(), ...presentKeys(source)]) }
}

/** Returns the keys that are here now, and makes none. */
export function presentKeys({ current, previous, file }: DataKeySource): readonly DataKey[] {
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
  if (key.length !== 32) throw new Error(`${file} must hold 32 bytes in base64: bring back the file as it was`)
  return dataKeyOf(key)
}

/** Makes the file whole or not at all; of several processes that make it at once, one key counts. */
function makeKey(file: string): DataKey {
  const draft = `${file}.${randomUUID()}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return requireValue(readKey(file), `The key in ${file}`)
}

/** Begins a text that stands in clear, since there is no data key; a sealed one begins with another byte. */
const CLEAR = 0

/** Returns a secret as the database keeps it: sealed for its place, where there is a data key. */
export function sealText(keys: DataKeys, place: SealContext, secret: string): Buffer {
  const key = keys.sealing()
  const value = Buffer.from(secret)
  return key === null ? Buffer.concat([Buffer.of(CLEAR), value]) : seal(key, place, value)
}

/** Returns the secret of what the database keeps, or null where no key here opens it. */
export const unsealText = (keys: DataKeys, place: SealContext, sealed: Buffer): string | null =>
  (sealed[0] === CLEAR ? sealed.subarray(1) : unseal(keys.opening(), place, sealed))?.toString() ?? null

/**
 * Seals what is kept by the present key. Returns `before` where that key seals it already, and `unopened` where no key
 * here opens it.
 */
export function resealText(keys: DataKeys, place: SealContext, sealed: Buffer): Buffer | 'before' | 'unopened' {
  const secret = unsealText(keys, place, sealed)
  if (secret === null) return 'unopened'
  if (sealed[0] !== CLEAR && sealKeyId(sealed) === (keys.sealing()?.id ?? null)) return 'before'
  return sealText(keys, place, secret)
}

/** Counts secrets: sealed now, sealed by the present key before, and those that no key here opens. */
export type Sealing = { sealed: number; before: number; unopened: number }

/** Seals a secret of each company by the present key; `seal` answers null where a company has none. */
export async function sealEach(
  database: Database,
  tenants: readonly string[],
  seal: (db: Db) => Promise<keyof Sealing | null>,
): Promise<Sealing> {
  const counts: Sealing = { sealed: 0, before: 0, unopened: 0 }
  for (const tenant of tenants) {
    const now = await writeTenant(database, { tenant }, seal)
    if (now !== null) counts[now]++
  }
  return counts
}
