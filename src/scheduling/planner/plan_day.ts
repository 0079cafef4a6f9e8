import { describePlan } from './describe_plan.ts'
import { findInsertion } from './insertion.ts'
import { requirePlannable, type DayPlan, type PlanProblem } from './problem.ts'
import { newRandom, type Random } from './random.ts'
import { insertVisit, openRoutes, removeVisit, restoreRoutes, routesCost, type Routes } from './routes.ts'
import { at, tablesOf } from './tables.ts'

/** Temperatures of the annealing, in minutes of driving: extra cost of a worse day accepted at first and at last. */
const HOT = 30
const COLD = 0.3
/** Maximum visits that one round removes, and share of the positions that it skips. */
const MAX_REMOVED = 10
const BLINK = 0.02

/** State of the search; `left` are the visits without a person. */
type Search = { routes: Routes; left: Set<number>; movable: readonly number[]; random: Random }

/**
 * Plans a day: assigns visits to people and orders them. Starts from the current day, then repeatedly removes nearby
 * visits and reinserts each at the lowest cost, so that visits are relocated, swapped and reordered within and between
 * people. Accepts worse days less and less (simulated annealing). The same problem gives the same plan.
 */
export function planDay(problem: PlanProblem): DayPlan {
  requirePlannable(problem)
  const routes = openRoutes(problem, tablesOf(problem))
  const movable = problem.visits.flatMap(({ pinned }, visit) => (pinned === null ? [visit] : []))
  const search: Search = { routes, movable, left: new Set(movable), random: newRandom(problem.seed) }
  keepCurrent(search)
  recreate(search, [...search.left], () => false)
  const best = movable.length === 0 ? { orders: routes.orders } : anneal(search, problem)
  restoreRoutes(routes, best.orders)
  const unplaced = movable.filter((visit) => at(routes.personOf, visit) < 0)
  return describePlan(problem, routes, unplaced, costOf(routes, unplaced))
}

/** Inserts each person's current visits, in the order of the day, as far as they fit. */
function keepCurrent({ routes, left }: Search): void {
  const { tables } = routes
  for (const visit of [...left].sort((a, b) => at(tables.from, a) - at(tables.from, b) || a - b)) {
    const person = at(tables.before, visit)
    if (person >= 0) insertBest(routes, left, visit, person)
  }
}

type BestDay = { cost: number; orders: number[][] }

function anneal(search: Search, { effort, weights }: PlanProblem): BestDay {
  const { routes, left, random } = search
  const skips = (): boolean => random.fraction() < BLINK
  let current = costOf(routes, left)
  let best: BestDay = { cost: current, orders: copyOf(routes) }
  while (routes.tries < effort) {
    const tries = routes.tries
    const heat = Math.max(1, weights.driving) * HOT * (COLD / HOT) ** (tries / effort)
    const [orders, leftBefore] = [copyOf(routes), [...left]]
    ruin(search)
    recreate(search, insertionOrder(search), skips)
    // A round without a position to try counts too, so that every search ends.
    if (routes.tries === tries) routes.tries += left.size + 1
    const cost = costOf(routes, left)
    if (cost < current - heat * Math.log(1 - random.fraction())) {
      current = cost
      if (cost < best.cost) best = { cost, orders: copyOf(routes) }
    } else {
      restoreRoutes(routes, orders)
      left.clear()
      for (const visit of leftBefore) left.add(visit)
    }
  }
  return best
}

/** Removes parts of the routes near one visit, often an unplaced one, to make room for it. */
function ruin({ routes, left, movable, random }: Search): void {
  const { tables, orders, personOf } = routes
  const removed = 1 + random.below(Math.min(MAX_REMOVED, movable.length))
  const center =
    left.size > 0 && random.fraction() < 0.5
      ? ([...left][random.below(left.size)] ?? 0)
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
      for (const one of removeVisit(routes, removed)) left.add(one)
      remaining--
    }
  }
}

/** Returns the order in which visits are reinserted; each kind of order is the best for some days. */
function insertionOrder({ routes, left, random }: Search): number[] {
  const { tables } = routes
  const ranks = new Map([...left].map((visit) => [visit, random.fraction()]))
  const tie = (a: number, b: number): number => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)
  const kind = random.below(4)
  if (kind === 0) return [...left].sort(tie)
  const key = (visit: number): number =>
    kind === 1
      ? -at(tables.minutes, visit)
      : kind === 2
        ? at(tables.until, visit) - at(tables.from, visit)
        : at(tables.until, visit)
  return [...left].sort((a, b) => key(a) - key(b) || tie(a, b))
}

function recreate({ routes, left }: Search, order: readonly number[], skips: () => boolean): void {
  for (const visit of order) insertBest(routes, left, visit, null, skips)
}

function insertBest(
  routes: Routes,
  left: Set<number>,
  visit: number,
  only: number | null,
  skips: () => boolean = () => false,
): void {
  const insertion = findInsertion(routes, visit, only, skips)
  if (insertion === null) return
  insertVisit(routes, visit, insertion.person, insertion.position)
  left.delete(visit)
}

function costOf(routes: Routes, left: Iterable<number>): number {
  let cost = routesCost(routes)
  for (const visit of left) cost += at(routes.tables.unplacedCost, visit)
  return cost
}

const copyOf = ({ orders }: Routes): number[][] => orders.map((order) => [...order])
