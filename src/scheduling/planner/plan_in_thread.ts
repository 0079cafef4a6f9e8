import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'
import { newWorkerThread } from '../../platform/threads/worker_thread.ts'
import { requirePlannable, type DayPlan, type PlanProblem } from './problem.ts'
import type { PlanResult } from './thread.ts'

/** Serves companies in turn: a plan waits for one of each other company at most. */
const inTurn = newFairQueue({
  maxRunning: 1,
  maxOfCompany: 8,
  maxInAll: 256,
  refusal: 'Too many days wait to be planned',
})

const askThread = newWorkerThread<PlanProblem, PlanResult>({
  url: new URL('thread.ts', import.meta.url),
  withinMs: 30_000,
  subject: 'a plan',
  maxHeapMb: 256,
})

/** Plans a company's day in a thread. `Unavailable` when too many wait; RangeError for one out of range. */
export async function planInThread(company: string, problem: PlanProblem): Promise<DayPlan> {
  requirePlannable(problem)
  return inTurn(company, async () => {
    const result = await askThread(problem)
    if ('fault' in result) throw new Error(`A day could not be planned: ${result.fault}`)
    return result.plan
  })
}
