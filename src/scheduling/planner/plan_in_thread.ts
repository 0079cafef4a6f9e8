import { createHash } from 'node:crypto'
import { newFairQueue } from '../../platform/db/connections/fair_queue.ts'
import { newWorkerThread } from '../../platform/threads/worker_thread.ts'
import { requirePlannable, type DayPlan, type PlanProblem } from './problem.ts'
import type { PlanResult } from './thread.ts'

/** Queue that serves companies in turn: a plan waits for at most one of each other company. */
const runInTurn = newFairQueue({
  maxRunning: 1,
  maxPerCompany: 8,
  maxTotal: 256,
  refusal: 'Too many days are waiting to be planned',
})

const runInThread = newWorkerThread<PlanProblem, PlanResult>({
  url: new URL('thread.ts', import.meta.url),
  timeoutMs: 30_000,
  subject: 'a plan',
  maxHeapMb: 256,
})

/** Most recent plans, by company and problem. Repeated and concurrent requests share a plan. */
const recent = new Map<string, Promise<DayPlan>>()
const MAX_RECENT = 32

/** Plans a company's day in a thread. Throws `Unavailable` if too many wait, and RangeError for one out of range. */
export async function planInThread(company: string, problem: PlanProblem): Promise<DayPlan> {
  requirePlannable(problem)
  const key = createHash('sha256')
    .update(`${company} ${JSON.stringify(problem)}`)
    .digest('base64url')
  const earlier = recent.get(key)
  if (earlier !== undefined) return earlier
  const plan = runInTurn(company, () => requestPlan(problem))
  recent.set(key, plan)
  plan.catch(() => recent.delete(key))
  const [oldest] = recent.keys()
  if (oldest !== undefined && recent.size > MAX_RECENT) recent.delete(oldest)
  return plan
}

async function requestPlan(problem: PlanProblem): Promise<DayPlan> {
  const result = await runInThread(problem)
  if ('fault' in result) throw new Error(`Planning a day failed: ${result.fault}`)
  return result.plan
}
