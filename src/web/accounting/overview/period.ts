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
  return { from, to, grain, keys: grain === 'week' ? weeksOf(first, last) : monthsOf(first, last) }
}

function monthsOf(first: Temporal.PlainDate, last: Temporal.PlainDate): string[] {
  const [from, to] = [first.toPlainYearMonth(), last.toPlainYearMonth()]
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

/** Returns this month up to today, and the same days of last month. */
export function monthToDate(today: Temporal.PlainDate): { now: DayRange; before: DayRange } {
  const last = today.subtract({ months: 1 })
  const upTo = (day: Temporal.PlainDate): DayRange => ({ from: day.with({ day: 1 }).toString(), to: day.toString() })
  return { now: upTo(today), before: upTo(last) }
}

/** Returns by how many percent a value is above another, or below; undefined where there was nothing. */
export const percentChange = (now: number, before: number): number | undefined =>
  before <= 0 ? undefined : Math.round(((now - before) / before) * 100)
