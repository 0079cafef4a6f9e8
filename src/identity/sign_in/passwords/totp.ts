import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Seconds per time step. Each step has its own code (RFC 6238 5.2). */
const STEP_SECONDS = 30

const DIGITS = 6

/** Steps accepted before and after the current one, for clock drift. */
const DRIFT = 1

/** Bytes of a secret, as long as an HMAC-SHA-1 hash (RFC 4226 4). */
const SECRET_BYTES = 20

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** Returns the time step of an instant in milliseconds. */
export const stepAt = (now: number): number => Math.floor(now / 1000 / STEP_SECONDS)

/** Returns the code of a time step (RFC 6238 4.2 over RFC 4226 5.3). */
export function totpAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const number = hash.readUInt32BE(hash.readUInt8(hash.length - 1) & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the time step of an entered code: close to now and later than `last`, the step of the last accepted code;
 * null if it matches none. Ignores spaces.
 */
export function stepOf(secret: Buffer, text: string, { now, last }: { now: number; last: number }): number | null {
  const code = text.length > 20 ? '' : text.replace(/\s/g, '')
  if (!/^\d{6}$/.test(code)) return null
  const candidates = Array.from({ length: 2 * DRIFT + 1 }, (_, i) => stepAt(now) - DRIFT + i)
  const matches = candidates.filter((step) => timingSafeEqual(Buffer.from(totpAt(secret, step)), Buffer.from(code)))
  return matches.find((step) => step > last) ?? null
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes bytes in Base32 without padding (RFC 4648 6), as authenticator apps expect. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS[parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Returns the otpauth URI that an authenticator app reads from a QR code. */
export function totpUri(secret: Buffer, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
