import { createHash } from 'node:crypto'

/** Thrown if the input is not an archive or is incomplete. */
export class DamagedArchive extends Error {}

/** File of an archive. The name has no `..` and at most 255 bytes. `isCompressed`: the bytes don't compress further. */
export type ArchiveEntry = { name: string; bytes: Buffer; isCompressed?: boolean }

/**
 * File of an archive being read. Read its bytes once, before you ask for the next entry. Reading throws after the last
 * piece if they don't match the checksum.
 */
export type ReadEntry = {
  name: string
  size: number
  bytes: AsyncIterable<Buffer>
  kind: EntryKind
  hasChecksum: boolean
}

type EntryKind = 'file' | 'folder' | 'other'

const BLOCK_BYTES = 512
/** Maximum bytes after the end of an archive, which tools pad to whole records. */
const MAX_TRAILING_BYTES = 2 ** 20
/** Maximum lengths of the name after its last slash, and before it. */
const MAX_NAME = 100
const MAX_PREFIX = 155

/** Returns the blocks of an entry in a tar archive (POSIX.1-2017 pax, "ustar Interchange Format"). */
export const blocksOf = (entry: ArchiveEntry): Buffer[] => blocksOfType(entry, FILE)

/** Entry types (POSIX.1-2017 pax, "ustar Header Block", typeflag). */
const [FILE, FOLDER, EXTENDED] = ['0', '5', 'x']
const OLD_FILE = '\0'

/** Keyword of an entry's checksum in an extended header, which other programs ignore (POSIX.1-2017 pax). */
const CHECKSUM_KEYWORD = 'CALLOUT.sha256'
const MAX_EXTENDED_BYTES = BLOCK_BYTES

/** Returns the blocks with an entry's checksum, which precede its own blocks. */
export function checksumBlocksOf({ name, bytes }: ArchiveEntry): Buffer[] {
  const record = ` ${CHECKSUM_KEYWORD}=${createHash('sha256').update(bytes).digest('hex')}\n`
  // The length of a record includes its own digits, of which there are two here.
  return blocksOfType({ name, bytes: Buffer.from(`${record.length + 2}${record}`) }, EXTENDED)
}

function blocksOfType({ name, bytes }: ArchiveEntry, type: string): Buffer[] {
  const at = name.length > MAX_NAME ? name.lastIndexOf('/') : -1
  const [prefix, rest] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)]
  if (rest.length > MAX_NAME || prefix.length > MAX_PREFIX)
    throw new Error(`The name ${name} is too long for an archive`)
  const header = Buffer.alloc(BLOCK_BYTES)
  header.write(rest, 0, 'latin1')
  header.write('0000600\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${octal(bytes.length, 11)}\0${octal(Math.floor(Date.now() / 1000), 11)}\0`, 124)
  header.write(type, 156, 1)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345, 'latin1')
  header.write(`${octal(headerChecksum(header), 6)}\0 `, 148)
  return [header, bytes, Buffer.alloc(padding(bytes.length))]
}

export const END_BLOCKS = Buffer.alloc(2 * BLOCK_BYTES)

/**
 * Reads the entries of an archive as a stream, with at most one piece of an entry in memory. Throws if it isn't an
 * archive or ends too early.
 */
export async function* entriesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  const { take, pieces, drain } = openReader(chunks)
  let checksum: string | undefined
  for (;;) {
    const header = await take(BLOCK_BYTES)
    if (header.every((byte) => byte === 0)) return drain()
    if (header.toString('latin1', 257, 262) !== 'ustar' || numberAt(header, 148, 8) !== headerChecksum(header))
      throw new DamagedArchive('it is not a backup')
    const size = numberAt(header, 124, 12)
    if (!Number.isSafeInteger(size)) throw new DamagedArchive('it is not a backup')
    const type = header.toString('latin1', 156, 157)
    if (type === EXTENDED && checksum === undefined) {
      checksum = parseChecksum(await take(Math.min(size, MAX_EXTENDED_BYTES)))
      await take(padding(size))
      continue
    }
    const [prefix, rest] = [textAt(header, 345, MAX_PREFIX), textAt(header, 0, MAX_NAME)]
    const name = prefix === '' ? rest : `${prefix}/${rest}`
    const kind = type === FILE || type === OLD_FILE ? 'file' : type === FOLDER ? 'folder' : 'other'
    const bytes = checksum === undefined ? pieces(size) : verifyChecksum(pieces(size), name, checksum)
    yield { name, size, bytes, kind, hasChecksum: checksum !== undefined }
    for await (const _ of bytes);
    await take(padding(size))
    checksum = undefined
  }
}

/** Parses the checksum in an extended header. */
function parseChecksum(record: Buffer): string {
  const [, checksum] = /^\d{1,4} CALLOUT\.sha256=([0-9a-f]{64})\n$/.exec(record.toString('latin1')) ?? []
  if (checksum === undefined) throw new DamagedArchive('it is not a backup')
  return checksum
}

async function* verifyChecksum(pieces: AsyncIterable<Buffer>, name: string, checksum: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('hex') !== checksum)
    throw new DamagedArchive(`its entry ${name.slice(0, 100)} does not match its checksum`)
}

/** Returns an entry's bytes together. Throws `DamagedArchive` if there are more than `most`. */
export async function readWhole({ name, size, bytes }: ReadEntry, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes)
    throw new DamagedArchive(`its entry ${name.slice(0, 100)} has ${size} bytes; the maximum is ${maxBytes}`)
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Reads blocks of a given size from chunks of any length. `drain` checks the rest. */
function openReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  const next = async (): Promise<Buffer> => {
    const { value, done } = await source.next()
    if (done === true) throw new DamagedArchive('it is truncated')
    return value
  }
  return {
    pieces: async function* (size: number): AsyncGenerator<Buffer> {
      for (let remaining = size; remaining > 0;) {
        const chunk = buffered.length > 0 ? buffered : await next()
        const piece = chunk.subarray(0, remaining)
        buffered = chunk.subarray(piece.length)
        remaining -= piece.length
        yield piece
      }
    },
    take: async (size: number): Promise<Buffer> => {
      const parts = [buffered]
      let length = buffered.length
      while (length < size) {
        const chunk = await next()
        parts.push(chunk)
        length += chunk.length
      }
      const all = parts.length === 1 ? buffered : Buffer.concat(parts, length)
      buffered = all.subarray(size)
      return all.subarray(0, size)
    },
    drain: async (): Promise<void> => {
      let after = buffered.length
      for (let one = await source.next(); one.done !== true; one = await source.next()) {
        after += one.value.length
        if (after > MAX_TRAILING_BYTES) throw new DamagedArchive('it has data after its end')
      }
    },
  }
}

const padding = (size: number): number => (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

const textAt = (header: Buffer, at: number, length: number): string =>
  header.toString('latin1', at, at + length).replace(/\0.*$/s, '')

const numberAt = (header: Buffer, at: number, length: number): number => Number.parseInt(textAt(header, at, length), 8)

/** Returns the checksum of a header: the sum of its bytes, with those of the checksum itself counted as spaces. */
const headerChecksum = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
