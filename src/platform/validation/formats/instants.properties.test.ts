import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { lowerBound, upperBound, instantIn, utc } from './instants.ts'

const ZONES = [
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Santiago',
  'Europe/London',
  'Europe/Berlin',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/Phoenix',
  'UTC',
]
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Computes wall time in a zone with Intl, independently of Temporal. */
function wallClock(zone: string): (epoch: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (epoch) => {
    const part = Object.fromEntries(format.formatToParts(epoch).map(({ type, value }) => [type, value]))
    return `${part['year']}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}`
  }
}
const clocks = new Map(ZONES.map((zone) => [zone, wallClock(zone)]))

/** Generates minutes from 2000 to 2050, half of them near a clock change. */
const changes = [2007, 2016, 2025, 2027, 2033].flatMap((year) => [
  Date.UTC(year, 2, 8),
  Date.UTC(year, 2, 25),
  Date.UTC(year, 3, 1),
  Date.UTC(year, 9, 1),
  Date.UTC(year, 9, 25),
  Date.UTC(year, 10, 1),
])
const minutes = fc.oneof(
  fc.integer({ min: Date.UTC(2000, 0) / MINUTE, max: Date.UTC(2050, 0) / MINUTE }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: 0, max: (8 * DAY) / MINUTE }))
    .map(([start, after]) => start / MINUTE + after),
)

const stamp = (epoch: number): string => new Date(epoch).toISOString().slice(0, 19)

describe('local time', () => {
  it('becomes the first instant that shows it, or is moved by the length of a clock gap', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, minute) => {
        const clock = clocks.get(zone)!
        const wall = stamp(minute * MINUTE)
        const found = instantIn(zone, wall).epochMilliseconds
        if (clock(found) === wall) {
          for (let back = 15; back <= 180; back += 15)
            assert.notEqual(clock(found - back * MINUTE), wall, 'an earlier instant shows the same')
          return
        }
        const gap = Date.parse(`${clock(found)}Z`) - Date.parse(`${wall}Z`)
        assert.ok(gap > 0 && gap <= DAY, `${wall} ${zone} is ${clock(found)}`)
        for (let off = -14 * 60; off <= 14 * 60; off += 15)
          assert.notEqual(clock(minute * MINUTE - off * MINUTE), wall, 'there is an instant that shows it')
        assert.equal(
          stamp(Date.parse(`${clock(found - gap)}Z`)),
          stamp(Date.parse(`${wall}Z`) - gap),
          'the offset before the gap is used',
        )
      }),
      { numRuns: 1_500 },
    )
  })

  it('of any instant becomes that instant, or the earlier of two in an overlap', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, minute) => {
        const clock = clocks.get(zone)!
        const epoch = minute * MINUTE
        const found = instantIn(zone, clock(epoch)).epochMilliseconds
        assert.ok(found <= epoch)
        assert.equal(clock(found), clock(epoch))
      }),
      { numRuns: 1_500 },
    )
  })
})

/** End of the years in which Newfoundland set its clocks back at 00:01, so a date began, ended and began again. */
const TWICE_UNTIL = Date.UTC(2011, 10, 7)

describe('a day as a bound', () => {
  it('starts when its date begins and ends when the next one begins', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, minute) => {
        fc.pre(zone !== 'America/St_Johns' || minute * MINUTE > TWICE_UNTIL)
        const clock = clocks.get(zone)!
        const day = clock(minute * MINUTE).slice(0, 10)
        const [from, to] = [Date.parse(lowerBound(zone, day)), Date.parse(upperBound(zone, day))]
        assert.ok(from <= minute * MINUTE && minute * MINUTE < to)
        assert.equal(clock(from).slice(0, 10), day)
        assert.ok(clock(from - 1_000) < clock(from) && clock(from - 1_000).slice(0, 10) < day)
        assert.ok(clock(to - 1_000).slice(0, 10) === day && clock(to).slice(0, 10) > day)
      }),
      { numRuns: 1_500 },
    )
  })
})

describe('a time with an offset', () => {
  it('is the same instant in any zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        minutes,
        fc.integer({ min: -14 * 4, max: 14 * 4 }),
        (zone, minute, quarters) => {
          const offset = quarters * 15
          const sign = offset < 0 ? '-' : '+'
          const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
            String(part).padStart(2, '0'),
          )
          const text = `${stamp((minute + offset) * MINUTE)}${sign}${hours}:${rest}`
          assert.equal(utc(instantIn(zone, text)), new Date(minute * MINUTE).toISOString())
        },
      ),
    )
  })
})
