import { promisify } from 'node:util'
import { crc32, inflate } from 'node:zlib'
import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Picture for documents, without metadata. Sizes are in pixels. */
export type Picture = { content_type: 'image/png' | 'image/jpeg'; width: number; height: number; bytes: Buffer }

const MAX_SIDE = 4_000
const MAX_PIXELS = 4_000_000

/**
 * Reads a PNG or JPEG whose size is within the limits, and strips its metadata. Never inflates more than the size in
 * its header (docs/spec/documents.md#logo). Throws `invalid_input` for the field.
 */
export async function readPicture(bytes: Buffer, field: string): Promise<Picture> {
  if (bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return readPng(bytes, field)
  if (bytes.length > 4 && bytes.readUInt16BE(0) === SOI) return readJpeg(bytes, field)
  throw invalidField(field, refusals.notPicture())
}

function requireSize(width: number, height: number, field: string): void {
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw invalidField(
      field,
      refusals.badSize({ width: String(width), height: String(height), side: String(MAX_SIDE) }),
    )
}

const brokenRefusal = (field: string) => invalidField(field, refusals.broken())

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Number of channels and allowed depths by color type (PNG 11.2.1). */
const CHANNELS: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}

/** Chunks that are part of the picture. */
const PICTURE_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']

type Chunk = { type: string; data: Buffer; raw: Buffer }

/** Reads a PNG (W3C PNG, third edition). */
async function readPng(bytes: Buffer, field: string): Promise<Picture> {
  const chunks = parseChunks(bytes, field)
  const [first] = chunks
  if (first?.type !== 'IHDR' || first.data.length !== 13 || chunks.at(-1)?.type !== 'IEND') throw brokenRefusal(field)
  const { data: head } = first
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const [depth, color, interlace] = [head.readUInt8(8), head.readUInt8(9), head.readUInt8(12)]
  requireSize(width, height, field)
  const kind = CHANNELS[color]
  const [palette, ...furtherPalettes] = chunks.filter(({ type }) => type === 'PLTE')
  if (kind === undefined || !kind.depths.includes(depth) || interlace > 1 || head[10] !== 0 || head[11] !== 0)
    throw brokenRefusal(field)
  if (color === 3 && (palette === undefined || furtherPalettes.length > 0 || palette.data.length % 3 !== 0))
    throw brokenRefusal(field)
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data))
  const size = pixelDataSize(width, height, depth * kind.channels, interlace === 1)
  const pixels = await promisify(inflate)(data, { maxOutputLength: size }).catch(() => undefined)
  if (pixels?.length !== size) throw brokenRefusal(field)
  return {
    content_type: 'image/png',
    width,
    height,
    bytes: Buffer.concat([SIGNATURE, ...chunks.map(({ raw }) => raw)]),
  }
}

function parseChunks(bytes: Buffer, field: string): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length && chunks.at(-1)?.type !== 'IEND';) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw brokenRefusal(field)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (PICTURE_CHUNKS.includes(type))
      chunks.push({ type, data: bytes.subarray(at + 8, end - 4), raw: bytes.subarray(at, end) })
    at = end
  }
  if (chunks.length === 0) throw brokenRefusal(field)
  return chunks
}

/** Passes of Adam7: start and spacing of the pixels of each (PNG 8.1). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Returns the size of the pixels in bytes, including one filter byte per row. */
function pixelDataSize(width: number, height: number, bits: number, isInterlaced: boolean): number {
  const rows = (wide: number, high: number): number => (wide === 0 ? 0 : high * (1 + Math.ceil((wide * bits) / 8)))
  if (!isInterlaced) return rows(width, height)
  return PASSES.reduce(
    (sum, [x, y, dx, dy]) =>
      sum + rows(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  )
}

const SOI = 0xffd8
const [SOS, EOI, APP0, APP14, APP15, COM] = [0xda, 0xd9, 0xe0, 0xee, 0xef, 0xfe]

/** Frame types that PDF readers decode: baseline, extended, progressive (ISO 32000-1, 7.4.8). */
const FRAMES = [0xc0, 0xc1, 0xc2]

/** Reads a JPEG up to its first scan, segment by segment (ITU-T T.81, B.1). */
function readJpeg(bytes: Buffer, field: string): Picture {
  const segments = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | undefined
  for (let at = 2; at + 4 <= bytes.length;) {
    const [prefix, marker] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)]
    const length = bytes.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (prefix !== 0xff || length < 2 || end > bytes.length) break
    if (marker === SOS) {
      if (size === undefined || bytes.lastIndexOf(Buffer.from([0xff, EOI])) < end) break
      return { content_type: 'image/jpeg', ...size, bytes: Buffer.concat([...segments, bytes.subarray(at)]) }
    }
    if (FRAMES.includes(marker)) size = parseFrame(bytes.subarray(at + 4, end), field)
    if (!(marker > APP0 && marker <= APP15 && marker !== APP14) && marker !== COM)
      segments.push(bytes.subarray(at, end))
    at = end
  }
  throw brokenRefusal(field)
}

function parseFrame(frame: Buffer, field: string): { width: number; height: number } {
  if (frame.length < 6 || frame[0] !== 8 || ![1, 3, 4].includes(frame.readUInt8(5))) throw brokenRefusal(field)
  const [height, width] = [frame.readUInt16BE(1), frame.readUInt16BE(3)]
  requireSize(width, height, field)
  return { width, height }
}
