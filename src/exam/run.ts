import { VERSION } from '../platform/version.ts'
import { attempt, openExamSession, type Attempt, type ExamSubject, type Variant } from './attempt.ts'
import type { ExamAgent } from './models/agent.ts'
import { HOSTILE_TASKS } from './hostile/index.ts'
import type { HostileTask } from './hostile_task.ts'
import type { Task } from './task.ts'
import { AREAS, TASKS } from './tasks/index.ts'
import type { ExamEnvironment } from './environment/environment.ts'

export type ExamPlan = {
  variants: readonly Variant[]
  /** Attempts per task: three, for pass^3. */
  runs: number
  /** Areas or ids of tasks; empty means all. */
  taskFilter: readonly string[]
}

/** Result of an exam. `release` is the version of the tasks and tools. */
export type ExamResult = { examinee: string; runs: number; release?: string; attempts: readonly Attempt[] }

/** Lists the tasks of a variant. Hostile tasks are about text that was read, the others about requests. */
export function tasksOf(variant: Variant, taskFilter: readonly string[]): readonly (Task | HostileTask)[] {
  const tasks: readonly (Task | HostileTask)[] = variant === 'hostile' ? HOSTILE_TASKS : TASKS
  return taskFilter.length === 0
    ? tasks
    : tasks.filter(({ id }) => taskFilter.includes(id) || taskFilter.includes(areaOf(id)))
}

/** Returns the area of a task; `hostile` for hostile tasks. */
export const areaOf = (id: string): string =>
  AREAS.find(({ tasks }) => tasks.some((task) => task.id === id))?.area ?? 'hostile'

/** Number of failed first attempts after which the exam stops. */
const MAX_FIRST_FAULTS = 5

/** Throws if the model was never reached, for example because of a wrong key: further tasks would show nothing. */
function requireModel(attempts: readonly Attempt[]): void {
  if (attempts.length !== MAX_FIRST_FAULTS || attempts.some(({ fault }) => fault === undefined)) return
  throw new Error(`The model answered none of the first ${MAX_FIRST_FAULTS} tasks: ${attempts[0]?.fault}`)
}

/**
 * Runs every task of a plan, each in a fresh company, and reports each attempt as it ends. An attempt in progress when
 * `signal` aborts doesn't count.
 */
export async function runExam(
  environment: ExamEnvironment,
  agent: ExamAgent<ExamSubject>,
  { variants, runs, taskFilter }: ExamPlan,
  onAttempt: (attempt: Attempt) => void = () => {},
  signal = new AbortController().signal,
): Promise<ExamResult> {
  const result = { examinee: agent.name, runs, release: VERSION }
  const attempts: Attempt[] = []
  for (const variant of variants)
    for (const task of tasksOf(variant, taskFilter))
      for (let run = 0; run < runs; run++) {
        await environment.reset()
        const newAttempt = await attempt(await openExamSession(environment, task, variant), agent, signal)
        if (signal.aborted) return { ...result, attempts }
        attempts.push(newAttempt)
        onAttempt(newAttempt)
        requireModel(attempts)
      }
  return { ...result, attempts }
}
