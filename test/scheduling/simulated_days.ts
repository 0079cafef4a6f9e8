import assert from 'node:assert/strict'
import { planDay } from '../../src/scheduling/planner/plan_day.ts'
import type { DayPlan, PlanProblem, PlanVisit } from '../../src/scheduling/planner/problem.ts'
import { newRandom, type Random } from '../../src/scheduling/planner/random.ts'
import { brokenRules } from './plan_checker.ts'
import { randomDay } from './random_days.ts'

/** Counts of events and visit outcomes over simulated days. */
export type Tally = { events: number; onTime: number; canceled: number; reported: number; moved: number }

/** State of a simulated day. Visits are indexes into the problem. */
type Day = {
  problem: PlanProblem
  canceled: Set<number>
  /** Current assignee and start of each visit. */
  holder: Map<number, { person: number; start: number }>
  /** Visits that were reported because their window can't be kept. */
  reported: Set<number>
  /** Actual duration of visits in minutes. */
  real: Map<number, number>
}

/**
 * Simulates days with cancellations, delays and sickness, each followed by a new plan. Asserts that every visit starts
 * within its window, was canceled, or was reported.
 */
export function playDays(first: number, count: number): Tally {
  const tally: Tally = { events: 0, onTime: 0, canceled: 0, reported: 0, moved: 0 }
  for (let seed = first; seed < first + count; seed++) playDay(seed, tally)
  return tally
}

function playDay(seed: number, tally: Tally): void {
  const random = newRandom(seed)
  const whole = randomDay(seed, { visits: 16 + random.below(10), people: 4 })
  const visits = whole.visits.map((visit) => ({ ...visit, pinned: null }))
  const problem = { ...whole, visits, maxMoves: null, effort: 20_000 }
  const day: Day = { problem, canceled: new Set(), holder: new Map(), reported: new Set(), real: new Map() }
  replan(day, problem, 0)
  for (let now = 480 + random.below(40); now < 960; now += 30 + random.below(90)) {
    tally.events++
    const people = happen(day, random, now)
    tally.moved += replan(day, { ...day.problem, people }, now)
    day.problem = { ...day.problem, people }
  }
  for (const [visit, { from, until }] of visits.entries()) {
    const start = day.holder.get(visit)?.start
    if (day.canceled.has(visit)) tally.canceled++
    else if (day.reported.has(visit)) tally.reported++
    else {
      assert.ok(
        start !== undefined && start >= from && start <= until,
        `day ${seed}: ${visit} broke its window in silence`,
      )
      tally.onTime++
    }
  }
}

/** Simulates an event: a cancellation, a longer visit, or a sick person. */
function happen(day: Day, { below }: Random, now: number): PlanProblem['people'] {
  const { problem, holder, canceled, real } = day
  const kind = below(4)
  if (kind === 0) {
    const open = [...holder].filter(([, { start }]) => start > now)
    const [visit] = open[below(Math.max(1, open.length))] ?? []
    if (visit !== undefined) {
      canceled.add(visit)
      holder.delete(visit)
    }
  } else if (kind < 3) {
    const running = [...holder].filter(([visit, { start }]) => start <= now && start + minutesOf(day, visit) > now)
    const [visit] = running[below(Math.max(1, running.length))] ?? []
    if (visit !== undefined) real.set(visit, minutesOf(day, visit) + 15 + below(90))
  } else {
    const sick = below(problem.people.length)
    return problem.people.map((person, i) =>
      i === sick ? { ...person, spans: spansUntil(person.spans, now) } : person,
    )
  }
  return problem.people
}

const minutesOf = ({ problem, real }: Day, visit: number): number => real.get(visit) ?? problem.visits[visit]!.minutes

const spansUntil = (spans: PlanProblem['people'][number]['spans'], now: number) =>
  spans.filter(({ from }) => from < now).map(({ from, to }) => ({ from, to: Math.min(to, now) }))

const spansFrom = (spans: PlanProblem['people'][number]['spans'], now: number) =>
  spans.filter(({ to }) => to > now).map(({ from, to }) => ({ from: Math.max(from, now), to }))

/** Plans the remaining visits at a time. Started visits are pinned. Returns the number of moved visits. */
function replan(day: Day, { people, ...rest }: PlanProblem, now: number): number {
  const open = [...rest.visits.keys()].filter((visit) => !day.canceled.has(visit) && !day.reported.has(visit))
  const visits = open.map((number): PlanVisit => {
    const visit = rest.visits[number]!
    const held = day.holder.get(number)
    if (held === undefined) return visit
    if (held.start > now) return { ...visit, before: held.person }
    return { ...visit, minutes: minutesOf(day, number), pinned: held, before: held.person }
  })
  const problem = {
    ...rest,
    visits,
    people: people.map((person) => ({
      ...person,
      spans: spansFrom(person.spans, now),
      ...(now > 0 && { start: null }),
    })),
  }
  const plan: DayPlan = planDay(problem)
  assert.deepEqual(brokenRules(problem, plan), [])
  for (const visit of plan.unplaced) {
    day.reported.add(open[visit]!)
    day.holder.delete(open[visit]!)
  }
  for (const [person, { stops }] of plan.routes.entries())
    for (const { visit, starts } of stops) day.holder.set(open[visit]!, { person, start: starts })
  return plan.moved.length
}
