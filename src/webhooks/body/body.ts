import type { IncomingMessage } from 'node:http'
import { isDeclaredLarger, readBody } from '../../platform/http/body.ts'
import { openNamelessFile } from '../../platform/http/nameless_file.ts'
import { HttpRefusal, jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { requireValue } from '../../platform/errors/require_value.ts'
import type { BodyPlaces } from './body_places.ts'

/** Limits of a body. `deadlineMs` applies to the whole body, whatever its size. */
export type EndpointLimits = { mostBytes: number; deadlineMs: number }

/** Size in bytes above which the rest of a body goes to disk (docs/spec/webhooks.md#large-bodies). */
const LARGE_BYTES = 2 ** 20

/** Minimum pace of a large body, over `seconds`. A slower one is cut off (docs/spec/webhooks.md#large-bodies). */
const PACE = { pastBytes: LARGE_BYTES, bytesASecond: 32_000, seconds: 5 }

/** Body as received, before its signature is verified. */
export type WebhookBody = {
  /** Whole body; undefined for a large one, which isn't kept in memory until it is verified. */
  bytes: Buffer | undefined
  /** Returns the whole body once its signature is verified. Refuses a large one if too many are in memory. */
  readVerified(): Promise<Buffer>
  release(): void
}

/** Refuses, before anything is read, a declared length that is too large or has no room. */
export function requireLength(
  { headers }: IncomingMessage,
  { mostBytes }: EndpointLimits,
  places: BodyPlaces,
  sender: string,
): void {
  if (isDeclaredLarger(headers['content-length'], mostBytes)) throw tooLarge()
  if (isDeclaredLarger(headers['content-length'], LARGE_BYTES) && !places.hasPlace(sender)) throw busy()
}

/** Reads a sender's body and passes each piece to `update`; undefined if they disconnect. Throws past a limit. */
export async function readSenderBody(
  req: IncomingMessage,
  { mostBytes, deadlineMs }: EndpointLimits,
  places: BodyPlaces,
  sender: string,
  update: (piece: Buffer) => void,
): Promise<WebhookBody | undefined> {
  const ending = new AbortController()
  const rest = openRest(places, sender, (reason) => ending.abort(reason))
  const takePiece = (piece: Buffer, length: number): boolean => {
    update(piece)
    if (length <= LARGE_BYTES) return false
    req.pause()
    void rest.write(piece).then(() => req.resume())
    return true
  }
  try {
    const head = await readBody(req, { maxBytes: mostBytes, deadlineMs, pace: PACE, takePiece, signal: ending.signal })
    if (head === 'too_large') throw tooLarge()
    if (head === 'too_slow') throw late()
    if (head !== 'gone') return bodyOf(head, rest, places, sender)
    rest.end()
    return undefined
  } catch (error) {
    rest.end()
    throw error
  }
}

function bodyOf(head: Buffer, rest: Rest, places: BodyPlaces, sender: string): WebhookBody {
  let isHeld = false
  return {
    bytes: rest.size() === 0 ? head : undefined,
    readVerified: async () => {
      places.noteVerified(sender)
      if (rest.size() === 0) return head
      if (!places.hold()) throw busy()
      isHeld = true
      const whole = Buffer.concat([head, ...(await rest.read())])
      rest.end()
      return whole
    },
    release: () => {
      rest.end()
      if (isHeld) places.release()
      isHeld = false
    },
  }
}

type Rest = ReturnType<typeof openRest>

/** Writes everything after the first MiB of a body to an unnamed file. `fail` aborts the reading of the body. */
function openRest(places: BodyPlaces, sender: string, fail: (reason: unknown) => void) {
  let place: ReturnType<BodyPlaces['beginReading']>
  let file: ReturnType<typeof openNamelessFile> | undefined
  let size = 0
  const end = (): void => {
    place?.end()
    void file?.then((one) => one.close()).catch(() => {})
    file = undefined
  }
  return {
    size: () => size,
    /** Writes a piece. Reports a fault only to `fail`. */
    write: async (piece: Buffer): Promise<void> => {
      place ??= places.beginReading(sender, () => fail(busy()))
      if (place?.add(piece.length) !== true) return fail(busy())
      size += piece.length
      file ??= openNamelessFile('webhook')
      try {
        await (await file).write(piece)
      } catch (error) {
        fail(error)
      }
    },
    read: async (): Promise<Buffer[]> =>
      Array.fromAsync(requireValue(await file, 'The file of a large body').read(0, size)),
    end,
  }
}

const tooLarge = (): HttpRefusal => new HttpRefusal(jsonAnswer(413, { error: 'payload_too_large' }))
const late = (): HttpRefusal => new HttpRefusal(jsonAnswer(408, { error: 'request_timeout' }))
const busy = (): HttpRefusal => new HttpRefusal(jsonAnswer(503, { error: 'busy' }, { 'Retry-After': '5' }))
