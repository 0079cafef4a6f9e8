import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'

/** Writes to a stream and ends it. Resolves once the stream has accepted everything. */
export type FillStream = (sink: Writable) => Promise<void>

/** Suffix of the name of an unfinished file. */
export const UNFINISHED = '.part'

/**
 * Writes a file atomically. It is complete and on disk when this resolves, and doesn't exist when it throws. Only its
 * owner may read it. Returns its size in bytes.
 */
export async function writeFileAtomically(path: string, fill: FillStream): Promise<number> {
  const unfinished = `${path}.${process.pid}${UNFINISHED}`
  const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
  try {
    await fill(file)
    const { size } = await stat(unfinished)
    await syncToDisk(unfinished)
    await rename(unfinished, path)
    await syncToDisk(dirname(path))
    return size
  } finally {
    file.destroy()
    await finished(file).catch(() => {})
    await rm(unfinished, { force: true })
  }
}

/** Waits until the written data is on the disk. */
async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path)
  await opened.sync().finally(() => opened.close())
}
