import type { ProposedMove } from '../../../scheduling/day_plan/proposal.ts'
import { instantOf, type DayTimeline } from '../clock.ts'
import type { Booking } from '../bookings.ts'
import type { BestSlot } from '../../../scheduling/day_plan/best_slots.ts'
import type { MovableJob } from '../move_page.ts'
import type { BookingMark } from '../board/card.ts'

/** Visits of a day on a board with a proposal. A moved visit appears at its old and its new position. */
export type Overlay = { booked: Booking[]; marks: ReadonlyMap<Booking, BookingMark> }

/** Adds the new positions of a proposal to a day's visits. */
export function overlayMoves(
  booked: readonly Booking[],
  moves: readonly ProposedMove[],
  names: ReadonlyMap<string, string>,
  line: DayTimeline,
): Overlay {
  const marks = new Map<Booking, BookingMark>()
  const byId = new Map(moves.map((move) => [move.visit.id, move]))
  const drawn = booked.flatMap((booking) => {
    const move = byId.get(booking.id)
    if (move === undefined) return [booking]
    const { to, start, visit } = move
    const moved: Booking = {
      ...booking,
      scheduled_start: instantOf(line, start),
      scheduled_end: instantOf(line, start + visit.end - visit.start),
      assignees: to === null ? [] : [{ user_id: to, name: names.get(to) ?? '' }],
    }
    marks.set(booking, 'leaving')
    marks.set(moved, 'proposed')
    return [booking, moved]
  })
  return { booked: drawn, marks }
}

/** Adds the times at which a job would fit to a day's visits. */
export function overlaySlots(booked: readonly Booking[], job: MovableJob, slots: readonly BestSlot[]): Overlay {
  const { id, display_number, title, customer_name, location_address, updated_at } = job
  const slotBookings = slots.map(({ start, end, user_id, name }): Booking => ({
    id,
    display_number,
    title,
    customer_name,
    location_address,
    updated_at,
    status: 'scheduled',
    priority: 'normal',
    scheduled_start: start,
    scheduled_end: end,
    all_day: false,
    assignees: [{ user_id, name }],
  }))
  return { booked: [...booked, ...slotBookings], marks: new Map(slotBookings.map((one) => [one, 'proposed'])) }
}
