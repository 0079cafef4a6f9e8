import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { conflictField } from '../platform/errors/refusal.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import {
  bestPosition,
  joinPosition,
  positionAt,
  positionColumns,
  type PositionRow,
  type SearchPlace,
} from './places/positions.ts'
import { refusals } from './refusals.ts'
import { missingSkills } from './skills/skills.ts'
import { rosterOf } from './roster.ts'
import { ESTIMATES, hasRoutedDrives, travelTimesAlong, travelTimesAround, type Drive } from './travel/travel_times.ts'
import { MAX_DRIVE, extraDriving, subtractVisits, neighborsOf, replacedDrives, type PlacedVisit } from './visit_gaps.ts'
import { clockOf, slotsIn, subtractTime, workOnClock, type TimeRange } from './working_time.ts'

/** Time at which a member is free, as instants in UTC. */
export type FreeSlot = {
  start: string
  end: string
  /** Minutes of driving that a visit in it adds; undefined if unknown. */
  driving: Drive | undefined
}
export type FreeMember = { user_id: string; name: string; slots: FreeSlot[] }

/**
 * Search for free slots: minutes of work, earliest start and maximum slots per person. Without a place, every drive
 * takes the company's travel time.
 */
export type SlotSearch = {
  minutes: number
  from?: Temporal.Instant
  limit?: number
  place?: SearchPlace | undefined
  /** Skills that the work needs; members who lack one aren't offered. */
  skills?: readonly string[]
}

/** Days that a search looks ahead, and maximum days of a visit (docs/spec/records.md#job-schedule). */
export const HORIZON_DAYS = 14
const MAX_DAYS = 14
const MAX_MEMBERS = 50
/** Maximum visits to read per member. A member doesn't count as free after the last one read. */
const MAX_VISITS = 500
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** Statuses of visits that occupy their time; done and canceled ones don't. */
const OCCUPYING_STATUSES = ['scheduled', 'en_route', 'in_progress', 'on_hold']

/** Member who does visits. */
type Worker = { user_id: string; name: string; skills: string[] }
type VisitRow = PositionRow & { user_id: string; scheduled_start: string; scheduled_end: string; all_day: boolean }

type HoldRow = { user_id: string; starts_at: string; ends_at: string }

/**
 * Returns the next free slots of each technician within 14 days: working hours minus visits and the drives around them
 * (docs/spec/scheduling.md#free-times).
 */
export async function findFreeSlots(
  db: Db,
  zone: string,
  { minutes, from = Temporal.Now.instant(), limit = 3, place, skills }: SlotSearch,
): Promise<FreeMember[]> {
  const until = from.add({ hours: HORIZON_DAYS * 24 })
  const slotsOf = (free: readonly TimeRange[]) =>
    slotsIn(free, { length: minutes * MINUTE, after: from.epochMilliseconds, limit })
  const members = await findFreeTime(db, zone, { from, until, place, skills, slotsOf })
  return members.map(({ user_id, name, slots }) => ({
    user_id,
    name,
    slots: slots.map(({ from, to, driving }) => ({ start: instant(from), end: instant(to), driving })),
  }))
}

/** Working and free time of a member, in milliseconds since 1970, from the start of the first day. */
export type MemberTime = Worker & { work: TimeRange[]; free: TimeRange[]; slots: MemberSlot[] }

/** Part of a member's free time, with the driving that a visit in it adds. */
export type MemberSlot = TimeRange & { driving: Drive | undefined }

type TimeSearch = {
  from: Temporal.Instant
  until: Temporal.Instant
  /** Only member to search, regardless of skills. */
  user?: string | undefined
  place?: SearchPlace | undefined
  skills?: readonly string[] | undefined
  /** Selects the parts of a member's free time to compute driving for; default: none. */
  slotsOf?: (free: readonly TimeRange[]) => TimeRange[]
}

/**
 * Returns when each technician works and is free on the days that a time span touches, including past hours. Reads
 * everything in one round trip. If a routing server provided drives, a second one reads those from and to the place,
 * and a third those that visits in the slots would replace.
 */
export async function findFreeTime(
  db: Db,
  zone: string,
  { from, until, user, place, skills = [], slotsOf = () => [] }: TimeSearch,
): Promise<MemberTime[]> {
  const [first, last] = [dayOf(from, zone), dayOf(until, zone)]
  const [workers, roster, visits, holds, position, hasDrives] = await Promise.all([
    db.all<Worker>(workersOf(db, user)),
    rosterOf(db, first, last),
    db.all<VisitRow>(selectVisits(db, from, until, user)),
    db.all<HoldRow>(selectHolds(db, from, until)),
    positionAt(db, place),
    place !== undefined && hasRoutedDrives(db),
  ])
  const clocks = Array.from({ length: first.until(last).days + 1 }, (_, days) => clockOf(first.add({ days }), zone))
  const byUser = Map.groupBy(visits, ({ user_id }) => user_id)
  const qualified = workers.filter((worker) => user !== undefined || missingSkills(worker.skills, skills).length === 0)
  const members = qualified.map((worker) => {
    const rows = byUser.get(worker.user_id) ?? []
    const lastRead = rows.length < MAX_VISITS ? undefined : rows.at(-1)
    const loadedUntil = lastRead === undefined ? until.epochMilliseconds : Date.parse(lastRead.scheduled_start)
    const visitsAndHolds = [...rows.map((row) => toPlacedVisit(row, zone)), ...toPlacedHolds(holds, worker.user_id)]
    return { ...worker, loadedUntil, visits: visitsAndHolds.sort((a, b) => a.from - b.from) }
  })
  const isRouted = hasDrives && position !== undefined
  const routedTimes = isRouted ? await travelTimesAround(db, position) : ESTIMATES
  const travelContext = { place: position, travel: routedTimes, defaultTravel: roster.travel_minutes }
  const times = members.map(({ user_id, name, skills, loadedUntil, visits }) => {
    const work = clocks.flatMap((clock) => workOnClock(clock, roster.spansOn(user_id, clock.day)))
    const free = subtractTime(subtractVisits(work, visits, travelContext), [{ from: loadedUntil, to: Infinity }])
    const slots = slotsOf(free).map((slot) => ({ slot, neighbors: neighborsOf(slot, clocks, visits) }))
    return { user_id, name, skills, work, free, slots }
  })
  const replaced = times.flatMap(({ slots }) => slots.flatMap(({ neighbors }) => replacedDrives(neighbors)))
  const travel = isRouted ? await travelTimesAlong(db, replaced, routedTimes) : ESTIMATES
  return times.map(({ slots, ...time }) => ({
    ...time,
    slots: slots.map(({ slot, neighbors }) => ({
      ...slot,
      driving: extraDriving(neighbors, { ...travelContext, travel }),
    })),
  }))
}

/**
 * Throws unless a member still works and is free for an offered slot. Runs in a transaction: concurrent calls for this
 * member wait until it ends.
 */
export async function requireFree(
  db: Db,
  zone: string,
  { user, start, minutes, place }: { user: string; start: string; minutes: number; place?: SearchPlace | undefined },
): Promise<void> {
  const from = Temporal.Instant.from(start)
  const until = from.add({ minutes })
  // Locks the row first, so that later reads see the changes of the previous transaction.
  const [, members] = await Promise.all([
    db.present(
      sql`select user_id from members where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null
        for no key update`,
      'member',
    ),
    findFreeTime(db, zone, { from, until, user, place }),
  ])
  if (!members.some((member) => isFreeFor(member, from, until)))
    throw conflictField('scheduled_start', refusals.timeTaken())
}

/** Checks whether a member works and is free for a whole time span. */
export const isFreeFor = ({ free }: MemberTime, from: Temporal.Instant, until: Temporal.Instant): boolean =>
  free.some((one) => one.from <= from.epochMilliseconds && one.to >= until.epochMilliseconds)

/** Lists the members who do visits, technicians first. */
export const listWorkers = (db: Db): Promise<Worker[]> => db.all<Worker>(workersOf(db, undefined))

/** Selects the members who do visits: technicians and those with their own hours; everyone if there are none. */
function workersOf(db: Db, user: string | undefined): Sql {
  return sql`
  with present as (
    select m.user_id, u.name, m.skills, m.role = 'tech' as is_technician, w.id is not null as has_hours
    from members m join users u on u.id = m.user_id
      left join working_weeks w on w.tenant_id = m.tenant_id and w.user_id = m.user_id
    where m.tenant_id = ${db.tenant} and m.deactivated_at is null
  )
  select user_id, name, skills from present
  where ${
    user === undefined
      ? sql`is_technician or has_hours
        or not exists (select 1 from present where is_technician or has_hours)`
      : sql`user_id = ${user}`
  }
  order by is_technician desc, lower(name), user_id limit ${MAX_MEMBERS}`
}

/** Selects the visits of each worker that may overlap a time span, by start. */
const selectVisits = (db: Db, from: Temporal.Instant, until: Temporal.Instant, user: string | undefined): Sql => sql`
  select a.user_id, a.scheduled_start, j.scheduled_end, j.all_day, ${positionColumns}
  from (${workersOf(db, user)}) w
    cross join lateral (
      select a.user_id, a.job_id, a.scheduled_start from job_assignees a
      where a.tenant_id = ${db.tenant} and a.user_id = w.user_id
        and a.scheduled_start >= ${utc(from.subtract({ hours: (MAX_DAYS + 1) * 24 }))}
        and a.scheduled_start < ${utc(until.add({ minutes: MAX_DRIVE }))}
        and a.status = any(${OCCUPYING_STATUSES}::text[])
      order by a.scheduled_start limit ${MAX_VISITS}
    ) a
    join jobs j on j.tenant_id = ${db.tenant} and j.id = a.job_id
    left join locations l on l.tenant_id = ${db.tenant} and l.id = j.location_id ${joinPosition(db)}
  order by a.user_id, a.scheduled_start`

/** Selects the few times that are held for online bookings. */
const selectHolds = (db: Db, from: Temporal.Instant, until: Temporal.Instant): Sql => sql`
  select user_id, starts_at, ends_at from booking_holds
  where tenant_id = ${db.tenant} and expires_at > moment() and starts_at < ${utc(until.add({ hours: 4 }))}
    and ends_at > ${utc(from.subtract({ hours: 4 }))}`

/** Returns the times held with one member, without positions. */
const toPlacedHolds = (holds: readonly HoldRow[], user: string): PlacedVisit[] =>
  holds
    .filter(({ user_id }) => user_id === user)
    .map(({ starts_at, ends_at }) => ({
      from: Date.parse(starts_at),
      to: Date.parse(ends_at),
      isAllDay: false,
      position: undefined,
    }))

/** Returns a visit with its position. An all-day visit takes whole days. */
function toPlacedVisit(row: VisitRow, zone: string): PlacedVisit {
  const [from, to] = [Date.parse(row.scheduled_start), Date.parse(row.scheduled_end)]
  const position = bestPosition(row)
  if (!row.all_day) return { from, to, isAllDay: false, position }
  const day = dayOf(Temporal.Instant.from(row.scheduled_start), zone)
  const next = day.add({ days: Math.max(1, Math.round((to - from) / DAY)) })
  return { ...rangeOf(day, next, zone), isAllDay: true, position }
}

const rangeOf = (day: Temporal.PlainDate, next: Temporal.PlainDate, zone: string): TimeRange => ({
  from: day.toZonedDateTime(zone).epochMilliseconds,
  to: next.toZonedDateTime(zone).epochMilliseconds,
})

const dayOf = (instant: Temporal.Instant, zone: string): Temporal.PlainDate =>
  instant.toZonedDateTimeISO(zone).toPlainDate()

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString()
