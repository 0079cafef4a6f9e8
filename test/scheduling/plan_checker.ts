import type { DayPlan, PlanProblem, PlanStop } from '../../src/scheduling/planner/problem.ts'

// Checks plans by the rules alone. Shares no code with the planner.

/** Returns the hard rules that a plan breaks. */
export function brokenRules(problem: PlanProblem, plan: DayPlan): string[] {
  const { visits, people, maxMoves } = problem
  const broken: string[] = []
  const times = new Map<number, number>()
  for (const { stops } of plan.routes) for (const { visit } of stops) times.set(visit, (times.get(visit) ?? 0) + 1)
  for (const visit of plan.unplaced) times.set(visit, (times.get(visit) ?? 0) + 1)
  for (const visit of visits.keys())
    if (times.get(visit) !== 1) broken.push(`visit ${visit} is there ${times.get(visit) ?? 0} times`)
  if (plan.routes.length !== people.length) broken.push('a route is missing')
  for (const [person, { stops }] of plan.routes.entries()) broken.push(...brokenOf(problem, person, stops))
  const moved = plan.routes.flatMap(({ stops }, person) =>
    stops.flatMap(({ visit }) => ([null, person].includes(visits[visit]!.before) ? [] : [visit])),
  )
  if (moved.toSorted(byNumber).join() !== plan.moved.toSorted(byNumber).join()) broken.push('moved is wrong')
  const planned = moved.filter((visit) => visits[visit]!.pinned === null)
  if (maxMoves !== null && planned.length > 0 && moved.length > maxMoves) broken.push(`${moved.length} visits moved`)
  if (plan.unplaced.some((visit) => visits[visit]!.pinned !== null)) broken.push('a pinned visit is left out')
  if (priceOf(problem, plan) !== plan.cost) broken.push(`the cost is ${priceOf(problem, plan)}, not ${plan.cost}`)
  return broken
}

function brokenOf(problem: PlanProblem, person: number, stops: readonly PlanStop[]): string[] {
  const { visits, people } = problem
  const { spans, start, end, maxOvertime } = people[person]!
  const broken: string[] = []
  let at = start
  let free = spans[0]?.from ?? 0
  let isAfterFact = true
  for (const { visit, arrives, starts, ends, driving } of stops) {
    const { place, minutes, from, until, people: able, pinned } = visits[visit]!
    const drive = at === null ? 0 : problem.travel[at * problem.places + place]!
    const isFact = pinned !== null
    if (driving !== drive || arrives !== free + drive) broken.push(`${visit}: wrong drive`)
    if (ends !== starts + minutes) broken.push(`${visit}: wrong end`)
    if (starts < free + drive && !(isFact && isAfterFact)) broken.push(`${visit}: starts before it can be reached`)
    if (isFact) {
      if (pinned.person !== person || pinned.start !== starts) broken.push(`${visit}: a pinned visit moved`)
    } else {
      if (starts < from || starts > until) broken.push(`${visit}: outside its window`)
      if (able !== null && !able.includes(person)) broken.push(`${visit}: without the skills`)
      const isWorked = spans.some(
        (span, i) => starts >= span.from && ends <= span.to + (i === spans.length - 1 ? maxOvertime : 0),
      )
      if (!isWorked) broken.push(`${visit}: outside of working hours`)
    }
    ;[at, free, isAfterFact] = [place, ends, isFact]
  }
  const home = end === null || at === null || stops.length === 0 ? 0 : problem.travel[at * problem.places + end]!
  if (stops.length > 0 && !isAfterFact && free + home > spans.at(-1)!.to + maxOvertime)
    broken.push(`${person}: back late`)
  return broken
}

/** Returns the cost of a plan by the problem's weights. */
export function priceOf({ visits, people, travel, places, weights }: PlanProblem, plan: DayPlan): number {
  let price = 0
  for (const [person, { stops }] of plan.routes.entries()) {
    const { spans, start, end } = people[person]!
    const stations = [start, ...stops.map(({ visit }) => visits[visit]!.place), end].filter((place) => place !== null)
    for (const [i, to] of stops.length === 0 ? [] : stations.slice(1).entries())
      price += weights.driving * travel[stations[i]! * places + to]!
    const last = stops.at(-1)
    const home = last === undefined || end === null ? 0 : travel[visits[last.visit]!.place * places + end]!
    const close = spans.at(-1)?.to
    if (last !== undefined && close !== undefined) price += weights.overtime * Math.max(0, last.ends + home - close)
    for (const { visit } of stops) {
      const { before, prefers } = visits[visit]!
      const isUnable = visits[visit]!.people !== null && !visits[visit]!.people!.includes(person)
      if (isUnable) continue
      if (before !== null && before !== person) price += weights.moved
      if (prefers !== null && prefers !== person) price += weights.otherPerson
    }
  }
  for (const visit of plan.unplaced) price += weights.unplaced * (visits[visit]!.before === null ? 1 : 2)
  return price
}

const byNumber = (a: number, b: number): number => a - b
