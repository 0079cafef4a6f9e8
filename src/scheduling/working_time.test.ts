import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { mergeRanges, slotsIn, subtractTime, workRanges, type TimeRange } from './working_time.ts'
import type { WorkSpan } from './week.ts'

const MINUTE = 60_000
const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago', 'UTC']
/** Days near clock changes of some of these zones, and days without one. */
const DAYS = [
  '2026-03-07',
  '2026-03-08',
  '2026-04-04',
  '2026-04-05',
  '2026-09-05',
  '2026-10-03',
  '2026-10-31',
  '2026-06-10',
]

const span = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 1, max: 96 }))
  .filter(([from, to]) => from < to)
  .map(([from, to]): WorkSpan => ({ from: from * 15, to: to * 15 }))

const asked = fc.record({
  zone: fc.constantFrom(...ZONES),
  day: fc.constantFrom(...DAYS),
  weeks: fc.array(fc.array(span, { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
  taken: fc.array(fc.tuple(fc.integer({ min: -300, max: 4000 }), fc.integer({ min: 1, max: 600 })), { maxLength: 6 }),
  minutes: fc.integer({ min: 5, max: 600 }),
  after: fc.integer({ min: -200, max: 3000 }),
})

/** Returns the minutes of three days by the wall clock, and the free ones of each. */
function grid(
  zone: string,
  first: Temporal.PlainDate,
  weeks: readonly (readonly WorkSpan[])[],
  taken: readonly TimeRange[],
) {
  const begin = first.toZonedDateTime(zone).epochMilliseconds
  const end = first.add({ days: 3 }).toZonedDateTime(zone).epochMilliseconds
  const days = [0, 1, 2].map((days) => first.add({ days }).toString())
  const isFree: boolean[] = []
  for (let at = begin; at < end; at += MINUTE) {
    const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
    const minute = wall.hour * 60 + wall.minute
    const spans = weeks[days.indexOf(wall.toPlainDate().toString())] ?? []
    isFree.push(
      spans.some(({ from, to }) => minute >= from && minute < to) &&
        taken.every(({ from, to }) => at < from || at >= to),
    )
  }
  return { begin, isFree }
}

describe('free time', () => {
  it('matches the wall clock minute by minute, also in nights of a clock change', () => {
    fc.assert(
      fc.property(asked, ({ zone, day, weeks, taken, minutes, after }) => {
        const first = Temporal.PlainDate.from(day)
        const zero = first.toZonedDateTime(zone).epochMilliseconds
        const gone = taken.map(([from, long]) => ({ from: zero + from * MINUTE, to: zero + (from + long) * MINUTE }))
        const { begin, isFree } = grid(zone, first, weeks, gone)
        const work = weeks.flatMap((spans, days) => workRanges(first.add({ days }), spans, zone))
        const free = subtractTime(work, gone)
        const found = isFree.map((_, i) =>
          free.some(({ from, to }) => begin + i * MINUTE >= from && begin + i * MINUTE < to),
        )
        assert.deepEqual(found, isFree)

        const slots = slotsIn(free, { length: minutes * MINUTE, after: zero + after * MINUTE, limit: 1000 })
        const expected: number[] = []
        for (let i = 0; i + minutes <= isFree.length;) {
          const at = begin + i * MINUTE
          const isStart = at >= zero + after * MINUTE && (at / MINUTE) % 15 === 0
          if (isStart && isFree.slice(i, i + minutes).every(Boolean)) {
            expected.push(at)
            i += minutes
          } else i++
        }
        assert.deepEqual(
          slots.map(({ from }) => from),
          expected,
        )
        assert.ok(slots.every(({ from, to }) => to - from === minutes * MINUTE))
      }),
      { numRuns: 60 },
    )
  })

  it('counts the repeated hour of a clock change twice and the skipped hour not at all', () => {
    const hours = (day: string): number =>
      workRanges(Temporal.PlainDate.from(day), [{ from: 60, to: 240 }], 'America/New_York').reduce(
        (sum, { from, to }) => sum + (to - from) / 3_600_000,
        0,
      )
    assert.deepEqual(['2026-03-08', '2026-06-10', '2026-11-01'].map(hours), [2, 3, 4])
    const repeated = workRanges(Temporal.PlainDate.from('2026-11-01'), [{ from: 60, to: 90 }], 'America/New_York')
    assert.deepEqual(
      repeated.map(({ from }) => new Date(from).toISOString()),
      ['2026-11-01T05:00:00.000Z', '2026-11-01T06:00:00.000Z'],
    )
  })

  it('is empty on a day that the zone skipped', () => {
    assert.deepEqual(workRanges(Temporal.PlainDate.from('2011-12-30'), [{ from: 0, to: 1440 }], 'Pacific/Apia'), [])
  })

  it('merges touching stretches, so a night shift crosses midnight', () => {
    const nights = ['2026-06-10', '2026-06-11'].flatMap((day, i) =>
      workRanges(Temporal.PlainDate.from(day), i === 0 ? [{ from: 1320, to: 1440 }] : [{ from: 0, to: 360 }], 'UTC'),
    )
    assert.equal(mergeRanges(nights).length, 1)
    assert.equal(slotsIn(mergeRanges(nights), { length: 8 * 60 * MINUTE, after: 0, limit: 9 }).length, 1)
  })
})
