import type { DayRange } from '../../../records/invoices/index.ts'

/** Days of a chart's columns: a month each, or a week each where there are few. */
export type Period = DayRange & {
  grain: 'month' | 'week'
  /** Months such as 2026-11, or the Mondays of weeks, in order. */
  keys: readonly string[]
}

/** Maximum days of a period whose columns are weeks. */
const MAX_WEEKLY_DAYS = 92

/** Returns the columns of some days. */
export function periodOf({ from, to }: DayRange): Period {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const grain = first.until(last).days < MAX_WEEKLY_DAYS ? 'week' : 'month'
  return { from, to, grain, keys: grain === 'week' ? weeksOf(first, last) : monthsBetween(from, to) }
}

/** Returns the months from one day or month to another, such as 2026-11. */
export function monthsBetween(first: string, last: string): string[] {
  const [from, to] = [Temporal.PlainYearMonth.from(first), Temporal.PlainYearMonth.from(last)]
  return Array.from({ length: from.until(to, { largestUnit: 'month' }).months + 1 }, (_, months) =>
    from.add({ months }).toString(),
  )
}

function weeksOf(first: Temporal.PlainDate, last: Temporal.PlainDate): string[] {
  const monday = first.subtract({ days: first.dayOfWeek - 1 })
  return Array.from({ length: Math.floor(monday.until(last).days / 7) + 1 }, (_, weeks) =>
    monday.add({ weeks }).toString(),
  )
}

/** Returns the days before, as many whole months where the days are whole months, else as many days. */
export function periodBefore({ from, to }: DayRange): DayRange {
  const [first, next] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to).add({ days: 1 })]
  const isWhole = first.day === 1 && next.day === 1
  const length = first.until(next, { largestUnit: isWhole ? 'month' : 'day' })
  return { from: first.subtract(length).toString(), to: first.subtract({ days: 1 }).toString() }
}

/** Returns a period up to today, and as much of the one before; undefined where today isn't in it. */
export function periodToDate(
  range: DayRange,
  today: Temporal.PlainDate,
): { now: DayRange; before: DayRange } | undefined {
  const day = today.toString()
  if (day < range.from || day > range.to) return undefined
  const before = periodBefore(range)
  const elapsed = Temporal.PlainDate.from(range.from).until(today, { largestUnit: 'month' })
  const sameDay = Temporal.PlainDate.from(before.from).add(elapsed).toString()
  return {
    now: { from: range.from, to: day },
    before: { from: before.from, to: sameDay < before.to ? sameDay : before.to },
  }
}

/** Returns by how many percent a value is above another, or below; undefined where there was nothing. */
export const percentChange = (now: number, before: number): number | undefined =>
  before <= 0 ? undefined : Math.round(((now - before) / before) * 100)
