import type { IncomingMessage } from 'node:http'
import { Refused, json } from './answer.ts'

export type Limits = { mostBytes: number; deadlineMs: number }

/** Bodies past this size are counted (webhooks 1). */
const LARGE_BYTES = 2 ** 20
const MOST_LARGE = 4

/** How many large bodies are in memory. */
export type Room = { large: number }

export type Body = { bytes: Buffer; release(): void }

/** Before anything is read: a length that is declared and too great, or no room for it. */
export function requireLength({ headers }: IncomingMessage, { mostBytes }: Limits, room: Room): void {
  const declared = Number(headers['content-length'] ?? 0)
  if (declared > mostBytes) throw tooLarge()
  if (declared > LARGE_BYTES && room.large >= MOST_LARGE) throw busy()
}

/** Reads the body and shows each piece to `update`. Past its limits it is refused; `release` gives up its place among the large. */
export function readBody(req: IncomingMessage, { mostBytes, deadlineMs }: Limits, room: Room, update: (chunk: Buffer) => void): Promise<Body> {
  const { promise, resolve, reject } = Promise.withResolvers<Body>()
  const chunks: Buffer[] = []
  let length = 0
  let held = false
  const hold = (): void => {
    if (held || length <= LARGE_BYTES) return
    if (room.large >= MOST_LARGE) throw busy()
    room.large++
    held = true
  }
  const release = (): void => {
    if (held) room.large--
    held = false
  }
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    try {
      if (length > mostBytes) throw tooLarge()
      hold()
    } catch (error) {
      return fail(error)
    }
    update(chunk)
    chunks.push(chunk)
  }
  const onEnd = (): void => {
    settle()
    resolve({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length), release })
  }
  const onLost = (): void => fail(new Lost())
  const late = setTimeout(() => fail(new Refused(json(408, { error: 'request_timeout' }))), deadlineMs)
  function settle(): void {
    clearTimeout(late)
    req.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost)
  }
  function fail(error: unknown): void {
    settle()
    release()
    reject(error)
  }
  req.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost)
  return promise
}

/** The sender went away; there is nobody to answer. */
export class Lost extends Error {}

const tooLarge = (): Refused => new Refused(json(413, { error: 'payload_too_large' }))
const busy = (): Refused => new Refused(json(503, { error: 'busy' }, { 'Retry-After': '5' }))
