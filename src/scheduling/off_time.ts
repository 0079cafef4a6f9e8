import type { Db } from '../platform/db/tenant.ts'
import { addExceptions } from './hours.ts'
import { rosterOf, type Roster } from './roster.ts'
import type { WorkSpan } from './week.ts'
import { workRanges } from './working_time.ts'

/** Reason that a member, or the company, doesn't work at the time of a visit; `hours` are those of that day. */
export type OffTime = {
  reason: 'time_off' | 'holiday' | 'outside_hours'
  day: Temporal.PlainDate
  hours: readonly WorkSpan[]
  note: string | null
}

type VisitTime = { scheduled_start: string; scheduled_end: string; all_day: boolean }

const DAY = 24 * 60 * 60_000
/** Maximum length of a visit in days (docs/spec/records.md#job-schedule), plus the day it ends on. */
const MAX_DAYS = 15

/** Returns the days of the company's calendar that a visit touches; an all-day visit takes whole days. */
export function daysOfVisit(
  { scheduled_start, scheduled_end, all_day }: VisitTime,
  zone: string,
): [Temporal.PlainDate, ...Temporal.PlainDate[]] {
  const [start, end] = [Date.parse(scheduled_start), Date.parse(scheduled_end)]
  const first = dayAt(start, zone)
  const last = all_day
    ? first.add({ days: Math.max(1, Math.round((end - start) / DAY)) - 1 })
    : dayAt(Math.max(start, end - 1), zone)
  const count = Math.min(first.until(last).days, MAX_DAYS)
  return [first, ...Array.from({ length: count }, (_, i) => first.add({ days: i + 1 }))]
}

/**
 * Returns why a visit is at a time when a member, or the company (`user` null), doesn't work: a day off among its days,
 * or a start or end outside working hours (docs/spec/scheduling.md#visit-warnings).
 */
export function findOffTime(roster: Roster, zone: string, user: string | null, visit: VisitTime): OffTime | undefined {
  const days = daysOfVisit(visit, zone)
  for (const day of days) {
    const off = roster.dayOff(user, day)
    if (off !== undefined) return { ...off, day, hours: [] }
  }
  const [first, last = first] = [days[0], days.at(-1)]
  const outsideHours = (day: Temporal.PlainDate): OffTime => ({
    reason: 'outside_hours',
    day,
    hours: roster.spansOn(user, day),
    note: null,
  })
  if (visit.all_day) return roster.spansOn(user, first).length === 0 ? outsideHours(first) : undefined
  const isWorkingTime = (day: Temporal.PlainDate, at: number): boolean =>
    workRanges(day, roster.spansOn(user, day), zone).some(({ from, to }) => at >= from && at < to)
  const [start, end] = [Date.parse(visit.scheduled_start), Date.parse(visit.scheduled_end)]
  if (!isWorkingTime(first, start)) return outsideHours(first)
  return isWorkingTime(last, Math.max(start, end - 1)) ? undefined : outsideHours(last)
}

/** Minutes to which the end of hours already worked is rounded down. */
const ROUNDING_MINUTES = 15

/** Enters days off of a member from a day to a day. Today counts only from now on: hours already worked stay. */
export async function enterDaysOff(
  db: Db,
  user: string,
  { from, to }: { from: string; to: string },
  zone: string,
  by: { user: string },
): Promise<void> {
  const addDaysOff = (first: string, last: string, hours: readonly WorkSpan[]): Promise<void> =>
    addExceptions(db, user, { from: first, to: last, hours, note: null }, by, 'days_off.enter')
  const now = Temporal.Now.zonedDateTimeISO(zone)
  const today = now.toPlainDate()
  if (today.toString() !== from) return addDaysOff(from, to, [])
  const minute = Math.floor((now.hour * 60 + now.minute) / ROUNDING_MINUTES) * ROUNDING_MINUTES
  const spans = (await rosterOf(db, today, today)).spansOn(user, today)
  const workedSpans = spans
    .filter((span) => span.from < minute)
    .map((span) => ({ ...span, to: Math.min(span.to, minute) }))
  if (workedSpans.length === 0) return addDaysOff(from, to, [])
  await addDaysOff(from, from, workedSpans)
  if (from !== to) await addDaysOff(today.add({ days: 1 }).toString(), to, [])
}

const dayAt = (at: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
