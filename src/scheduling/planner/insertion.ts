import { arrivalAfter, driveFrom, driveTo, endOf, isPinned, overtimeAt, startAt, type Routes } from './routes.ts'
import { at } from './tables.ts'

/** Position that a visit can take, and the cost that it adds. */
type Insertion = { person: number; position: number; added: number }

/** Returns the cheapest position for a visit, with one person or any; `shouldSkip` rejects a position now and then. */
export function findInsertion(
  routes: Routes,
  visit: number,
  onlyPerson: number | null,
  shouldSkip: () => boolean,
): Insertion | null {
  let best: Insertion | null = null
  for (const [person, order] of routes.orders.entries()) {
    if ((onlyPerson !== null && onlyPerson !== person) || !mayDo(routes, person, visit)) continue
    const base = at(routes.tables.personCost, person * routes.tables.visits + visit)
    for (let position = 0; position <= order.length; position++) {
      const previous = order[position - 1]
      if (previous !== undefined && endOf(routes, previous) > at(routes.tables.until, visit)) break
      routes.tries++
      const added = base + costAt(routes, order, { person, position, visit })
      if (added < (best?.added ?? Infinity) && !shouldSkip()) best = { person, position, added }
    }
  }
  return best
}

/** Checks whether a person has the skills for a visit, and whether it is theirs or may still be moved. */
function mayDo({ tables, moves }: Routes, person: number, visit: number): boolean {
  if (at(tables.personCost, person * tables.visits + visit) < 0) return false
  const before = at(tables.before, visit)
  return before < 0 || before === person || moves < tables.maxMoves
}

type Candidate = { person: number; position: number; visit: number }

/** Returns the cost that a visit adds in driving and overtime at a position; Infinity if it doesn't fit. */
function costAt(routes: Routes, order: readonly number[], { person, position, visit }: Candidate): number {
  const { tables } = routes
  const [previous, next] = [order[position - 1], order[position]]
  const start = startAt(routes, person, visit, arrivalAfter(routes, person, previous, visit))
  if (start < 0) return Infinity
  const toNext = driveTo(routes, person, visit, next)
  const after = start + at(tables.minutes, visit) + toNext
  if (next === undefined) {
    if (after > at(tables.lastEnd, person)) return Infinity
  } else {
    const nextStart = startAt(routes, person, next, after)
    if (nextStart < 0 || nextStart > at(routes.latest, next)) return Infinity
  }
  const detour = driveFrom(routes, person, previous, visit) + toNext - directDrive(routes, person, previous, next)
  const late = lateOvertime(routes, order, { person, position, visit }, start) - at(routes.overtime, person)
  return detour * tables.drivingPrice + late * tables.overtimePrice
}

function directDrive(routes: Routes, person: number, previous: number | undefined, next: number | undefined): number {
  if (next !== undefined) return driveFrom(routes, person, previous, next)
  return previous === undefined ? 0 : driveTo(routes, person, previous, undefined)
}

/** Returns a person's overtime after a visit is inserted at a start time. */
function lateOvertime(
  routes: Routes,
  order: readonly number[],
  { person, position, visit }: Candidate,
  start: number,
): number {
  const { tables } = routes
  let [previous, end] = [visit, start + at(tables.minutes, visit)]
  for (let i = position; i < order.length; i++) {
    const next = order[i] ?? 0
    if (isPinned(routes, next)) return at(routes.overtime, person)
    const nextStart = startAt(routes, person, next, end + driveTo(routes, person, previous, next))
    if (nextStart === at(routes.starts, next)) return at(routes.overtime, person)
    ;[previous, end] = [next, nextStart + at(tables.minutes, next)]
  }
  return overtimeAt(tables, person, end + driveTo(routes, person, previous, undefined))
}
