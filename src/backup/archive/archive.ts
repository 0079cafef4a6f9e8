import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import { decrypt, encrypt } from './encryption.ts'
import {
  DamagedArchive,
  END_BLOCKS,
  blocksOf,
  entriesIn,
  checksumBlocksOf,
  type ArchiveEntry,
  type ReadEntry,
} from './tar.ts'
import { writeFileAtomically } from './whole_file.ts'

export type AddEntry = (entry: ArchiveEntry) => Promise<void>

/** Adds every entry of an archive. */
export type FillArchive = (add: AddEntry) => Promise<void>

/** Compression level of gzip. Higher levels take three times as long and save 10%. */
const GZIP_LEVEL = 1

/**
 * Writes a gzipped tar archive, encrypted if there is a key. The file is complete when this resolves and doesn't exist
 * when it throws. Only its owner may read it.
 */
export async function writeArchive(path: string, fill: FillArchive, key: Buffer | null = null): Promise<void> {
  requireNewFile(path)
  await writeFileAtomically(path, (sink) => streamArchive(sink, fill, key))
}

/** Writes an archive to a stream and ends it, with only a few entries in memory. Each entry carries a checksum. */
export async function streamArchive(sink: Writable, fill: FillArchive, key: Buffer | null): Promise<void> {
  const compressed = new PassThrough()
  const aborting = new AbortController()
  const { signal } = aborting
  const written = pipeline(compressed, (chunks: AsyncIterable<Buffer>) => encrypt(chunks, key), sink)
  written.catch((error: unknown) => aborting.abort(error))
  let gzip = openGzip(GZIP_LEVEL, compressed)
  const end = async (last = Buffer.alloc(0)): Promise<void> => {
    gzip.zip.end(last)
    await once(gzip.zip, 'end', { signal })
  }
  const write = async (bytes: Buffer): Promise<void> => {
    if (!gzip.zip.write(bytes)) await once(gzip.zip, 'drain', { signal })
  }
  try {
    await fill(async (entry) => {
      const level = entry.isCompressed === true ? 0 : GZIP_LEVEL
      if (gzip.level !== level) {
        await end()
        gzip = openGzip(level, compressed)
      }
      for (const block of [...checksumBlocksOf(entry), ...blocksOf(entry)]) await write(block)
    })
    await end(END_BLOCKS)
    compressed.end()
    await written
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    gzip.zip.destroy()
    compressed.destroy()
  }
}

/** Opens a gzip member. A gzip file may have several (RFC 1952, 2.2). */
function openGzip(level: number, compressed: Writable): { zip: Gzip; level: number } {
  const zip = createGzip({ level, chunkSize: CHUNK_BYTES })
  zip.pipe(compressed, { end: false })
  return { zip, level }
}

/** Chunk size of the compressor in bytes. */
const CHUNK_BYTES = 64 * 1024

function requireNewFile(path: string): void {
  if (!existsSync(dirname(path))) throw new Error(`The directory ${dirname(path)} does not exist`)
  if (existsSync(path)) throw new Error(`${path} already exists; choose another file`)
}

/** Path of an archive, or its bytes as a stream. */
export type ArchiveSource = string | AsyncIterable<Buffer>

/**
 * Reads the entries of an archive, keeping at most one piece of each in memory. Throws `DamagedArchive` if it isn't an
 * archive, is incomplete or needs another key.
 */
export async function* readArchive(from: ArchiveSource, key: Buffer | null = null): AsyncGenerator<ReadEntry> {
  yield* entriesIn(unpack(from, key))
}

/** Decrypts and unzips a file or a stream. Throws `DamagedArchive`. */
export async function* unpack(from: ArchiveSource, key: Buffer | null): AsyncGenerator<Buffer> {
  const file = typeof from === 'string' ? createReadStream(from) : Readable.from(from)
  const gunzip = createGunzip()
  const read = pipeline(file, (chunks: AsyncIterable<Buffer>) => decrypt(chunks, key), gunzip)
  read.catch(() => {})
  try {
    yield* reportDamage(gunzip)
  } finally {
    file.destroy()
    gunzip.destroy()
  }
}

async function* reportDamage(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    throw toDamagedArchive(error) ?? error
  }
}

function toDamagedArchive(error: unknown): DamagedArchive | undefined {
  switch ((error as { code?: unknown }).code) {
    case 'ENOENT':
      return new DamagedArchive('there is no such file')
    case 'EISDIR':
      return new DamagedArchive('it is a directory')
    case 'Z_BUF_ERROR':
      return new DamagedArchive('it is truncated')
    case 'Z_DATA_ERROR':
      return new DamagedArchive('it is not a backup, or was changed')
    default:
      return undefined
  }
}
