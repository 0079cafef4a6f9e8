import { utc } from '../../platform/validation/formats/instants.ts'

/** Day in a time zone. Positions are elapsed minutes since it began, regardless of clock changes. */
export type DayTimeline = {
  /** YYYY-MM-DD. */
  day: string
  from: Temporal.Instant
  /** Length: 1380 or 1500 if the clocks change by an hour. */
  minutes: number
  zone: string
}

const MINUTE = 60_000
const [FIRST_HOUR, LAST_HOUR] = [7, 19]

/** Returns a day in a time zone. A day that the zone skipped has length 0. */
export function dayTimeline(day: Temporal.PlainDate, zone: string): DayTimeline {
  const [from, to] = [day, day.add({ days: 1 })].map((day) => day.toZonedDateTime(zone).toInstant()) as [
    Temporal.Instant,
    Temporal.Instant,
  ]
  return { day: day.toString(), from, minutes: (to.epochMilliseconds - from.epochMilliseconds) / MINUTE, zone }
}

/** Returns an instant's minutes since the day began; negative before it. */
export const minuteOf = ({ from }: DayTimeline, instant: string): number =>
  Math.round((Date.parse(instant) - from.epochMilliseconds) / MINUTE)

/** Returns the instant of a position in minutes. */
export const instantOf = ({ from }: DayTimeline, minute: number): string => utc(from.add({ minutes: minute }))

/** Returns the position of each full hour. A repeated hour appears twice, a skipped hour is missing. */
export function hoursOf({ from, minutes, zone }: DayTimeline): { minute: number; hour: number }[] {
  const hours: { minute: number; hour: number }[] = []
  for (let minute = 0; minute < minutes; minute += 15) {
    const { hour, minute: past } = from.add({ minutes: minute }).toZonedDateTimeISO(zone)
    if (past === 0) hours.push({ minute, hour })
  }
  return hours
}

/**
 * Returns the visible part of a day, in hours since it began: from 7 to 19 on the clock, extended to include visits and
 * working hours (positions in minutes).
 */
export function visibleHours(
  line: DayTimeline,
  intervals: readonly { from: number; to: number }[],
): { since: number; until: number } {
  const hourCount = Math.ceil(line.minutes / 60)
  const minuteAt = (hour: number): number =>
    minuteOf(
      line,
      Temporal.PlainDate.from(line.day)
        .toZonedDateTime({ timeZone: line.zone, plainTime: { hour } })
        .toInstant()
        .toString(),
    )
  const since = Math.floor(Math.min(minuteAt(FIRST_HOUR), ...intervals.map(({ from }) => from)) / 60)
  const until = Math.ceil(Math.max(minuteAt(LAST_HOUR), ...intervals.map(({ to }) => to)) / 60)
  return { since: Math.max(0, Math.min(since, hourCount)), until: Math.max(0, Math.min(until, hourCount)) }
}

/** Returns the local time in a zone, such as `09:30`. */
export const wallTime = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' })

export function wallDay(instant: string, zone: string): Temporal.PlainDate {
  const quarter = Math.floor(Date.parse(instant) / QUARTER)
  const key = `${zone} ${quarter}`
  const day =
    wallDays.get(key) ??
    Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
  if (wallDays.size >= MAX_WALL_DAYS) wallDays.clear()
  wallDays.set(key, day)
  return day
}

/** Cache by quarter hour, the finest UTC offset step since 2000. A schedule reads few distinct values, often. */
const wallDays = new Map<string, Temporal.PlainDate>()
const [QUARTER, MAX_WALL_DAYS] = [15 * 60_000, 10_000]
