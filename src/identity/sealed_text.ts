import type { DataKeys } from './data_keys.ts'
import { seal, sealKeyId, unseal, type SealContext } from './sealing.ts'

/** Begins a text that stands in clear, since there is no data key; a sealed one begins with another byte. */
const CLEAR = 0

/** Returns a secret as the database keeps it: sealed for its place, where there is a data key. */
export function sealText(keys: DataKeys, place: SealContext, secret: string): Buffer {
  const key = keys.sealing()
  const value = Buffer.from(secret)
  return key === null ? Buffer.concat([Buffer.of(CLEAR), value]) : seal(key, place, value)
}

/** Returns the secret of what the database keeps, or null where no key here opens it. */
export const unsealText = (keys: DataKeys, place: SealContext, kept: Buffer): string | null =>
  (kept[0] === CLEAR ? kept.subarray(1) : unseal(keys.opening(), place, kept))?.toString() ?? null

/** Seals what is kept by the present key; says so where it is already, and where no key here opens it. */
export function resealText(keys: DataKeys, place: SealContext, kept: Buffer): Buffer | 'before' | 'unopened' {
  const secret = unsealText(keys, place, kept)
  if (secret === null) return 'unopened'
  if (kept[0] !== CLEAR && sealKeyId(kept) === (keys.sealing()?.id ?? null)) return 'before'
  return sealText(keys, place, secret)
}
