import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { lengthOf, normalizeText, type NormalText } from '../../../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

/** Parameters of scrypt (RFC 7914 2): N = 2^ln, block size, parallelization. */
type Cost = { ln: number; r: number; p: number }

/** Cost of new hashes: 32 MiB and about 0.2 s per attempt. */
const COST: Cost = { ln: 15, r: 8, p: 3 }
let cost = COST

/** Makes new hashes 100 times cheaper, for tests of other things. A test ensures that the service never calls it. */
export const lowerPasswordCost = (): void => void (cost = { ln: 10, r: 8, p: 1 })

export const restorePasswordCost = (): void => void (cost = COST)

const SALT_BYTES = 16
const HASH_BYTES = 32

const MIN_LENGTH = 12
const MAX_LENGTH = 200
const LIMITS = { min: MIN_LENGTH, max: MAX_LENGTH }

/** Hashes a password; the result has its salt and cost. Refuses what `requirePassword` refuses. */
export async function hashPassword(password: string): Promise<string> {
  const text = requirePassword(password)
  const salt = randomBytes(SALT_BYTES)
  return formatHash(cost, salt, await deriveKey(text, salt, cost))
}

/** Checks a password against a stored hash. For a user without a password it takes the same time and fails. */
export async function verifyPassword(password: string, text: string | null): Promise<boolean> {
  const { cost, salt, hash } = parseHash(text ?? decoyHash())
  const normalized = normalizePassword(password)
  const isSame = timingSafeEqual(await deriveKey('text' in normalized ? normalized.text : '', salt, cost), hash)
  return isSame && text !== null && 'text' in normalized
}

/** Normalizes a password. Throws `invalid_input` unless it has 12 to 200 code points. */
export function requirePassword(password: string): string {
  const normalized = normalizePassword(password)
  if ('rule' in normalized)
    throw invalidField(
      'password',
      refusals.tooLong({ problem: normalized.rule, ...LIMITS, length: lengthOf(password) }),
    )
  const length = lengthOf(normalized.text)
  if (length < MIN_LENGTH) throw invalidField('password', refusals.tooShort({ ...LIMITS, length }))
  if (!password.isWellFormed()) throw invalidField('password', refusals.malformed())
  return normalized.text
}

/** Letters and digits that can't be mistaken for one another. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Returns a random password of 79 bits, in four groups that are easy to read out. */
export const newPassword = (): string => newSecret(4)

/** Returns a random secret of `groups` groups that are easy to read out, almost 20 bits each. */
export function newSecret(groups: number): string {
  const group = (): string => Array.from({ length: 4 }, () => READABLE[randomInt(READABLE.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Normalizes a password, so that the same characters from different keyboards are the same password. */
const normalizePassword = (password: string): NormalText => normalizeText(password, MAX_LENGTH, 'NFKC')

/** Derives the key of a normalized password. */
const deriveKey = (password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const N = 2 ** ln
    scrypt(password, salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })

const formatHash = ({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

function parseHash(text: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt, hash] = STORED.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error('A stored password cannot be read')
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

/** Returns a hash that no password matches, at the same cost as real ones. */
const decoyHash = (): string => formatHash(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES))
