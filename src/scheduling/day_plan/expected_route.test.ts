import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ESTIMATES } from '../travel/travel_times.ts'
import { expectedRoute, expectedStops, type PlannedStop } from './expected_route.ts'
import { planCompanyDay } from './plan_company_day.ts'
import type { CompanyDay, PlannedVisit } from './read_day.ts'

/** Minutes of each drive, since no visit has a position. */
const DRIVE = 15

const visitOf = (id: string, start: number, more: Partial<PlannedVisit> = {}): PlannedVisit => ({
  id,
  display_number: id,
  title: id,
  status: 'scheduled',
  start,
  end: start + 60,
  all_day: false,
  window: 60,
  assignee_ids: ['leo'],
  position: undefined,
  city: null,
  skills: [],
  actualStart: null,
  actualEnd: null,
  last_user: null,
  ...more,
})

const dayAt = (now: number, visits: readonly PlannedVisit[]): CompanyDay => ({
  date: Temporal.PlainDate.from('2027-03-10'),
  zone: 'UTC',
  now,
  visits: [...visits].sort((a, b) => a.start - b.start),
  people: [{ user_id: 'leo', name: 'Leo', skills: [], isWorker: true, spans: [{ from: 480, to: 1080 }] }],
  defaultTravel: DRIVE,
  arrivalWindow: 60,
  travel: ESTIMATES,
})

const startsOf = (day: CompanyDay): Record<string, number> =>
  Object.fromEntries(expectedRoute(day, 'leo').stops.map(({ visit, starts }) => [visit.id, starts]))

const statuses = fc.constantFrom('scheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold', 'done')
const days = fc
  .record({
    now: fc.integer({ min: 300, max: 1300 }),
    visits: fc.array(
      fc.record({
        start: fc.integer({ min: 480, max: 1080 }),
        status: statuses,
        ago: fc.integer({ min: 0, max: 200 }),
        isReported: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ now, visits }) => {
    const all = visits.map(({ start, status, ago, isReported }, i) => {
      const at = isReported ? now - ago : null
      const isUnderWay = status === 'en_route' || status === 'in_progress'
      const times = { begun: isUnderWay ? at : null, ended: status === 'done' ? at : null }
      return visitOf(`v${i}`, start, { status, ...times })
    })
    return dayAt(now, all)
  })

describe('the expected start of a visit', () => {
  it('is the scheduled start before the day, and on later days', () => {
    const visits = [visitOf('a', 540), visitOf('b', 600), visitOf('c', 700, { status: 'en_route', actualStart: -200 })]
    for (const now of [-1000, 2000]) assert.deepEqual(startsOf(dayAt(now, visits)), { a: 540, b: 615, c: 700 })
  })

  it('is not before now for a visit that has not begun, and moves later visits', () => {
    const visits = [visitOf('a', 540), visitOf('b', 600), visitOf('c', 900)]
    assert.deepEqual(startsOf(dayAt(500, visits)), { a: 540, b: 615, c: 900 })
    assert.deepEqual(startsOf(dayAt(580, visits)), { a: 580, b: 655, c: 900 })
    const [, , last] = expectedRoute(dayAt(660, visits), 'leo').stops
    assert.deepEqual([last?.starts, last?.late], [900, 0])
  })

  it('follows the reported status: longer work, longer drives and early completion', () => {
    const next = visitOf('b', 660)
    const during = (more: Partial<PlannedVisit>) => [visitOf('a', 540, more), next]
    assert.equal(startsOf(dayAt(600, during({ status: 'in_progress', actualStart: 570 })))['b'], 660)
    assert.equal(startsOf(dayAt(720, during({ status: 'in_progress', actualStart: 570 })))['b'], 720 + DRIVE)
    assert.equal(startsOf(dayAt(560, during({ status: 'done', actualEnd: 550 })))['b'], 660)
    assert.equal(startsOf(dayAt(655, during({ status: 'done', actualEnd: 650 })))['b'], 655 + DRIVE)
    const onTheWay = (now: number, actualStart: number) =>
      startsOf(
        dayAt(now, [
          visitOf('a', 540, { status: 'done', actualEnd: actualStart }),
          { ...next, status: 'en_route', actualStart },
        ]),
      )['b']
    assert.deepEqual([onTheWay(660, 655), onTheWay(668, 655), onTheWay(700, 655)], [670, 670, 700])
  })

  it('puts begun visits first, regardless of the schedule', () => {
    const visits = [visitOf('skipped', 540), visitOf('under way', 660, { status: 'in_progress', actualStart: 560 })]
    assert.deepEqual(Object.entries(startsOf(dayAt(600, visits))), [
      ['under way', 560],
      ['skipped', 620 + DRIVE],
    ])
  })

  it('is not delayed by a visit on hold, or one not begun after its end and window', () => {
    const visits = (more: Partial<PlannedVisit>) => [visitOf('a', 540, more), visitOf('b', 700)]
    assert.equal(startsOf(dayAt(690, visits({ status: 'on_hold' })))['b'], 690 + DRIVE)
    assert.equal(startsOf(dayAt(640, visits({})))['b'], 640 + 60 + DRIVE)
    assert.equal(startsOf(dayAt(661, visits({})))['b'], 700)
  })

  it('counts an unassigned visit as late from its start', () => {
    const day = dayAt(580, [visitOf('a', 540, { assignee_ids: [] }), visitOf('b', 600, { assignee_ids: [] })])
    assert.deepEqual(
      [...expectedStops(day, null).values()].map(({ visit, late }) => [visit.id, late]),
      [
        ['a', 40],
        ['b', 0],
      ],
    )
  })

  it('is never before now, the scheduled start or the end of the previous visit plus the drive', () => {
    fc.assert(
      fc.property(days, (day) => {
        const { stops } = expectedRoute(day, 'leo')
        assert.equal(stops.length, day.visits.length)
        let ahead: PlannedStop | undefined
        for (const stop of stops) {
          const { visit, starts, late } = stop
          assert.equal(late, Math.max(0, starts - visit.start))
          if (visit.status === 'scheduled') {
            assert.ok(starts >= Math.max(visit.start, day.now))
            const isBusy = ahead !== undefined && ahead.leaves > -Infinity
            if (isBusy) assert.ok(starts >= Number(ahead?.leaves) + DRIVE, JSON.stringify(stops))
          }
          if (visit.status === 'en_route') assert.ok(starts >= Math.max(visit.start, day.now))
          if (visit.status === 'in_progress') assert.ok(stop.leaves >= day.now)
          ahead = stop
        }
      }),
    )
  })

  it('never gets earlier when time passes without a report', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 60 }), (day, minutes) => {
        const isForgotten = ({ status, end, window }: PlannedVisit) =>
          status === 'scheduled' && day.now + minutes > end + window
        if (day.now + minutes >= 1440 || day.visits.some(isForgotten)) return
        const [now, later] = [startsOf(day), startsOf({ ...day, now: day.now + minutes })]
        for (const { id } of day.visits) assert.ok(Number(later[id]) >= Number(now[id]), id)
      }),
    )
  })

  it('is equal in the plan for begun visits, and planned visits start after now', async () => {
    await fc.assert(
      fc.asyncProperty(days, async (day) => {
        const { people } = await planCompanyDay('company', day)
        const [{ before, after } = { before: undefined, after: undefined }] = people
        const listBegunStops = (stops: readonly PlannedStop[] = []) =>
          stops.filter(({ visit }) => visit.status !== 'scheduled').map(({ visit, starts }) => [visit.id, starts])
        const sort = (all: (string | number)[][]) => all.map(([id, starts]) => [id, Math.max(0, Number(starts))]).sort()
        assert.deepEqual(sort(listBegunStops(after?.stops)), sort(listBegunStops(before?.stops)))
        for (const { visit, starts } of after?.stops ?? [])
          if (visit.status === 'scheduled') assert.ok(starts >= day.now)
      }),
      { numRuns: 30 },
    )
  })
})
