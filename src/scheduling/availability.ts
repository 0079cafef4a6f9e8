import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { conflictField } from '../platform/errors/refusal.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import { refusals } from './refusals.ts'
import { rosterOf } from './roster.ts'
import { slotsIn, subtractTime, workStretches, type TimeStretch } from './working_time.ts'

/** Describes a time at which a member is free; instants in UTC. */
type FreeSlot = { start: string; end: string }
export type FreeMember = { user_id: string; name: string; slots: FreeSlot[] }

/**
 * Search for free slots: minutes of work, earliest start, maximum slots per person, and the person; without one,
 * everybody who works.
 */
export type SlotSearch = { minutes: number; from?: Temporal.Instant; most?: number; user?: string | undefined }

/** Days that a search looks ahead, and the longest that a visit can last (docs/spec/records.md#job-schedule). */
export const HORIZON_DAYS = 14
const MAX_DAYS = 14
const MAX_MEMBERS = 50
/** Limits the visits that are read of each member; past the last of them nobody is said to be free. */
const MAX_VISITS = 500
const MAX_SLOTS = 20
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** Lists the statuses of visits that take their time; what is done or cancelled leaves it free. */
const OCCUPYING = ['scheduled', 'en_route', 'in_progress', 'on_hold']

/** Member who does visits. */
type Worker = { user_id: string; name: string }
type VisitSpan = { user_id: string; scheduled_start: string; scheduled_end: string; all_day: boolean }

/**
 * Returns the next free slots of each technician within 14 days: working hours less visits, each with the company's
 * travel time around it. All is read in one round trip
 * (docs/spec/scheduling.md#free-times).
 */
export async function freeSlots(
  db: Db,
  zone: string,
  { minutes, from = Temporal.Now.instant(), most = 3, user }: SlotSearch,
): Promise<FreeMember[]> {
  const until = from.add({ hours: HORIZON_DAYS * 24 })
  const found = await freeTime(db, zone, { from, until, user })
  return found.map(({ user_id, name, free }) => {
    const slots = slotsIn(free, {
      length: minutes * MINUTE,
      after: from.epochMilliseconds,
      most: Math.min(most, MAX_SLOTS),
    })
    return { user_id, name, slots: slots.map(({ from, to }) => ({ start: instant(from), end: instant(to) })) }
  })
}

/** Describes when a member has time, in stretches of milliseconds, from the beginning of the first day on. */
export type MemberTime = Worker & { work: TimeStretch[]; free: TimeStretch[] }

/**
 * Returns when each technician works and is free on the days that a span of time touches, in one round trip; what is
 * past counts as the rest.
 */
export async function freeTime(
  db: Db,
  zone: string,
  { from, until, user }: { from: Temporal.Instant; until: Temporal.Instant; user?: string | undefined },
): Promise<MemberTime[]> {
  const [first, last] = [dayOf(from, zone), dayOf(until, zone)]
  const [workers, roster, visits, holds] = await Promise.all([
    db.all<Worker>(workersOf(db, user)),
    rosterOf(db, first, last),
    db.all<VisitSpan>(selectVisits(db, from, until, user)),
    db.all<VisitSpan>(selectHolds(db, from, until)),
  ])
  const travel = roster.travel_minutes * MINUTE
  const days = Array.from({ length: first.until(last).days + 1 }, (_, days) => first.add({ days }))
  return workers.map(({ user_id, name }) => {
    const ones = visits.filter((visit) => visit.user_id === user_id)
    const last = ones.length < MAX_VISITS ? undefined : ones.at(-1)
    const loadedUntil = last === undefined ? until.epochMilliseconds : Date.parse(last.scheduled_start)
    const work = days.flatMap((day) => workStretches(day, roster.spansOn(user_id, day), zone))
    const free = subtractTime(work, [
      ...[...ones, ...holds.filter((hold) => hold.user_id === user_id)].map((one) => visitStretch(one, travel, zone)),
      { from: loadedUntil, to: Infinity },
    ])
    return { user_id, name, work, free }
  })
}

/**
 * Requires, in a transaction, that a member is still free for a slot that was offered. Whoever asks at the same time
 * waits until this one ends.
 */
export async function requireFree(
  db: Db,
  zone: string,
  { user, start, minutes }: { user: string; start: string; minutes: number },
): Promise<void> {
  const from = Temporal.Instant.from(start)
  const until = from.add({ minutes })
  await db.present(
    sql`select user_id from members where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null
      for no key update`,
    'member',
  )
  const day = dayOf(from, zone)
  const [roster, visits, holds] = await Promise.all([
    rosterOf(db, day, day),
    db.all<VisitSpan>(selectVisits(db, from, until, user)),
    db.all<VisitSpan>(selectHolds(db, from, until)),
  ])
  const travel = roster.travel_minutes * MINUTE
  const isTaken = [...visits, ...holds.filter((hold) => hold.user_id === user)]
    .map((visit) => visitStretch(visit, travel, zone))
    .some((one) => one.from < until.epochMilliseconds && one.to > from.epochMilliseconds)
  if (isTaken) throw conflictField('scheduled_start', refusals.timeTaken())
}

/** Lists the members who do visits, technicians first. */
export const listWorkers = (db: Db): Promise<Worker[]> => db.all<Worker>(workersOf(db, undefined))

/** Returns the members who do visits: technicians and those with hours of their own; everybody where nobody is one. */
function workersOf(db: Db, user: string | undefined): Sql {
  return sql`
  with present as (
    select m.user_id, u.name, m.role = 'tech' as is_technician, w.id is not null as has_hours
    from members m join users u on u.id = m.user_id
      left join working_weeks w on w.tenant_id = m.tenant_id and w.user_id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null
  )
  select user_id, name from present
  where ${
    user === undefined
      ? sql`is_technician or has_hours
        or not exists (select 1 from present where is_technician or has_hours)`
      : sql`user_id = ${user}`
  }
  order by is_technician desc, lower(name), user_id limit ${MAX_MEMBERS}`
}

/** Returns the visits of each worker that may reach into a span of time, by start. */
const selectVisits = (db: Db, from: Temporal.Instant, until: Temporal.Instant, user: string | undefined): Sql => sql`
  select a.user_id, a.scheduled_start, j.scheduled_end, j.all_day
  from (${workersOf(db, user)}) w
    cross join lateral (
      select a.user_id, a.job_id, a.scheduled_start from job_assignees a
      where a.tenant_id = ${db.tenant} and a.user_id = w.user_id
        and a.scheduled_start >= ${utc(from.subtract({ hours: (MAX_DAYS + 1) * 24 }))}
        and a.scheduled_start < ${utc(until.add({ hours: 4 }))}
        and a.status = any(${OCCUPYING}::text[])
      order by a.scheduled_start limit ${MAX_VISITS}
    ) a
    join jobs j on j.tenant_id = ${db.tenant} and j.id = a.job_id
  order by a.user_id, a.scheduled_start`

/** Returns the times that are held for people who book online, by a company's `MAX_HOLDS` a few. */
const selectHolds = (db: Db, from: Temporal.Instant, until: Temporal.Instant): Sql => sql`
  select user_id, starts_at as scheduled_start, ends_at as scheduled_end, false as all_day from booking_holds
  where tenant_id = ${db.tenant} and expires_at > moment() and starts_at < ${utc(until.add({ hours: 4 }))}
    and ends_at > ${utc(from.subtract({ hours: 4 }))}`

/** Returns the time that a visit takes: with the way there and back, or the whole days of one at any time. */
function visitStretch(
  { scheduled_start, scheduled_end, all_day }: VisitSpan,
  travel: number,
  zone: string,
): TimeStretch {
  const [from, to] = [Date.parse(scheduled_start), Date.parse(scheduled_end)]
  if (!all_day) return { from: from - travel, to: to + travel }
  const day = dayOf(Temporal.Instant.from(scheduled_start), zone)
  const next = day.add({ days: Math.max(1, Math.round((to - from) / DAY)) })
  return { from: day.toZonedDateTime(zone).epochMilliseconds, to: next.toZonedDateTime(zone).epochMilliseconds }
}

const dayOf = (instant: Temporal.Instant, zone: string): Temporal.PlainDate =>
  instant.toZonedDateTimeISO(zone).toPlainDate()

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString()
