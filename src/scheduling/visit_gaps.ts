import type { Coordinates } from './places/coordinates.ts'
import type { Drive, DrivePair, TravelTimes } from './travel/travel_times.ts'
import { subtractTime, type TimeRange } from './working_time.ts'

/** Visit of a member. Times are milliseconds since 1970. */
export type PlacedVisit = TimeRange & {
  /** Whether it takes whole days, without drives. */
  isAllDay: boolean
  position: Coordinates | undefined
}

/** Place of a visit to schedule, and the driving times. */
export type TravelContext = {
  /** Undefined if unknown: every drive takes the company's travel time. */
  place: Coordinates | undefined
  travel: TravelTimes
  /** Minutes of a drive from or to an unknown place. */
  defaultTravel: number
}

const MINUTE = 60_000
/** Minutes to which drives are rounded up. */
const STEP = 5
/** Maximum minutes kept free for a drive; visits are read as far around a search. */
export const MAX_DRIVE = 1440

/** Returns the working time available to a visit, without other visits and the drives between them and it. */
export const subtractVisits = (
  work: readonly TimeRange[],
  visits: readonly PlacedVisit[],
  travelContext: TravelContext,
): TimeRange[] =>
  subtractTime(
    work,
    visits.map((visit) => busyRange(visit, travelContext)),
  )

/** Returns the time that a visit blocks for one at the place: its own, and the drives to it and from it. */
function busyRange(visit: PlacedVisit, travelContext: TravelContext): TimeRange {
  if (visit.isAllDay) return visit
  const { place } = travelContext
  return {
    from: visit.from - minutesToKeep(place, visit.position, travelContext) * MINUTE,
    to: visit.to + minutesToKeep(visit.position, place, travelContext) * MINUTE,
  }
}

/** Visits of a member directly before and after a slot, on its day. */
type Neighbors = { previous: PlacedVisit | undefined; next: PlacedVisit | undefined }

/** Returns the neighbors of a slot that starts on one of the days; the visits are in order. */
export function neighborsOf(slot: TimeRange, days: readonly TimeRange[], visits: readonly PlacedVisit[]): Neighbors {
  const day = days.find(({ from, to }) => from <= slot.from && slot.from < to) ?? slot
  const others = visits.filter(({ from, to, isAllDay }) => !isAllDay && from < day.to && to > day.from)
  return {
    previous: others.filter(({ to }) => to <= slot.from).reduce(latest, undefined),
    next: others.find(({ from }) => from >= slot.to),
  }
}

/** Returns the drive that a visit between two others replaces; none if a place is unknown. */
export const replacedDrives = ({ previous, next }: Neighbors): DrivePair[] =>
  previous?.position && next?.position ? [[previous.position, next.position]] : []

/**
 * Returns the minutes of driving that a visit adds between its neighbors; undefined if it has none, or if the place is
 * unknown.
 */
export function extraDriving({ previous, next }: Neighbors, travelContext: TravelContext): Drive | undefined {
  const { place } = travelContext
  if (place === undefined || (previous === undefined && next === undefined)) return undefined
  const drives = [
    ...(previous === undefined ? [] : [driveBetween(previous.position, place, travelContext)]),
    ...(next === undefined ? [] : [driveBetween(place, next.position, travelContext)]),
  ]
  const direct =
    previous === undefined || next === undefined
      ? NO_DRIVE
      : driveBetween(previous.position, next.position, travelContext)
  const minutes = drives.reduce((sum, { minutes }) => sum + minutes, 0) - direct.minutes
  return {
    minutes: roundUp(Math.max(0, minutes)),
    isEstimate: direct.isEstimate || drives.some(({ isEstimate }) => isEstimate),
  }
}

const NO_DRIVE: Drive = { minutes: 0, isEstimate: false }

const latest = (a: PlacedVisit | undefined, b: PlacedVisit): PlacedVisit => (a === undefined || b.to >= a.to ? b : a)

/** Returns a drive; the company's travel time if a place is unknown. */
function driveBetween(
  from: Coordinates | undefined,
  to: Coordinates | undefined,
  { travel, defaultTravel }: TravelContext,
): Drive {
  if (from === undefined || to === undefined) return { minutes: defaultTravel, isEstimate: true }
  return travel.between(from, to)
}

/** Returns the minutes to keep free for a drive: rounded up, but the company's travel time as it is set. */
const minutesToKeep = (
  from: Coordinates | undefined,
  to: Coordinates | undefined,
  travelContext: TravelContext,
): number => {
  const { minutes } = driveBetween(from, to, travelContext)
  return from === undefined || to === undefined ? minutes : Math.min(roundUp(minutes), MAX_DRIVE)
}

const roundUp = (minutes: number): number => Math.ceil(minutes / STEP) * STEP
