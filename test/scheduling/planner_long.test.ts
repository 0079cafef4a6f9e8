import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planDay } from '../../src/scheduling/planner/plan_day.ts'
import { compareWithOptimum } from './days_against_optimum.ts'
import { brokenRules } from './plan_checker.ts'
import { optimumOf } from './plan_oracle.ts'
import { randomDay } from './random_days.ts'
import { solveByHighs } from './second_opinion.ts'
import { INSTANCES, dayOf, distanceOf, isWithinCapacity } from './solomon.ts'

describe('the planner, long run', () => {
  it('is within 0.5% of the optimum over 1,000 random days and breaks no hard rule', (t) => {
    const { ratio, softRatio, optimal } = compareWithOptimum(1_000, 1_000)
    t.diagnostic(`${optimal} of 1000 optimal; ${ratio} of the cost, ${softRatio} without visits left out`)
    assert.ok(ratio >= 0.995 && softRatio >= 0.995, `${ratio}, ${softRatio}`)
    assert.ok(optimal >= 950, `${optimal} of 1000 are optimal`)
  })

  for (const instance of INSTANCES)
    it(`is within about 5% of the best known distance for Solomon's ${instance.name} with 25 customers`, () => {
      const day = dayOf(instance)
      const plan = planDay(day)
      assert.deepEqual([brokenRules(day, plan), plan.unplaced], [[], []])
      const distance = distanceOf(plan.routes.reduce((sum, { driving }) => sum + driving, 0))
      assert.ok(instance.best / distance >= 0.95, `${distance}, ${instance.best} is known`)
      for (const { stops } of plan.routes)
        assert.ok(
          isWithinCapacity(
            instance,
            stops.map(({ visit }) => visit),
          ),
        )
    })

  it('matches the oracle and HiGHS', async () => {
    let compared = 0
    for (let seed = 5_000; compared < 12; seed++) {
      const day = { ...randomDay(seed, { visits: 5, people: 2 }), maxMoves: null }
      if (day.people.some(({ spans }) => spans.length > 1) || day.visits.some(({ pinned }) => pinned !== null)) continue
      const cost = await solveByHighs(day)
      assert.deepEqual([optimumOf(day), planDay(day).cost], [cost, cost], `day ${seed}`)
      compared++
    }
  })
})
