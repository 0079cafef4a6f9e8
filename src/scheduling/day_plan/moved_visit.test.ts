import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { estimateMinutes } from '../travel/estimate.ts'
import { ESTIMATES, type TravelTimes } from '../travel/travel_times.ts'
import { effectOfMove } from './moved_visit.ts'
import type { CompanyDay, PlannedVisit } from './read_day.ts'

const DATE = Temporal.PlainDate.from('2027-03-10')
const NEXT = DATE.add({ days: 1 })
const PEOPLE = ['leo', 'mia']

const place = fc
  .record({ latitude: fc.double({ min: 40, max: 41, noNaN: true }), longitude: fc.constant(-74) })
  .map((at) => ({ ...at, precision: 'pin' as const, source: 'pin' }))
const visits = (names: string) =>
  fc
    .array(fc.record({ start: fc.integer({ min: 480, max: 1020 }), user: fc.constantFrom(...PEOPLE), place }), {
      maxLength: 6,
    })
    .map((all) =>
      all
        .map(({ start, user, place }, i) => ({
          ...visitAt(i, 0),
          id: `${names}${i}`,
          start,
          end: start + 45,
          assignee_ids: [user],
          position: place,
        }))
        .sort((a, b) => a.start - b.start),
    )

const visitAt = (i: number, latitude: number): PlannedVisit => ({
  id: `c${i}`,
  display_number: `J-${i}`,
  title: `Visit ${i}`,
  status: 'scheduled',
  start: 480 + i * 90,
  end: 525 + i * 90,
  all_day: false,
  window: 120,
  assignee_ids: ['leo'],
  position: { latitude, longitude: -74, precision: 'pin', source: 'pin' },
  city: null,
  skills: [],
  actualStart: null,
  actualEnd: null,
  last_user: null,
})

const dayOf = (date: Temporal.PlainDate, visits: PlannedVisit[]): CompanyDay => ({
  date,
  zone: 'UTC',
  now: -1000,
  visits,
  people: [],
  defaultTravel: 15,
  arrivalWindow: 120,
  travel: ESTIMATES,
})

/** Returns a person's driving time from visit to visit, computed by hand. */
function driven(all: readonly PlannedVisit[], user: string): number {
  const own = all.filter(({ assignee_ids }) => assignee_ids.includes(user))
  return own.slice(1).reduce((sum, { position: to }, i) => {
    const from = own[i]?.position
    return sum + (from === undefined || to === undefined ? 15 : estimateMinutes(from, to))
  }, 0)
}

describe('the effect of moving a visit', () => {
  it('is the change of driving for its old and new member, on both days', () => {
    fc.assert(
      fc.property(
        visits('a'),
        visits('b'),
        fc.nat(),
        fc.integer({ min: 480, max: 1020 }),
        fc.constantFrom(...PEOPLE),
        fc.boolean(),
        (today, tomorrow, pick, start, to, isNextDay) => {
          const moved = today[pick % Math.max(1, today.length)]
          if (moved === undefined || tomorrow.some((one) => one.start === start)) return
          if (today.some((one) => one.start === start)) return
          const [from = ''] = moved.assignee_ids
          const placed = { ...moved, start, end: start + 45, assignee_ids: [to] }
          const rest = today.filter((one) => one !== moved)
          const enter = (all: PlannedVisit[]) => [...all, placed].sort((a, b) => a.start - b.start)
          const days = isNextDay ? [dayOf(DATE, today), dayOf(NEXT, tomorrow)] : [dayOf(DATE, today)]
          const effect = effectOfMove(days, {
            id: moved.id,
            title: moved.title,
            date: isNextDay ? NEXT : DATE,
            start,
            end: start + 45,
            users: [to],
            window: 120,
            position: moved.position,
          })
          const people = [...new Set(isNextDay ? [from] : [from, to])]
          const sum = (all: readonly PlannedVisit[], users: readonly string[]): number =>
            users.reduce((total, user) => total + driven(all, user), 0)
          const before = sum(today, people) + (isNextDay ? driven(tomorrow, to) : 0)
          const after = isNextDay ? driven(rest, from) + driven(enter(tomorrow), to) : sum(enter(rest), people)
          assert.deepEqual([effect.drivingBefore, effect.drivingAfter], [before, after])
        },
      ),
    )
  })

  it('names newly late visits, worst first, with broken windows, and omits those equally late before', () => {
    const at = (latitude: number) => ({ latitude, longitude: -74, precision: 'pin' as const, source: 'pin' })
    const visit = (id: string, start: number, latitude: number): PlannedVisit => ({
      id,
      title: id,
      display_number: id,
      status: 'scheduled',
      start,
      end: start + 60,
      all_day: false,
      window: 120,
      assignee_ids: ['leo'],
      position: at(latitude),
      city: null,
      skills: [],
      actualStart: null,
      actualEnd: null,
      last_user: null,
    })
    const day = dayOf(DATE, [visit('first', 540, 40), visit('next', 600, 40), visit('last', 700, 40)])
    const move = {
      id: 'new',
      title: 'new',
      date: DATE,
      start: 560,
      end: 800,
      users: ['leo'],
      window: 120,
      position: at(40),
    }
    const { late } = effectOfMove([day], move)
    assert.deepEqual(
      late.map(({ id, isWindowBroken }) => [id, isWindowBroken]),
      [
        ['next', true],
        ['last', true],
        ['new', false],
      ],
    )
    assert.deepEqual(effectOfMove([day], { ...move, start: 800, end: 860 }).late, [])
    const lateDay = dayOf(DATE, [visit('first', 540, 40), visit('next', 600, 41)])
    assert.deepEqual(effectOfMove([lateDay], { ...move, start: 900, end: 960, users: ['leo'] }).late, [])
  })

  it('marks its driving as an estimate when any drive of the day is one', () => {
    const [first, second, third] = [40, 40.1, 40.2].map((latitude, i) => visitAt(i, latitude)) as [
      PlannedVisit,
      PlannedVisit,
      PlannedVisit,
    ]
    const withoutDrive = (from: number, to: number): TravelTimes => ({
      between: (a, b) => ({ minutes: 10, isEstimate: a.latitude === from && b.latitude === to }),
    })
    const isEstimate = (all: PlannedVisit[], travel: TravelTimes): boolean =>
      effectOfMove([{ ...dayOf(DATE, all), travel }], { ...first, date: DATE, users: ['leo'], window: 120 }).isEstimate
    assert.equal(isEstimate([first, second, third], withoutDrive(0, 0)), false)
    assert.equal(isEstimate([first, second, third], withoutDrive(40, 40.1)), true)
    assert.equal(isEstimate([first, second, third], withoutDrive(40.1, 40.2)), true)
    assert.equal(isEstimate([first, second, { ...third, position: undefined }], withoutDrive(0, 0)), true)
  })
})
