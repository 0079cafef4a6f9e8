import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { DamagedArchive, END_BLOCKS, blocksOf, entriesIn, type ArchiveEntry, type ReadEntry } from './tar.ts'

export type AddEntry = (entry: ArchiveEntry) => Promise<void>

/**
 * Writes a gzipped tar archive, which is there whole when this resolves, and not at all when it throws. Only its owner may
 * read it.
 */
export async function writeArchive(path: string, fill: (add: AddEntry) => Promise<void>): Promise<void> {
  requireNewFile(path)
  const unfinished = `${path}.${process.pid}.part`
  const gzip = createGzip()
  const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
  const written = pipeline(gzip, file)
  written.catch(() => {})
  const write = async (bytes: Buffer): Promise<void> => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), written])
  }
  try {
    await fill(async (entry) => {
      for (const block of blocksOf(entry)) await write(block)
    })
    gzip.end(END_BLOCKS)
    await written
    await syncToDisk(unfinished)
    await rename(unfinished, path)
    await syncToDisk(dirname(path))
  } finally {
    gzip.destroy()
    file.destroy()
    await finished(file).catch(() => {})
    await rm(unfinished, { force: true })
  }
}

function requireNewFile(path: string): void {
  if (!existsSync(dirname(path))) throw new Error(`The directory ${dirname(path)} does not exist`)
  if (existsSync(path)) throw new Error(`${path} exists already; name another file`)
}

/**
 * Reads the entries of an archive, with no more than one piece of each in memory. Throws `DamagedArchive` if it isn't
 * an archive or is incomplete.
 */
export async function* readArchive(path: string): AsyncGenerator<ReadEntry> {
  const file = createReadStream(path)
  const text = createGunzip()
  const read = pipeline(file, text)
  read.catch(() => {})
  try {
    yield* entriesIn(reportDamage(text))
  } finally {
    file.destroy()
    text.destroy()
  }
}

async function* reportDamage(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* text
  } catch (error) {
    throw damageOf(error) ?? error
  }
}

function damageOf(error: unknown): DamagedArchive | undefined {
  switch ((error as { code?: unknown }).code) {
    case 'ENOENT':
      return new DamagedArchive('there is no such file')
    case 'EISDIR':
      return new DamagedArchive('it is a directory')
    case 'Z_BUF_ERROR':
      return new DamagedArchive('it ends too early')
    case 'Z_DATA_ERROR':
      return new DamagedArchive('it is not a backup, or was changed')
    default:
      return undefined
  }
}

/** Waits until the written data is on the disk. */
async function syncToDisk(path: string): Promise<void> {
  const opened = await open(path)
  await opened.sync().finally(() => opened.close())
}
