import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Coordinates } from './places/coordinates.ts'
import { extraDriving, subtractVisits, neighborsOf, type PlacedVisit, type TravelContext } from './visit_gaps.ts'
import { slotsIn } from './working_time.ts'

const MINUTE = 60_000
const DAY = { from: 0, to: 1440 * MINUTE }
const WORK = [
  { from: 480 * MINUTE, to: 720 * MINUTE },
  { from: 780 * MINUTE, to: 1020 * MINUTE },
]
const DEFAULT_TRAVEL = 17

/** Drives between six places on a line, longer in one direction; independent of the code under test. */
const minutesBetween = (from: Coordinates, to: Coordinates): number =>
  from.latitude === to.latitude ? 0 : 7 * Math.abs(from.latitude - to.latitude) + (from.latitude < to.latitude ? 4 : 0)

const travel = {
  between: (from: Coordinates, to: Coordinates) => ({
    minutes: minutesBetween(from, to),
    isEstimate: from.latitude === 3,
  }),
}

const position = fc.option(
  fc.integer({ min: 0, max: 5 }).map((latitude) => ({ latitude, longitude: 0 })),
  { nil: undefined },
)
const visits = fc
  .array(
    fc.record({ start: fc.integer({ min: 400, max: 1100 }), minutes: fc.integer({ min: 5, max: 150 }), position }),
    { maxLength: 6 },
  )
  .map((all) =>
    all
      .map(({ start, minutes, position }): PlacedVisit => ({
        from: start * MINUTE,
        to: (start + minutes) * MINUTE,
        isAllDay: false,
        position,
      }))
      .sort((a, b) => a.from - b.from),
  )

/** Returns the required minutes between two visits by the rule of the specification. */
function gap(from: Coordinates | undefined, to: Coordinates | undefined): number {
  if (from === undefined || to === undefined) return DEFAULT_TRAVEL
  let minutes = 0
  while (minutes < minutesBetween(from, to)) minutes += 5
  return minutes
}

const fits = (
  start: number,
  minutes: number,
  others: readonly PlacedVisit[],
  place: Coordinates | undefined,
): boolean =>
  WORK.some(({ from, to }) => start * MINUTE >= from && (start + minutes) * MINUTE <= to) &&
  others.every(
    (one) =>
      start >= one.to / MINUTE + gap(one.position, place) ||
      start + minutes <= one.from / MINUTE - gap(place, one.position),
  )

describe('free time beside visits', () => {
  it('is exactly the time that leaves the driving time before and after', () => {
    fc.assert(
      fc.property(visits, position, fc.integer({ min: 1, max: 12 }), (others, place, quarters) => {
        const minutes = 15 * quarters
        const surroundings: TravelContext = { place, travel, defaultTravel: DEFAULT_TRAVEL }
        const free = subtractVisits(WORK, others, surroundings)
        const isFree = (start: number): boolean =>
          free.some(({ from, to }) => from <= start * MINUTE && (start + minutes) * MINUTE <= to)
        for (let start = 0; start + minutes <= 1440; start += 5)
          assert.equal(isFree(start), fits(start, minutes, others, place), `${start}`)
        for (const { from } of slotsIn(free, { length: minutes * MINUTE, after: 0, limit: 100 }))
          assert.ok(fits(from / MINUTE, minutes, others, place))
      }),
      { numRuns: 500 },
    )
  })

  it('adds the drives to and from the new visit minus the replaced drive', () => {
    fc.assert(
      fc.property(visits, position, (others, place) => {
        const surroundings: TravelContext = { place, travel, defaultTravel: DEFAULT_TRAVEL }
        for (const slot of slotsIn(subtractVisits(WORK, others, surroundings), {
          length: 900_000,
          after: 0,
          limit: 100,
        })) {
          const before = others.filter(({ to }) => to <= slot.from)
          const previous = before.find(({ to }) => before.every((one) => one.to < to || one.to === to))
          const next = others.find(({ from }) => from >= slot.to)
          const driving = extraDriving(neighborsOf(slot, [DAY], others), surroundings)
          if (place === undefined || (previous === undefined && next === undefined)) {
            assert.equal(driving, undefined)
            continue
          }
          assert.ok(driving !== undefined && driving.minutes % 5 === 0)
          const [least, most] = bounds(before, others, slot.to, place)
          assert.ok(driving.minutes >= least && driving.minutes < most + 5, `${driving.minutes}: ${least} to ${most}`)
        }
      }),
    )
  })
})

/** Returns the least and most driving to add, over all neighbors tied for last before and first after. */
function bounds(before: PlacedVisit[], others: PlacedVisit[], end: number, place: Coordinates): [number, number] {
  const drive = (from: Coordinates | undefined, to: Coordinates | undefined): number =>
    from === undefined || to === undefined ? DEFAULT_TRAVEL : minutesBetween(from, to)
  const lastEnd = Math.max(...before.map(({ to }) => to))
  const previous = before.filter(({ to }) => to === lastEnd)
  const after = others.filter(({ from }) => from >= end)
  const firstStart = Math.min(...after.map(({ from }) => from))
  const next = after.filter(({ from }) => from === firstStart)
  const added = (previous.length === 0 ? [undefined] : previous).flatMap((a) =>
    (next.length === 0 ? [undefined] : next).map((b) => {
      const there = (a && drive(a.position, place)) ?? 0
      const on = (b && drive(place, b.position)) ?? 0
      return Math.max(0, there + on - (a && b ? drive(a.position, b.position) : 0))
    }),
  )
  return [Math.min(...added), Math.max(...added)]
}
