import { invalidAt } from '../platform/errors/refusal.ts'
import { instantAt, utc, wallAt } from '../platform/validation/formats/instants.ts'
import { expand } from './expand.ts'
import { refusals } from './refusals.ts'
import type { Rule } from './rule.ts'
import type { Dtstart } from './timezone.ts'

/**
 * Series to expand; `end_date` is an inclusive local day. A date alone as `dtstart` makes all-day jobs that start at
 * local midnight.
 */
export type Series = {
  readonly rule: Rule
  readonly dtstart: Dtstart
  readonly timezone: string
  readonly end_date: Temporal.PlainDate | null
}

/**
 * Occurrence of a series; `key` is its local slot `YYYY-MM-DDTHH:MM:SS`, the occurrence_key that stays the same when
 * the job is rescheduled.
 */
export type Slot = { readonly key: string; readonly start: Temporal.Instant }

/**
 * Slots of a range of days; `through` is the last local day covered, `more` whether the limit of 200 jobs cut the
 * window there.
 */
type Window = { readonly slots: readonly Slot[]; readonly through: Temporal.PlainDate; readonly more: boolean }

const MAX_SLOTS = 200
const DAY_END = Temporal.PlainTime.from('23:59:59.999999999')

/** Returns the occurrences of `days` local days, starting with `from`; if there are none, only the next one. */
export function windowOf(series: Series, from: Temporal.PlainDate, days = 90): Window {
  const through = from.add({ days: days - 1 })
  const slots: Slot[] = []
  for (const wall of wallTimes(series, from)) {
    if (slots.length > 0 && isAfter(wall, through)) break
    if (slots.length === MAX_SLOTS) return { slots, through: dayBefore(wall), more: true }
    slots.push(slotOf(series, wall))
    if (isAfter(wall, through)) break
  }
  return { slots, through, more: false }
}

/** Returns the first occurrence on or after a local day; null if there is none. */
export const nextSlot = (series: Series, from: Temporal.PlainDate): Slot | null =>
  windowOf(series, from, 1).slots[0] ?? null

/** Returns the next `n` occurrences on or after a local day, as UTC text. */
export const previewOccurrences = (series: Series, from: Temporal.PlainDate, n = 5): readonly string[] =>
  wallTimes(series, from)
    .take(n)
    .map((wall) => utc(instantAt(wall, series.timezone)))
    .toArray()

/** Returns the last local day that UNTIL and end_date allow, whichever is earlier; null if neither is set. */
export const lastDay = (series: Series): Temporal.PlainDate | null => lastWall(series)?.toPlainDate() ?? null

/** Checks whether COUNT, UNTIL or end_date leaves nothing after a local day. An ongoing series never finishes. */
export function isFinished(series: Series, day: Temporal.PlainDate): boolean {
  if (series.rule.count === null && lastWall(series) === null) return false
  return nextSlot(series, day.add({ days: 1 })) === null
}

/** Throws if a series has no occurrence within ten years after dtstart, or if the rule of all-day jobs has a time. */
export function requireOccurrence(series: Series): void {
  const { rule, dtstart } = series
  if (dtstart instanceof Temporal.PlainDate && (rule.hour ?? rule.minute) !== null) {
    throw invalidAt('rrule', refusals.hourOfAllDay())
  }
  const tenYears = wallOf(dtstart).add({ years: 10 })
  const last = earlier(tenYears, lastWall(series))
  const { done } = expand(rule, wallOf(dtstart), wallOf(dtstart).toPlainDate(), last).next()
  if (done === true) {
    throw invalidAt('rrule', refusals.never({ last: last.toPlainDate().toString() }))
  }
}

const wallTimes = (series: Series, from: Temporal.PlainDate): Generator<Temporal.PlainDateTime, void> =>
  expand(series.rule, wallOf(series.dtstart), from, lastWall(series))

const slotOf = ({ timezone }: Series, wall: Temporal.PlainDateTime): Slot => ({
  key: wall.toString({ smallestUnit: 'second' }),
  start: instantAt(wall, timezone),
})

const wallOf = (dtstart: Dtstart): Temporal.PlainDateTime =>
  dtstart instanceof Temporal.PlainDate ? dtstart.toPlainDateTime() : dtstart

/**
 * Returns the last local time: UNTIL with Z is converted to the time zone, and UNTIL as a date includes that whole day
 * (docs/spec/recurrence.md#end-of-a-rule).
 */
function lastWall({ rule: { until }, end_date, timezone }: Series): Temporal.PlainDateTime | null {
  const endOfLastDay = end_date?.toPlainDateTime(DAY_END) ?? null
  if (until === null) return endOfLastDay
  if (until instanceof Temporal.Instant) return earlier(wallAt(until, timezone), endOfLastDay)
  return earlier(until instanceof Temporal.PlainDate ? until.toPlainDateTime(DAY_END) : until, endOfLastDay)
}

const earlier = (a: Temporal.PlainDateTime, b: Temporal.PlainDateTime | null): Temporal.PlainDateTime =>
  b !== null && Temporal.PlainDateTime.compare(b, a) < 0 ? b : a

const isAfter = (wall: Temporal.PlainDateTime, day: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(wall.toPlainDate(), day) > 0

const dayBefore = (wall: Temporal.PlainDateTime): Temporal.PlainDate => wall.toPlainDate().subtract({ days: 1 })
