import { at, spansOf, type Tables } from './tables.ts'
import type { PlanProblem } from './problem.ts'

/** Everyone's routes during planning; all of them satisfy the hard rules. */
export type Routes = {
  readonly tables: Tables
  readonly orders: number[][]
  /** Person of each visit, -1 if it has none. */
  readonly personOf: Int32Array
  readonly starts: Int32Array
  /** Latest start of each visit that still allows the visits after it. */
  readonly latest: Int32Array
  readonly driving: Int32Array
  readonly overtime: Int32Array
  visitCosts: number
  moves: number
  /** Number of positions tried. */
  tries: number
}

/** Creates the routes of a problem, with its pinned visits. */
export function openRoutes({ visits }: PlanProblem, tables: Tables): Routes {
  const routes: Routes = {
    tables,
    orders: Array.from({ length: tables.people }, () => []),
    personOf: new Int32Array(tables.visits).fill(-1),
    starts: new Int32Array(tables.visits),
    latest: new Int32Array(tables.visits),
    driving: new Int32Array(tables.people),
    overtime: new Int32Array(tables.people),
    visitCosts: 0,
    moves: 0,
    tries: 0,
  }
  const pinned = visits.flatMap(({ pinned }, visit) => (pinned === null ? [] : [{ visit, ...pinned }]))
  for (const { visit, person } of pinned.sort((a, b) => a.start - b.start || a.visit - b.visit)) {
    routes.orders[person]?.push(visit)
    updateVisitCosts(routes, visit, person, 1)
  }
  for (const person of routes.orders.keys()) refresh(routes, person)
  return routes
}

/** Returns the cost of all routes, without unplaced visits. */
export function routesCost({ tables, driving, overtime, visitCosts }: Routes): number {
  let cost = visitCosts
  for (let person = 0; person < tables.people; person++)
    cost += at(driving, person) * tables.drivingPrice + at(overtime, person) * tables.overtimePrice
  return cost
}

export function insertVisit(routes: Routes, visit: number, person: number, position: number): void {
  routes.orders[person]?.splice(position, 0, visit)
  updateVisitCosts(routes, visit, person, 1)
  refresh(routes, person)
}

/** Removes a visit. Returns all removed visits: others may no longer fit if drives break the triangle inequality. */
export function removeVisit(routes: Routes, visit: number): number[] {
  const person = at(routes.personOf, visit)
  const order = routes.orders[person] ?? []
  const removed: number[] = []
  for (let next = visit; next >= 0; next = refresh(routes, person)) {
    removed.push(next)
    order.splice(order.indexOf(next), 1)
    updateVisitCosts(routes, next, person, -1)
  }
  return removed
}

/** Restores everyone's earlier routes. */
export function restoreRoutes(routes: Routes, orders: readonly (readonly number[])[]): void {
  const changed = orders.flatMap((order, person) => (isSame(order, routes.orders[person] ?? []) ? [] : [person]))
  for (const person of changed)
    for (const visit of routes.orders[person] ?? []) updateVisitCosts(routes, visit, person, -1)
  for (const person of changed) {
    routes.orders[person] = [...(orders[person] ?? [])]
    for (const visit of routes.orders[person] ?? []) updateVisitCosts(routes, visit, person, 1)
    refresh(routes, person)
  }
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((visit, i) => visit === other[i])

function updateVisitCosts(routes: Routes, visit: number, person: number, sign: 1 | -1): void {
  const { tables, personOf } = routes
  // A pinned visit stays even if its person can't do it.
  routes.visitCosts += sign * Math.max(0, at(tables.personCost, person * tables.visits + visit))
  if (at(tables.before, visit) >= 0 && at(tables.before, visit) !== person) routes.moves += sign
  personOf[visit] = sign === 1 ? person : -1
}

export const isPinned = ({ tables }: Routes, visit: number): boolean => at(tables.pinnedStart, visit) >= 0

export const endOf = ({ starts, tables }: Routes, visit: number): number =>
  at(starts, visit) + at(tables.minutes, visit)

/** Returns the drive to a visit, from the previous one or from the start of the person's day. */
export const driveFrom = ({ tables }: Routes, person: number, previous: number | undefined, visit: number): number =>
  previous === undefined
    ? at(tables.fromStart, person * tables.visits + visit)
    : at(tables.between, previous * tables.visits + visit)

/** Returns the drive from a visit, to the next one or to the end of the person's day. */
export const driveTo = ({ tables }: Routes, person: number, visit: number, next: number | undefined): number =>
  next === undefined
    ? at(tables.toEnd, person * tables.visits + visit)
    : at(tables.between, visit * tables.visits + next)

export const arrivalAfter = (routes: Routes, person: number, previous: number | undefined, visit: number): number =>
  (previous === undefined ? at(routes.tables.leaves, person) : endOf(routes, previous)) +
  driveFrom(routes, person, previous, visit)

/** Returns the start of a visit reached at a time; -1 if its window or the working hours don't allow it. */
export function startAt({ tables }: Routes, person: number, visit: number, arrival: number): number {
  const pinned = at(tables.pinnedStart, visit)
  if (pinned >= 0) return arrival <= pinned ? pinned : -1
  const { from, to } = spansOf(tables, person)
  const [start, work] = [Math.max(arrival, at(tables.from, visit)), at(tables.minutes, visit)]
  for (let i = 0; i < from.length; i++) {
    const within = Math.max(start, at(from, i))
    if (within + work <= at(to, i)) return within <= at(tables.until, visit) ? within : -1
  }
  return -1
}

/** Returns the latest start of a visit that must end by a time; -1 if there is none. */
function latestStart({ tables }: Routes, person: number, visit: number, end: number): number {
  const pinned = at(tables.pinnedStart, visit)
  if (pinned >= 0) return pinned
  const { from, to } = spansOf(tables, person)
  const work = at(tables.minutes, visit)
  const limit = Math.min(at(tables.until, visit), end - work)
  for (let i = from.length - 1; i >= 0; i--) {
    const within = Math.min(limit, at(to, i) - work)
    if (within >= at(from, i)) return within >= at(tables.from, visit) ? within : -1
  }
  return -1
}

/** Recomputes a person's times. Returns a visit that no longer fits, or -1. */
function refresh(routes: Routes, person: number): number {
  const { tables, starts, driving, overtime } = routes
  const order = routes.orders[person] ?? []
  let drives = 0
  let previous: number | undefined
  for (const visit of order) {
    const start = startAt(routes, person, visit, arrivalAfter(routes, person, previous, visit))
    if (start < 0 && !isPinned(routes, visit)) return visit
    // An unpinned visit that makes a pinned one late gives way.
    if (start < 0 && previous !== undefined && !isPinned(routes, previous)) return previous
    starts[visit] = start < 0 ? at(tables.pinnedStart, visit) : start
    drives += driveFrom(routes, person, previous, visit)
    previous = visit
  }
  const back = previous === undefined ? 0 : driveTo(routes, person, previous, undefined)
  const home = previous === undefined ? 0 : endOf(routes, previous) + back
  if (previous !== undefined && home > at(tables.lastEnd, person) && !isPinned(routes, previous)) return previous
  driving[person] = drives + back
  overtime[person] = overtimeAt(tables, person, home)
  refreshLatest(routes, person, order)
  return -1
}

function refreshLatest(routes: Routes, person: number, order: readonly number[]): void {
  const { tables, latest } = routes
  let next: number | undefined
  for (const visit of order.toReversed()) {
    const end = next === undefined ? at(tables.lastEnd, person) : at(latest, next)
    latest[visit] = latestStart(routes, person, visit, end - driveTo(routes, person, visit, next))
    next = visit
  }
}

/** Returns the overtime of a person whose day ends at a time; 0 if they don't work that day. */
export const overtimeAt = (tables: Tables, person: number, home: number): number =>
  spansOf(tables, person).from.length === 0 ? 0 : Math.max(0, home - at(tables.regularEnd, person))
