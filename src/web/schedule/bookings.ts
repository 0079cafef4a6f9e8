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

/** A job that has its time; an all-day one starts at midnight. */
export type Booking = BookedVisit

/** A job as the schedule shows it. */
export type ScheduledJob = Omit<Booking, 'scheduled_start' | 'scheduled_end' | 'all_day'>

/** A job that has no time yet. */
export type UnscheduledJob = UnscheduledVisit

export type Bookings = {
  booked: Booking[]
  waiting: UnscheduledJob[]
  /** Technicians first, by name. */
  members: CrewMember[]
  /** When they were read, on the database's clock. */
  readAt: string
  /** True where there are more than are shown. */
  isCut: { booked: boolean; waiting: boolean }
  /** What a month draws of each day. */
  days?: ReadonlyMap<string, DayBookings>
}

/** First visits of a day, and how many it has. */
export type DayBookings = { count: number; first: readonly Booking[] }

/** Limits the visits that are shown, and the jobs without a time. */
const [MAX_BOOKED, MAX_UNSCHEDULED] = [1_000, 100]

/**
 * Reads what is booked from a day to a day of the company's calendar, without canceled jobs, and what has no time yet.
 */
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
    waiting: waiting.slice(0, MAX_UNSCHEDULED),
    isCut: { booked: booked.length > MAX_BOOKED, waiting: waiting.length > MAX_UNSCHEDULED },
  }
}

/** Reads the first visits of each day of a month, at most so many, and how many it has. */
export async function readMonth(
  context: MemberContext,
  [from, to]: readonly [Temporal.PlainDate, Temporal.PlainDate],
  most: number,
): Promise<Bookings> {
  const [booked, members, readAt] = await context.read((db) => {
    requireJobs(context)
    const days = { from, to, zone: context.company.timezone }
    return Promise.all([listFirstVisits(db, days, most), listCrewMembers(db), readClock(db)])
  })
  const days = [...Map.groupBy(booked, ({ day }) => day)].map(([day, first]): [string, DayBookings] => [
    day,
    { count: first[0]?.visits ?? 0, first },
  ])
  return { booked, waiting: [], members, readAt, isCut: { booked: false, waiting: false }, days: new Map(days) }
}

/** Requires the right to see jobs, at the moment of a read. */
function requireJobs({ may }: MemberContext): void {
  if (!may('read:jobs')) throw notFoundRefusal()
}
