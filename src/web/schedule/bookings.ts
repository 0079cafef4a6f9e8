import { listCrewMembers, type CrewMember } from '../../identity/people/crew.ts'
import { readClock } from '../../platform/db/server.ts'
import { listJobDurations, listOngoingVisits, type BookedVisit } from '../../records/jobs/index.ts'
import type { MemberContext } from '../member_context.ts'

/** A job that has its time; an all-day one starts at midnight. */
export type Booking = BookedVisit

/** A job as the schedule shows it. */
export type ScheduledJob = Omit<Booking, 'scheduled_start' | 'scheduled_end' | 'all_day'>

/** A job that has no time yet. */
export type UnscheduledJob = ScheduledJob & { duration_minutes: number }

export type Bookings = {
  booked: Booking[]
  waiting: UnscheduledJob[]
  /** Technicians first, by name. */
  members: CrewMember[]
  /** When they were read, on the database's clock. */
  readAt: string
  /** True where there are more than are shown. */
  isCut: { booked: boolean; waiting: boolean }
}

type BookingList<Row> = { rows: Row[]; hasMore: boolean }

const ROWS = 100
const MAX_PAGES = 10
const SHOWN = ['scheduled', 'en_route', 'in_progress', 'on_hold', 'done']

/**
 * Reads what is booked from a day to a day of the company's calendar, without canceled jobs, and what has no time yet.
 */
export async function readBookings(
  context: MemberContext,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Bookings> {
  const begin = from.toZonedDateTime(context.company.timezone).toInstant()
  const [starting, waiting, [carried, members, durations, clock]] = await Promise.all([
    startingIn(context, from, to),
    context.call('jobs_list', { status: ['unscheduled'], sort: 'created_desc', limit: ROWS }),
    context.read((db) =>
      Promise.all([listOngoingVisits(db, begin, ROWS), listCrewMembers(db), listJobDurations(db, ROWS), readClock(db)]),
    ),
  ])
  const minutes = new Map(durations.map(({ id, duration_minutes }) => [id, duration_minutes]))
  return {
    booked: [...carried, ...starting.rows],
    members,
    readAt: clock,
    waiting: waiting.rows.map((job) => ({ ...job, duration_minutes: minutes.get(job.id) ?? 60 })),
    isCut: { booked: starting.hasMore, waiting: waiting.hasMore },
  }
}

async function startingIn(
  context: MemberContext,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<BookingList<Booking>> {
  const list: BookingList<Booking> = { rows: [], hasMore: true }
  for (let page = 1; list.hasMore && page <= MAX_PAGES; page++) {
    const { rows, hasMore } = await context.call('jobs_list', {
      scheduled_from: from.toString(),
      scheduled_to: to.toString(),
      status: SHOWN,
      limit: ROWS,
      page,
    })
    list.rows.push(...rows.filter(isBooked))
    list.hasMore = hasMore
  }
  return list
}

const isBooked = <Row extends Partial<Booking>>(job: Row): job is Row & Booking =>
  job.scheduled_start !== undefined && job.scheduled_end !== undefined
