import type { Position } from '../places/coordinates.ts'
import { expectedRoute, MIN_LATE_MINUTES } from './expected_route.ts'
import { hasEstimates, type CompanyDay, type PlannedVisit } from './read_day.ts'

/** Target of a moved visit: its day, its times in minutes since the start of that day, and its crew. */
type VisitMove = {
  id: string
  title: string
  date: Temporal.PlainDate
  start: number
  end: number
  users: readonly string[]
  /** Minutes of its arrival window. */
  window: number
  position: Position | undefined
}

/** Visit that a person would reach late, or after its arrival window. */
type LateVisit = { id: string; title: string; minutes: number; isWindowBroken: boolean }

/** Effect of a move on everyone whose day it touches. */
export type MoveEffect = {
  drivingBefore: number
  drivingAfter: number
  isEstimate: boolean
  /** Visits that become later than before, worst first. */
  late: LateVisit[]
}

/** Returns the effect of moving a visit on the days that it leaves and enters. Changes nothing. */
export function effectOfMove(days: readonly CompanyDay[], move: VisitMove): MoveEffect {
  const effect: MoveEffect = { drivingBefore: 0, drivingAfter: 0, isEstimate: false, late: [] }
  const late = new Map<string, LateVisit>()
  for (const before of days) {
    const after = applyMove(before, move)
    const users = new Set([
      ...before.visits.flatMap(({ id, assignee_ids }) => (id === move.id ? assignee_ids : [])),
      ...(before.date.equals(move.date) ? move.users : []),
    ])
    for (const user of users) {
      const [routeBefore, routeAfter] = [expectedRoute(before, user), expectedRoute(after, user)]
      effect.drivingBefore += routeBefore.driving
      effect.drivingAfter += routeAfter.driving
      effect.isEstimate ||= [...routeBefore.stops, ...routeAfter.stops].length > 1 && hasEstimates(after)
      const lateBefore = new Map(routeBefore.stops.map(({ visit, late }) => [visit.id, late]))
      for (const { visit, late: minutes, isWindowBroken } of routeAfter.stops)
        if (minutes >= MIN_LATE_MINUTES && minutes > (visit.id === move.id ? 0 : (lateBefore.get(visit.id) ?? 0)))
          late.set(visit.id, { id: visit.id, title: visit.title, minutes, isWindowBroken })
    }
  }
  effect.late = [...late.values()].sort((a, b) => b.minutes - a.minutes)
  return effect
}

/** Returns a day after the move. */
function applyMove(day: CompanyDay, { id, title, date, start, end, users, window, position }: VisitMove): CompanyDay {
  const others = day.visits.filter((visit) => visit.id !== id)
  if (!date.equals(day.date)) return { ...day, visits: others }
  const moved: PlannedVisit = {
    id,
    title,
    start,
    end,
    position,
    display_number: '',
    status: 'scheduled',
    all_day: false,
    window,
    assignee_ids: users,
    skills: [],
    actualStart: null,
    actualEnd: null,
    last_user: null,
    city: null,
  }
  return { ...day, visits: [...others, moved].sort((a, b) => a.start - b.start) }
}
