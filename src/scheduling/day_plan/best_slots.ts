import type { FreeMember, FreeSlot } from '../availability.ts'

/** Free slot of a member for a job. */
export type BestSlot = FreeSlot & { user_id: string; name: string }

/** Minutes of driving that one day of waiting is worth. */
const DAY_COST = 20
/** Minutes of driving assumed for the only visit of a day, since the way to it is unknown. */
const UNKNOWN_DRIVING = 30
const DAY = 24 * 60 * 60_000

/**
 * Returns the best free slots, best first, at most one per member and day: little added driving, and soon. A day of
 * waiting is worth 20 minutes of driving.
 */
export function bestSlots(members: readonly FreeMember[], zone: string, count: number): BestSlot[] {
  const all = members.flatMap(({ user_id, name, slots }) => slots.map((slot) => ({ ...slot, user_id, name })))
  const first = Math.min(...all.map(({ start }) => Date.parse(start)))
  const costOf = ({ start, driving }: BestSlot): number =>
    (driving?.minutes ?? UNKNOWN_DRIVING) + (DAY_COST * (Date.parse(start) - first)) / DAY
  const best: BestSlot[] = []
  const days = new Set<string>()
  for (const slot of all.sort((a, b) => costOf(a) - costOf(b) || a.start.localeCompare(b.start))) {
    const day = `${slot.user_id} ${Temporal.Instant.from(slot.start).toZonedDateTimeISO(zone).toPlainDate().toString()}`
    if (days.has(day)) continue
    days.add(day)
    best.push(slot)
    if (best.length === count) break
  }
  return best
}
