import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { load } from 'cheerio'
import { pino } from 'pino'
import type { GeocoderConfig } from '../../src/platform/config/config.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { zipCentroid } from '../../src/scheduling/places/zip_centroids.ts'
import { positionsOf } from '../../src/scheduling/places/positions.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import type { TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => unknown

let service: TestService
let office: Office
let answer: Answer
let requests: URL[]
const server = createServer((req, res) => {
  requests.push(new URL(req.url ?? '', 'http://geocoder.test'))
  answer(req, res)
})
before(async () => {
  service = await startSite()
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
after(async () => {
  server.closeAllConnections()
  server.close()
  await service.stop()
})
beforeEach(async () => {
  requests = []
  answer = (_req, res) => res.writeHead(500).end()
  office = await openOffice(service, 'Alder Plumbing')
})

const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const json =
  (body: unknown): Answer =>
  (_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Runs the geocoding that is due some minutes from now. */
async function geocode({ kind = 'nominatim', minutes = 2 }: { kind?: GeocoderConfig['kind']; minutes?: number } = {}) {
  const shop = {
    database: service.database,
    log: pino({ level: 'silent' }),
    clock: () => Temporal.Now.instant().add({ minutes }),
    stopping: new AbortController().signal,
  }
  const geocoder = { kind, url: baseUrl(), perSecond: 100 }
  const tasks = configurableTasks({ ...service.config, geocoder }, service.database).filter(
    ({ name }) => name === 'geocoding',
  )
  await enrollAll(shop, tasks)
  await runDue(shop, tasks)
}

async function addLocation(place: Record<string, unknown> = {}): Promise<string> {
  const { id: customer_id } = await office.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
  const location = {
    customer_id,
    address_line1: '1 Main St',
    city: 'Austin',
    region: 'TX',
    postal_code: '78701',
    ...place,
  }
  return String((await office.call('locations_create', location)).id)
}

const positionOf = async (id: string) =>
  (await readTenant(service.database, { tenant: office.id }, (db) => positionsOf(db, [id]))).get(id)

const AUSTIN = { latitude: 30.2706, longitude: -97.7426, precision: 'zip', source: 'census_2021' }

describe('the position of a location', () => {
  it('defaults to the center of its ZIP code or ZIP+4', async () => {
    assert.deepEqual(await positionOf(await addLocation()), AUSTIN)
    assert.deepEqual(await positionOf(await addLocation({ postal_code: '78701-1234' })), AUSTIN)
  })

  it('is unknown without a US ZIP code', async () => {
    for (const place of [{ postal_code: '' }, { postal_code: '00000' }, { postal_code: '10115', country: 'DE' }])
      assert.equal(await positionOf(await addLocation(place)), undefined)
  })

  it('is the pin that a person sets, until it is removed', async () => {
    const id = await addLocation()
    const page = office.at('locations', id)
    await submit(office.browser, `${page}/edit`, { latitude: '30.25', longitude: '-97.75' })
    assert.deepEqual(await positionOf(id), { latitude: 30.25, longitude: -97.75, precision: 'pin', source: 'pin' })
    assert.match(pageTextOf(await office.browser.get(page)), /30\.25, -97\.75 Pin set manually/)
    await submit(office.browser, `${page}/edit`, { latitude: '', longitude: '' })
    assert.deepEqual(await positionOf(id), AUSTIN)
    assert.match(pageTextOf(await office.browser.get(page)), /30\.2706, -97\.7426 Center of the ZIP code Move pin/)
  })
})

describe('the pin form', () => {
  const editAt = (id: string) => `${office.at('locations', id)}/edit`
  const formOf = (id: string) => `${editAt(id)}?field=latitude,longitude`
  const mapOn = async (id: string) => {
    const page = await office.browser.get(formOf(id))
    const $ = load(page.text)
    return {
      page,
      at: $('.pin-map [data-at]').attr('data-at'),
      streets: $('.near-street').text(),
      towns: $('.map-town').text(),
      fields: $('.record-form .field input')
        .get()
        .map(({ attribs }) => attribs['name']),
    }
  }

  it('shows known places nearby, saves the pin and records the change', async () => {
    const id = await addLocation()
    await addLocation({ address_line1: '2 Oak St', latitude: 30.28, longitude: -97.74 })
    await addLocation({ city: 'Westlake', postal_code: '78703' })
    await addLocation({ address_line1: '3 Far Rd', latitude: 31.28, longitude: -97.74 })
    const gone = await addLocation({ address_line1: '4 Gone St', latitude: 30.275, longitude: -97.75 })
    await office.call('locations_archive', { id: gone })
    const other = await openOffice(service, 'Birch Heating')
    await other.customer('Eve', { locations: [{ address_line1: '5 Elm St', latitude: 30.271, longitude: -97.741 }] })
    const { at, streets, towns, fields } = await mapOn(id)
    assert.deepEqual([at, streets, towns], ['-97.7426 30.2706', '2 Oak St', 'Westlake'])
    assert.deepEqual(fields, ['latitude', 'longitude'])
    for (const other of [editAt(id), office.at('locations', id)])
      assert.doesNotMatch((await office.browser.get(other)).text, /pin_map|street_map/)
    const saved = await submit(office.browser, formOf(id), { latitude: '30.27123', longitude: '-97.74' }, editAt(id))
    assert.match(
      pageTextOf(await office.browser.get(saved.location ?? '')),
      /Saved 1 Main St.* 30\.27123, -97\.74 Pin set manually/,
    )
    const [, change] = await office.entries(id)
    assert.deepEqual(change?.changed, { latitude: [null, 30.27123], longitude: [null, -97.74] })
  })

  it('has no map if no place is known, and starts at another place if this one is unknown', async () => {
    const id = await addLocation({ postal_code: '' })
    assert.equal((await mapOn(id)).at, undefined)
    assert.deepEqual((await mapOn(id)).fields, ['latitude', 'longitude'])
    assert.match(pageTextOf(await office.browser.get(office.at('locations', id))), /On the map Set pin/)
    await addLocation({ latitude: 30.28, longitude: -97.74 })
    const { at, page } = await mapOn(id)
    assert.equal(at, '-97.74 30.28')
    assert.match(pageTextOf(page), /On the map: place unknown/)
  })

  it("rejects half a position, and returns 404 to members who can't change it", async () => {
    const id = await addLocation()
    const half = await submit(office.browser, formOf(id), { latitude: '30.2' }, editAt(id))
    assert.equal(half.status, 422)
    assert.match(pageTextOf(half), /Enter both latitude and longitude/)
    assert.match(half.text, /class="pin-map"/)
    const { browser } = await office.signInMember('tech')
    assert.equal((await browser.get(formOf(id))).status, 404)
    const page = await browser.get(office.at('locations', id))
    assert.doesNotMatch(pageTextOf(page), /Move pin/)
    await office.call('locations_archive', { id })
    assert.doesNotMatch(pageTextOf(await office.browser.get(office.at('locations', id))), /Move pin/)
  })
})

describe('geocoding', () => {
  // Geocodes the locations of other companies.
  before(async () => {
    answer = json([])
    await geocode()
  })

  const kinds: [GeocoderConfig['kind'], unknown, (url: URL) => string | null][] = [
    ['nominatim', [{ lat: '30.1', lon: '-97.1', place_rank: 30 }], (url) => url.searchParams.get('q')],
    [
      'pelias',
      { features: [{ geometry: { coordinates: [-97.1, 30.1] }, properties: { layer: 'address' } }] },
      (url) => url.searchParams.get('text'),
    ],
    [
      'census',
      { result: { addressMatches: [{ coordinates: { x: -97.1, y: 30.1 } }] } },
      (url) => url.searchParams.get('address'),
    ],
  ]
  for (const [kind, found, addressIn] of kinds)
    it(`with ${kind} finds the street address with one request`, async () => {
      const id = await addLocation()
      answer = json(found)
      await geocode({ kind })
      await geocode({ kind, minutes: 10 })
      assert.deepEqual(await positionOf(id), { latitude: 30.1, longitude: -97.1, precision: 'street', source: kind })
      assert.deepEqual(requests.map(addressIn), ['1 Main St, Austin, TX 78701, US'])
    })

  it('runs again when the address changes, and the old position is discarded', async () => {
    const id = await addLocation()
    answer = json(kinds[0]?.[1])
    await geocode()
    await office.call('locations_update', { id, address_line1: '2 Main St' })
    assert.deepEqual(await positionOf(id), AUSTIN)
    answer = json([{ lat: '30.2', lon: '-97.2', place_rank: 30 }])
    await geocode({ minutes: 4 })
    assert.equal((await positionOf(id))?.latitude, 30.2)
  })

  it('skips pinned and archived locations', async () => {
    await addLocation({ latitude: 30, longitude: -97 })
    await office.call('locations_archive', { id: await addLocation() })
    await geocode()
    assert.deepEqual(requests, [])
  })

  it("keeps the ZIP code position if only the town or nothing is found, and doesn't ask again", async () => {
    for (const [i, found] of [[], [{ lat: '30.1', lon: '-97.1', place_rank: 16 }]].entries()) {
      const id = await addLocation()
      requests = []
      answer = json(found)
      await geocode({ minutes: 1000 * i + 2 })
      await geocode({ minutes: 1000 * i + 600 })
      assert.deepEqual([await positionOf(id), requests.length], [AUSTIN, 1])
    }
  })

  const hostile: [string, Answer][] = [
    ['fails', (_req, res) => res.writeHead(500).end('no')],
    ['redirects', (_req, res) => res.writeHead(302, { location: `${baseUrl()}/inner` }).end()],
    ['is no JSON', (_req, res) => res.writeHead(200).end('<html>')],
    ['is another shape', json({ lat: 1 })],
    ['is out of range', json([{ lat: '91', lon: '0', place_rank: 30 }])],
    ['has no numbers', json([{ lat: 'NaN', lon: '1e3', place_rank: 30 }])],
    ['never ends', (_req, res) => sendWithoutEnd(res)],
  ]
  for (const [name, of] of hostile)
    it(`with a response that ${name} changes nothing and retries after an hour`, async () => {
      const id = await addLocation()
      answer = of
      await geocode()
      assert.deepEqual([await positionOf(id), requests.map(({ pathname }) => pathname)], [AUSTIN, ['/search']])
      await geocode({ minutes: 30 })
      assert.equal(requests.length, 1)
      answer = json(kinds[0]?.[1])
      await geocode({ minutes: 70 })
      assert.equal((await positionOf(id))?.precision, 'street')
    })

  it('stops for the rest of the run after three failures in a row', async () => {
    for (let i = 0; i < 5; i++) await addLocation()
    await geocode()
    assert.equal(requests.length, 3)
  })
})

/** Sends data until the connection is closed. */
function sendWithoutEnd(res: ServerResponse): void {
  res.write('x'.repeat(65_536), (error) => {
    if (!error) sendWithoutEnd(res)
  })
}

describe('the ZIP code table', () => {
  it('has the centers of the Census ZIP code areas', () => {
    const centers: [string, number, number][] = [
      ['10001', 40.7507, -73.9973],
      ['00601', 18.1806, -66.7499],
      ['54301', 44.4808, -88.0161],
      ['99553', 54.1, -165.8],
    ]
    for (const [zip, latitude, longitude] of centers) {
      const center = zipCentroid(zip)
      assert.ok(center, zip)
      assert.ok(Math.abs(center.latitude - latitude) < 0.3 && Math.abs(center.longitude - longitude) < 0.3, zip)
    }
    for (const zip of ['', '1234', '123456', '78701x', '00000', 'SW1A 1AA']) assert.equal(zipCentroid(zip), undefined)
  })
})
