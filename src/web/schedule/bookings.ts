import { sql, type Db } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'

export type Person = { user_id: string; name: string }

/** Describes a job as the schedule shows it. */
export type ScheduledJob = {
  id: string
  display_number: string
  title: string
  status: string
  priority: string
  customer_name: string
  location_address?: string | null
  assignees: readonly Person[]
  updated_at: string
}

/** Describes a job that has its time; an all-day one starts at midnight. */
export type Booking = ScheduledJob & { scheduled_start: string; scheduled_end: string; all_day: boolean }

/** Describes a job that has no time yet. */
export type UnscheduledJob = ScheduledJob & { duration_minutes: number }

export type CrewMember = { id: string; name: string; isTechnician: boolean }

export type Bookings = {
  booked: Booking[]
  waiting: UnscheduledJob[]
  /** Are technicians first, by name. */
  members: CrewMember[]
  /** Is when they were read, on the database's clock. */
  readAt: string
  /** Says that there are more than are shown. */
  isCut: { booked: boolean; waiting: boolean }
}

type BookingList<Row> = { rows: Row[]; hasMore: boolean }

const ROWS = 100
const MAX_PAGES = 10
/** Is the longest that a visit can last, in days (docs/spec/records.md#job-schedule). */
const LONGEST_DAYS = 14
const SHOWN = ['scheduled', 'en_route', 'in_progress', 'on_hold', 'done']

/** Reads what is booked from a day to a day of the company's calendar, without canceled jobs, and what has no time yet. */
export async function readBookings(
  context: MemberContext,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Bookings> {
  const begin = from.toZonedDateTime(context.company.timezone).toInstant()
  const [starting, waiting, [carried, members, durations, clock]] = await Promise.all([
    startingIn(context, from, to),
    context.call('jobs_list', { status: ['unscheduled'], sort: 'created_desc', limit: ROWS }),
    context.read((db) => Promise.all([listOngoing(db, begin), membersOf(db), durationsOf(db), clockOf(db)])),
  ])
  const minutes = new Map(durations.map(({ id, duration_minutes }) => [id, duration_minutes]))
  return {
    booked: [...carried, ...starting.rows],
    members,
    readAt: clock.now,
    waiting: waiting.rows.map((job) => ({ ...job, duration_minutes: minutes.get(job.id) ?? 60 })),
    isCut: { booked: starting.hasMore, waiting: waiting.hasMore },
  }
}

async function startingIn(
  context: MemberContext,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<BookingList<Booking>> {
  const found: BookingList<Booking> = { rows: [], hasMore: true }
  for (let page = 1; found.hasMore && page <= MAX_PAGES; page++) {
    const { rows, hasMore } = await context.call('jobs_list', {
      scheduled_from: from.toString(),
      scheduled_to: to.toString(),
      status: SHOWN,
      limit: ROWS,
      page,
    })
    found.rows.push(...rows.filter(isBooked))
    found.hasMore = hasMore
  }
  return found
}

const isBooked = <Row extends Partial<Booking>>(job: Row): job is Row & Booking =>
  job.scheduled_start !== undefined && job.scheduled_end !== undefined

/** Returns visits that began earlier and go on, since the tools list by start. */
const listOngoing = (db: Db, begin: Temporal.Instant): Promise<Booking[]> =>
  db.all<Booking>(sql`
  select j.id, j.display_number, j.title, j.status, j.priority, c.display_name as customer_name, j.location_address,
    crew(j.assignee_ids) as assignees, j.scheduled_start, j.scheduled_end, j.all_day, j.updated_at
  from jobs j join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
  where j.tenant_id = ${db.tenant} and j.scheduled_start >= ${utc(begin.subtract({ hours: LONGEST_DAYS * 24 }))} and j.scheduled_start < ${utc(begin)}
    and j.scheduled_end > ${utc(begin)} and j.status <> 'cancelled'
  order by j.scheduled_start, j.id limit ${ROWS}`)

const membersOf = (db: Db): Promise<CrewMember[]> =>
  db.all<CrewMember>(sql`
  select u.id, u.name, m.role = 'tech' as "isTechnician" from members m join users u on u.id = m.user_id
  where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by m.role = 'tech' desc, lower(u.name), u.id`)

/** Returns how long jobs without a time will take, which rows of the tools don't say. */
const durationsOf = (db: Db): Promise<{ id: string; duration_minutes: number }[]> =>
  db.all(sql`
  select id, duration_minutes from jobs where tenant_id = ${db.tenant} and status = 'unscheduled' order by created_at desc, id desc limit ${ROWS}`)

const clockOf = (db: Db): Promise<{ now: string }> => db.one(sql`select moment() as now`)
