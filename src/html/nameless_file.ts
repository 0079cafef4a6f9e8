import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes on disk that disappear with the process, however it ends: no name leads to them. */
export type NamelessFile = {
  readonly size: number
  write(piece: Buffer): Promise<void>
  read(begin: number, end: number): AsyncGenerator<Buffer>
  close(): Promise<void>
  fault(): unknown
}

const PIECE_BYTES = 64 * 1024

/** Opens a file and removes its name; `kind` is what a list of open files shows. */
export async function openNamelessFile(kind: 'upload' | 'webhook'): Promise<NamelessFile> {
  const path = join(tmpdir(), `callout-${kind}-${randomUUID()}`)
  const file: FileHandle = await open(path, 'wx+', 0o600)
  await rm(path)
  let [size, fault] = [0, undefined as unknown]
  return {
    get size() {
      return size
    },
    fault: () => fault,
    write: async (piece) => {
      await file.write(piece, 0, piece.length, size).catch((error: unknown) => {
        throw (fault = error)
      })
      size += piece.length
    },
    read: async function* (begin, end) {
      for (let at = begin; at < end;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(PIECE_BYTES, end - at)), 0, undefined, at)
        if (bytesRead === 0) throw new Error('A file without a name is shorter than it was')
        yield buffer.subarray(0, bytesRead)
        at += bytesRead
      }
    },
    close: () => file.close(),
  }
}
