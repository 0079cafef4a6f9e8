import type { WorkSpan } from './week.ts'

/** Stretch of real time, in milliseconds since 1970; `to` is exclusive. */
export type TimeStretch = { from: number; to: number }

const MINUTE = 60_000
/** Milliseconds between possible starts of free slots. */
const STEP = 15 * MINUTE

/** Day in a time zone, in pieces between clock changes; `midnight` is when a piece's clock would have shown 0:00. */
export type DayClock = TimeStretch & { day: Temporal.PlainDate; pieces: (TimeStretch & { midnight: number })[] }

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
export const workOnClock = ({ pieces }: DayClock, spans: readonly WorkSpan[]): TimeStretch[] =>
  mergeStretches(
    pieces.flatMap((piece) =>
      spans.map(({ from, to }) => ({
        from: Math.max(piece.midnight + from * MINUTE, piece.from),
        to: Math.min(piece.midnight + to * MINUTE, piece.to),
      })),
    ),
  )

/** Returns the same for one day and its spans. */
export const workStretches = (day: Temporal.PlainDate, spans: readonly WorkSpan[], zone: string): TimeStretch[] =>
  workOnClock(clockOf(day, zone), spans)

/** Sorts stretches of time, and merges those that overlap or touch. */
export function mergeStretches(stretches: readonly TimeStretch[]): TimeStretch[] {
  const whole: TimeStretch[] = []
  for (const { from, to } of stretches.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}

/** Returns the time that remains after subtracting busy time. */
export function subtractTime(time: readonly TimeStretch[], busy: readonly TimeStretch[]): TimeStretch[] {
  const out = mergeStretches(busy)
  return mergeStretches(time).flatMap(({ from, to }) => {
    const free: TimeStretch[] = []
    let at = from
    for (const stretch of out) {
      if (stretch.to <= at || stretch.from >= to) continue
      if (stretch.from > at) free.push({ from: at, to: stretch.from })
      at = Math.max(at, stretch.to)
    }
    return at < to ? [...free, { from: at, to }] : free
  })
}

/**
 * Returns the first slots of a length (milliseconds) in free time, not before `after`, that start at a quarter hour and
 * don't overlap.
 */
export function slotsIn(
  free: readonly TimeStretch[],
  { length, after, most }: { length: number; after: number; most: number },
): TimeStretch[] {
  const slots: TimeStretch[] = []
  for (const { from, to } of free) {
    let at = Math.ceil(Math.max(from, after) / STEP) * STEP
    while (slots.length < most && at + length <= to) {
      slots.push({ from: at, to: at + length })
      at = Math.ceil((at + length) / STEP) * STEP
    }
  }
  return slots
}
