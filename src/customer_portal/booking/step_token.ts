import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { newId } from '../../platform/validation/id.ts'

/** Minutes before a step expires; then booking restarts at the times. */
const STEP_MINUTES = 30
/** Leading zero bits required of the hash: about 65,000 tries, under a second on a phone. */
export const PROOF_BITS = 16
const MAX_TOKEN_LENGTH = 4_000

/** Schema of a step. Its texts need no maximum length: the service wrote and signed them. */
const stepShape = z.strictObject({
  /** Id of both the hold and the booking; each can be used once. */
  id: z.uuid(),
  step: z.enum(['times', 'details', 'code', 'done']),
  service: z.uuid(),
  /** Seconds since 1970. */
  ends: z.number().int(),
  /** Times the page offered. Other times are refused, so that nobody can probe the calendar. */
  offered: z.array(z.string()).optional(),
  start: z.string().optional(),
  /** Whether the time is held: the browser has done its proof of work. */
  isHeld: z.boolean().optional(),
  source: z.strictObject({ page: z.string(), campaign: z.string() }),
  /** Digest of the code sent and of the contact it confirms. */
  code: z.string().optional(),
})

/** State that one step passes to the next, signed so that only the service can create or change it. */
export type BookingStep = z.output<typeof stepShape>

/** Starts a booking of a service. */
export const beginStep = (service: string, source: BookingStep['source']): BookingStep => ({
  id: newId(),
  step: 'times',
  service,
  ends: endsIn(STEP_MINUTES),
  source,
})

/** Returns the next step. */
export const nextStep = (
  before: BookingStep,
  after: Pick<BookingStep, 'step'> & Partial<Pick<BookingStep, 'start' | 'isHeld' | 'code'>>,
): BookingStep => ({ ...before, offered: undefined, ...after, ends: endsIn(STEP_MINUTES) })

const endsIn = (minutes: number): number => Math.floor(Date.now() / 1000) + 60 * minutes

export function signStep(secret: Buffer, step: BookingStep): string {
  const body = Buffer.from(JSON.stringify(step)).toString('base64url')
  return `${body}.${signatureOf(secret, body)}`
}

/** Returns the step of a token that this company signed and that hasn't expired; undefined for any other. */
export function verifyStep(secret: Buffer, token: string, step: BookingStep['step']): BookingStep | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const [body = '', signature = ''] = token.split('.')
  const [received, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, body))]
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined
  const parsed = stepShape.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  return parsed.success && parsed.data.step === step && parsed.data.ends * 1000 > Date.now() ? parsed.data : undefined
}

const signatureOf = (secret: Buffer, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64url')

/** Checks a token's proof of work: a number that gives the hash of both enough leading zero bits. */
export function isProof(token: string, proof: string): boolean {
  if (!/^\d{1,10}$/.test(proof)) return false
  const hash = createHash('sha256').update(`${token}:${proof}`).digest()
  return hash.readUInt32BE(0) >>> (32 - PROOF_BITS) === 0
}

const CODE_DIGITS = 6

/** Generates the code that confirms a contact. */
export const makeCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')

/** Returns the digest of a code and the contact it confirms, so that neither can change after the code was sent. */
export const digestCode = (secret: Buffer, id: string, code: string, contact: string): string =>
  createHmac('sha256', secret).update(`${id}\n${code}\n${contact}`).digest('base64url')
