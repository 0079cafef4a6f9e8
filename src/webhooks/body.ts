import type { IncomingMessage } from 'node:http'
import { HttpRefusal, jsonAnswer } from '../http_refusal.ts'

/** `deadlineMs` is for a body that is not large; a large one may last as long as it keeps its pace. */
export type BodyLimits = { mostBytes: number; deadlineMs: number }

/** Bodies past this size are counted (docs/spec/webhooks.md#large-bodies). */
const LARGE_BYTES = 2 ** 20
const MAX_LARGE = 4

/** A large body that comes slower than this, seen over so many seconds, gives its place up (docs/spec/webhooks.md#large-bodies). */
const LEAST_BYTES_A_SECOND = 32_000
const PATIENCE_SECONDS = 5

/** The places of large bodies: how many are taken, and by whom whose signature is not checked yet. */
export type BodyBudget = { taken: number; readonly unchecked: Set<string> }

export const newBodyBudget = (): BodyBudget => ({ taken: 0, unchecked: new Set() })

export type Body = {
  bytes: Buffer
  /** Its signature is good: the sender may take another place. */
  checked(): void
  /** Gives its place up. */
  release(): void
}

/** Before anything is read: a length that is declared and too great, or no room for it. */
export function requireLength({ headers }: IncomingMessage, { mostBytes }: BodyLimits, budget: BodyBudget, sender: string): void {
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > mostBytes) throw tooLarge()
  if (declared > LARGE_BYTES) requirePlace(budget, sender)
}

/** An address has one place at most until its signature is checked, so that nobody unknown takes them all. */
function requirePlace({ taken, unchecked }: BodyBudget, sender: string): void {
  if (taken >= MAX_LARGE || unchecked.has(sender)) throw busy()
}

/** Reads the body of a sender and shows each piece to `update`. Past its limits, and too slow for a place among the large, it is refused. */
export function readBody(
  req: IncomingMessage, { mostBytes, deadlineMs }: BodyLimits, budget: BodyBudget, sender: string, update: (chunk: Buffer) => void,
): Promise<Body> {
  const { promise, resolve, reject } = Promise.withResolvers<Body>()
  const chunks: Buffer[] = []
  let length = 0
  const place = placeIn(budget, sender)
  const late = (): void => fail(new HttpRefusal(jsonAnswer(408, { error: 'request_timeout' })))
  let watch = setTimeout(late, deadlineMs)
  const grow = (): void => {
    if (length > mostBytes) throw tooLarge()
    if (length <= LARGE_BYTES || place.isTaken()) return
    place.take()
    clearTimeout(watch)
    watch = watchPace(() => length, late)
  }
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    try {
      grow()
    } catch (error) {
      return fail(error)
    }
    update(chunk)
    chunks.push(chunk)
  }
  const onEnd = (): void => {
    settle()
    resolve({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length), checked: place.checked, release: place.release })
  }
  const onLost = (): void => fail(new Lost())
  function settle(): void {
    clearTimeout(watch)
    req.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
  }
  function fail(error: unknown): void {
    settle()
    place.release()
    reject(error)
  }
  req.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost)
  return promise
}

/** One place among the large, for one sender. */
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

/** Looks every second; a look comes after what had arrived was read, so a busy process does not make its senders slow. */
function watchPace(lengthOf: () => number, slow: () => void): NodeJS.Timeout {
  const lengths = [lengthOf()]
  return setInterval(() => {
    lengths.push(lengthOf())
    if (lengths.length > PATIENCE_SECONDS && lengths.at(-1)! - lengths.shift()! < LEAST_BYTES_A_SECOND * PATIENCE_SECONDS) slow()
  }, 1_000)
}

/** The sender went away; there is nobody to answer. */
export class Lost extends Error {}

const tooLarge = (): HttpRefusal => new HttpRefusal(jsonAnswer(413, { error: 'payload_too_large' }))
const busy = (): HttpRefusal => new HttpRefusal(jsonAnswer(503, { error: 'busy' }, { 'Retry-After': '5' }))
