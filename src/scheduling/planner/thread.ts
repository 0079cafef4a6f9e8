import { parentPort } from 'node:worker_threads'
import { requireValue } from '../../platform/errors/require_value.ts'
import { planDay } from './plan_day.ts'
import type { DayPlan, PlanProblem } from './problem.ts'

/** Response of the thread: the plan, or the error. */
export type PlanResult = { plan: DayPlan } | { fault: string }

const port = requireValue(parentPort, 'The port to the main thread')

port.on('message', (problem: PlanProblem) => port.postMessage(solveProblem(problem), []))

function solveProblem(problem: PlanProblem): PlanResult {
  try {
    return { plan: planDay(problem) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
