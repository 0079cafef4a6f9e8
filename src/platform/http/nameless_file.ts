import { randomUUID } from 'node:crypto'
import { close, openSync, read, rmSync, write } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** File without a name, whose bytes disappear with the process, however it ends. */
export type NamelessFile = {
  readonly size: number
  write(piece: Buffer): Promise<void>
  /** Reads written bytes, including those of a write in progress. */
  read(begin: number, end: number): AsyncGenerator<Buffer>
  close(): Promise<void>
  fault(): unknown
}

const PIECE_BYTES = 64 * 1024

const [readAt, writeAt, closeFile] = [promisify(read), promisify(write), promisify(close)]

/**
 * Opens a file and removes its name immediately, with no turn of the event loop in between in which the process could
 * be killed. `kind` is visible in a list of open files.
 */
export async function openNamelessFile(kind: 'upload' | 'webhook'): Promise<NamelessFile> {
  const path = join(tmpdir(), `callout-${kind}-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path)
  let size = 0
  let fault: unknown
  let written: Promise<unknown> = Promise.resolve()
  return {
    get size() {
      return size
    },
    fault: () => fault,
    write: async (piece) => {
      written = writeAt(file, piece, 0, piece.length, size).catch((error: unknown) => {
        throw (fault = error)
      })
      await written
      size += piece.length
    },
    read: async function* (begin, end) {
      await written
      for (let at = begin; at < end;) {
        const length = Math.min(PIECE_BYTES, end - at)
        const { bytesRead, buffer } = await readAt(file, Buffer.alloc(length), 0, length, at)
        if (bytesRead === 0) throw new Error('A temporary file is shorter than before')
        yield buffer.subarray(0, bytesRead)
        at += bytesRead
      }
    },
    close: async () => {
      // The next opened file gets its descriptor, and a write in progress would land there.
      await written.catch(() => {})
      await closeFile(file)
    },
  }
}
