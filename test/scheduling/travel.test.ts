import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import type { RouterConfig } from '../../src/platform/config/config.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { estimateMinutes, kilometers } from '../../src/scheduling/travel/estimate.ts'
import { travelTimesOf } from '../../src/scheduling/travel/travel_times.ts'
import { configurableTasks } from '../../src/worker/configurable_tasks.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

const place = fc.record({
  latitude: fc.double({ min: 24, max: 50, noNaN: true }),
  longitude: fc.double({ min: -125, max: -66, noNaN: true }),
})

describe('the drive time estimate', () => {
  it('is symmetric, 0 for the same place, and satisfies the triangle inequality', () => {
    fc.assert(
      fc.property(place, place, place, (a, b, c) => {
        assert.equal(estimateMinutes(a, b), estimateMinutes(b, a))
        assert.equal(estimateMinutes(a, a), 0)
        assert.ok(estimateMinutes(a, c) <= estimateMinutes(a, b) + estimateMinutes(b, c))
      }),
    )
  })

  it('never decreases with distance', () => {
    const near = fc.record({
      latitude: fc.double({ min: 30, max: 30.3, noNaN: true }),
      longitude: fc.double({ min: -97.9, max: -97.6, noNaN: true }),
    })
    for (const points of [near, place])
      fc.assert(
        fc.property(points, points, points, (a, b, c) => {
          if (kilometers(a, b) <= kilometers(a, c)) assert.ok(estimateMinutes(a, b) <= estimateMinutes(a, c))
        }),
      )
  })

  it('is realistic for drives from Austin', () => {
    const capitol = { latitude: 30.2747, longitude: -97.7404 }
    const drives: [string, number, number, number, number][] = [
      ['the university', 30.2849, -97.7341, 2, 6],
      ['the airport', 30.1975, -97.6664, 15, 30],
      ['San Antonio', 29.4246, -98.4951, 80, 130],
    ]
    for (const [name, latitude, longitude, least, most] of drives) {
      const minutes = estimateMinutes(capitol, { latitude, longitude })
      assert.ok(minutes >= least && minutes <= most, `${name}: ${minutes}`)
    }
  })
})

const PLACES = [
  { latitude: 30.1, longitude: -97.1 },
  { latitude: 30.2, longitude: -97.2 },
] as const
const [FIRST, SECOND] = PLACES

describe('a routing server', () => {
  let service: TestService
  let company: Company
  let answer: (req: IncomingMessage, res: ServerResponse) => unknown
  let requests: string[] = []
  const server = createServer((req, res) => {
    requests.push(req.url ?? '')
    answer(req, res)
  })
  before(async () => {
    service = await startTestService()
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.stop()
  })

  const answers: Readonly<Record<RouterConfig['kind'], unknown>> = {
    osrm: {
      durations: [
        [0, 601],
        [1200, 0],
      ],
    },
    valhalla: {
      sources_to_targets: [
        [{ time: 0 }, { time: 601 }],
        [{ time: 1200 }, { time: 0 }],
      ],
    },
  }

  /** Makes a company with two visits tomorrow. */
  async function openCompany(): Promise<void> {
    company = await makeCompany(service)
    requests = []
    const date = Temporal.Now.plainDateISO('America/New_York').add({ days: 1 })
    for (const position of PLACES) {
      const location = { address_line1: '1 Main St', ...position }
      const customer = { customer_type: 'individual', first_name: 'Ana', locations: [location] }
      const { id: customer_id } = await company.call('customers_create', customer)
      const scheduled_start = `${date.toString()}T10:00:00`
      await company.call('jobs_create', { customer_id, title: 'Visit', scheduled_start })
    }
  }

  async function route(kind: RouterConfig['kind'], minutes = 20): Promise<void> {
    const shop = {
      database: service.database,
      log: pino({ level: 'silent' }),
      clock: () => Temporal.Now.instant().add({ minutes }),
      stopping: new AbortController().signal,
    }
    const router = { kind, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    const tasks = configurableTasks({ ...service.config, router }, service.database).filter(
      ({ name }) => name === 'routing',
    )
    await enrollAll(shop, tasks)
    await runDue(shop, tasks)
  }

  const drives = async () => {
    const times = await readTenant(service.database, { tenant: company.tenant }, (db) => travelTimesOf(db, PLACES))
    return [times.between(FIRST, SECOND), times.between(SECOND, FIRST)]
  }
  const estimate = { minutes: estimateMinutes(FIRST, SECOND), isEstimate: true }

  for (const [kind, body] of Object.entries(answers))
    it(`of kind ${kind} returns drive times for the next days with one request`, async () => {
      await openCompany()
      assert.deepEqual(await drives(), [estimate, estimate])
      answer = (_req, res) => res.end(JSON.stringify(body))
      await route(kind === 'osrm' ? 'osrm' : 'valhalla')
      await route(kind === 'osrm' ? 'osrm' : 'valhalla', 60)
      assert.equal(requests.length, 1)
      assert.deepEqual(await drives(), [
        { minutes: 11, isEstimate: false },
        { minutes: 20, isEstimate: false },
      ])
    })

  it('that fails, redirects or returns invalid data leaves the estimates', async () => {
    const bodies = ['', '{}', '{"durations":[[0]]}', '{"durations":[[0,-5],[1,0]]}', '{"durations":[[0,1e9],[1,0]]}']
    for (const body of bodies) {
      await openCompany()
      answer = (_req, res) => res.end(body)
      await route('osrm')
      assert.deepEqual([await drives(), requests.length > 0], [[estimate, estimate], true])
    }
    for (const status of [302, 500]) {
      await openCompany()
      answer = (_req, res) => res.writeHead(status, { location: '/inner' }).end()
      await route('osrm')
      assert.deepEqual(await drives(), [estimate, estimate])
      assert.ok(!requests.includes('/inner'))
    }
  })

  it('that finds no road leaves the estimate for that drive', async () => {
    await openCompany()
    answer = (_req, res) => res.end('{"durations":[[0,null],[1200,0]]}')
    await route('osrm')
    assert.deepEqual(await drives(), [estimate, { minutes: 20, isEstimate: false }])
  })
})
