import { localeNow } from '../../language/reader.ts'
import { say, sayCount } from '../../language/say.ts'
import type { DayItem } from '../../recurrence/parts.ts'
import { parseRule, type Rule } from '../../recurrence/rule.ts'
import { shortDay, words } from '../../screens/formats.ts'

/** Holds what is known of a series where its rhythm is said: a list knows its next visit, a record its first. */
type Rhythm = {
  rrule: string
  rule_text: string
  timezone: string
  dtstart?: string
  next_occurrence_at?: string | null | undefined
}

/** Says how often a series runs, in the reader's language; a rule of rare parts is said in the English of the tools. */
export function rhythmOf(series: Rhythm): string {
  const rule = parseRule(series.rrule)
  const on = isUsual(rule) ? daysOf(rule, dayIn(series)) : null
  if (on === null) return words(series.rule_text)
  const often = on === '' ? everyOf(rule) : say`${everyOf(rule)} on ${on}`
  return ended(often, rule, series.timezone)
}

const isUsual = ({ freq, months, days, monthDays, positions, hour, minute }: Rule): boolean =>
  months.length + positions.length === 0 &&
  hour === null &&
  minute === null &&
  (days.length === 0 || monthDays.length === 0) &&
  (freq === 'WEEKLY' || freq === 'MONTHLY' || days.length + monthDays.length === 0)

/** Returns a day that the series runs on, on its own clocks. */
function dayIn({ dtstart, next_occurrence_at, timezone }: Rhythm): Temporal.PlainDate | undefined {
  if (dtstart !== undefined) return Temporal.PlainDate.from(dtstart)
  if (next_occurrence_at == null) return undefined
  return Temporal.Instant.from(next_occurrence_at).toZonedDateTimeISO(timezone).toPlainDate()
}

function everyOf({ freq, interval }: Rule): string {
  const every = {
    DAILY: () => (interval === 1 ? say`Daily` : say`Every ${interval} days`),
    WEEKLY: () => (interval === 1 ? say`Weekly` : say`Every ${interval} weeks`),
    MONTHLY: () => (interval === 1 ? say`Monthly` : say`Every ${interval} months`),
    YEARLY: () => (interval === 1 ? say`Yearly` : say`Every ${interval} years`),
  }
  return every[freq]()
}

/** Returns the days of a rule, empty where it names none, null where they are said in no other words than the tools'. */
function daysOf({ freq, days, monthDays }: Rule, first: Temporal.PlainDate | undefined): string | null {
  if (days.length > 0) return weekdaysOf(days, freq === 'WEEKLY')
  if (monthDays.length > 0) return listed(monthDays.map(monthDayOf))
  if (first === undefined || freq === 'DAILY') return ''
  if (freq === 'WEEKLY') return weekdayOf(first.dayOfWeek)
  return freq === 'MONTHLY'
    ? monthDayOf(first.day)
    : first.toLocaleString(localeNow(), { month: 'long', day: 'numeric' })
}

function weekdaysOf(days: readonly DayItem[], isInWeek: boolean): string | null {
  if (!isInWeek) return listed(days.map(({ nth, weekday }) => (nth === null ? null : placeOf(nth, weekdayOf(weekday)))))
  const inOrder = days.map(({ weekday }) => weekday).toSorted((a, b) => a - b)
  if (inOrder.join('') === '1234567') return say`every day`
  return inOrder.join('') === '12345' ? say`every weekday` : listed(inOrder.map(weekdayOf))
}

const placeOf = (nth: number, weekday: string): string | null => PLACES.get(nth)?.(weekday) ?? null

const PLACES: ReadonlyMap<number, (weekday: string) => string> = new Map([
  [1, (weekday) => say`the first ${weekday}`],
  [2, (weekday) => say`the second ${weekday}`],
  [3, (weekday) => say`the third ${weekday}`],
  [4, (weekday) => say`the fourth ${weekday}`],
  [5, (weekday) => say`the fifth ${weekday}`],
  [-1, (weekday) => say`the last ${weekday}`],
])

const monthDayOf = (day: number): string | null => (day > 0 ? say`day ${day}` : day === -1 ? say`the last day` : null)

/** Returns the name of a weekday, 1 (Monday) to 7. */
const weekdayOf = (weekday: number): string =>
  new Temporal.PlainDate(2024, 1, weekday).toLocaleString(localeNow(), { weekday: 'long' })

const listed = (items: readonly (string | null)[]): string | null =>
  items.some((item) => item === null)
    ? null
    : new Intl.ListFormat(localeNow(), { type: 'conjunction' }).format(items as string[])

function ended(often: string, { count, until }: Rule, timezone: string): string {
  if (count !== null) return sayCount(count, '{1}, once', '{1}, {0} times', often)
  if (until === null) return often
  const last = until instanceof Temporal.Instant ? until.toZonedDateTimeISO(timezone) : until
  return say`${often}, until ${shortDay(last.toString())}`
}
