import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'

/** Reason for a missing body: it is too large, it arrives too slowly, or the sender has disconnected. */
type BodyFault = 'too_large' | 'too_slow' | 'gone'

export type BodyLimits = {
  maxBytes: number
  deadlineMs?: number
  /** Minimum speed of a body past `pastBytes`, measured over `seconds`. */
  pace?: Pace
  /**
   * Called with each piece and the length so far. Returns true for a piece that it keeps itself. An error that it
   * throws ends the reading.
   */
  takePiece?: (piece: Buffer, length: number) => boolean
  /** Signal that ends the reading with its reason. */
  signal?: AbortSignal
}

type Pace = { pastBytes: number; bytesASecond: number; seconds: number }

/** Returns the bytes after which a refused sender is cut off: four times the limit, at least 1 MiB. */
const maxDiscardedBytes = (mostBytes: number): number => Math.max(4 * mostBytes, 2 ** 20)

/** Checks whether a body's declared length is over the limit. Call it before any work. */
export const isDeclaredLarger = (declared: string | null | undefined, mostBytes: number): boolean =>
  Number(declared) > mostBytes

/**
 * Returns the body of a request, without the pieces that `takePiece` kept. After a fault, further data is discarded up
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

/** Returns a stream that fails past `mostBytes`, for bodies that are processed piece by piece. */
export const limitBody = (mostBytes: number, tooLarge: () => Error): Transform => {
  let length = 0
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      length += piece.length
      if (length > mostBytes) done(tooLarge())
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
    const { maxBytes: mostBytes, deadlineMs, pace, takePiece, signal } = limits
    const pieces: Buffer[] = []
    let length = 0
    let isOver = false
    let watch: NodeJS.Timeout | undefined
    let paceWatch: NodeJS.Timeout | undefined

    const close = (): void => {
      isOver = true
      pieces.length = 0
      clearTimeout(watch)
      clearInterval(paceWatch)
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
    const isTaken = (piece: Buffer): boolean => {
      try {
        return takePiece?.(piece, length) ?? false
      } catch (error) {
        fail(error)
        return true
      }
    }
    const late = (): void => end('too_slow')
    if (deadlineMs !== undefined) watch = setTimeout(late, deadlineMs)
    if (isDeclaredLarger(declared, mostBytes)) end('too_large')

    stream.on('data', (piece: Buffer) => {
      length += piece.length
      if (length > mostBytes && !isOver) end('too_large')
      if (length > maxDiscardedBytes(mostBytes)) stream.destroy()
      if (!isOver && !isTaken(piece)) pieces.push(piece)
      if (isOver || pace === undefined || paceWatch !== undefined || length <= pace.pastBytes) return
      paceWatch = watchPace(pace, () => length, late)
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
function watchPace({ bytesASecond, seconds }: Pace, lengthOf: () => number, slow: () => void): NodeJS.Timeout {
  const lengths = [lengthOf()]
  return setInterval(() => {
    const length = lengthOf()
    lengths.push(length)
    if (lengths.length > seconds && length - (lengths.shift() ?? 0) < bytesASecond * seconds) slow()
  }, 1_000)
}
