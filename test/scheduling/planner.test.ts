import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { planDay } from '../../src/scheduling/planner/plan_day.ts'
import { DEFAULT_WEIGHTS, type PlanPerson, type PlanProblem } from '../../src/scheduling/planner/problem.ts'
import { compareWithOptimum } from './days_against_optimum.ts'
import { brokenRules } from './plan_checker.ts'
import { randomDay } from './random_days.ts'

const WORKER: PlanPerson = { spans: [{ from: 480, to: 1020 }], start: null, end: null, maxOvertime: 0 }

describe('the planner', () => {
  it('is within 0.5% of the optimum over 30 random days', () => {
    const { ratio, softRatio } = compareWithOptimum(0, 30)
    assert.ok(ratio >= 0.995 && softRatio >= 0.995, `${ratio} of the cost, ${softRatio} without visits left out`)
  })

  it('breaks no hard rule on larger days and is deterministic', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 6 }), (seed, visits, people) => {
        const day = { ...randomDay(seed, { visits, people }), effort: 20_000 }
        const plan = planDay(day)
        assert.deepEqual(brokenRules(day, plan), [])
        assert.deepEqual(planDay(structuredClone(day)), plan)
      }),
      { numRuns: 40 },
    )
  })

  it('never costs more than the original day', () => {
    for (let seed = 0; seed < 20; seed++) {
      const day = { ...randomDay(seed, { visits: 25, people: 4 }), effort: 20_000 }
      const kept = planDay({ ...day, effort: 0 })
      assert.ok(planDay(day).cost <= kept.cost)
    }
  })

  it('leaves out a visit that no one has the skills for, and respects maxMoves', () => {
    const day = { ...lineOf(3), maxMoves: 0 }
    const visits = day.visits.map((visit, i) => ({ ...visit, before: 0, people: i === 2 ? [] : null }))
    const plan = planDay({ ...day, visits, people: [WORKER, WORKER] })
    assert.deepEqual([plan.unplaced, plan.moved, plan.routes[1]?.stops], [[2], [], []])
  })

  it('keeps pinned visits in place even if they conflict', () => {
    const day = lineOf(3)
    const pinned = [600, 610, null]
    const visits = day.visits.map((visit, i) => {
      const start = pinned[i] ?? null
      return start === null ? visit : { ...visit, pinned: { person: 0, start } }
    })
    const plan = planDay({ ...day, visits })
    assert.deepEqual(brokenRules({ ...day, visits }, plan), [])
    assert.deepEqual(
      plan.routes[0]?.stops.filter(({ visit }) => visit < 2).map(({ starts }) => starts),
      [600, 610],
    )
    assert.deepEqual(plan.unplaced, [])
  })

  it('uses overtime only if it is allowed', () => {
    const day = lineOf(9)
    const visits = day.visits.map((visit) => ({ ...visit, minutes: 60 }))
    const overtime = (maxOvertime: number) => planDay({ ...day, visits, people: [{ ...WORKER, maxOvertime }] })
    assert.equal(overtime(0).unplaced.length, 2)
    const late = overtime(120)
    assert.deepEqual([late.unplaced, late.routes[0]?.overtime], [[], 80])
  })

  it('places no visit across a break', () => {
    const spans = [
      { from: 480, to: 570 },
      { from: 600, to: 700 },
    ]
    const day = lineOf(2)
    const visits = day.visits.map((visit) => ({ ...visit, minutes: 80 }))
    const plan = planDay({ ...day, visits, people: [{ ...WORKER, spans }] })
    assert.deepEqual(
      plan.routes[0]?.stops.map(({ starts, ends }) => [starts, ends]),
      [
        [480, 560],
        [600, 680],
      ],
    )
  })
})

describe('an out-of-range planning problem', () => {
  const day = lineOf(2)
  const wrong: [string, PlanProblem][] = [
    ['size', { ...day, people: Array.from({ length: 61 }, () => WORKER) }],
    ['effort', { ...day, effort: 1e9 }],
    ['travel', { ...day, travel: [1] }],
    ['travel', { ...day, travel: day.travel.map(() => Number.NaN) }],
    ['visit', { ...day, visits: day.visits.map((visit) => ({ ...visit, place: 9 })) }],
    ['window', { ...day, visits: day.visits.map((visit) => ({ ...visit, until: 0.5 })) }],
    ['person', { ...day, visits: day.visits.map((visit) => ({ ...visit, before: 1 })) }],
    ['person', { ...day, people: [{ ...WORKER, start: -1 }] }],
    ['span', { ...day, people: [{ ...WORKER, spans: [{ from: 600, to: 480 }] }] }],
    ['pinned', { ...day, visits: day.visits.map((visit) => ({ ...visit, pinned: { person: 0, start: -5 } })) }],
  ]
  for (const [part, problem] of wrong)
    it(`is rejected for its ${part}`, () => {
      assert.throws(() => planDay(problem), new RangeError(`The problem's ${part} is out of range`))
    })
})

/** Returns a day of one person with visits along a road, ten minutes apart. */
function lineOf(count: number): PlanProblem {
  const places = [...Array(count).keys()]
  return {
    visits: places.map((place) => ({
      place,
      minutes: 60,
      from: 0,
      until: 1440,
      people: null,
      pinned: null,
      before: null,
      prefers: null,
    })),
    people: [WORKER],
    travel: places.flatMap((from) => places.map((to) => 10 * Math.abs(from - to))),
    places: count,
    weights: DEFAULT_WEIGHTS,
    maxMoves: null,
    seed: 1,
    effort: 20_000,
  }
}
