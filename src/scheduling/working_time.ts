import type { WorkSpan } from './week.ts'

/** Describes a stretch of real time, in milliseconds since 1970; `to` is outside of it. */
export type TimeStretch = { from: number; to: number }

const MINUTE = 60_000
/** Free slots start at multiples of this. */
const STEP = 15 * MINUTE

/**
 * Returns when the clocks of a zone show one of the spans on a day: an hour that they repeat counts twice, one that
 * they skip not at all.
 */
export function workStretches(day: Temporal.PlainDate, spans: readonly WorkSpan[], zone: string): TimeStretch[] {
  const end = day.add({ days: 1 }).toZonedDateTime(zone)
  const stretches: TimeStretch[] = []
  let at = day.toZonedDateTime(zone)
  while (Temporal.ZonedDateTime.compare(at, end) < 0) {
    const change = at.getTimeZoneTransition('next')
    const next = change === null || Temporal.ZonedDateTime.compare(change, end) > 0 ? end : change
    const midnight = at.epochMilliseconds - at.toPlainDateTime().since(day.toPlainDateTime()).total('milliseconds')
    for (const { from, to } of spans)
      stretches.push({
        from: Math.max(midnight + from * MINUTE, at.epochMilliseconds),
        to: Math.min(midnight + to * MINUTE, next.epochMilliseconds),
      })
    at = next
  }
  return mergeStretches(stretches)
}

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
export function subtractTime(time: readonly TimeStretch[], taken: readonly TimeStretch[]): TimeStretch[] {
  const out = mergeStretches(taken)
  return mergeStretches(time).flatMap(({ from, to }) => {
    const left: TimeStretch[] = []
    let at = from
    for (const gone of out) {
      if (gone.to <= at || gone.from >= to) continue
      if (gone.from > at) left.push({ from: at, to: gone.from })
      at = Math.max(at, gone.to)
    }
    return at < to ? [...left, { from: at, to }] : left
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
