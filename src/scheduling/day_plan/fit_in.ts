import type { Position } from '../places/coordinates.ts'
import type { CompanyDay, PlannedPerson, PlannedVisit } from './read_day.ts'

/** Visit that looks for a time. */
export type VisitToFit = { minutes: number; position: Position | undefined; people?: readonly string[] | undefined }

/** Time that somebody has for it, and the minutes of driving that it adds; minutes since the day began. */
export type FittingSlot = {
  date: string
  user_id: string
  name: string
  start: number
  end: number
  addedDriving: number
  isEstimate: boolean
}

/** Free slots start at multiples of this. */
const STEP = 15

/**
 * Returns the slots of some days that add the least driving, then the earliest: one a person and day, between visits
 * that stay as they are.
 */
export function fitIn(days: readonly CompanyDay[], visit: VisitToFit, count = 3): FittingSlot[] {
  return days
    .flatMap((day) =>
      day.people
        .filter(({ user_id, isWorker }) => visit.people?.includes(user_id) ?? isWorker)
        .flatMap((person) => bestSlot(day, person, visit) ?? []),
    )
    .sort(
      (a, b) =>
        a.addedDriving - b.addedDriving ||
        a.date.localeCompare(b.date) ||
        a.start - b.start ||
        a.user_id.localeCompare(b.user_id),
    )
    .slice(0, count)
}

function bestSlot(day: CompanyDay, person: PlannedPerson, visit: VisitToFit): FittingSlot | undefined {
  const own = day.visits.filter(({ assignee_ids }) => assignee_ids.includes(person.user_id))
  if (own.some(({ all_day }) => all_day)) return undefined
  let best: FittingSlot | undefined
  for (let i = 0; i <= own.length; i++) {
    const [previous, next] = [own[i - 1], own[i]]
    const [to, from] = [driveBetween(day, previous, visit), driveBetween(day, next, visit)]
    const direct = previous === undefined || next === undefined ? 0 : driveBetween(day, previous, next).minutes
    const earliest = Math.max(day.now, previous === undefined ? 0 : latestEnd(own.slice(0, i)) + to.minutes)
    const latest = next === undefined ? Infinity : next.start - from.minutes
    const start = startWithin(person, earliest, latest, visit.minutes)
    const addedDriving = Math.max(0, to.minutes + from.minutes - direct)
    if (start === undefined || (best !== undefined && addedDriving >= best.addedDriving)) continue
    best = {
      date: day.date.toString(),
      user_id: person.user_id,
      name: person.name,
      start,
      end: start + visit.minutes,
      addedDriving,
      isEstimate: to.isEstimate || from.isEstimate,
    }
  }
  return best
}

/** Returns the end of whichever visit ends last: one may lie within another. */
const latestEnd = (visits: readonly PlannedVisit[]): number => Math.max(...visits.map(({ end }) => end))

function startWithin({ spans }: PlannedPerson, earliest: number, latest: number, minutes: number): number | undefined {
  for (const { from, to } of spans) {
    const start = Math.ceil(Math.max(from, earliest) / STEP) * STEP
    if (start + minutes <= Math.min(to, latest)) return start
  }
  return undefined
}

/** Returns the drive between a visit and another place; the company's travel time where one of them isn't known. */
function driveBetween(
  { travel, defaultTravel }: CompanyDay,
  visit: PlannedVisit | undefined,
  other: { position: Position | undefined },
): { minutes: number; isEstimate: boolean } {
  if (visit === undefined) return { minutes: 0, isEstimate: false }
  if (visit.position === undefined || other.position === undefined) return { minutes: defaultTravel, isEstimate: true }
  return travel.between(visit.position, other.position)
}
