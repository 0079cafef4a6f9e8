import assert from 'node:assert/strict'
import { planDay } from '../../src/scheduling/planner/plan_day.ts'
import { brokenRules } from './plan_checker.ts'
import { optimumOf } from './plan_oracle.ts'
import { randomDay, type DaySize } from './random_days.ts'

type Comparison = {
  /** Sum of optimal costs divided by the sum of plan costs. */
  ratio: number
  /** The same ratio without the price of unplaced visits, for days with the minimum number of them. */
  softRatio: number
  optimal: number
}

/** Plans random days, compares them with the optimum and asserts that no hard rule is broken. */
export function compareWithOptimum(first: number, count: number): Comparison {
  let [sum, best, soft, softBest, optimal] = [0, 0, 0, 0, 0]
  for (let seed = first; seed < first + count; seed++) {
    const day = randomDay(seed, sizeOf(seed))
    const plan = planDay(day)
    const optimum = optimumOf(day)
    assert.deepEqual(brokenRules(day, plan), [], `day ${seed}`)
    assert.ok(plan.cost >= optimum, `day ${seed} costs ${plan.cost}, below the optimum ${optimum}`)
    sum += plan.cost
    best += optimum
    if (plan.cost === optimum) optimal++
    const out = Math.floor(optimum / day.weights.unplaced)
    if (Math.floor(plan.cost / day.weights.unplaced) !== out) continue
    soft += plan.cost - out * day.weights.unplaced
    softBest += optimum - out * day.weights.unplaced
  }
  return { ratio: best / sum, softRatio: softBest / soft, optimal }
}

/** Returns one person with 6 to 12 visits, two with 5 to 9, or three with 5 to 8. */
function sizeOf(seed: number): DaySize {
  if (seed % 3 === 0) return { people: 1, visits: 6 + (seed % 7) }
  return seed % 3 === 1 ? { people: 2, visits: 5 + (seed % 5) } : { people: 3, visits: 5 + (seed % 4) }
}
