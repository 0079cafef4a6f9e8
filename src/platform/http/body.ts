import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'

/** Reason for a missing body: it is too large, it arrives too slowly, or the sender has disconnected. */
type BodyFault = 'too_large' | 'too_slow' | 'gone'

export type BodyLimits = {
  maxBytes: number
  deadlineMs?: number
  /** Minimum speed of a body past `afterBytes`, measured over `seconds`. */
  minSpeed?: MinSpeed
  /**
   * Called with each piece and the length so far. Returns true for a piece that it keeps itself. An error that it
   * throws ends the reading.
   */
  onPiece?: (piece: Buffer, length: number) => boolean
  /** Signal that ends the reading with its reason. */
  signal?: AbortSignal
}

type MinSpeed = { afterBytes: number; bytesPerSecond: number; seconds: number }

/** Returns the bytes after which a refused sender is cut off: four times the limit, at least 1 MiB. */
const maxDiscardedBytes = (maxBytes: number): number => Math.max(4 * maxBytes, 2 ** 20)

/** Checks whether a body's declared length is over the limit. Call it before any work. */
export const isDeclaredLarger = (declared: string | null | undefined, maxBytes: number): boolean =>
  Number(declared) > maxBytes

/**
 * Returns the body of a request, without the pieces that `onPiece` kept. After a fault, further data is discarded up
 * to a limit, so that a sender that is still writing can read the answer.
 */
export const readBody = (req: IncomingMessage, limits: BodyLimits): Promise<Buffer | BodyFault> =>
  bytesOf(req, req.headers['content-length'], limits)

/** Reads the body of a Fetch request or response in the same way. */
export const readWebBody = async (
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  limits: BodyLimits,
): Promise<Buffer | BodyFault> =>
  body === null ? Buffer.alloc(0) : bytesOf(streamOf(body), headers.get('content-length'), limits)

/** Returns a stream that fails past `maxBytes`, for bodies that are processed piece by piece. */
export const limitBody = (maxBytes: number, tooLarge: () => Error): Transform => {
  let length = 0
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      length += piece.length
      if (length > maxBytes) done(tooLarge())
      else done(null, piece)
    },
  })
}

export const streamOf = (body: NonNullable<Request['body']>): Readable => Readable.fromWeb(body)

function bytesOf(
  stream: Readable,
  declared: string | null | undefined,
  limits: BodyLimits,
): Promise<Buffer | BodyFault> {
  return new Promise((resolve, reject) => {
    const { maxBytes, deadlineMs, minSpeed, onPiece, signal } = limits
    const pieces: Buffer[] = []
    let length = 0
    let isOver = false
    let deadlineTimer: NodeJS.Timeout | undefined
    let speedTimer: NodeJS.Timeout | undefined

    const close = (): void => {
      isOver = true
      pieces.length = 0
      clearTimeout(deadlineTimer)
      clearInterval(speedTimer)
      signal?.removeEventListener('abort', abort)
    }
    const end = (outcome: Buffer | BodyFault): void => {
      close()
      resolve(outcome)
    }
    const fail = (error: unknown): void => {
      close()
      reject(error)
    }
    const abort = (): void => fail(signal?.reason)
    signal?.addEventListener('abort', abort)
    const isKept = (piece: Buffer): boolean => {
      try {
        return onPiece?.(piece, length) ?? false
      } catch (error) {
        fail(error)
        return true
      }
    }
    const onTooSlow = (): void => end('too_slow')
    if (deadlineMs !== undefined) deadlineTimer = setTimeout(onTooSlow, deadlineMs)
    if (isDeclaredLarger(declared, maxBytes)) end('too_large')

    stream.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > maxBytes && !isOver) end('too_large')
      if (length > maxDiscardedBytes(maxBytes)) stream.destroy()
      if (!isOver && !isKept(piece)) pieces.push(piece)
      if (isOver || minSpeed === undefined || speedTimer !== undefined || length <= minSpeed.afterBytes) return
      speedTimer = watchSpeed(minSpeed, () => length, onTooSlow)
    })
    stream.on('end', () => {
      const [first] = pieces
      if (!isOver) end(first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces))
    })
    for (const event of ['error', 'close'])
      stream.on(event, () => {
        if (!isOver) end('gone')
      })
  })
}

/**
 * Checks the speed every second. Each check comes after all received data was read, so a busy process doesn't make its
 * senders look slow.
 */
function watchSpeed(
  { bytesPerSecond, seconds }: MinSpeed,
  lengthOf: () => number,
  onTooSlow: () => void,
): NodeJS.Timeout {
  const lengths = [lengthOf()]
  return setInterval(() => {
    const length = lengthOf()
    lengths.push(length)
    if (lengths.length > seconds && length - (lengths.shift() ?? 0) < bytesPerSecond * seconds) onTooSlow()
  }, 1_000)
}
