import type { Db } from '../../platform/db/tenant.ts'
import { conflictField } from '../../platform/errors/refusal.ts'
import { freeSlots, HORIZON_DAYS } from '../../scheduling/availability.ts'
import type { BookingRules } from './booking_page.ts'
import { refusals } from './refusals.ts'

/** Times at which somebody could come, without who: nobody learns whose calendar has room. */
export type OfferedWindows = {
  starts: readonly string[]
  /** Day from which later times are searched; undefined when these reach as far as the company books. */
  next: Temporal.PlainDate | undefined
}

/** A search for windows: minutes of work, the first day (today without one), and the member who must be free. */
type WindowSearch = { minutes: number; day?: Temporal.PlainDate | undefined; user?: string | undefined }

type Reach = Pick<BookingRules, 'notice_hours' | 'days_ahead' | 'window_minutes'>

const MAX_WINDOWS = 10
const MAX_A_DAY = 3
/** Minutes between two windows of a day, at least. */
const MIN_GAP = 60
const MAX_SLOTS = 20
/** Milliseconds between starts that the engine offers. */
const STEP = 15 * 60_000

/** Returns three windows a day at most, ten in all, within what the company allows. */
export async function offerWindows(
  db: Db,
  zone: string,
  reach: Reach,
  { minutes, day, user }: WindowSearch,
): Promise<OfferedWindows> {
  const { from, until } = boundsOf(zone, reach)
  const wanted = day?.toZonedDateTime(zone).toInstant()
  const begin = wanted !== undefined && Temporal.Instant.compare(wanted, from) > 0 ? wanted : from
  if (Temporal.Instant.compare(begin, until) >= 0) return { starts: [], next: undefined }
  const free = await freeSlots(db, zone, { minutes, from: begin, most: MAX_SLOTS, user })
  const starts = [...new Set(free.flatMap(({ slots }) => slots.map(({ start }) => start)))]
    .filter((start) => Temporal.Instant.compare(start, until) < 0)
    .sort()
  const chosen = spreadOut(starts, zone, Math.max(MIN_GAP, reach.window_minutes))
  return { starts: chosen, next: nextDay(chosen, begin, until, zone) }
}

/** Requires that a start is one that the company's rules allow. */
export function requireBookable(zone: string, reach: Reach, start: string): void {
  const { from, until } = boundsOf(zone, reach)
  const at = Temporal.Instant.from(start)
  const isOnGrid = at.epochMilliseconds % STEP === 0
  if (!isOnGrid || Temporal.Instant.compare(at, from) < 0 || Temporal.Instant.compare(at, until) >= 0)
    throw conflictField('scheduled_start', refusals.tooSoon())
}

/** Returns the earliest start, and the end of the last day. */
function boundsOf(
  zone: string,
  { notice_hours, days_ahead }: Reach,
): { from: Temporal.Instant; until: Temporal.Instant } {
  const now = Temporal.Now.instant()
  const last = now
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .add({ days: days_ahead + 1 })
  return { from: now.add({ hours: notice_hours }), until: last.toZonedDateTime(zone).toInstant() }
}

/** Leaves out starts that lie in the window of the one before, and more than a day offers. */
function spreadOut(starts: readonly string[], zone: string, gap: number): string[] {
  const chosen: string[] = []
  const counts = new Map<string, number>()
  let last = -Infinity
  for (const start of starts) {
    const at = Date.parse(start)
    const day = dayOf(start, zone).toString()
    const count = counts.get(day) ?? 0
    if (count >= MAX_A_DAY || at - last < gap * 60_000) continue
    chosen.push(start)
    counts.set(day, count + 1)
    last = at
    if (chosen.length === MAX_WINDOWS) break
  }
  return chosen
}

function nextDay(
  chosen: readonly string[],
  begin: Temporal.Instant,
  until: Temporal.Instant,
  zone: string,
): Temporal.PlainDate | undefined {
  const last = chosen.at(-1)
  const day =
    last === undefined
      ? begin.toZonedDateTimeISO(zone).toPlainDate().add({ days: HORIZON_DAYS })
      : dayOf(last, zone).add({ days: 1 })
  return Temporal.Instant.compare(day.toZonedDateTime(zone).toInstant(), until) < 0 ? day : undefined
}

const dayOf = (start: string, zone: string): Temporal.PlainDate =>
  Temporal.Instant.from(start).toZonedDateTimeISO(zone).toPlainDate()
