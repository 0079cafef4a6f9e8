import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import S3rver from 's3rver'
import { directoryOf, pmtilesOf, tileId, vectorTile } from '../../../test/harness/files/map_archive.ts'
import { openStorage } from '../storage/open_storage.ts'
import { openMapTiles, type MapTiles } from './map_tiles.ts'
import { openTileSource } from './tile_source.ts'

const ROAD = vectorTile([
  {
    layer: 'roads',
    type: 'line',
    points: [
      [0, 0],
      [4096, 4096],
    ],
    tags: { kind: 'highway' },
  },
])

let folder: string
let serial = 0
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'callout-tiles-'))))
after(() => rm(folder, { recursive: true }))

async function open(archive: Buffer): Promise<MapTiles & { path: string }> {
  const path = join(folder, `${++serial}.pmtiles`)
  await writeFile(path, archive)
  return { ...openMapTiles({ kind: 'file', path }), path }
}

/** Returns an archive with one header field changed. */
function withNumber(archive: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(archive)
  changed.writeBigUInt64LE(BigInt(value), at)
  return changed
}

const world = (): Map<string, Buffer> => {
  const names = [0, 1, 2, 3].flatMap((z) =>
    Array.from({ length: 4 ** z }, (_, i) => `${z}/${i % 2 ** z}/${Math.floor(i / 2 ** z)}`),
  )
  return new Map(names.map((name) => [name, gzipSync(name)]))
}

describe('a map tile archive', () => {
  it('is built in these tests with the tile ids of the specification', () => {
    const numbers = {
      '0/0/0': 0,
      '1/0/0': 1,
      '1/0/1': 2,
      '1/1/1': 3,
      '1/1/0': 4,
      '2/0/0': 5,
      '12/3423/1763': 19_078_479,
    }
    for (const [name, id] of Object.entries(numbers)) assert.equal(tileId(name), id, name)
  })

  it('returns each stored tile from the root or a leaf directory, and undefined for others', async () => {
    const tiles = world()
    for (const leafEntries of [undefined, 7]) {
      const archive = await open(pmtilesOf({ tiles, ...(leafEntries && { leafEntries }) }))
      for (const [name, bytes] of tiles) {
        const [z = 0, x = 0, y = 0] = name.split('/').map(Number)
        const tile = await archive.readTile({ z, x, y })
        assert.ok(tile?.isGzip)
        assert.deepEqual(Buffer.from(tile.bytes), bytes)
        assert.equal(gunzipSync(tile.bytes).toString(), name)
      }
      assert.equal(await archive.readTile({ z: 4, x: 0, y: 0 }), undefined)
    }
    const few = await open(
      pmtilesOf({
        tiles: new Map([
          ['0/0/0', ROAD],
          ['2/1/1', ROAD],
        ]),
      }),
    )
    assert.equal(await few.readTile({ z: 1, x: 0, y: 0 }), undefined)
    const plain = await open(pmtilesOf({ tiles: new Map([['0/0/0', gunzipSync(ROAD)]]), tileCompression: 1 }))
    assert.equal((await plain.readTile({ z: 0, x: 0, y: 0 }))?.isGzip, false)
  })

  it('describes its area, zooms, layers and plain-text attribution', async () => {
    const attributionOf = async (metadata: object): Promise<string> =>
      (await (await open(pmtilesOf({ tiles: world(), metadata }))).describe()).attribution
    const { version, ...area } = await (
      await open(pmtilesOf({ tiles: world(), bounds: [-98.2, 30, -97.5, 30.6] }))
    ).describe()
    assert.deepEqual(area, {
      min_zoom: 0,
      max_zoom: 3,
      bounds: [-98.2, 30, -97.5, 30.6],
      attribution: '© OpenStreetMap contributors',
      layers: ['roads'],
    })
    assert.match(version, /^[\w-]{8}$/)
    assert.equal(
      await attributionOf({ attribution: '<a href="https://a.example">Maps &amp; Co</a> &copy; OSM' }),
      'Maps & Co © OSM',
    )
    assert.equal(await attributionOf({ attribution: 'x'.repeat(5_000) }), 'x'.repeat(200))
    for (const other of [{}, { attribution: '' }, { attribution: { a: 1 } }, [1]])
      assert.equal(await attributionOf(other), '© OpenStreetMap contributors')
  })

  it('is reopened when the file is replaced', async () => {
    const { path, describe, readTile } = await open(pmtilesOf({ tiles: world() }))
    const { version } = await describe()
    const at = { z: 1, x: 1, y: 0 }
    assert.equal(gunzipSync((await readTile(at))!.bytes).toString(), '1/1/0')
    await writeFile(`${path}.new`, pmtilesOf({ tiles: new Map([['1/1/0', ROAD]]) }))
    await rename(`${path}.new`, path)
    assert.deepEqual(Buffer.from((await readTile(at))!.bytes), ROAD)
    assert.notEqual((await describe()).version, version)
  })

  it('of another format is rejected with the reason', async () => {
    const tiles = world()
    const cases: [Buffer, RegExp][] = [
      [pmtilesOf({ tiles, tileType: 2 }), /other tiles than vector tiles/],
      [pmtilesOf({ tiles, tileCompression: 4 }), /packed in another way/],
      [pmtilesOf({ tiles, version: 2 }), /version 2/],
      [pmtilesOf({ tiles, version: 9 }), /version 9/],
      [Buffer.from('hello'), /./],
      [Buffer.alloc(0), /./],
      [Buffer.alloc(20_000, 7), /magic/],
      [pmtilesOf({ tiles }).subarray(0, 300), /./],
    ]
    for (const [archive, reason] of cases) await assert.rejects((await open(archive)).describe(), reason)
    await assert.rejects(openMapTiles({ kind: 'file', path: join(folder, 'none') }).describe(), /ENOENT/)
    await assert.rejects(openMapTiles({ kind: 'file', path: folder }).describe(), /EISDIR/)
  })

  it('with decompression bombs, oversized parts or cyclic leaves is rejected', async () => {
    const bomb = gzipSync(Buffer.alloc(5 * 2 ** 20))
    const at = { z: 0, x: 0, y: 0 }
    const one = (bytes: Buffer): Buffer => pmtilesOf({ tiles: new Map([['0/0/0', bytes]]) })
    await assert.rejects((await open(one(bomb))).readTile(at), /larger than|too large/i)
    await assert.rejects((await open(one(Buffer.alloc(2 ** 20 + 1)))).readTile(at), /more than 1048576/)
    const whole = one(ROAD)
    const rootLength = Number(whole.readBigUInt64LE(16))
    const withRoot = (root: Buffer): Buffer =>
      withNumber(Buffer.concat([whole.subarray(0, 127), root, whole.subarray(127 + rootLength)]), 16, root.length)
    await assert.rejects(
      (await open(withRoot(gzipSync(Buffer.alloc(2 ** 20 + 1))))).readTile(at),
      /larger than|too large/i,
    )
    const circle = directoryOf([{ id: 0, offset: 0, length: 10, run: 0 }])
    const endless = withNumber(withRoot(directoryOf([{ id: 0, offset: 0, length: circle.length, run: 0 }])), 40, 127)
    await assert.rejects((await open(endless)).readTile(at), /depth|Empty|varint|magic|incorrect|unexpected/i)
    for (const far of [2 ** 40, 2 ** 60])
      await assert.rejects((await open(withNumber(whole, 56, far))).readTile(at), /more than|end of file|unexpected/i)
  })

  it('with random bytes changed settles within two seconds', async () => {
    const whole = pmtilesOf({ tiles: world(), leafEntries: 7 })
    const change = fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 30 }), async (changes) => {
        const broken = Buffer.from(whole)
        for (const { at, to } of changes) broken[at] = to
        const archive = await open(broken)
        const begun = performance.now()
        await Promise.allSettled([archive.describe(), archive.readTile({ z: 3, x: 5, y: 2 })])
        await rm(archive.path)
        assert.ok(performance.now() - begun < 2_000)
      }),
      { numRuns: 150 },
    )
  })

  it('serves 32 concurrent reads and rejects more', async () => {
    const archive = await open(pmtilesOf({ tiles: world() }))
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => archive.readTile({ z: 3, x: 1, y: 1 })))
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 32)
    assert.ok(await archive.readTile({ z: 3, x: 1, y: 1 }))
  })
})

describe('a map tile archive in a bucket', () => {
  const access = {
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    sessionToken: null,
    prefix: '',
  }

  it('is read in ranges', async () => {
    const server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: join(folder, 's3'),
      configureBuckets: [{ name: 'maps' }],
    })
    const endpoint = `http://127.0.0.1:${(await server.run()).port}`
    const bucket = { ...access, endpoint, bucket: 'maps' }
    const key = '0198f7a0-0000-7000-8000-000000000000'
    await openStorage({ kind: 'bucket', ...bucket }).save(
      key,
      pmtilesOf({ tiles: world() }),
      'application/octet-stream',
    )
    try {
      const archive = openMapTiles({ kind: 'bucket', bucket, key })
      assert.equal((await archive.describe()).max_zoom, 3)
      assert.equal(gunzipSync((await archive.readTile({ z: 2, x: 3, y: 1 }))!.bytes).toString(), '2/3/1')
      await assert.rejects(openMapTiles({ kind: 'bucket', bucket, key: 'none' }).describe(), /answered 404/)
    } finally {
      await server.close()
    }
  })

  it('fails for a 200 or oversized response, and closes the connection, also when canceled', async () => {
    const gone = new AbortController()
    const closed = new Map(['whole', 'more', 'slow'].map((name) => [name, Promise.withResolvers<void>()]))
    const server = createServer((req, res) => {
      const name = req.url!.split('/').at(-1)!
      res.on('close', () => closed.get(name)?.resolve())
      if (name === 'whole') res.writeHead(200).write(Buffer.alloc(2 ** 16))
      if (name === 'more') res.writeHead(206).end(Buffer.alloc(2 ** 21))
      if (name === 'slow') gone.abort(new Error('gone'))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const address = server.address()
    const endpoint = `http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}`
    const at = (key: string): MapTiles =>
      openMapTiles({ kind: 'bucket', bucket: { ...access, endpoint, bucket: 'maps' }, key })
    await assert.rejects(at('whole').describe(), /answered 200/)
    await assert.rejects(at('more').describe(), /too_large/)
    const source = openTileSource({ kind: 'bucket', bucket: { ...access, endpoint, bucket: 'maps' }, key: 'slow' })
    await assert.rejects(source.getBytes(0, 100, gone.signal), /gone/)
    await Promise.all([...closed.values()].map(({ promise }) => promise))
    server.closeAllConnections()
    server.close()
  })
})
