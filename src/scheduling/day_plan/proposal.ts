import { createHash } from 'node:crypto'
import type { PlannedStop } from './expected_route.ts'
import type { DayComparison, PlannedChange } from './plan_company_day.ts'
import { isPlannable } from './problem_of_day.ts'
import type { CompanyDay, PlannedVisit } from './read_day.ts'

/** Visit that a plan gives another person or start, in minutes since the start of the day. */
export type ProposedMove = {
  visit: PlannedVisit
  from: string | null
  to: string | null
  start: number
  reason: Exclude<PlannedChange['reason'], 'no_room'> | 'in_reach'
}

/** Minutes to which starts are rounded up. */
const ROUNDING_MINUTES = 5
/** Minimum minutes by which the start of a visit moves if its person stays. */
const MIN_SHIFT = 15

/**
 * Returns the moves that turn a day into its plan: visits with another person, and visits that their person reaches
 * later than scheduled. Every start is within the visit's arrival window.
 */
export function movesOf(day: CompanyDay, { people, changes }: DayComparison): ProposedMove[] {
  const reasons = new Map(changes.map(({ visit, reason }) => [visit.id, reason]))
  const moves = people.flatMap(({ user_id, after }, i) => {
    const starts = roundStarts(day, after.stops, day.people[i]?.spans ?? [])
    return after.stops.flatMap(({ visit }, index): ProposedMove[] => {
      const start = starts[index] ?? visit.start
      const isTheirs = visit.assignee_ids.includes(user_id)
      if (isTheirs && (start - visit.start < MIN_SHIFT || !isPlannable(day, visit))) return []
      const reason = reasons.get(visit.id) ?? 'in_reach'
      const from = visit.assignee_ids[0] ?? null
      return reason === 'no_room' ? [] : [{ visit, from, to: user_id, start, reason }]
    })
  })
  return moves.sort((a, b) => a.start - b.start || a.visit.start - b.visit.start)
}

/** Rounds the starts of a route up to five minutes, if windows, working hours and fixed visits are still respected. */
function roundStarts(
  day: CompanyDay,
  stops: readonly PlannedStop[],
  spans: CompanyDay['people'][number]['spans'],
): number[] {
  let free = -Infinity
  const starts = stops.map(({ visit, driving, starts, leaves }) => {
    const roundedStart = roundUp(Math.max(starts, free + driving))
    const isReported = !isPlannable(day, visit) && starts !== visit.start
    const isFixed = isReported || (starts === visit.start && free + driving <= starts)
    const start = isFixed ? starts : roundedStart
    free = start - starts + leaves
    return start
  })
  const isValid = stops.every(({ visit, starts: planned }, i) => {
    const start = starts[i] ?? planned
    if (start === planned) return true
    const end = start + visit.end - visit.start
    const isAtWork = spans.some(({ from, to }) => start >= from && end <= to)
    return isPlannable(day, visit) && start <= visit.start + visit.window && isAtWork
  })
  return isValid ? starts : stops.map(({ starts }) => starts)
}

const roundUp = (minutes: number): number => Math.ceil(minutes / ROUNDING_MINUTES) * ROUNDING_MINUTES

/** Visit that stays with a person who is off, and the rest of its crew. */
export type UnassignedVisit = { visit: PlannedVisit; others: string[] }

/** Returns upcoming visits that a plan leaves with a person who is off: nobody can take them, or they have a crew. */
export function listUnassigned(day: CompanyDay, moves: readonly ProposedMove[], absentUser: string): UnassignedVisit[] {
  const moved = new Set(moves.map(({ visit }) => visit.id))
  return day.visits
    .filter(({ id, status, end, assignee_ids }) => {
      const isToCome = status === 'scheduled' && end > Math.max(0, day.now)
      return isToCome && assignee_ids.includes(absentUser) && !moved.has(id)
    })
    .map((visit) => ({ visit, others: visit.assignee_ids.filter((user) => user !== absentUser) }))
}

/** Returns a day after its whole proposal is approved. */
export function dayAfterMoves(
  day: CompanyDay,
  moves: readonly ProposedMove[],
  unassigned: readonly UnassignedVisit[],
): CompanyDay {
  const moveOf = new Map(moves.map((move) => [move.visit.id, move]))
  const othersOf = new Map(unassigned.map(({ visit, others }) => [visit.id, others]))
  const visits = day.visits.map((visit): PlannedVisit => {
    const { to = null, start = visit.start } = moveOf.get(visit.id) ?? {}
    const assignee_ids = to === null ? (othersOf.get(visit.id) ?? visit.assignee_ids) : [to]
    return { ...visit, start, end: start + visit.end - visit.start, assignee_ids }
  })
  return { ...day, visits: visits.sort((a, b) => a.start - b.start) }
}

/** Number of visits with an arrival window, and of windows kept before and after a plan. */
type WindowCount = { all: number; keptBefore: number; keptAfter: number }

/** Counts the arrival windows that are kept. A visit that nobody can do keeps none. */
export function countWindows({ people }: DayComparison): WindowCount {
  const count = (of: 'before' | 'after', onlyKept: boolean): number =>
    new Set(
      people.flatMap((one) =>
        one[of].stops.flatMap(({ visit, isWindowBroken }) => (onlyKept && isWindowBroken ? [] : [visit.id])),
      ),
    ).size
  return {
    all: new Set(people.flatMap(({ before, after }) => [...before.stops, ...after.stops].map(({ visit }) => visit.id)))
      .size,
    keptBefore: count('before', true),
    keptAfter: count('after', true),
  }
}

/** Returns a fingerprint of a day: its visits, their people, and everyone's hours and skills. */
export const fingerprintOfDay = ({ visits, people }: CompanyDay): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        visits.map(({ id, status, start, end, all_day, window, assignee_ids, skills }) => [
          [id, status, start, end, all_day, window],
          assignee_ids,
          skills,
        ]),
        people.map(({ user_id, isWorker, spans, skills }) => [user_id, isWorker, spans, skills]),
      ]),
    )
    .digest('base64url')
