import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sink } from './zip.ts'

/** A temporary file of this process, which is deleted when it is closed. */
type Spool = {
  sink: Sink
  size(): number
  /** Reads it from its beginning, once it is written. */
  read(): AsyncIterable<Buffer>
  release(): Promise<void>
}

/** Opens a file beside others of a while, readable by nobody else. */
export async function openSpool(): Promise<Spool> {
  const path = join(tmpdir(), `callout-archive-${randomUUID()}`)
  const file: FileHandle = await open(path, 'wx', 0o600)
  let size = 0
  return {
    sink: async (bytes) => {
      await file.writeFile(bytes)
      size += bytes.length
    },
    size: () => size,
    read: () => createReadStream(path),
    release: async () => {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

/**
 * Returns a sink that keeps bytes in the spool and, once `passOn` was called, passes the kept and all later bytes on.
 * It is called for one piece after the other, so the spool is whole when the first later piece comes; when `passOn` is
 * called, earlier bytes may still be on their way.
 */
export function sinkThrough(spool: Spool, target: Sink): { sink: Sink; passOn: () => void } {
  let take = spool.sink
  return {
    sink: (bytes) => take(bytes),
    passOn: () => {
      take = async (bytes) => {
        for await (const piece of spool.read()) await target(piece)
        take = target
        await target(bytes)
      }
    },
  }
}
