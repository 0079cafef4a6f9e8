import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Key that seals stored values which must be readable again. `id` identifies the key without revealing it. */
export type DataKey = { id: string; key: Buffer }

/** Table and row of a sealed value. It can't be opened in any other place. */
export type SealContext = { table: string; row: string }

const VERSION = 1
const ID_BYTES = 8
/** Bytes of each value's random nonce: 96 bits (NIST SP 800-38D 8.2.2). */
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + ID_BYTES

/** Minimum length of a sealed value in bytes, longer than any value ever stored unsealed. */
export const MIN_SEALED_BYTES = HEAD_BYTES + NONCE_BYTES + TAG_BYTES

/** Returns a 32-byte data key with its ID. */
export const dataKeyOf = (key: Buffer): DataKey => ({
  id: createHash('sha256')
    .update('callout data key\n')
    .update(key)
    .digest('hex')
    .slice(0, 2 * ID_BYTES),
  key,
})

/** Seals a value for its row with AES-256-GCM: version, key ID, nonce, ciphertext, tag. */
export function seal({ id, key }: DataKey, context: SealContext, value: Buffer): Buffer {
  const head = Buffer.concat([Buffer.of(VERSION), Buffer.from(id, 'hex')])
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(aadOf(head, context))
  return Buffer.concat([head, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()])
}

/** Returns the value; null if its key isn't in `keys`, it was sealed for another place, or it was altered. */
export function unseal(keys: readonly DataKey[], context: SealContext, sealed: Buffer): Buffer | null {
  const id = sealKeyId(sealed)
  const dataKey = keys.find((key) => key.id === id)
  if (dataKey === undefined) return null
  const head = sealed.subarray(0, HEAD_BYTES)
  const nonce = sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', dataKey.key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(aadOf(head, context))
    .setAuthTag(sealed.subarray(-TAG_BYTES))
  const value = decipher.update(sealed.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES))
  try {
    return Buffer.concat([value, decipher.final()])
  } catch {
    return null
  }
}

/** Returns the ID of the key that sealed a value; null if it isn't sealed. */
export const sealKeyId = (sealed: Buffer): string | null =>
  sealed.length >= MIN_SEALED_BYTES && sealed[0] === VERSION ? sealed.subarray(1, HEAD_BYTES).toString('hex') : null

const aadOf = (head: Buffer, { table, row }: SealContext): Buffer =>
  Buffer.concat([head, Buffer.from(JSON.stringify([table, row]))])
