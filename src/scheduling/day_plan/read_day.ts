import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { listWorkers } from '../availability.ts'
import { joinPosition, positionColumns, bestPosition, type PositionRow } from '../places/positions.ts'
import type { Position } from '../places/coordinates.ts'
import { rosterOf } from '../roster.ts'
import { skillsOfLines } from '../skills/skills.ts'
import { travelTimesOf, type TravelTimes } from '../travel/travel_times.ts'
import { workRanges } from '../working_time.ts'
import type { WorkSpan } from '../week.ts'

/** Visit of a day. Times are minutes since the start of the day. */
export type PlannedVisit = {
  id: string
  display_number: string
  title: string
  status: string
  start: number
  end: number
  all_day: boolean
  /** Minutes after its start within which the customer is promised an arrival. */
  window: number
  assignee_ids: readonly string[]
  position: Position | undefined
  city: string | null
  /** Minute at which the crew set out or, once there, started work; null if neither was reported. */
  actualStart: number | null
  actualEnd: number | null
  /** Skills that its catalog items need. */
  skills: readonly string[]
  /** Person who did the customer's last visit. */
  last_user: string | null
}

/** Person with their working hours, in minutes since the start of the day. Only workers get additional visits. */
export type PlannedPerson = {
  user_id: string
  name: string
  skills: readonly string[]
  isWorker: boolean
  spans: WorkSpan[]
}

/** All data to plan a day from. */
export type CompanyDay = {
  date: Temporal.PlainDate
  zone: string
  /** Minutes since the start of the day; negative before it. */
  now: number
  visits: PlannedVisit[]
  people: PlannedPerson[]
  /** Minutes of a drive from or to an unknown position. */
  defaultTravel: number
  /** Minutes of the arrival window of a visit without its own. */
  arrivalWindow: number
  travel: TravelTimes
}

/** Maximum visits of a day to plan; later ones stay as they are. */
export const MAX_DAY_VISITS = 150
/** Maximum length of a visit in days. */
const MAX_VISIT_DAYS = 14
const MINUTE = 60_000

type VisitRow = PositionRow &
  Pick<
    PlannedVisit,
    'id' | 'display_number' | 'title' | 'status' | 'all_day' | 'assignee_ids' | 'skills' | 'last_user' | 'city'
  > & {
    scheduled_start: string
    scheduled_end: string
    arrival_window_minutes: number
    begun_at: string | null
    completed_at: string | null
  }

/** Reads a company's day: visits, people, working hours, positions and driving times, also for one more place. */
export async function readDay(
  db: Db,
  zone: string,
  date: Temporal.PlainDate,
  at = Temporal.Now.instant(),
  extraPosition?: Position,
): Promise<CompanyDay> {
  const begin = date.toZonedDateTime(zone).epochMilliseconds
  const end = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  const minuteOf = (milliseconds: number): number => Math.round((milliseconds - begin) / MINUTE)
  const [rows, workers, roster] = await Promise.all([
    db.all<VisitRow>(selectVisits(db, begin, end)),
    listWorkers(db),
    rosterOf(db, date, date),
  ])
  const minuteAt = (at: string | null): number | null => (at === null ? null : minuteOf(Date.parse(at)))
  const visits = rows.map((row): PlannedVisit => {
    const { id, display_number, title, status, all_day, assignee_ids, skills, last_user, city } = row
    const [start, until] = [Date.parse(row.scheduled_start), Date.parse(row.scheduled_end)]
    const times = { start: minuteOf(Math.max(start, begin)), end: minuteOf(Math.min(until, end)) }
    return {
      id,
      display_number,
      title,
      status,
      all_day,
      window: row.arrival_window_minutes || roster.arrival_window_minutes,
      assignee_ids,
      skills,
      last_user,
      city,
      actualStart: minuteAt(row.begun_at),
      actualEnd: minuteAt(row.completed_at),
      ...times,
      position: bestPosition(row),
    }
  })
  const workerIds = new Set(workers.map(({ user_id }) => user_id))
  const others = [...new Set(visits.flatMap(({ assignee_ids }) => assignee_ids))].filter((user) => !workerIds.has(user))
  const people = [...workers, ...(await listMembers(db, others))].map(({ user_id, name, skills }): PlannedPerson => {
    const ranges = workRanges(date, roster.spansOn(user_id, date), zone)
    const spans = ranges.map(({ from, to }) => ({ from: minuteOf(from), to: minuteOf(to) }))
    return { user_id, name, skills, isWorker: workerIds.has(user_id), spans }
  })
  const positions = [...visits.map(({ position }) => position), extraPosition].flatMap((position) => position ?? [])
  const { travel_minutes: defaultTravel, arrival_window_minutes: arrivalWindow } = roster
  const travel = await travelTimesOf(db, positions)
  return { date, zone, now: minuteOf(at.epochMilliseconds), visits, people, defaultTravel, arrivalWindow, travel }
}

const selectVisits = (db: Db, begin: number, end: number) => sql`
  select j.id, j.display_number, j.title, j.status, j.scheduled_start, j.scheduled_end, j.all_day,
    j.arrival_window_minutes, j.assignee_ids, j.completed_at, ${statusStartColumn(db)} as begun_at,
    ${positionColumns}, l.city, ${skillsOfLines(db, sql`j.line_items`)} as skills,
    (select o.assignee_ids[1] from jobs o
      where o.tenant_id = ${db.tenant} and o.customer_id = j.customer_id and o.status = 'done' and o.id <> j.id
      order by o.scheduled_start desc nulls last limit 1) as last_user
  from jobs j
    left join locations l on l.tenant_id = ${db.tenant} and l.id = j.location_id ${joinPosition(db)}
  where j.tenant_id = ${db.tenant} and j.status <> 'cancelled'
    and j.scheduled_start >= ${new Date(begin - MAX_VISIT_DAYS * 1440 * MINUTE).toISOString()}
    and j.scheduled_start < ${new Date(end).toISOString()} and j.scheduled_end > ${new Date(begin).toISOString()}
  order by j.scheduled_start, j.id limit ${MAX_DAY_VISITS}`

/** Maximum seconds between an event of a phone and the change it makes. */
const MAX_EVENT_S = 30

/** Selects when a visit reached its current status, by the clock of the phone that reported it. */
const statusStartColumn = (db: Db): Sql => sql`case when j.status in ('en_route', 'in_progress') then
    (select coalesce((select f.at from field_acts f
        where f.tenant_id = ${db.tenant} and f.job_id = j.id and f.kind = 'status'
          and f.taken_at between a.at - ${MAX_EVENT_S} * interval '1 second' and a.at
        order by f.taken_at desc limit 1), a.at)
      from audit a where a.tenant_id = ${db.tenant} and a.record_id = j.id and a.changed ? 'status'
      order by a.at desc limit 1) end`

const listMembers = async (
  db: Db,
  users: readonly string[],
): Promise<Pick<PlannedPerson, 'user_id' | 'name' | 'skills'>[]> =>
  users.length === 0
    ? []
    : db.all(sql`select m.user_id, u.name, m.skills from members m join users u on u.id = m.user_id
        where m.tenant_id = ${db.tenant} and m.user_id = any(${[...users]}::uuid[]) order by lower(u.name), m.user_id`)

/** Checks whether any drive between visits of a day is an estimate, such as one to an unknown position. */
export function hasEstimates({ visits, travel }: CompanyDay): boolean {
  const positions = visits.flatMap(({ position }) => position ?? [])
  return (
    positions.length < visits.length ||
    positions.some((from) => positions.some((to) => from !== to && travel.between(from, to).isEstimate))
  )
}
