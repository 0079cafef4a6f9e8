import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planDay } from '../../src/scheduling/planner/plan_day.ts'
import { planInThread } from '../../src/scheduling/planner/plan_in_thread.ts'
import { randomDay } from './random_days.ts'

const day = { ...randomDay(1, { visits: 20, people: 3 }), effort: 60_000 }

describe('a plan computed in a worker thread', () => {
  it("equals the planner's own result", async () => {
    assert.deepEqual(await planInThread('a', day), planDay(day))
  })

  it("doesn't block the main thread", async () => {
    const plan = planInThread('a', { ...day, effort: 2_000_000 })
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await plan
    clearInterval(timer)
    assert.ok(ticks >= 5, `${ticks} ticks`)
  })

  it('is rejected if out of range, and the next one still works', async () => {
    await assert.rejects(planInThread('a', { ...day, travel: [] }), RangeError)
    assert.deepEqual(await planInThread('a', day), planDay(day))
  })

  it('waits for at most two plans of another company', async () => {
    const order: string[] = []
    const plan = (company: string, i: number): Promise<unknown> =>
      planInThread(company, { ...day, effort: 1_000 + i }).then(() => order.push(company))
    await Promise.all(['busy', 'busy', 'busy', 'busy', 'small'].map(plan))
    assert.ok(order.indexOf('small') <= 2, order.join())
  })

  it('is computed once for identical concurrent requests', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => planInThread('same', day)))
    assert.equal(first, second)
  })

  it('is rejected if the company has eight in progress', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, i) => planInThread('a', { ...day, effort: 2_000 + i })),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      [...Array<string>(8).fill('fulfilled'), 'rejected'],
    )
  })
})
