import type { CompanyDay, PlannedVisit } from './read_day.ts'

/** Stop of a route. Times are minutes since the start of the day. */
export type PlannedStop = {
  visit: PlannedVisit
  driving: number
  arrives: number
  starts: number
  /** Minute from which its person is free for the next stop. */
  leaves: number
  /** Minutes after the scheduled start. */
  late: number
  /** Whether it starts after the arrival window. */
  isWindowBroken: boolean
}

export type PersonRoute = { stops: PlannedStop[]; driving: number }

/** Minutes from which a visit counts as late. */
export const MIN_LATE_MINUTES = 10

/**
 * Returns when a person is expected at each visit of a day: in its order, as soon as each can be reached. On the day
 * itself, reports count, in the order they were made, and so does the time: nobody arrives before now at a visit that
 * hasn't started.
 */
export function expectedRoute(day: CompanyDay, user: string): PersonRoute {
  const clock = clockOf(day)
  const userVisits = day.visits.filter(({ all_day, assignee_ids }) => !all_day && assignee_ids.includes(user))
  const stops: PlannedStop[] = []
  let previous: PlannedVisit | undefined
  let free = -Infinity
  for (const visit of clock === undefined ? userVisits : [...userVisits].sort((a, b) => sortKeyOf(a) - sortKeyOf(b))) {
    const driving = previous === undefined ? 0 : driveMinutes(day, previous, visit)
    const times = timesOf(visit, driving, free, clock ?? -Infinity)
    stops.push(stopOf(visit, { ...times, driving }))
    free = times.leaves
    previous = visit
  }
  return { stops, driving: stops.reduce((sum, { driving }) => sum + driving, 0) }
}

/** Returns a person's stops by visit id; for null, those of visits without a person. */
export function expectedStops(day: CompanyDay, user: string | null): Map<string, PlannedStop> {
  const clock = clockOf(day) ?? -Infinity
  const stops =
    user === null
      ? day.visits
          .filter(({ all_day, assignee_ids }) => !all_day && assignee_ids.length === 0)
          .map((visit) => stopOf(visit, { ...timesOf(visit, 0, -Infinity, clock), driving: 0 }))
      : expectedRoute(day, user).stops
  return new Map(stops.map((stop) => [stop.visit.id, stop]))
}

export const stopOf = (
  visit: PlannedVisit,
  times: Pick<PlannedStop, 'driving' | 'arrives' | 'starts' | 'leaves'>,
): PlannedStop => {
  const late = Math.max(0, times.starts - visit.start)
  return { visit, ...times, late, isWindowBroken: late > visit.window }
}

/** Returns the current minute; undefined on another day, where only the schedule counts. */
export const clockOf = ({ now }: CompanyDay): number | undefined => (now >= 0 && now < 1440 ? now : undefined)

/** Returns the sort key of a visit: started ones come first, in the order they started. */
const sortKeyOf = ({ status, start, actualStart, actualEnd }: PlannedVisit): number =>
  status === 'scheduled' ? start + 1440 : status === 'done' ? (actualEnd ?? start) - 1440 : (actualStart ?? start)

/** Returns when a person arrives at a visit, starts it, and is free again. */
function timesOf(visit: PlannedVisit, driving: number, free: number, clock: number) {
  const { status, start, end, window } = visit
  const minutes = end - start
  const [actualStart, actualEnd] = clock === -Infinity ? [null, null] : [visit.actualStart, visit.actualEnd]
  const departure = status === 'en_route' ? (actualStart ?? free) : Math.max(free, clock)
  if (status === 'scheduled' || (status === 'en_route' && clock !== -Infinity)) {
    // No day starts at a known place, so the first visit is reached at its start.
    const arrives = free === -Infinity ? Math.max(start, clock) : Math.max(departure + driving, clock)
    const starts = Math.max(start, arrives)
    // A visit that nobody started for so long was forgotten or won't happen: it delays no other.
    const isForgotten = status === 'scheduled' && clock > end + window
    return { arrives, starts, leaves: isForgotten ? free : starts + minutes }
  }
  const starts = actualStart ?? Math.min(start, actualEnd ?? start)
  const until = status === 'done' ? (actualEnd ?? starts + minutes) : Math.max(starts + minutes, clock)
  const arrives = free === -Infinity || actualStart !== null ? starts : free + driving
  return { arrives, starts, leaves: status === 'on_hold' && clock !== -Infinity ? Math.max(free, starts) : until }
}

/** Returns the minutes of a drive between two visits; the company's travel time if a position is unknown. */
export function driveMinutes({ travel, defaultTravel }: CompanyDay, from: PlannedVisit, to: PlannedVisit): number {
  if (from === to) return 0
  if (from.position === undefined || to.position === undefined) return defaultTravel
  return travel.between(from.position, to.position).minutes
}
