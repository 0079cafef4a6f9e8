import assert from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { load } from 'cheerio'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { pmtilesOf, writeTown } from '../../harness/files/map_archive.ts'
import type { TestService } from '../../harness/harness.ts'
import { startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

const DAY = '2027-03-10'
/** Tile in the middle of the invented town. */
const TILE = '10/301/385'

let path: string
let service: TestService
let schedule: Schedule
before(async () => {
  path = await writeTown()
  service = await startSite({ MAP_TILES: path })
  schedule = await openSchedule(service)
  const leo = await schedule.hire('Leo Ruiz')
  for (const [time, latitude] of [
    ['09:00', 40.6],
    ['11:00', 40.8],
  ] as const) {
    const customer = await schedule.customer('Ana', {
      locations: [{ address_line1: '1 Main St', latitude, longitude: -74 }],
    })
    await schedule.book({
      customer_id: customer.id,
      assignees: [leo.id],
      scheduled_start: `${DAY}T${time}`,
      duration_minutes: 60,
    })
  }
})
after(async () => {
  await service.stop()
  await rm(dirname(path), { recursive: true })
})

const tiles = (name = ''): string => `${schedule.at('schedule', 'tiles')}${name === '' ? '' : `/${name}`}`
const ask = async (name: string, browser: Browser = schedule.browser) => {
  const answer = await fetch(new URL(tiles(name), service.config.baseUrl), {
    headers: { cookie: [...browser.jar].map(([key, value]) => `${key}=${value}`).join('; ') },
    redirect: 'manual',
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const errorOf = ({ bytes }: { bytes: Buffer }): unknown => JSON.parse(bytes.toString()).error

/** Replaces the archive that the service reads during a test. */
async function withArchive(archive: Buffer, test: () => Promise<void>): Promise<void> {
  await rename(path, `${path}.kept`)
  await writeFile(path, archive)
  await test().finally(() => rename(`${path}.kept`, path))
}

describe('map tiles of the schedule', () => {
  it('are referenced by the map page only, whose CSP allows a worker', async () => {
    const [map, day] = [await schedule.page(`?day=${DAY}&view=map`), await schedule.page(`?day=${DAY}`)]
    const $ = load(map.text)
    const place = $('figure.map-room > street-map')
    assert.deepEqual([place.length, place.attr('data-area')], [1, tiles()])
    assert.match(place.attr('data-library') ?? '', /^\/assets\/maplibre\.[\w-]{12}\.js$/)
    assert.match($('script[src*="street_map"]').attr('src') ?? '', /^\/assets\//)
    assert.deepEqual(
      $('svg.map > g[data-at]')
        .get()
        .map((pin) => [$(pin).attr('data-route'), $(pin).attr('data-at')]),
      [
        ['0', '-74 40.6'],
        ['0', '-74 40.8'],
      ],
    )
    assert.equal($('.route').attr('data-route'), '0')
    const [drawn, plain] = [map, day].map(({ headers }) => headers.get('content-security-policy') ?? '')
    assert.equal(drawn?.replace("; worker-src 'self'", ''), plain)
    assert.notEqual(drawn, plain)
    assert.doesNotMatch(day.text, /street-map|street_map|maplibre/)
  })

  it('are drawn by a library and worker from this service, each with its own CSP', async () => {
    const { text } = await schedule.page(`?day=${DAY}&view=map`)
    for (const [name, policy] of [
      ['library', "default-src 'none'; frame-ancestors 'none'"],
      ['worker', "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"],
    ]) {
      const address = load(text)('street-map').attr(`data-${name}`) ?? ''
      const file = await fetch(new URL(address, service.config.baseUrl))
      assert.deepEqual([file.status, file.headers.get('content-security-policy')], [200, policy])
      assert.match(await file.text(), /maplibre/i)
    }
  })

  it('are served as in the archive, with a private cache lifetime', async () => {
    const area = await ask('')
    const { version, ...more } = JSON.parse(area.bytes.toString())
    assert.match(version, /^[\w-]{8}$/)
    assert.deepEqual(more, {
      min_zoom: 4,
      max_zoom: 12,
      bounds: [-74.3, 40.4, -73.7, 41],
      attribution: 'Protomaps © OpenStreetMap',
    })
    const tile = await ask(TILE)
    assert.equal(tile.status, 200)
    assert.equal(tile.headers.get('content-type'), 'application/vnd.mapbox-vector-tile')
    assert.equal(tile.headers.get('cache-control'), 'private, max-age=604800')
    assert.equal(tile.headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal(tile.headers.get('content-encoding'), 'gzip')
    assert.ok(tile.bytes.includes('Interstate 5'), 'unpacked by the client')
    const none = await ask('10/1/1')
    assert.deepEqual([none.status, none.bytes.length], [204, 0])
  })

  it('are refused without sign-in, membership or access to jobs, and for invalid coordinates', async () => {
    const other = await openSchedule(service, 'Birch Heating')
    const blind = await schedule.hire('Una Vista', 'tech', { 'Jobs & scheduling': 'none' })
    const unseeing = newBrowser(service)
    await unseeing.signIn(blind.email)
    for (const name of ['', TILE]) {
      assert.deepEqual([(await ask(name, newBrowser(service))).status, name], [401, name])
      const foreign = await ask(name, other.browser)
      assert.deepEqual([foreign.status, errorOf(foreign)], [403, 'not_a_member'])
      assert.equal((await ask(name, unseeing)).status, 404)
    }
    for (const name of ['23/0/0', '99/0/0', '1/2/0', '1/0/2', '0/0/1', '22/9999999/0'])
      assert.deepEqual([name, errorOf(await ask(name))], [name, 'no_such_tile'])
    for (const name of ['-1/0/0', '1/a/0', '1/0', '100/0/0', '1/0/12345678', '1/0/0.mvt', '1/0/0/0'])
      assert.deepEqual([name, (await ask(name)).status], [name, 404])
    const posted = await schedule.browser.post(tiles(TILE), {})
    assert.equal(posted.status, 405)
  })

  it('return 503 when the archive is broken or hostile, and the map page still works', async () => {
    const at = { tiles: new Map([['0/0/0', gzipSync(Buffer.alloc(5 * 2 ** 20))]]) }
    const hostile: [string, Buffer, string[]][] = [
      ['bomb', pmtilesOf(at), ['0/0/0']],
      ['huge', pmtilesOf({ tiles: new Map([['0/0/0', Buffer.alloc(2 ** 20 + 1)]]) }), ['0/0/0']],
      ['broken', Buffer.alloc(500, 1), ['', '0/0/0']],
      ['pictures', pmtilesOf({ ...at, tileType: 2 }), ['']],
    ]
    for (const [what, archive, names] of hostile)
      await withArchive(archive, async () => {
        await ask('')
        for (const name of names) {
          const answer = await ask(name)
          assert.deepEqual([what, answer.status, errorOf(answer)], [what, 503, 'unreadable'])
          assert.equal(answer.headers.get('cache-control'), 'no-store')
        }
        assert.equal((await schedule.page(`?day=${DAY}&view=map`)).status, 200)
      })
    await ask('')
    assert.equal((await ask(TILE)).status, 200)
  })

  it('change their version with the archive', async () => {
    const version = async (): Promise<unknown> => JSON.parse((await ask('')).bytes.toString()).version
    const first = await version()
    await withArchive(pmtilesOf({ tiles: new Map([['0/0/0', gzipSync('other')]]) }), async () => {
      assert.notEqual(await version(), first)
      assert.equal((await ask('0/0/0')).bytes.toString(), 'other')
    })
    assert.equal(await version(), first)
  })

  it('return 404 without an archive, and the map page has no street map', async () => {
    const plain = await startSite()
    try {
      const office = await openSchedule(plain)
      const { text, headers } = await office.page(`?day=${DAY}&view=map`)
      assert.doesNotMatch(text, /street-map|data-route/)
      assert.doesNotMatch(headers.get('content-security-policy') ?? '', /worker-src/)
      assert.equal((await office.browser.get(office.at('schedule', 'tiles'))).status, 404)
      assert.equal((await office.browser.get(office.at('schedule', 'tiles', '0', '0', '0'))).status, 404)
    } finally {
      await plain.stop()
    }
  })
})
