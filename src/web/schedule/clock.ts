import { utc } from '../../platform/validation/formats/instants.ts'

/** A day as it passes in a zone. Its positions are minutes since it began, whatever the clocks did meanwhile. */
export type DayLine = {
  /** YYYY-MM-DD. */
  day: string
  from: Temporal.Instant
  /** Its length: 1380 or 1500 where the clocks change by an hour. */
  minutes: number
  zone: string
}

const MINUTE = 60_000
const [DAWN, DUSK] = [7, 19]

/** Returns the line of a day in a zone; a day that the zone skipped has no length. */
export function dayLine(day: Temporal.PlainDate, zone: string): DayLine {
  const [from, to] = [day, day.add({ days: 1 })].map((day) => day.toZonedDateTime(zone).toInstant()) as [
    Temporal.Instant,
    Temporal.Instant,
  ]
  return { day: day.toString(), from, minutes: (to.epochMilliseconds - from.epochMilliseconds) / MINUTE, zone }
}

/** Returns how many minutes after its beginning an instant is; before it, less than 0. */
export const minuteOf = ({ from }: DayLine, instant: string): number =>
  Math.round((Date.parse(instant) - from.epochMilliseconds) / MINUTE)

/** Returns the instant of a position. */
export const instantOf = ({ from }: DayLine, minute: number): string => utc(from.add({ minutes: minute }))

/**
 * Returns where each whole hour of the clocks is: an hour that is repeated is there twice, one that is skipped is
 * missing.
 */
export function hoursOf({ from, minutes, zone }: DayLine): { minute: number; hour: number }[] {
  const hours: { minute: number; hour: number }[] = []
  for (let minute = 0; minute < minutes; minute += 15) {
    const { hour, minute: past } = from.add({ minutes: minute }).toZonedDateTimeISO(zone)
    if (past === 0) hours.push({ minute, hour })
  }
  return hours
}

/**
 * Returns the part of a day that is shown, in hours since it began: from 7 to 19 on the clocks, and more where visits
 * or working hours (positions in minutes) need it.
 */
export function hoursShown(
  line: DayLine,
  there: readonly { from: number; to: number }[],
): { since: number; until: number } {
  const whole = Math.ceil(line.minutes / 60)
  const at = (hour: number): number =>
    minuteOf(
      line,
      Temporal.PlainDate.from(line.day)
        .toZonedDateTime({ timeZone: line.zone, plainTime: { hour } })
        .toInstant()
        .toString(),
    )
  const since = Math.floor(Math.min(at(DAWN), ...there.map(({ from }) => from)) / 60)
  const until = Math.ceil(Math.max(at(DUSK), ...there.map(({ to }) => to)) / 60)
  return { since: Math.max(0, Math.min(since, whole)), until: Math.max(0, Math.min(until, whole)) }
}

/** Returns the time of day on the clocks of a zone, `09:30`. */
export const wallTime = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' })

/** Returns the calendar day of an instant in a zone. */
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

/** Days by quarter of an hour, the finest step between clocks since 2000; a schedule asks for few, often. */
const wallDays = new Map<string, Temporal.PlainDate>()
const [QUARTER, MAX_WALL_DAYS] = [15 * 60_000, 10_000]
