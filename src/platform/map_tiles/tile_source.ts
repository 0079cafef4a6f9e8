import { open } from 'node:fs/promises'
import { EtagMismatch, type RangeResponse, type Source } from 'pmtiles'
import type { MapTilesConfig } from '../config/config.ts'
import { readWebBody } from '../http/body.ts'
import { openBucketRequest } from '../storage/storage_bucket.ts'

/** Maximum bytes of a tile or a directory in the archive. A bucket that sends more is cut off. */
const MAX_PIECE_BYTES = 2 ** 20
const TIMEOUT_MS = 10_000

type Piece = RangeResponse & { etag: string }
type ReadPiece = (offset: number, length: number, signal?: AbortSignal) => Promise<Piece>

/** Opens an archive that is read piece by piece. A replaced file is noticed by its etag. */
export function openTileSource(location: MapTilesConfig): Source {
  const read = location.kind === 'file' ? fileReader(location.path) : bucketReader(location)
  return {
    getKey: () => (location.kind === 'file' ? location.path : location.key),
    getBytes: async (offset, length, signal, etag) => {
      if (!Number.isSafeInteger(offset + length) || length > MAX_PIECE_BYTES)
        throw new Error(`The archive has a piece of ${length} bytes at ${offset}: more than ${MAX_PIECE_BYTES}`)
      const piece = await read(offset, length, signal)
      if (etag !== undefined && etag !== piece.etag) throw new EtagMismatch('The archive is another one now')
      return piece
    },
  }
}

const fileReader =
  (path: string): ReadPiece =>
  async (offset, length) => {
    const file = await open(path)
    try {
      const { size, mtimeMs, ino } = await file.stat()
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
      return { data: bytes.buffer.slice(0, bytesRead), etag: `${ino}-${size}-${mtimeMs}` }
    } finally {
      await file.close()
    }
  }

function bucketReader({ bucket, key }: MapTilesConfig & { kind: 'bucket' }): ReadPiece {
  const request = openBucketRequest(bucket)
  return async (offset, length, signal) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const response = await request(key, {
      headers: { Range: `bytes=${offset}-${offset + length - 1}` },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    if (response.status !== 206) {
      await response.body?.cancel()
      throw new Error(`The bucket answered ${response.status} to a request for a part of ${key}`)
    }
    const bytes = await readWebBody(response, { maxBytes: length, signal: timeout })
    if (typeof bytes === 'string') throw new Error(`The bucket sent a part of ${key} that is ${bytes}`)
    return { data: Uint8Array.from(bytes).buffer, etag: response.headers.get('etag') ?? '' }
  }
}
