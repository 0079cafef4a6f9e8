import * as fc from 'fast-check'
import { WEEKDAYS } from '../parts.ts'

const YEARS = 12

/** Input of the oracle; `through` is the last local day to check. */
export type Case = { rrule: string; dtstart: string; timezone: string; through: string }
type Part = readonly [name: string, value: string | null]

const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Phoenix',
  'America/St_Johns',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Asia/Kolkata',
  'UTC',
]
const TIMES = ['', 'T00:00', 'T00:30', 'T01:30', 'T02:00', 'T02:15', 'T02:30', 'T03:00', 'T09:00', 'T18:45', 'T23:30']
const INTERVALS = { DAILY: 366, WEEKLY: 104, MONTHLY: 60, YEARLY: 10 } as const

const optional = <T>(value: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight, arbitrary: value })

const joinedList = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<string> =>
  fc.uniqueArray(item, { minLength: 1, maxLength }).map((items) => items.join(','))

const ordinal = (highest: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '+', '-'), fc.integer({ min: 1, max: highest }))
    .map(([sign, number]) => `${sign}${number}`)

const weekday = fc.constantFrom(...WEEKDAYS)
const nthWeekday = (highest: number) => fc.tuple(ordinal(highest), weekday).map(([nth, name]) => `${nth}${name}`)

const date = fc
  .tuple(fc.integer({ min: 2026, max: 2031 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
  .map(([year, month, day]) => Temporal.PlainDate.from({ year, month, day }))

const end: fc.Arbitrary<Part> = fc.oneof(
  fc.constant<Part>(['UNTIL', null]),
  fc.integer({ min: 1, max: 30 }).map((count): Part => ['COUNT', String(count)]),
  fc
    .tuple(date, fc.constantFrom('', 'T023000', 'T090000', 'T010000Z', 'T133000Z', 'T235959Z'))
    .map(([day, time]): Part => ['UNTIL', day.toString().replaceAll('-', '') + time]),
)

const interval = (freq: keyof typeof INTERVALS): fc.Arbitrary<Part> =>
  optional(fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: INTERVALS[freq] })), 2).map(
    (number): Part => ['INTERVAL', number === null ? null : String(number)],
  )

const toPart = (name: string, value: fc.Arbitrary<string | null>): fc.Arbitrary<Part> =>
  value.map((text): Part => [name, text])

/** Generates parts that only MONTHLY and YEARLY allow: month days or weekdays, numbered or mixed, and BYSETPOS. */
function daysOf(freq: 'MONTHLY' | 'YEARLY', months: string | null): fc.Arbitrary<readonly Part[]> {
  const highest = freq === 'YEARLY' && months === null ? 53 : 5
  const positions = toPart('BYSETPOS', optional(joinedList(fc.oneof(ordinal(5), ordinal(40)), 3), 2))
  const plainDays = toPart('BYDAY', joinedList(weekday, 7))
  const monthDays = toPart('BYMONTHDAY', joinedList(ordinal(31), 5))
  const numberedDays = toPart('BYDAY', joinedList(nthWeekday(highest), 3))
  return fc.oneof(
    fc.constant<readonly Part[]>([]),
    fc.tuple(plainDays, positions),
    fc.tuple(monthDays, positions),
    fc.tuple(numberedDays, positions),
    fc.tuple(monthDays, plainDays, positions),
    fc.tuple(
      toPart(
        'BYDAY',
        fc.tuple(joinedList(weekday, 2), joinedList(nthWeekday(highest), 2)).map(([a, b]) => `${a},${b}`),
      ),
    ),
  )
}

const daily = fc.tuple(
  toPart('BYDAY', optional(joinedList(weekday, 4))),
  toPart('BYMONTHDAY', optional(joinedList(ordinal(31), 12))),
  interval('DAILY'),
)
const weekly = fc.tuple(toPart('BYDAY', optional(joinedList(weekday, 4), 3)), interval('WEEKLY'))

function partsOf(freq: keyof typeof INTERVALS): fc.Arbitrary<readonly Part[]> {
  return optional(joinedList(fc.integer({ min: 1, max: 12 }), 4)).chain((months) => {
    const own =
      freq === 'DAILY'
        ? daily
        : freq === 'WEEKLY'
          ? weekly
          : fc.tuple(daysOf(freq, months), interval(freq)).map(([parts, every]) => [...parts, every])
    const rest = fc.tuple(
      end,
      toPart('WKST', optional(weekday)),
      toPart('BYHOUR', optional(fc.constantFrom('0', '02', '9', '23'))),
      toPart('BYMINUTE', optional(fc.constantFrom('0', '30', '59'))),
      toPart('BYSECOND', optional(fc.constantFrom('0', '00'))),
    )
    const first: readonly Part[] = [
      ['FREQ', freq],
      ['BYMONTH', months],
    ]
    return fc.tuple(own, rest).map(([parts, more]) => [...first, ...parts, ...more])
  })
}

const rrule = fc
  .constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const, 'YEARLY' as const)
  .chain(partsOf)
  .chain((parts) => fc.shuffledSubarray([...parts], { minLength: parts.length }))
  .chain((parts) => {
    const text = parts.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join(';')
    return fc.constantFrom(text, text.toLowerCase(), `RRULE:${text}`)
  })

/** Generates rules of the whole accepted grammar in any spelling and order; some never occur. */
export const cases: fc.Arbitrary<Case> = fc
  .tuple(rrule, date, fc.constantFrom(...TIMES), fc.constantFrom(...ZONES))
  .map(([rrule, day, time, timezone]) => ({
    rrule,
    dtstart: `${day.toString()}${time}`,
    timezone,
    through: day.add({ years: YEARS }).toString(),
  }))
