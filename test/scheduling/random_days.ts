import { newRandom, type Random } from '../../src/scheduling/planner/random.ts'
import {
  DEFAULT_WEIGHTS,
  effortFor,
  type PlanPerson,
  type PlanProblem,
  type PlanVisit,
} from '../../src/scheduling/planner/problem.ts'

/** Size of a random day. */
export type DaySize = { visits: number; people: number }

/** Creates a random day: towns, windows, breaks, skills, pinned visits and previous assignees. */
export function randomDay(seed: number, { visits: count, people: persons }: DaySize): PlanProblem {
  const random = newRandom(seed)
  const { below } = random
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!
  const points = pointsOf(random, count + persons)
  const people = Array.from({ length: persons }, (_, i) => personOf(random, count + i))
  const isCrowded = below(4) === 0
  const hasFacts = below(3) === 0
  const freeFrom = people.map(({ spans }) => spans[0]!.from)
  const visits = Array.from({ length: count }, (_, place): PlanVisit => {
    const minutes = pick(isCrowded ? [60, 90, 120, 180] : [30, 30, 45, 60, 90])
    const before = below(3) === 0 ? null : below(persons)
    const prefers = below(4) === 0 ? below(persons) : null
    const able = below(4) === 0 ? [...people.keys()].filter(() => below(2) === 0) : null
    const whole = { from: 0, until: 1440 }
    const window = pick([whole, whole, { from: 480, until: 720 }, { from: 720, until: 1020 }, windowOf(random)])
    const visit = { place, minutes, ...window, people: able, pinned: null, before, prefers }
    if (!hasFacts || below(5) > 0) return visit
    const person = below(persons)
    const start = freeFrom[person]! + 120 + below(90)
    freeFrom[person] = start + minutes
    return { ...visit, pinned: { person, start }, before: pick([null, person]) }
  })
  const roughness = pick([0, 0, 5])
  const places = points.length
  const travel = points.flatMap((from, i) =>
    points.map((to, j) => (i === j ? 0 : Math.round(Math.hypot(from.x - to.x, from.y - to.y)) + below(roughness + 1))),
  )
  const maxMoves = below(3) === 0 ? below(4) : null
  return { visits, people, travel, places, weights: DEFAULT_WEIGHTS, maxMoves, seed, effort: effortFor(count) }
}

/** Returns places in driving minutes: three towns and points between them. */
function pointsOf({ below }: Random, count: number): { x: number; y: number }[] {
  const towns = Array.from({ length: 3 }, () => ({ x: below(50), y: below(50) }))
  return Array.from({ length: count }, () => {
    const town = towns[below(4)]
    return town === undefined ? { x: below(50), y: below(50) } : { x: town.x + below(10), y: town.y + below(10) }
  })
}

function personOf({ below }: Random, home: number): PlanPerson {
  const spans = [
    [{ from: 480, to: 1020 }],
    [
      { from: 480, to: 720 },
      { from: 750, to: 1020 },
    ],
    [{ from: 600, to: 900 }],
  ]
  return {
    spans: spans[below(3)]!,
    start: below(3) === 0 ? home : null,
    end: below(3) === 0 ? home : null,
    maxOvertime: below(2) === 0 ? 0 : 60,
  }
}

function windowOf({ below }: Random): { from: number; until: number } {
  const from = 480 + below(16) * 30
  return { from, until: from + 120 }
}
