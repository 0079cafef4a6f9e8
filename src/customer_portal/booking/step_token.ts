import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { newId } from '../../platform/validation/id.ts'

/** Minutes that a step can take, then it begins again with the times. */
const STEP_MINUTES = 30
/** Bits that must be zero at the start of the hash: about 65,000 tries, under a second on a phone. */
export const PROOF_BITS = 16
const MAX_TOKEN_LENGTH = 4_000

/** Shape of a step. Its texts have no bounds of their own: the service wrote and signed them. */
const stepShape = z.strictObject({
  /** Id of the hold and of the booking: each counts once. */
  id: z.uuid(),
  step: z.enum(['times', 'details', 'code', 'done']),
  service: z.uuid(),
  /** Seconds since 1970. */
  ends: z.number().int(),
  /** Times that the page offered: no other can be asked for, so that nobody learns the calendar. */
  offered: z.array(z.string()).optional(),
  start: z.string().optional(),
  /** The time is held: the browser did its proof of work. */
  isHeld: z.boolean().optional(),
  source: z.strictObject({ page: z.string(), campaign: z.string() }),
  /** Digest of the code that was sent, and of what it confirms. */
  code: z.string().optional(),
})

/** What a step carries to the next one, signed: nobody makes or changes it but the service. */
export type BookingStep = z.output<typeof stepShape>

/** Begins a booking of a service. */
export const beginStep = (service: string, source: BookingStep['source']): BookingStep => ({
  id: newId(),
  step: 'times',
  service,
  ends: endsIn(STEP_MINUTES),
  source,
})

/** Returns the step after another. */
export const nextStep = (
  before: BookingStep,
  after: Pick<BookingStep, 'step'> & Partial<Pick<BookingStep, 'start' | 'isHeld' | 'code'>>,
): BookingStep => ({ ...before, offered: undefined, ...after, ends: endsIn(STEP_MINUTES) })

const endsIn = (minutes: number): number => Math.floor(Date.now() / 1000) + 60 * minutes

export function signStep(secret: Buffer, step: BookingStep): string {
  const body = Buffer.from(JSON.stringify(step)).toString('base64url')
  return `${body}.${signatureOf(secret, body)}`
}

/** Returns a step that this company signed and that hasn't ended; undefined for anything else. */
export function openStep(secret: Buffer, token: string, step: BookingStep['step']): BookingStep | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const [body = '', signature = ''] = token.split('.')
  const [received, expected] = [Buffer.from(signature), Buffer.from(signatureOf(secret, body))]
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined
  const read = stepShape.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString()))
  return read.success && read.data.step === step && read.data.ends * 1000 > Date.now() ? read.data : undefined
}

const signatureOf = (secret: Buffer, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64url')

/** Checks the proof of work of a token: a number after which the hash of both begins with enough zero bits. */
export function isProof(token: string, proof: string): boolean {
  if (!/^\d{1,10}$/.test(proof)) return false
  const hash = createHash('sha256').update(`${token}:${proof}`).digest()
  return hash.readUInt32BE(0) >>> (32 - PROOF_BITS) === 0
}

const CODE_DIGITS = 6

/** Makes the code that confirms an address. */
export const makeCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')

/** Returns the digest of a code with what it confirms, so that neither can be changed after it was sent. */
export const digestCode = (secret: Buffer, id: string, code: string, contact: string): string =>
  createHmac('sha256', secret).update(`${id}\n${code}\n${contact}`).digest('base64url')
