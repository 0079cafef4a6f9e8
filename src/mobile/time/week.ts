/** Time span; no end while it is running. */
type Span = { started_at: string; ended_at: string | null }

/** Returns the seven days of a day's week, from Monday on. */
export function weekAround(day: Temporal.PlainDate): Temporal.PlainDate[] {
  const monday = day.subtract({ days: day.dayOfWeek - 1 })
  return Array.from({ length: 7 }, (_, days) => monday.add({ days }))
}

/** Returns the start of each day in a zone, and the end of the last: a day with a clock change has 23 or 25 hours. */
export const dayBoundaries = (days: readonly Temporal.PlainDate[], zone: string): Temporal.Instant[] =>
  [...days, ...days.slice(-1).map((last) => last.add({ days: 1 }))].map((day) => day.toZonedDateTime(zone).toInstant())

/**
 * Returns the seconds of spans on each day between the borders. A span past midnight counts on both days; an open one
 * lasts until `now`.
 */
export function secondsByDay(spans: readonly Span[], borders: readonly Temporal.Instant[], now: string): number[] {
  const edges = borders.map(({ epochMilliseconds }) => epochMilliseconds)
  const times = spans.map(({ started_at, ended_at }) => [Date.parse(started_at), Date.parse(ended_at ?? now)] as const)
  return edges.slice(1).map((end, day) => {
    const start = edges[day] ?? end
    const parts = times.map(([from, to]) => Math.max(0, Math.min(to, end) - Math.max(from, start)))
    return Math.floor(parts.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000)
  })
}
