import type { IncomingMessage } from 'node:http'
import { isDeclaredLarger, readBody } from '../../platform/http/body.ts'
import { openNamelessFile } from '../../platform/http/nameless_file.ts'
import { HttpRefusal, jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { requireValue } from '../../platform/errors/require_value.ts'
import type { BodySlots } from './body_slots.ts'

/** Limits of a body. `deadlineMs` applies to the whole body, whatever its size. */
export type EndpointLimits = { maxBytes: number; deadlineMs: number }

/** Size in bytes above which the rest of a body goes to disk (docs/spec/webhooks.md#large-bodies). */
const LARGE_BYTES = 2 ** 20

/** Minimum pace of a large body, over `seconds`. A slower one is cut off (docs/spec/webhooks.md#large-bodies). */
const MIN_PACE = { afterBytes: LARGE_BYTES, bytesPerSecond: 32_000, seconds: 5 }

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
  { maxBytes }: EndpointLimits,
  slots: BodySlots,
  sender: string,
): void {
  if (isDeclaredLarger(headers['content-length'], maxBytes)) throw tooLarge()
  if (isDeclaredLarger(headers['content-length'], LARGE_BYTES) && !slots.hasSlot(sender)) throw busy()
}

/** Reads a sender's body and passes each piece to `update`; undefined if they disconnect. Throws past a limit. */
export async function readSenderBody(
  req: IncomingMessage,
  { maxBytes, deadlineMs }: EndpointLimits,
  slots: BodySlots,
  sender: string,
  update: (piece: Buffer) => void,
): Promise<WebhookBody | undefined> {
  const abort = new AbortController()
  const overflow = openOverflow(slots, sender, (reason) => abort.abort(reason))
  const onPiece = (piece: Buffer, length: number): boolean => {
    update(piece)
    if (length <= LARGE_BYTES) return false
    req.pause()
    void overflow.write(piece).then(() => req.resume())
    return true
  }
  try {
    const head = await readBody(req, { maxBytes, deadlineMs, minSpeed: MIN_PACE, onPiece, signal: abort.signal })
    if (head === 'too_large') throw tooLarge()
    if (head === 'too_slow') throw tooSlow()
    if (head !== 'gone') return bodyOf(head, overflow, slots, sender)
    overflow.end()
    return undefined
  } catch (error) {
    overflow.end()
    throw error
  }
}

function bodyOf(head: Buffer, overflow: Overflow, slots: BodySlots, sender: string): WebhookBody {
  let isInMemory = false
  return {
    bytes: overflow.size() === 0 ? head : undefined,
    readVerified: async () => {
      slots.noteVerified(sender)
      if (overflow.size() === 0) return head
      if (!slots.reserveMemory()) throw busy()
      isInMemory = true
      const whole = Buffer.concat([head, ...(await overflow.read())])
      overflow.end()
      return whole
    },
    release: () => {
      overflow.end()
      if (isInMemory) slots.releaseMemory()
      isInMemory = false
    },
  }
}

type Overflow = ReturnType<typeof openOverflow>

/** Writes everything after the first MiB of a body to an unnamed file. `fail` aborts the reading of the body. */
function openOverflow(slots: BodySlots, sender: string, fail: (reason: unknown) => void) {
  let slot: ReturnType<BodySlots['beginReading']>
  let file: ReturnType<typeof openNamelessFile> | undefined
  let size = 0
  const end = (): void => {
    slot?.end()
    void file?.then((one) => one.close()).catch(() => {})
    file = undefined
  }
  return {
    size: () => size,
    /** Writes a piece. Reports a fault only to `fail`. */
    write: async (piece: Buffer): Promise<void> => {
      slot ??= slots.beginReading(sender, () => fail(busy()))
      if (slot?.add(piece.length) !== true) return fail(busy())
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
const tooSlow = (): HttpRefusal => new HttpRefusal(jsonAnswer(408, { error: 'request_timeout' }))
const busy = (): HttpRefusal => new HttpRefusal(jsonAnswer(503, { error: 'busy' }, { 'Retry-After': '5' }))
