import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sink } from './zip.ts'

/** Temporary file of this process, deleted on release. */
type Spool = {
  sink: Sink
  size(): number
  /** Reads the file from the start, after it is written. */
  read(): AsyncIterable<Buffer>
  release(): Promise<void>
}

/** Opens a new temporary file that only this user can read. */
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
 * Returns a sink that writes to the spool. After `startForwarding`, it sends the spooled bytes and all later bytes to
 * the target. Calls are sequential, so the spool is complete when the first later piece comes; earlier bytes may still
 * be on their way when `startForwarding` is called.
 */
export function createSpooledSink(spool: Spool, target: Sink): { sink: Sink; startForwarding: () => void } {
  let write = spool.sink
  return {
    sink: (bytes) => write(bytes),
    startForwarding: () => {
      write = async (bytes) => {
        for await (const piece of spool.read()) await target(piece)
        write = target
        await target(bytes)
      }
    },
  }
}
