import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fitIn, type FittingSlot, type VisitToFit } from '../../src/scheduling/day_plan/fit_in.ts'
import type { CompanyDay } from '../../src/scheduling/day_plan/read_day.ts'
import { estimateMinutes } from '../../src/scheduling/travel/estimate.ts'
import type { Coordinates, Position } from '../../src/scheduling/places/coordinates.ts'

type Visit = CompanyDay['visits'][number]

const at = (latitude: number, longitude = -97): Position => ({ latitude, longitude, precision: 'pin', source: 'pin' })

const visitOf = (user: string, start: number, end: number, position: Position | undefined): Visit => ({
  id: `${user} ${start}`,
  display_number: 'J-1',
  status: 'scheduled',
  start,
  end,
  all_day: false,
  assignee_ids: [user],
  position,
  last_user: null,
})

const dayOf = (visits: Visit[], users: string[] = ['leo', 'mia'], now = 0): CompanyDay => ({
  date: Temporal.PlainDate.from('2027-03-01'),
  zone: 'America/Chicago',
  now,
  visits: visits.toSorted((a, b) => a.start - b.start),
  people: users.map((user_id) => ({
    user_id,
    name: user_id,
    isWorker: true,
    spans: [
      { from: 480, to: 720 },
      { from: 780, to: 1020 },
    ],
  })),
  defaultTravel: 15,
  travel: {
    between: (from: Coordinates, to: Coordinates) => ({ minutes: estimateMinutes(from, to), isEstimate: true }),
  },
})

const short = (slots: FittingSlot[]) => slots.map(({ user_id, start, addedDriving }) => [user_id, start, addedDriving])

describe('a visit fits in', () => {
  it('where it adds the least driving', () => {
    const day = dayOf([visitOf('leo', 480, 540, at(30)), visitOf('mia', 480, 540, at(31))])
    const slots = fitIn([day], { minutes: 60, position: at(31) })
    assert.deepEqual(short(slots)[0], ['mia', 540, 0])
    assert.ok((slots[1]?.addedDriving ?? 0) > 60)
  })

  it('not before now, nor where somebody has the whole day, nor without the people it may have', () => {
    const visit = { minutes: 60, position: at(30) }
    assert.deepEqual(short(fitIn([dayOf([], ['leo'], 601)], visit)), [['leo', 615, 0]])
    assert.deepEqual(fitIn([dayOf([{ ...visitOf('leo', 0, 1440, at(30)), all_day: true }], ['leo'])], visit), [])
    assert.deepEqual(short(fitIn([dayOf([])], { ...visit, people: ['mia'] })), [['mia', 480, 0]])
  })

  it('with the company’s travel time where a place is not known', () => {
    const day = dayOf([visitOf('leo', 480, 540, undefined)], ['leo'])
    assert.deepEqual(short(fitIn([day], { minutes: 60, position: at(30) })), [['leo', 555, 15]])
  })

  it('only within working hours, reached and left in time, at the least added driving of all such times', () => {
    const anyVisit = fc.record({
      user: fc.constantFrom('leo', 'mia'),
      start: fc.integer({ min: 470, max: 1000 }),
      minutes: fc.integer({ min: 10, max: 150 }),
      latitude: fc.double({ min: 30, max: 30.5, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(anyVisit, { maxLength: 8 }), fc.integer({ min: 15, max: 200 }), (all, minutes) => {
        const day = dayOf(
          all.map(({ user, start, minutes, latitude }) => visitOf(user, start, start + minutes, at(latitude))),
        )
        const visit = { minutes, position: at(30.2) }
        const slots = fitIn([day], visit, 10)
        for (const user of ['leo', 'mia']) {
          const slot = slots.find(({ user_id }) => user_id === user)
          assert.deepEqual(slot?.addedDriving, leastDriving(day, user, visit), user)
          if (slot !== undefined) assert.ok(drivingAt(day, user, visit, slot.start) !== undefined)
        }
      }),
    )
  })
})

/** Tries every quarter of an hour. */
function leastDriving(day: CompanyDay, user: string, visit: VisitToFit): number | undefined {
  const costs = Array.from({ length: 96 }, (_, i) => drivingAt(day, user, visit, 15 * i) ?? Infinity)
  const least = Math.min(...costs)
  return least === Infinity ? undefined : least
}

/** Returns the driving that a start adds, undefined where a visit or the working hours are in its way. */
function drivingAt(
  day: CompanyDay,
  user: string,
  { minutes, position }: VisitToFit,
  start: number,
): number | undefined {
  const end = start + minutes
  const spans = day.people.find(({ user_id }) => user_id === user)?.spans ?? []
  if (!spans.some(({ from, to }) => start >= from && end <= to)) return undefined
  const own = day.visits.filter(({ assignee_ids }) => assignee_ids.includes(user))
  if (own.some((visit) => visit.start < end && visit.end > start)) return undefined
  const before = own.filter((visit) => visit.start < start)
  const after = own.filter((visit) => visit.start >= end)
  const drive = (a: Position | undefined, b: Position | undefined): number => estimateMinutes(a!, b!)
  const [previous, next] = [before.at(-1), after[0]]
  const [to, from] = [
    previous === undefined ? 0 : drive(previous.position, position),
    next === undefined ? 0 : drive(position, next.position),
  ]
  if (previous !== undefined && Math.max(...before.map((visit) => visit.end)) + to > start) return undefined
  if (next !== undefined && end + from > next.start) return undefined
  const direct = previous === undefined || next === undefined ? 0 : drive(previous.position, next.position)
  return Math.max(0, to + from - direct)
}
