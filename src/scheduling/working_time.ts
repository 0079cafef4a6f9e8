import type { WorkSpan } from './week.ts'

/** Describes a stretch of real time, in milliseconds since 1970; `to` is outside of it. */
export type TimeStretch = { from: number; to: number }

const MINUTE = 60_000
/** Free slots start at multiples of this. */
const STEP = 15 * MINUTE

/** Day of a zone's clocks, in pieces between which they change; `midnight` is when they would have shown 0:00. */
export type DayClock = TimeStretch & { day: Temporal.PlainDate; pieces: (TimeStretch & { midnight: number })[] }

/** Returns how a zone's clocks run on a day: looked up once for everybody who works on it. */
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
 * Returns when the clocks show one of the spans on a day: an hour that they repeat counts twice, one that they skip not
 * at all.
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

/** Returns that time for one day and its spans. */
export const workStretches = (day: Temporal.PlainDate, spans: readonly WorkSpan[], zone: string): TimeStretch[] =>
  workOnClock(clockOf(day, zone), spans)

/** Returns the same time in order, with what overlaps or touches as one. */
export function mergeStretches(stretches: readonly TimeStretch[]): TimeStretch[] {
  const whole: TimeStretch[] = []
  for (const { from, to } of stretches.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else whole.push({ from, to })
  }
  return whole
}

/** Returns what of some time is left when other time is taken out of it. */
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
 * Returns the first slots of a length (milliseconds) in free time that start at a quarter of an hour, not before
 * `after`; none overlaps another.
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
