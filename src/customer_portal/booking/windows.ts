import type { Db } from '../../platform/db/tenant.ts'
import { conflictField } from '../../platform/errors/refusal.ts'
import { findFreeTime, HORIZON_DAYS, type MemberTime } from '../../scheduling/availability.ts'
import type { TimeRange } from '../../scheduling/working_time.ts'
import type { BookingRules } from './booking_page.ts'
import { refusals } from './refusals.ts'

/** Free start times, without names, so that nobody learns which technician is free. */
export type OfferedWindows = {
  starts: readonly string[]
  /** Day to continue the search from; undefined when the bookable days end. */
  next: Temporal.PlainDate | undefined
}

/** Search for windows: minutes of work, first day (default: today), and a member who must be free. */
type WindowSearch = {
  minutes: number
  skills: readonly string[]
  day?: Temporal.PlainDate | undefined
  user?: string | undefined
}

type BookingLimits = Pick<BookingRules, 'notice_hours' | 'days_ahead' | 'window_minutes'>

const MAX_WINDOWS = 10
const MAX_PER_DAY = 3
/** Minimum minutes between two windows of a day. */
const MIN_GAP = 60
/** Milliseconds between the starts that the scheduler offers. */
const STEP = 15 * 60_000

/** Returns at most three windows a day, spread over it, and ten in all, by the company's rules. */
export async function offerWindows(
  db: Db,
  zone: string,
  limits: BookingLimits,
  { minutes, skills, day, user }: WindowSearch,
): Promise<OfferedWindows> {
  const { from, until } = boundsOf(zone, limits)
  const dayStart = day?.toZonedDateTime(zone).toInstant()
  const begin = dayStart !== undefined && Temporal.Instant.compare(dayStart, from) > 0 ? dayStart : from
  const firstDay = begin.toZonedDateTimeISO(zone).toPlainDate()
  const horizon = firstDay.add({ days: HORIZON_DAYS }).toZonedDateTime(zone).toInstant()
  const end = Temporal.Instant.compare(horizon, until) < 0 ? horizon : until
  if (Temporal.Instant.compare(begin, end) >= 0) return { starts: [], next: undefined }
  const members = await findFreeTime(db, zone, { from: begin, until: end, user, skills })
  const span = { from: begin.epochMilliseconds, to: end.epochMilliseconds }
  const gap = Math.max(MIN_GAP, limits.window_minutes) * 60_000
  const starts: string[] = []
  for (const [date, dayStarts] of Map.groupBy(startsIn(members, minutes * 60_000, span), (at) => dayOf(at, zone))) {
    const windows = spreadOut(dayStarts, gap)
    if (starts.length + windows.length > MAX_WINDOWS) return { starts, next: Temporal.PlainDate.from(date) }
    starts.push(...windows.map((at) => new Date(at).toISOString()))
  }
  return { starts, next: end === until ? undefined : firstDay.add({ days: HORIZON_DAYS }) }
}

/** Returns every quarter hour of a span, in order, at which a member has enough free time. */
function startsIn(members: readonly MemberTime[], length: number, span: TimeRange): number[] {
  const starts = new Set<number>()
  for (const { from, to } of members.flatMap(({ free }) => free))
    for (let at = Math.ceil(Math.max(from, span.from) / STEP) * STEP; at + length <= to && at < span.to; at += STEP)
      starts.add(at)
  return [...starts].sort((a, b) => a - b)
}

/** Drops starts that lie within the previous start's window, and keeps the first, middle and last of a day. */
function spreadOut(starts: readonly number[], gap: number): number[] {
  const spaced: number[] = []
  for (const at of starts) if (at - (spaced.at(-1) ?? -Infinity) >= gap) spaced.push(at)
  if (spaced.length <= MAX_PER_DAY) return spaced
  return Array.from({ length: MAX_PER_DAY }, (_, i) =>
    Math.round((i * (spaced.length - 1)) / (MAX_PER_DAY - 1)),
  ).flatMap((i) => spaced[i] ?? [])
}

/** Throws unless the company's rules allow the start. */
export function requireBookable(zone: string, limits: BookingLimits, start: string): void {
  const { from, until } = boundsOf(zone, limits)
  const at = Temporal.Instant.from(start)
  const isOnGrid = at.epochMilliseconds % STEP === 0
  if (!isOnGrid || Temporal.Instant.compare(at, from) < 0 || Temporal.Instant.compare(at, until) >= 0)
    throw conflictField('scheduled_start', refusals.tooSoon())
}

/** Returns the earliest start and the end of the last bookable day. */
function boundsOf(
  zone: string,
  { notice_hours, days_ahead }: BookingLimits,
): { from: Temporal.Instant; until: Temporal.Instant } {
  const now = Temporal.Now.instant()
  const last = now
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .add({ days: days_ahead + 1 })
  return { from: now.add({ hours: notice_hours }), until: last.toZonedDateTime(zone).toInstant() }
}

const dayOf = (milliseconds: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone).toPlainDate().toString()
