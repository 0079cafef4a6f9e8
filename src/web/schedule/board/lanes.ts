import { say } from '../../../platform/i18n/say.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import type { Booking, Bookings } from '../bookings.ts'

/** Column or row of a technician. A visit of several technicians is in each of their lanes. */
export type Lane = {
  /** User id, or `nobody`. */
  id: string
  name: string
  bookings: Booking[]
}

/**
 * Returns the lanes: the viewer's own if they are a technician, the unassigned one, each technician's, and those of
 * others with a visit. Without technicians, every member has a lane.
 */
export function lanesOf({ members, booked }: Pick<Bookings, 'members' | 'booked'>, viewer: string): Lane[] {
  const byLane = Map.groupBy(
    booked.flatMap((booking) => laneIdsOf(booking).map((id) => ({ id, booking }))),
    ({ id }) => id,
  )
  const toLane = (id: string, name: string): Lane => ({
    id,
    name,
    bookings: (byLane.get(id) ?? []).map(({ booking }) => booking),
  })
  const hasTechnicians = members.some(({ isTechnician }) => isTechnician)
  const crew = members.filter(({ id, isTechnician }) => isTechnician || !hasTechnicians || byLane.has(id))
  const former = booked
    .flatMap(({ assignees }) => assignees)
    .filter(({ user_id }) => members.every(({ id }) => id !== user_id))
  const own = crew.filter(({ id, isTechnician }) => id === viewer && isTechnician)
  return [
    ...own.map(({ id, name }) => toLane(id, name)),
    toLane(NOBODY, say`Unassigned`),
    ...crew.filter((member) => !own.includes(member)).map(({ id, name }) => toLane(id, name)),
    ...[...new Map(former.map(({ user_id, name }) => [user_id, name]))].map(([id, name]) => toLane(id, name)),
  ]
}

export const laneIdsOf = ({ assignees }: Booking): string[] =>
  assignees.length === 0 ? [NOBODY] : assignees.map(({ user_id }) => user_id)
