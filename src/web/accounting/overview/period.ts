import type { DayRange } from '../../../records/invoices/index.ts'

/** Date range of a chart and its columns: one per month, or per week in a short range. */
export type Period = DayRange & {
  grain: 'month' | 'week'
  /** Months such as 2026-11, or the Mondays of weeks, in order. */
  keys: readonly string[]
}

/** Maximum days of a period with weekly columns. */
const MAX_WEEKLY_DAYS = 92

export function periodOf({ from, to }: DayRange): Period {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const grain = first.until(last).days < MAX_WEEKLY_DAYS ? 'week' : 'month'
  return { from, to, grain, keys: grain === 'week' ? weeksOf(first, last) : monthsBetween(from, to) }
}

/** Returns the months such as 2026-11 between two days or months, both included. */
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

/** Returns the preceding period: as many whole months if the range is whole months, else as many days. */
export function periodBefore({ from, to }: DayRange): DayRange {
  const [first, next] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to).add({ days: 1 })]
  const isWhole = first.day === 1 && next.day === 1
  const length = first.until(next, { largestUnit: isWhole ? 'month' : 'day' })
  return { from: first.subtract(length).toString(), to: first.subtract({ days: 1 }).toString() }
}

/** Returns a period up to today and the same part of the preceding one; undefined if today isn't in the period. */
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

/** Returns the change between two values in percent; undefined if there was nothing before. */
export const percentChange = (now: number, before: number): number | undefined =>
  before <= 0 ? undefined : Math.round(((now - before) / before) * 100)
