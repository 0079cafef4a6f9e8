import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Stored tiles of an archive, by `z/x/y`. */
export type StoredTiles = ReadonlyMap<string, Buffer>

type ArchiveParts = {
  tiles: StoredTiles
  bounds?: readonly [number, number, number, number]
  metadata?: object
  /** Code from the specification: 2 is gzip, 1 is none. */
  tileCompression?: number
  tileType?: number
  version?: number
  /** Entries per leaf directory. If undefined, all are in the root. */
  leafEntries?: number
}

type Entry = { id: number; offset: number; length: number; run: number }

const HEADER_BYTES = 127
const DEGREE = 10_000_000

/** Returns an archive in PMTiles version 3. */
export function pmtilesOf({
  tiles,
  bounds = [-180, -85, 180, 85],
  metadata = { vector_layers: [{ id: 'roads', fields: {} }], attribution: '© OpenStreetMap contributors' },
  tileCompression = 2,
  tileType = 1,
  version = 3,
  leafEntries,
}: ArchiveParts): Buffer {
  const placed = [...tiles].map(([name, bytes]) => ({ id: tileId(name), bytes })).sort((a, b) => a.id - b.id)
  let end = 0
  const entries = placed.map(({ id, bytes }): Entry => {
    const offset = end
    end += bytes.length
    return { id, offset, length: bytes.length, run: 1 }
  })
  const { root, leaves } = directoriesOf(entries, leafEntries)
  const json = gzipSync(JSON.stringify(metadata))
  const zooms = [...tiles.keys()].map((name) => Number(name.split('/')[0]))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles')
  header[7] = version
  const parts = [root, json, leaves, ...placed.map(({ bytes }) => bytes)]
  const starts = [HEADER_BYTES, HEADER_BYTES + root.length, HEADER_BYTES + root.length + json.length]
  const lengths = [root.length, json.length, leaves.length]
  for (const [i, start] of [...starts, starts[2]! + leaves.length].entries()) {
    header.writeBigUInt64LE(BigInt(start), 8 + i * 16)
    header.writeBigUInt64LE(BigInt(lengths[i] ?? end), 16 + i * 16)
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(entries.length), at)
  header.set([1, 2, tileCompression, tileType, Math.min(...zooms), Math.max(...zooms)], 96)
  for (const [i, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * DEGREE), 102 + i * 4)
  return Buffer.concat([header, ...parts])
}

function directoriesOf(entries: readonly Entry[], leafEntries = Infinity): { root: Buffer; leaves: Buffer } {
  if (entries.length <= leafEntries) return { root: directoryOf(entries), leaves: Buffer.alloc(0) }
  const leaves: Buffer[] = []
  const pointers: Entry[] = []
  for (let at = 0; at < entries.length; at += leafEntries) {
    const some = entries.slice(at, at + leafEntries)
    const leaf = directoryOf(some)
    pointers.push({ id: some[0]!.id, offset: Buffer.concat(leaves).length, length: leaf.length, run: 0 })
    leaves.push(leaf)
  }
  return { root: directoryOf(pointers), leaves: Buffer.concat(leaves) }
}

/** Returns a compressed directory: delta-encoded tile ids, then runs, lengths and offsets. */
export const directoryOf = (entries: readonly Entry[]): Buffer =>
  gzipSync(
    Buffer.concat([
      varint(entries.length),
      ...entries.map(({ id }, i) => varint(id - (entries[i - 1]?.id ?? 0))),
      ...entries.map(({ run }) => varint(run)),
      ...entries.map(({ length }) => varint(length)),
      ...entries.map(({ offset }) => varint(offset + 1)),
    ]),
  )

/** Returns the id of a tile `z/x/y`: the number of tiles at lower zooms, plus its Hilbert curve position. */
export function tileId(name: string): number {
  const [zoom = 0, column = 0, row = 0] = name.split('/').map(Number)
  let id = (4 ** zoom - 1) / 3
  let [x, y] = [column, row]
  for (let side = 2 ** (zoom - 1); side >= 1; side /= 2) {
    const [right, low] = [x >= side, y >= side]
    id += side ** 2 * (right ? (low ? 2 : 3) : low ? 1 : 0)
    if (right) x -= side
    if (low) y -= side
    if (!low) [x, y] = right ? [side - 1 - y, side - 1 - x] : [y, x]
  }
  return id
}

/** Shape on a tile with its properties, in tile units of 4,096 per side. */
export type Shape = {
  layer: string
  type: 'point' | 'line' | 'area'
  points: readonly (readonly [number, number])[]
  tags: Readonly<Record<string, string>>
}

/** Returns a compressed vector tile (Mapbox Vector Tile 2.1). */
export function vectorTile(shapes: readonly Shape[]): Buffer {
  const layers = [...new Set(shapes.map(({ layer }) => layer))]
  return gzipSync(Buffer.concat(layers.map((name) => field(3, layerOf(name, shapes)))))
}

function layerOf(name: string, shapes: readonly Shape[]): Buffer {
  const own = shapes.filter(({ layer }) => layer === name)
  const keys = [...new Set(own.flatMap(({ tags }) => Object.keys(tags)))]
  const values = [...new Set(own.flatMap(({ tags }) => Object.values(tags)))]
  return Buffer.concat([
    Buffer.from([0x78, 2]),
    field(1, Buffer.from(name)),
    ...own.map(({ type, points, tags }) => {
      const pairs = Object.entries(tags).flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)])
      const kind = ['point', 'line', 'area'].indexOf(type) + 1
      return field(2, field(2, ...pairs.map(varint)), Buffer.from([0x18, kind]), field(4, ...geometryOf(type, points)))
    }),
    ...keys.map((key) => field(3, Buffer.from(key))),
    ...values.map((value) => field(4, field(1, Buffer.from(value)))),
    Buffer.from([0x28, ...varint(4096)]),
  ])
}

function geometryOf(type: Shape['type'], points: Shape['points']): Buffer[] {
  const moves = points.map(([x, y], i) => {
    const [fromX, fromY] = points[i - 1] ?? [0, 0]
    return [zigzag(Math.round(x) - Math.round(fromX)), zigzag(Math.round(y) - Math.round(fromY))]
  })
  const command = (id: number, count: number): number => id + count * 8
  const numbers = [command(1, 1), ...moves[0]!]
  if (moves.length > 1) numbers.push(command(2, moves.length - 1), ...moves.slice(1).flat())
  if (type === 'area') numbers.push(command(7, 1))
  return numbers.map(varint)
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)

const field = (id: number, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([varint(id * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

/** Road, river, park or town in longitude and latitude. */
export type Feature = Omit<Shape, 'points'> & { at: readonly (readonly [number, number])[]; from?: number }

/** Returns the tiles up to `maxZoom`, each with the features that cross it. */
export function tilesOf(features: readonly Feature[], maxZoom: number): Map<string, Buffer> {
  const shapes = new Map<string, Shape[]>()
  for (const { at, from = 4, ...more } of features)
    for (let z = from; z <= maxZoom; z++) {
      const points = at.map((place) => onGlobe(place, z))
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
      for (let x = Math.floor(Math.min(...xs)); x <= Math.max(...xs); x++)
        for (let y = Math.floor(Math.min(...ys)); y <= Math.max(...ys); y++) {
          const local = points.map(([px, py]) => [(px - x) * 4096, (py - y) * 4096] as const)
          shapes.set(`${z}/${x}/${y}`, [...(shapes.get(`${z}/${x}/${y}`) ?? []), { ...more, points: local }])
        }
    }
  return new Map([...shapes].map(([name, own]) => [name, vectorTile(own)]))
}

/** Converts a position to tile coordinates of a zoom (Web Mercator). */
function onGlobe([longitude, latitude]: readonly [number, number], z: number): [number, number] {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return [((longitude + 180) / 360) * 2 ** z, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z]
}

/** Returns an invented town: streets in a grid, two highways, a river, parks and names. */
export function inventedTown([west, south, east, north]: readonly [number, number, number, number]): Feature[] {
  const [x, y] = [(share: number) => west + share * (east - west), (share: number) => south + share * (north - south)]
  const shares = (count: number): number[] => Array.from({ length: count }, (_, i) => i / (count - 1))
  const road = (kind: string, name: string, at: Feature['at'], from: number): Feature[] =>
    at.slice(1).map((to, i) => ({ layer: 'roads', type: 'line', at: [at[i]!, to], tags: { kind, name }, from }))
  const across = (share: number): Feature['at'] => shares(13).map((one) => [x(one), y(share + Math.sin(one * 7) / 90)])
  const along = (share: number): Feature['at'] => shares(13).map((one) => [x(share + Math.cos(one * 5) / 110), y(one)])
  const park = (px: number, py: number): Feature => ({
    layer: 'landuse',
    type: 'area',
    at: [
      [px, py],
      [px + 0.09, py + 0.01],
      [px + 0.08, py + 0.09],
      [px - 0.01, py + 0.07],
    ].map(([one = 0, two = 0]) => [x(one), y(two)] as const),
    tags: { kind: 'park' },
  })
  const town = (name: string, px: number, py: number): Feature => ({
    layer: 'places',
    type: 'point',
    at: [[x(px), y(py)]],
    tags: { kind: 'locality', name },
  })
  const river = shares(25).map((one) => [x(one), y(0.42 + Math.sin(one * 6) / 9)] as const)
  return [
    park(0.2, 0.7),
    park(0.6, 0.2),
    park(0.75, 0.72),
    {
      layer: 'water',
      type: 'area',
      at: [...river, ...river.toReversed().map(([one, two]) => [one, two - (north - south) / 30] as const)],
      tags: { kind: 'water' },
    },
    ...shares(41).flatMap((one, i) => road('minor_road', `${i + 1}th St`, across(one), 9)),
    ...shares(41).flatMap((one, i) => road('minor_road', `Oak Ave ${i + 1}`, along(one), 9)),
    ...shares(9).flatMap((one, i) => road('major_road', `Route ${i + 20}`, across(one), 7)),
    ...shares(9).flatMap((one, i) => road('major_road', `County Rd ${i + 1}`, along(one), 7)),
    ...road(
      'highway',
      'Interstate 5',
      shares(13).map((one) => [x(one), y(0.1 + one * 0.75)]),
      4,
    ),
    ...road('highway', 'Interstate 8', along(0.55), 4),
    town('Alderton', 0.52, 0.55),
    town('Northfield', 0.5, 0.85),
    town('Southport', 0.45, 0.15),
    town('Eastbrook', 0.85, 0.5),
  ]
}

/** Area around the visits of tests. */
export const TEST_AREA = [-74.3, 40.4, -73.7, 41] as const

/** Writes an archive of an invented town to a new folder, and returns its path. */
export async function writeTown(area: readonly [number, number, number, number] = TEST_AREA): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'callout-map-')), 'area.pmtiles')
  const tiles = tilesOf(inventedTown(area), 12)
  await writeFile(path, pmtilesOf({ tiles, bounds: area, metadata: TOWN_METADATA, leafEntries: 200 }))
  return path
}

const TOWN_METADATA = {
  vector_layers: ['roads', 'water', 'landuse', 'places'].map((id) => ({ id, fields: {} })),
  attribution:
    '<a href="https://protomaps.com">Protomaps</a> &copy; <a href="https://openstreetmap.org">OpenStreetMap</a>',
}
