import { promisify } from 'node:util'
import { createHash } from 'node:crypto'
import { gunzip } from 'node:zlib'
import { Parser } from 'htmlparser2'
import { Compression, PMTiles, ResolvedValueCache, TileType, type DecompressFunc, type Header } from 'pmtiles'
import type { MapTilesConfig } from '../config/config.ts'
import { openTileSource } from './tile_source.ts'

/** Archive details that a map needs before it draws. */
type MapArea = {
  /** Version, which changes with the archive. */
  version: string
  min_zoom: number
  max_zoom: number
  /** West, south, east and north. */
  bounds: readonly [number, number, number, number]
  /** Attribution from the archive, as plain text. */
  attribution: string
}

/** Vector tile as stored in the archive, compressed or not. */
type MapTile = { bytes: Uint8Array<ArrayBuffer>; isGzip: boolean }

type TilePosition = { z: number; x: number; y: number }

export type MapTiles = {
  /** Throws if the archive can't be read or has tiles other than vector tiles. */
  describe(): Promise<MapArea & { layers: readonly string[] }>
  /** Returns undefined for a tile that the archive doesn't have. */
  readTile(at: TilePosition, signal?: AbortSignal): Promise<MapTile | undefined>
}

/** Maximum uncompressed bytes of a tile. */
const MAX_TILE_BYTES = 4 * 2 ** 20
/** Maximum uncompressed bytes of a directory or of the metadata. */
const MAX_INDEX_BYTES = 2 ** 20
/** Maximum number of cached directories. An extract of a state has about 20. */
const MAX_DIRECTORIES = 24
const MAX_ATTRIBUTION = 200
const DEFAULT_ATTRIBUTION = '© OpenStreetMap contributors'
/** Maximum number of tiles read at once; further ones are refused without waiting. */
const MAX_CONCURRENT = 32

/** Thrown if `MAX_CONCURRENT` tiles are being read. */
export class TooManyTiles extends Error {}

/** Opens an archive of map tiles (PMTiles 3). It is read lazily. */
export function openMapTiles(location: MapTilesConfig): MapTiles {
  const source = openTileSource(location)
  // A cache of promises would keep failures forever.
  const cache = new ResolvedValueCache(MAX_DIRECTORIES, true, inflateWithin(MAX_INDEX_BYTES))
  const tiles = new PMTiles(source, cache, keepCompressed)
  const index = new PMTiles(source, cache, inflateWithin(MAX_INDEX_BYTES))
  let reading = 0
  return {
    describe: async () => {
      // Reads the first piece again, so that a replaced file is noticed.
      await cache.invalidate(source)
      const header = await index.getHeader()
      requireVectorTiles(header)
      const { attribution, layers } = readMetadata(await index.getMetadata())
      const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat, etag = '' } = header
      return {
        version: createHash('sha256').update(etag).digest('base64url').slice(0, 8),
        min_zoom: minZoom,
        max_zoom: maxZoom,
        bounds: [minLon, minLat, maxLon, maxLat],
        attribution,
        layers,
      }
    },
    readTile: async ({ z, x, y }, signal) => {
      if (reading >= MAX_CONCURRENT) throw new TooManyTiles()
      reading++
      try {
        const { tileCompression } = await tiles.getHeader()
        const tile = await tiles.getZxy(z, x, y, signal)
        if (tile === undefined) return undefined
        // Checked here, because a browser decompresses without a limit.
        if (tileCompression === Compression.Gzip) await inflateWithin(MAX_TILE_BYTES)(tile.data, tileCompression)
        return { bytes: new Uint8Array(tile.data), isGzip: tileCompression === Compression.Gzip }
      } finally {
        reading--
      }
    },
  }
}

const keepCompressed: DecompressFunc = (bytes) => Promise.resolve(bytes)

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer<ArrayBuffer>>(gunzip)

/** Returns a function that decompresses up to `maxBytes`, off the event loop. */
const inflateWithin =
  (maxBytes: number): DecompressFunc =>
  async (bytes, compression) => {
    if (compression === Compression.None) return bytes
    if (compression !== Compression.Gzip) throw new Error('The archive is packed in another way than gzip')
    return Uint8Array.from(await unzip(Buffer.from(bytes), { maxOutputLength: maxBytes })).buffer
  }

function requireVectorTiles({ specVersion, tileType, tileCompression }: Header): void {
  if (specVersion !== 3) throw new Error(`The archive is of version ${specVersion} of PMTiles, not 3`)
  if (tileType !== TileType.Mvt) throw new Error('The archive has other tiles than vector tiles (MVT)')
  if (tileCompression !== Compression.Gzip && tileCompression !== Compression.None)
    throw new Error('The tiles are packed in another way than gzip')
}

function readMetadata(metadata: unknown): { attribution: string; layers: string[] } {
  const { attribution, vector_layers: layers }: { attribution?: unknown; vector_layers?: unknown } = Object(metadata)
  return {
    attribution: (typeof attribution === 'string' && plainText(attribution)) || DEFAULT_ATTRIBUTION,
    layers: Array.isArray(layers) ? layers.map((layer: unknown) => String(Object(layer).id)) : [],
  }
}

/** Returns the text of an attribution, which may contain HTML links. */
function plainText(markup: string): string {
  let text = ''
  new Parser({ ontext: (piece) => void (text += piece) }).end(markup)
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_ATTRIBUTION)
}
