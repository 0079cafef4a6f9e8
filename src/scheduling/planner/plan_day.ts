import { describePlan } from './describe_plan.ts'
import { findInsertion } from './insertion.ts'
import { requirePlannable, type DayPlan, type PlanProblem } from './problem.ts'
import { newRandom, type Random } from './random.ts'
import { insertVisit, openRoutes, removeVisit, restoreRoutes, routesCost, type Routes } from './routes.ts'
import { at, tablesOf } from './tables.ts'

/** Temperatures of the annealing, in minutes of driving: extra cost of a worse day accepted at first and at last. */
const INITIAL_TEMPERATURE = 30
const FINAL_TEMPERATURE = 0.3
/** Maximum visits that one round removes, and share of the positions that it skips. */
const MAX_REMOVED = 10
const SKIP_RATE = 0.02

/** State of the search; `unassigned` are the visits without a person. */
type Search = { routes: Routes; unassigned: Set<number>; movable: readonly number[]; random: Random }

/**
 * Plans a day: assigns visits to people and orders them. Starts from the current day, then repeatedly removes nearby
 * visits and reinserts each at the lowest cost, so that visits are relocated, swapped and reordered within and between
 * people. Accepts worse days less and less (simulated annealing). The same problem gives the same plan.
 */
export function planDay(problem: PlanProblem): DayPlan {
  requirePlannable(problem)
  const routes = openRoutes(problem, tablesOf(problem))
  const movable = problem.visits.flatMap(({ pinned }, visit) => (pinned === null ? [visit] : []))
  const search: Search = { routes, movable, unassigned: new Set(movable), random: newRandom(problem.seed) }
  insertCurrent(search)
  recreate(search, [...search.unassigned], () => false)
  const best = movable.length === 0 ? { orders: routes.orders } : anneal(search, problem)
  restoreRoutes(routes, best.orders)
  const unplaced = movable.filter((visit) => at(routes.personOf, visit) < 0)
  return describePlan(problem, routes, unplaced, costOf(routes, unplaced))
}

/** Inserts each person's current visits, in the order of the day, as far as they fit. */
function insertCurrent({ routes, unassigned }: Search): void {
  const { tables } = routes
  for (const visit of [...unassigned].sort((a, b) => at(tables.from, a) - at(tables.from, b) || a - b)) {
    const person = at(tables.before, visit)
    if (person >= 0) insertBest(routes, unassigned, visit, person)
  }
}

type BestDay = { cost: number; orders: number[][] }

function anneal(search: Search, { effort, weights }: PlanProblem): BestDay {
  const { routes, unassigned, random } = search
  const shouldSkip = (): boolean => random.fraction() < SKIP_RATE
  let current = costOf(routes, unassigned)
  let best: BestDay = { cost: current, orders: copyOf(routes) }
  while (routes.tries < effort) {
    const tries = routes.tries
    const temperature =
      Math.max(1, weights.driving) * INITIAL_TEMPERATURE * (FINAL_TEMPERATURE / INITIAL_TEMPERATURE) ** (tries / effort)
    const [orders, unassignedBefore] = [copyOf(routes), [...unassigned]]
    ruin(search)
    recreate(search, insertionOrder(search), shouldSkip)
    // A round without a position to try counts too, so that every search ends.
    if (routes.tries === tries) routes.tries += unassigned.size + 1
    const cost = costOf(routes, unassigned)
    if (cost < current - temperature * Math.log(1 - random.fraction())) {
      current = cost
      if (cost < best.cost) best = { cost, orders: copyOf(routes) }
    } else {
      restoreRoutes(routes, orders)
      unassigned.clear()
      for (const visit of unassignedBefore) unassigned.add(visit)
    }
  }
  return best
}

/** Removes parts of the routes near one visit, often an unplaced one, to make room for it. */
function ruin({ routes, unassigned, movable, random }: Search): void {
  const { tables, orders, personOf } = routes
  const removed = 1 + random.below(Math.min(MAX_REMOVED, movable.length))
  const center =
    unassigned.size > 0 && random.fraction() < 0.5
      ? ([...unassigned][random.below(unassigned.size)] ?? 0)
      : (movable[random.below(movable.length)] ?? 0)
  const people = new Set<number>()
  let remaining = removed
  for (const visit of [center, ...(tables.near[center] ?? [])]) {
    const person = at(personOf, visit)
    if (remaining <= 0) break
    if (person < 0 || at(tables.pinnedStart, visit) >= 0 || people.has(person)) continue
    people.add(person)
    const order = orders[person] ?? []
    const length = 1 + random.below(Math.min(remaining, order.length))
    const position = order.indexOf(visit)
    const first = Math.max(0, Math.min(order.length - length, position - random.below(length)))
    for (const removed of order.slice(first, first + length)) {
      if (at(tables.pinnedStart, removed) >= 0 || at(personOf, removed) < 0) continue
      for (const one of removeVisit(routes, removed)) unassigned.add(one)
      remaining--
    }
  }
}

/** Returns the order in which visits are reinserted; each kind of order is the best for some days. */
function insertionOrder({ routes, unassigned, random }: Search): number[] {
  const { tables } = routes
  const ranks = new Map([...unassigned].map((visit) => [visit, random.fraction()]))
  const tie = (a: number, b: number): number => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)
  const kind = random.below(4)
  if (kind === 0) return [...unassigned].sort(tie)
  const key = (visit: number): number =>
    kind === 1
      ? -at(tables.minutes, visit)
      : kind === 2
        ? at(tables.until, visit) - at(tables.from, visit)
        : at(tables.until, visit)
  return [...unassigned].sort((a, b) => key(a) - key(b) || tie(a, b))
}

function recreate({ routes, unassigned }: Search, order: readonly number[], shouldSkip: () => boolean): void {
  for (const visit of order) insertBest(routes, unassigned, visit, null, shouldSkip)
}

function insertBest(
  routes: Routes,
  unassigned: Set<number>,
  visit: number,
  onlyPerson: number | null,
  shouldSkip: () => boolean = () => false,
): void {
  const insertion = findInsertion(routes, visit, onlyPerson, shouldSkip)
  if (insertion === null) return
  insertVisit(routes, visit, insertion.person, insertion.position)
  unassigned.delete(visit)
}

function costOf(routes: Routes, unassigned: Iterable<number>): number {
  let cost = routesCost(routes)
  for (const visit of unassigned) cost += at(routes.tables.unplacedCost, visit)
  return cost
}

const copyOf = ({ orders }: Routes): number[][] => orders.map((order) => [...order])
