import { randomUUID } from 'node:crypto'
import { close, openSync, read, rmSync, write } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Bytes on disk that disappear with the process, however it ends: no name leads to them. */
export type NamelessFile = {
  readonly size: number
  write(piece: Buffer): Promise<void>
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
  return {
    get size() {
      return size
    },
    fault: () => fault,
    write: async (piece) => {
      await writeAt(file, piece, 0, piece.length, size).catch((error: unknown) => {
        throw (fault = error)
      })
      size += piece.length
    },
    read: async function* (begin, end) {
      for (let at = begin; at < end;) {
        const { bytesRead, buffer } = await readPiece(file, Math.min(PIECE_BYTES, end - at), at)
        if (bytesRead === 0) throw new Error('A file without a name is shorter than it was')
        yield buffer.subarray(0, bytesRead)
        at += bytesRead
      }
    },
    close: () => closeFile(file),
  }
}

function readPiece(file: number, length: number, at: number): Promise<{ bytesRead: number; buffer: Buffer }> {
  return readAt(file, Buffer.alloc(length), 0, length, at)
}
