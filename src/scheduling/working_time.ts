import type { WorkSpan } from './week.ts'

/** Stretch of real time, in milliseconds since 1970; `to` is exclusive. */
export type TimeRange = { from: number; to: number }

const MINUTE = 60_000
/** Milliseconds between possible starts of free slots. */
const SLOT_STEP = 15 * MINUTE

/** Day in a time zone, in pieces between clock changes; `midnight` is when a piece's clock would have shown 0:00. */
export type DayClock = TimeRange & { day: Temporal.PlainDate; pieces: (TimeRange & { midnight: number })[] }

/** Returns the clock of a day in a time zone; computed once for everyone who works on it. */
export function clockOf(day: Temporal.PlainDate, zone: string): DayClock {
  const end = day.add({ days: 1 }).toZonedDateTime(zone)
  const pieces: DayClock['pieces'] = []
  const start = day.toZonedDateTime(zone)
  let at = start
  while (Temporal.ZonedDateTime.compare(at, end) < 0) {
    const change = at.getTimeZoneTransition('next')
    const next = change === null || Temporal.ZonedDateTime.compare(change, end) > 0 ? end : change
    const midnight = at.epochMilliseconds - at.toPlainDateTime().since(day.toPlainDateTime()).total('milliseconds')
    pieces.push({ from: at.epochMilliseconds, to: next.epochMilliseconds, midnight })
    at = next
  }
  return { day, from: start.epochMilliseconds, to: end.epochMilliseconds, pieces }
}

/**
 * Returns when the local time of a day is within one of the spans. An hour repeated by the clocks counts twice, a
 * skipped one not at all.
 */
export const workOnClock = ({ pieces }: DayClock, spans: readonly WorkSpan[]): TimeRange[] =>
  mergeRanges(
    pieces.flatMap((piece) =>
      spans.map(({ from, to }) => ({
        from: Math.max(piece.midnight + from * MINUTE, piece.from),
        to: Math.min(piece.midnight + to * MINUTE, piece.to),
      })),
    ),
  )

/** Returns the same for one day and its spans. */
export const workRanges = (day: Temporal.PlainDate, spans: readonly WorkSpan[], zone: string): TimeRange[] =>
  workOnClock(clockOf(day, zone), spans)

/** Sorts stretches of time, and merges those that overlap or touch. */
export function mergeRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const merged: TimeRange[] = []
  for (const { from, to } of ranges.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** Returns the time that remains after subtracting busy time. */
export function subtractTime(time: readonly TimeRange[], busy: readonly TimeRange[]): TimeRange[] {
  const busyRanges = mergeRanges(busy)
  return mergeRanges(time).flatMap(({ from, to }) => {
    const free: TimeRange[] = []
    let at = from
    for (const range of busyRanges) {
      if (range.to <= at || range.from >= to) continue
      if (range.from > at) free.push({ from: at, to: range.from })
      at = Math.max(at, range.to)
    }
    return at < to ? [...free, { from: at, to }] : free
  })
}

/**
 * Returns the first slots of a length (milliseconds) in free time, not before `after`, that start at a quarter hour and
 * don't overlap.
 */
export function slotsIn(
  free: readonly TimeRange[],
  { length, after, limit }: { length: number; after: number; limit: number },
): TimeRange[] {
  const slots: TimeRange[] = []
  for (const { from, to } of free) {
    let at = Math.ceil(Math.max(from, after) / SLOT_STEP) * SLOT_STEP
    while (slots.length < limit && at + length <= to) {
      slots.push({ from: at, to: at + length })
      at = Math.ceil((at + length) / SLOT_STEP) * SLOT_STEP
    }
  }
  return slots
}
