import { listCrewMembers, type CrewMember } from '../../identity/people/crew.ts'
import { readClock } from '../../platform/db/server.ts'
import {
  listBookedVisits,
  listFirstVisits,
  listUnscheduledVisits,
  type BookedVisit,
  type UnscheduledVisit,
} from '../../records/jobs/index.ts'
import type { MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'

/** Scheduled job. An all-day one starts at midnight. */
export type Booking = BookedVisit

/** Job as the schedule shows it. */
export type ScheduledJob = Omit<Booking, 'scheduled_start' | 'scheduled_end' | 'all_day'>

/** Unscheduled job. */
export type UnscheduledJob = UnscheduledVisit

export type Bookings = {
  booked: Booking[]
  unscheduled: UnscheduledJob[]
  /** Members, technicians first, by name. */
  members: CrewMember[]
  /** Time of the read, on the database's clock. */
  readAt: string
  /** True if there are more than shown. */
  hasMore: { booked: boolean; unscheduled: boolean }
  /** Visits by day, for a month. */
  days?: ReadonlyMap<string, DayBookings>
}

/** First visits of a day, and its total count. */
export type DayBookings = { count: number; first: readonly Booking[] }

/** Maximum visits and unscheduled jobs shown. */
const [MAX_BOOKED, MAX_UNSCHEDULED] = [1_000, 100]

/** Reads the visits between two days of the company's calendar, without canceled jobs, and the unscheduled jobs. */
export async function readBookings(
  context: MemberContext,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Bookings> {
  const zone = context.company.timezone
  const [begin, end] = [from.toZonedDateTime(zone).toInstant(), to.add({ days: 1 }).toZonedDateTime(zone).toInstant()]
  const [booked, waiting, members, readAt] = await context.read((db) => {
    requireJobs(context)
    return Promise.all([
      listBookedVisits(db, begin, end, MAX_BOOKED + 1),
      listUnscheduledVisits(db, MAX_UNSCHEDULED + 1),
      listCrewMembers(db),
      readClock(db),
    ])
  })
  return {
    booked: booked.slice(0, MAX_BOOKED),
    members,
    readAt,
    unscheduled: waiting.slice(0, MAX_UNSCHEDULED),
    hasMore: { booked: booked.length > MAX_BOOKED, unscheduled: waiting.length > MAX_UNSCHEDULED },
  }
}

/** Reads the first visits of each day of a month, at most `limit` per day, and the count per day. */
export async function readMonth(
  context: MemberContext,
  [from, to]: readonly [Temporal.PlainDate, Temporal.PlainDate],
  limit: number,
): Promise<Bookings> {
  const [booked, members, readAt] = await context.read((db) => {
    requireJobs(context)
    const days = { from, to, zone: context.company.timezone }
    return Promise.all([listFirstVisits(db, days, limit), listCrewMembers(db), readClock(db)])
  })
  const days = [...Map.groupBy(booked, ({ day }) => day)].map(([day, first]): [string, DayBookings] => [
    day,
    { count: first[0]?.visits ?? 0, first },
  ])
  return {
    booked,
    unscheduled: [],
    members,
    readAt,
    hasMore: { booked: false, unscheduled: false },
    days: new Map(days),
  }
}

/** Requires read access to jobs at the time of the read. */
function requireJobs({ may }: MemberContext): void {
  if (!may('read:jobs')) throw notFoundRefusal()
}
