import type { DayItem } from './parts.ts'
import type { Rule } from './rule.ts'

/** Maximum years to look ahead: February 29 on a given weekday can be 40 years apart. */
const MAX_YEARS_AHEAD = 40

/**
 * Period in which days are looked up: whole months or years, even for DAILY and WEEKLY, so that a rule with few matches
 * costs little.
 */
const PERIOD_UNIT = { DAILY: 'months', WEEKLY: 'months', MONTHLY: 'months', YEARLY: 'years' } as const

/** Rule with its omitted parts taken from dtstart. */
type Pattern = {
  readonly rule: Rule
  /** First day of the first period; `step` is the number of periods in one step. */
  readonly anchor: Temporal.PlainDate
  readonly step: number
  readonly months: readonly number[]
  readonly monthDays: readonly number[]
  readonly days: readonly DayItem[]
  /** For DAILY and WEEKLY: from here on, one day or week counts, then `rule.interval - 1` are skipped. */
  readonly cycle: { readonly from: Temporal.PlainDate; readonly days: number } | null
  readonly nthInYear: boolean
}

/**
 * Yields the local times of a rule on or after the day `from`, in order, up to `last` (inclusive). COUNT counts from
 * dtstart. Always ends: it stops after 40 years without a match, measured from the later of `from` and dtstart, or from
 * the last match.
 */
export function* expand(
  rule: Rule,
  dtstart: Temporal.PlainDateTime,
  from: Temporal.PlainDate,
  last: Temporal.PlainDateTime | null,
): Generator<Temporal.PlainDateTime, void> {
  const pattern = patternOf(rule, dtstart)
  const time = timeOf(rule, dtstart)
  const first = later(from, dtstart.toPlainDate())
  let horizon = first.add({ years: MAX_YEARS_AHEAD })
  let counted = 0
  for (let k = rule.count === null ? periodsBefore(pattern, first) : 0; ; k += pattern.step) {
    const period = pattern.anchor.add({ [PERIOD_UNIT[rule.freq]]: k })
    if (isAfter(period, horizon) || (last !== null && isAfter(period, last.toPlainDate()))) return
    for (const day of daysOf(pattern, period)) {
      const at = day.toPlainDateTime(time)
      if (Temporal.PlainDateTime.compare(at, dtstart) < 0) continue
      counted += 1
      if (rule.count !== null && counted > rule.count) return
      if (last !== null && Temporal.PlainDateTime.compare(at, last) > 0) return
      if (isAfter(first, day)) continue
      if (isAfter(day, horizon)) return
      horizon = day.add({ years: MAX_YEARS_AHEAD })
      yield at
    }
  }
}

function patternOf(rule: Rule, dtstart: Temporal.PlainDateTime): Pattern {
  const { freq, interval, weekStart } = rule
  const date = dtstart.toPlainDate()
  const week = date.subtract({ days: (date.dayOfWeek - weekStart + 7) % 7 })
  const inMonth = freq === 'MONTHLY' || freq === 'YEARLY'
  const hasNoDays = rule.days.length === 0 && rule.monthDays.length === 0
  return {
    rule,
    anchor: date.with(freq === 'YEARLY' ? { month: 1, day: 1 } : { day: 1 }),
    step: inMonth ? interval : 1,
    months:
      hasNoDays && freq === 'YEARLY' && rule.months.length === 0
        ? [date.month]
        : [...rule.months].sort((a, b) => a - b),
    monthDays: hasNoDays && inMonth ? [date.day] : rule.monthDays,
    days: hasNoDays && freq === 'WEEKLY' ? [{ weekday: date.dayOfWeek, nth: null }] : rule.days,
    cycle: inMonth ? null : freq === 'DAILY' ? { from: date, days: 1 } : { from: week, days: 7 },
    nthInYear: freq === 'YEARLY' && rule.months.length === 0,
  }
}

const timeOf = (rule: Rule, dtstart: Temporal.PlainDateTime): Temporal.PlainTime =>
  dtstart
    .toPlainTime()
    .with({
      hour: rule.hour ?? dtstart.hour,
      minute: rule.minute ?? dtstart.minute,
      second: rule.second ?? dtstart.second,
    })

/** Counts the periods that end before `day`, in whole steps. Without COUNT, their matches don't matter. */
function periodsBefore({ rule, anchor, step }: Pattern, day: Temporal.PlainDate): number {
  const unit = PERIOD_UNIT[rule.freq]
  const whole = anchor.until(day, { largestUnit: unit })[unit]
  return whole - (whole % step)
}

/** Returns the matching days of the period that begins on `start`, in order. */
function daysOf(pattern: Pattern, start: Temporal.PlainDate): readonly Temporal.PlainDate[] {
  const { freq, positions } = pattern.rule
  const days = freq === 'YEARLY' ? daysOfYear(pattern, start) : daysOfMonth(pattern, start)
  if (positions.length === 0) return days
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length))
}

function daysOfYear(pattern: Pattern, start: Temporal.PlainDate): readonly Temporal.PlainDate[] {
  const months = pattern.months.length > 0 ? pattern.months : Array.from({ length: 12 }, (_, index) => index + 1)
  return months.flatMap((month) => daysOfMonth(pattern, start.with({ month })))
}

function daysOfMonth(pattern: Pattern, first: Temporal.PlainDate): readonly Temporal.PlainDate[] {
  const { year, month, dayOfWeek, dayOfYear, daysInMonth, daysInYear } = first
  if (pattern.months.length > 0 && !pattern.months.includes(month)) return []
  const dayBefore = pattern.nthInYear ? dayOfYear - 1 : 0
  const length = pattern.nthInYear ? daysInYear : daysInMonth
  const cycleDay = pattern.cycle?.from.until(first).days ?? 0
  const days: Temporal.PlainDate[] = []
  for (let day = 1; day <= daysInMonth; day += 1) {
    const weekday = ((dayOfWeek + day - 2) % 7) + 1
    if (
      isInCycle(pattern, cycleDay + day - 1) &&
      isMonthDay(pattern, day, daysInMonth) &&
      isWeekday(pattern, weekday, dayBefore + day, length)
    )
      days.push(new Temporal.PlainDate(year, month, day))
  }
  return days
}

const isInCycle = ({ cycle, rule }: Pattern, daysFromStart: number): boolean =>
  cycle === null || Math.floor(daysFromStart / cycle.days) % rule.interval === 0

const isMonthDay = ({ monthDays }: Pattern, day: number, length: number): boolean =>
  monthDays.length === 0 || monthDays.includes(day) || monthDays.includes(day - length - 1)

/**
 * Checks whether a weekday matches. `position` of `length` is the day's position in the month, or in the year if
 * numbered weekdays count within the year.
 */
const isWeekday = ({ days }: Pattern, weekday: number, position: number, length: number): boolean =>
  days.length === 0 ||
  days.some(
    (item) =>
      item.weekday === weekday &&
      (item.nth === null ||
        item.nth === Math.ceil(position / 7) ||
        -item.nth === Math.ceil((length - position + 1) / 7)),
  )

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate): boolean => Temporal.PlainDate.compare(a, b) > 0

const later = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate => (isAfter(a, b) ? a : b)
