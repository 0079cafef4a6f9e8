import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** Takes the bytes of an archive as they come. */
export type Sink = (bytes: Buffer) => Promise<void>

type Zip = {
  /** Adds a file; its bytes are read once, no faster than the sink takes them. */
  add(name: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** Writes the directory, with which the archive is whole. */
  end(): Promise<void>
}

type Entry = { name: Buffer; crc: number; packed: number; size: number; at: number }

const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
/** Flags: sizes follow the bytes, and names are UTF-8 (APPNOTE 4.4.4). */
const FLAGS = 0x0808
const DEFLATED = 8
/** January 1, 1980, the earliest date that a ZIP file can have. */
const DAY = 0x21

/** Writes a ZIP archive front to back, with nothing of it in memory but its directory (PKWARE APPNOTE 6.3.10). */
export function openZip(sink: Sink): Zip {
  const entries: Entry[] = []
  let at = 0
  const write = async (bytes: Buffer): Promise<void> => {
    at += bytes.length
    await sink(bytes)
  }
  return {
    add: async (name, bytes) => {
      const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at }
      await write(localHeader(entry))
      const countBytes = async function* (): AsyncGenerator<Buffer> {
        for await (const piece of bytes) {
          entry.crc = crc32(piece, entry.crc)
          entry.size += piece.length
          if (entry.size > MAX_32) throw new Error(`The file ${name} is too long for an archive`)
          yield piece
        }
      }
      await pipeline(Readable.from(countBytes()), createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
        for await (const piece of packed) {
          entry.packed += piece.length
          await write(piece)
        }
      })
      await write(descriptor(entry))
      entries.push(entry)
    },
    end: async () => {
      const begin = at
      for (const entry of entries) await write(centralHeader(entry))
      await write(endOf(entries.length, begin, at - begin))
    },
  }
}

function localHeader({ name }: Entry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATED, 8)
  header.writeUInt16LE(DAY, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, packed, size }: Entry): Buffer {
  const after = Buffer.alloc(16)
  after.writeUInt32LE(0x0807_4b50, 0)
  after.writeUInt32LE(crc, 4)
  after.writeUInt32LE(packed, 8)
  after.writeUInt32LE(size, 12)
  return after
}

function centralHeader({ name, crc, packed, size, at }: Entry): Buffer {
  const isFar = at >= MAX_32
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x0201_4b50, 0)
  header.writeUInt16LE(isFar ? 45 : 20, 4)
  header.writeUInt16LE(isFar ? 45 : 20, 6)
  header.writeUInt16LE(FLAGS, 8)
  header.writeUInt16LE(DEFLATED, 10)
  header.writeUInt16LE(DAY, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(packed, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt16LE(isFar ? 12 : 0, 30)
  header.writeUInt32LE(isFar ? MAX_32 : at, 42)
  return Buffer.concat([header, name, ...(isFar ? [farOffset(at)] : [])])
}

/** Returns the part that holds an offset past 4 GiB (APPNOTE 4.5.3). */
function farOffset(at: number): Buffer {
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(at), 4)
  return extra
}

/** Returns the end of the directory, in its large form too where it needs that (APPNOTE 4.3.14). */
function endOf(count: number, begin: number, size: number): Buffer {
  const isLarge = count >= MAX_16 || begin >= MAX_32 || size >= MAX_32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(size, MAX_32), 12)
  end.writeUInt32LE(Math.min(begin, MAX_32), 16)
  if (!isLarge) return end
  const large = Buffer.alloc(56 + 20)
  large.writeUInt32LE(0x0606_4b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(45, 12)
  large.writeUInt16LE(45, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(begin), 48)
  large.writeUInt32LE(0x0706_4b50, 56)
  large.writeBigUInt64LE(BigInt(begin + size), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([large, end])
}
