import type { DayPlan, PlanProblem, PlanStop } from './problem.ts'
import { arrivalAfter, driveFrom, endOf, type Routes } from './routes.ts'
import { at } from './tables.ts'

/** Returns the plan for some routes, with the times of each stop. */
export function describePlan(
  { visits }: PlanProblem,
  routes: Routes,
  unplaced: readonly number[],
  cost: number,
): DayPlan {
  const { orders, personOf, driving, overtime, starts } = routes
  return {
    routes: orders.map((order, person) => ({
      stops: order.map((visit, i): PlanStop => {
        const previous = order[i - 1]
        return {
          visit,
          arrives: arrivalAfter(routes, person, previous, visit),
          starts: at(starts, visit),
          ends: endOf(routes, visit),
          driving: driveFrom(routes, person, previous, visit),
        }
      }),
      driving: at(driving, person),
      overtime: at(overtime, person),
    })),
    unplaced: [...unplaced],
    moved: visits.flatMap(({ before }, visit) => {
      const person = at(personOf, visit)
      return before !== null && person >= 0 && person !== before ? [visit] : []
    }),
    cost,
  }
}
