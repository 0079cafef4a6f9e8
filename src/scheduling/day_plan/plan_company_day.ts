import { planInThread } from '../planner/plan_in_thread.ts'
import type { DayPlan } from '../planner/problem.ts'
import { expectedRoute, stopOf, type PersonRoute } from './expected_route.ts'
import { problemOf, type DayProblem, type PlanOptions } from './problem_of_day.ts'
import { hasEstimates, type CompanyDay, type PlannedVisit } from './read_day.ts'

/** Change of a visit in a plan, with its reason. */
export type PlannedChange = {
  visit: PlannedVisit
  from: string | null
  to: string | null
  start: number
  reason: 'less_driving' | 'window_kept' | 'person_off' | 'nobody_before' | 'no_room'
}

/** Day as it is, compared with its plan. */
export type DayComparison = {
  date: string
  people: { user_id: string; name: string; before: PersonRoute; after: PersonRoute }[]
  changes: PlannedChange[]
  /** Visits that nobody can do within their window. */
  unplaced: PlannedVisit[]
  drivingBefore: number
  drivingAfter: number
  /** Whether any driving time is an estimate. */
  isEstimate: boolean
}

/** Plans a company's day in the planner's thread and compares it with the current day. Changes nothing. */
export async function planCompanyDay(
  company: string,
  day: CompanyDay,
  options: PlanOptions = {},
): Promise<DayComparison> {
  const dayProblem = problemOf(day, options)
  const plan = await planInThread(company, dayProblem.problem)
  const people = day.people.map(({ user_id, name }, i) => ({
    user_id,
    name,
    before: expectedRoute(day, user_id),
    after: routeOfPlan(dayProblem, plan.routes[i]),
  }))
  const total = (of: 'before' | 'after'): number => people.reduce((sum, one) => sum + one[of].driving, 0)
  return {
    date: day.date.toString(),
    people,
    changes: changesOf(people, dayProblem, plan, options.absentUser),
    unplaced: plan.unplaced.flatMap((visit) => dayProblem.visits[visit] ?? []),
    drivingBefore: total('before'),
    drivingAfter: total('after'),
    isEstimate: hasEstimates(day),
  }
}

function routeOfPlan({ visits }: DayProblem, route: DayPlan['routes'][number] | undefined): PersonRoute {
  const stops = (route?.stops ?? []).flatMap(({ visit, driving, arrives, starts, ends }, i) => {
    const planned = visits[visit]
    // No day starts at a known place, so the first visit is reached at its start.
    return planned === undefined
      ? []
      : [stopOf(planned, { driving, arrives: i === 0 ? starts : arrives, starts, leaves: ends })]
  })
  return { stops, driving: route?.driving ?? 0 }
}

function changesOf(
  people: DayComparison['people'],
  { visits }: DayProblem,
  plan: DayPlan,
  absentUser?: string,
): PlannedChange[] {
  const wasBroken = new Set(
    people.flatMap(({ before }) =>
      before.stops.flatMap(({ visit, isWindowBroken }) => (isWindowBroken ? [visit.id] : [])),
    ),
  )
  const changes: PlannedChange[] = []
  for (const [person, { stops }] of plan.routes.entries())
    for (const { visit, starts } of stops) {
      const planned = visits[visit]
      const to = people[person]?.user_id ?? null
      if (planned === undefined || to === null || planned.assignee_ids.includes(to)) continue
      const [from = null] = planned.assignee_ids
      const reason =
        from === null
          ? 'nobody_before'
          : from === absentUser
            ? 'person_off'
            : wasBroken.has(planned.id)
              ? 'window_kept'
              : 'less_driving'
      changes.push({ visit: planned, from, to, start: starts, reason })
    }
  for (const visit of plan.unplaced) {
    const unplaced = visits[visit]
    if (unplaced !== undefined)
      changes.push({
        visit: unplaced,
        from: unplaced.assignee_ids[0] ?? null,
        to: null,
        start: unplaced.start,
        reason: 'no_room',
      })
  }
  return changes
}
