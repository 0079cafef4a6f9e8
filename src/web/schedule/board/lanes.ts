import { say } from '../../../platform/i18n/say.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import type { Booking, Bookings } from '../bookings.ts'

/** A technician's part of the schedule; a visit of several is in each of theirs. */
export type Lane = {
  /** A user id, or `nobody`. */
  id: string
  name: string
  bookings: Booking[]
}

/**
 * Returns one's own lane, for a technician; the lane of what nobody does; each technician's; and of everybody else who
 * has a visit. Where nobody is a technician, everybody has a lane.
 */
export function lanesOf({ members, booked }: Pick<Bookings, 'members' | 'booked'>, viewer: string): Lane[] {
  const by = Map.groupBy(
    booked.flatMap((booking) => laneIdsOf(booking).map((id) => ({ id, booking }))),
    ({ id }) => id,
  )
  const lane = (id: string, name: string): Lane => ({
    id,
    name,
    bookings: (by.get(id) ?? []).map(({ booking }) => booking),
  })
  const hasTechnicians = members.some(({ isTechnician }) => isTechnician)
  const crew = members.filter(({ id, isTechnician }) => isTechnician || !hasTechnicians || by.has(id))
  const former = booked
    .flatMap(({ assignees }) => assignees)
    .filter(({ user_id }) => members.every(({ id }) => id !== user_id))
  const own = crew.filter(({ id, isTechnician }) => id === viewer && isTechnician)
  return [
    ...own.map(({ id, name }) => lane(id, name)),
    lane(NOBODY, say`Unassigned`),
    ...crew.filter((member) => !own.includes(member)).map(({ id, name }) => lane(id, name)),
    ...[...new Map(former.map(({ user_id, name }) => [user_id, name]))].map(([id, name]) => lane(id, name)),
  ]
}

/** Returns the lanes that a visit is in. */
export const laneIdsOf = ({ assignees }: Booking): string[] =>
  assignees.length === 0 ? [NOBODY] : assignees.map(({ user_id }) => user_id)
