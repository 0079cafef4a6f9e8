import type { PlanProblem } from '../../src/scheduling/planner/problem.ts'

// Exact optimum of small days: Held-Karp over subsets for each person, with end and cost of the work so far as
// labels, then every way to divide the visits. Shares no code with the planner.

/** End and cost of the work so far, on the Pareto front of both. */
type Label = { end: number; cost: number }

/** Returns the minimum cost of a day. */
export function optimumOf(problem: PlanProblem): number {
  const { visits, people, maxMoves, weights } = problem
  const all = 1 << visits.length
  /** Minimum cost by visits assigned so far and number of moves. */
  let shared = new Map<number, Map<number, number>>([[0, new Map([[0, 0]])]])
  for (const person of people.keys()) {
    const costs = routeCosts(problem, person)
    const next = new Map<number, Map<number, number>>()
    for (const [placed, byMoves] of shared) {
      const rest = (all - 1) & ~placed
      for (let subset = rest; ; subset = (subset - 1) & rest) {
        const cost = costs[subset]!
        if (cost < Infinity) {
          const moved = visits.filter(({ before }, i) => subset & (1 << i) && before !== null && before !== person)
          const into = next.get(placed | subset) ?? new Map<number, number>()
          next.set(placed | subset, into)
          for (const [moves, sum] of byMoves) lower(into, moves + moved.length, sum + cost)
        }
        if (subset === 0) break
      }
    }
    shared = next
  }
  const pinnedMoves = visits.filter(
    ({ pinned, before }) => pinned && before !== null && before !== pinned.person,
  ).length
  let best = Infinity
  for (const [placed, byMoves] of shared)
    for (const [moves, sum] of byMoves) {
      if (maxMoves !== null && moves > Math.max(maxMoves, pinnedMoves)) continue
      const left = visits.filter((_, i) => !(placed & (1 << i)))
      if (left.some(({ pinned }) => pinned !== null)) continue
      const price = left.reduce((total, { before }) => total + weights.unplaced * (before === null ? 1 : 2), 0)
      best = Math.min(best, sum + price)
    }
  return best
}

function lower(into: Map<number, number>, moves: number, cost: number): void {
  into.set(moves, Math.min(into.get(moves) ?? Infinity, cost))
}

/** Returns one person's minimum cost for each subset of visits, or Infinity if infeasible. */
function routeCosts(problem: PlanProblem, person: number): Float64Array {
  const { visits, people, travel, places, weights } = problem
  const { spans, start, end, maxOvertime } = people[person]!
  const drive = (from: number | null, to: number | null): number =>
    from === null || to === null ? 0 : travel[from * places + to]!
  const costs = new Float64Array(1 << visits.length).fill(Infinity)
  const labels: (Label[] | undefined)[] = []
  const opening = spans[0]?.from ?? 0
  const close = spans.at(-1)?.to
  const mine = visits.reduce((mask, { pinned }, i) => (pinned?.person === person ? mask | (1 << i) : mask), 0)

  /** Returns the end of a visit for an arrival time, or undefined if a rule forbids it. */
  const endOf = (visit: number, arrival: number): number | undefined => {
    const { from, until, minutes, people: able, pinned } = visits[visit]!
    if (pinned !== null) return pinned.person === person && arrival <= pinned.start ? pinned.start + minutes : undefined
    if (able !== null && !able.includes(person)) return undefined
    for (const [i, span] of spans.entries()) {
      const at = Math.max(arrival, from, span.from)
      const to = i === spans.length - 1 ? span.to + maxOvertime : span.to
      if (at + minutes <= to) return at <= until ? at + minutes : undefined
    }
    return undefined
  }
  const priceOf = (visit: number): number => {
    const { before, prefers, people: able } = visits[visit]!
    if (able !== null && !able.includes(person)) return 0
    return (
      (before === null || before === person ? 0 : weights.moved) +
      (prefers === null || prefers === person ? 0 : weights.otherPerson)
    )
  }
  for (let subset = 1; subset < costs.length; subset++)
    for (const last of visits.keys()) {
      if (!(subset & (1 << last))) continue
      const rest = subset & ~(1 << last)
      const before =
        rest === 0
          ? [{ from: start, label: { end: opening, cost: 0 } }]
          : [...visits.keys()].flatMap((previous) =>
              (labels[rest * visits.length + previous] ?? []).map((label) => ({
                from: visits[previous]!.place,
                label,
              })),
            )
      const front: Label[] = []
      for (const { from, label } of before) {
        const minutes = drive(from, visits[last]!.place)
        const ends = endOf(last, label.end + minutes)
        if (ends !== undefined)
          addLabel(front, { end: ends, cost: label.cost + minutes * weights.driving + priceOf(last) })
      }
      if (front.length === 0) continue
      labels[subset * visits.length + last] = front
      if ((subset & mine) !== mine) continue
      const back = drive(visits[last]!.place, end)
      for (const label of front) {
        const home = label.end + back
        if (visits[last]!.pinned === null && home > close! + maxOvertime) continue
        const late = close === undefined ? 0 : Math.max(0, home - close)
        costs[subset] = Math.min(costs[subset]!, label.cost + back * weights.driving + late * weights.overtime)
      }
    }
  if (mine === 0) costs[0] = 0
  return costs
}

function addLabel(front: Label[], label: Label): void {
  if (front.some(({ end, cost }) => end <= label.end && cost <= label.cost)) return
  for (let i = front.length - 1; i >= 0; i--)
    if (front[i]!.end >= label.end && front[i]!.cost >= label.cost) front.splice(i, 1)
  front.push(label)
}
