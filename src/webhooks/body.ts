import type { IncomingMessage } from 'node:http'
import { isDeclaredLarger, readBody } from '../body.ts'
import { HttpRefusal, jsonAnswer } from '../http_refusal.ts'

/** `deadlineMs` is for a body that is not large; a large one may last as long as it keeps its pace. */
export type EndpointLimits = { mostBytes: number; deadlineMs: number }

/** Is the size from which bodies count as large (docs/spec/webhooks.md#large-bodies). */
const LARGE_BYTES = 2 ** 20
const MAX_LARGE = 4

/** A large body that comes slower than this, seen over so many seconds, gives its place up (docs/spec/webhooks.md#large-bodies). */
const PACE = { pastBytes: LARGE_BYTES, bytesASecond: 32_000, seconds: 5 }

/** Counts the large bodies that are being read, and the senders among them whose signature is not checked yet. */
export type BodyBudget = { taken: number; readonly unchecked: Set<string> }

export const newBodyBudget = (): BodyBudget => ({ taken: 0, unchecked: new Set() })

export type Body = {
  bytes: Buffer
  /** Says that its signature is good: the sender may begin another large body. */
  checked(): void
  /** Ends its count. */
  release(): void
}

/** Refuses, before anything is read, a length that is declared and too great, or one that there is no room for. */
export function requireLength(
  { headers }: IncomingMessage,
  { mostBytes }: EndpointLimits,
  budget: BodyBudget,
  sender: string,
): void {
  if (isDeclaredLarger(headers['content-length'], mostBytes)) throw tooLarge()
  if (isDeclaredLarger(headers['content-length'], LARGE_BYTES)) requirePlace(budget, sender)
}

/** Allows an address one large body until its signature is checked, so that nobody unknown takes the whole budget. */
function requirePlace({ taken, unchecked }: BodyBudget, sender: string): void {
  if (taken >= MAX_LARGE || unchecked.has(sender)) throw busy()
}

/** Reads the body of a sender and shows each piece to `update`; undefined when they left. Past its limits, and too slow for a place among the large, it is refused. */
export async function takeBody(
  req: IncomingMessage,
  { mostBytes, deadlineMs }: EndpointLimits,
  budget: BodyBudget,
  sender: string,
  update: (piece: Buffer) => void,
): Promise<Body | undefined> {
  const place = placeIn(budget, sender)
  const each = (piece: Buffer, length: number): void => {
    if (length > LARGE_BYTES && !place.isTaken()) place.take()
    update(piece)
  }
  try {
    const bytes = await readBody(req, { mostBytes, deadlineMs, pace: PACE, each })
    if (bytes === 'too_large') throw tooLarge()
    if (bytes === 'too_slow') throw late()
    if (bytes !== 'gone') return { bytes, checked: place.checked, release: place.release }
    place.release()
    return undefined
  } catch (error) {
    place.release()
    throw error
  }
}

/** Counts one large body of one sender. */
function placeIn(budget: BodyBudget, sender: string) {
  let [taken, unchecked] = [false, false]
  const checked = (): void => {
    if (unchecked) budget.unchecked.delete(sender)
    unchecked = false
  }
  return {
    isTaken: (): boolean => taken,
    checked,
    take: (): void => {
      requirePlace(budget, sender)
      budget.taken++
      budget.unchecked.add(sender)
      taken = unchecked = true
    },
    release: (): void => {
      checked()
      if (taken) budget.taken--
      taken = false
    },
  }
}

const tooLarge = (): HttpRefusal => new HttpRefusal(jsonAnswer(413, { error: 'payload_too_large' }))
const late = (): HttpRefusal => new HttpRefusal(jsonAnswer(408, { error: 'request_timeout' }))
const busy = (): HttpRefusal => new HttpRefusal(jsonAnswer(503, { error: 'busy' }, { 'Retry-After': '5' }))
