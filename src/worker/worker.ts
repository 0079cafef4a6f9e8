import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import type { PeriodicTask } from './periodic_task.ts'
import { enrollmentTask } from './tasks/enrollment.ts'
import { claimLease, enrollTasks } from '../platform/leases/lease.ts'
import { registerProcess } from './process.ts'
import { runTask, type WorkerContext } from './run.ts'

type Worker = {
  /** Waits for the current step. Gives an unfinished task back, so that another process continues it. */
  stop(): Promise<void>
}

type WorkerOptions = {
  /** Clock for tests. */
  clock?: () => Temporal.Instant
  /** Minimum and maximum time between two polls in milliseconds. */
  idle?: readonly [min: number, max: number]
  onRunEnd?: WorkerContext['onRunEnd']
  /** Returns the state to report with each heartbeat. */
  readState?: () => object
}

const IDLE_MS = [10_000, 30_000] as const
const MIN_WAIT_MS = 1_000

/** Runs this database's tasks when they are due, taking turns with the workers of other processes. */
export function startWorker(
  database: Database,
  log: Logger,
  tasks: readonly PeriodicTask[],
  { clock = Temporal.Now.instant, idle = IDLE_MS, onRunEnd, readState }: WorkerOptions = {},
): Worker {
  const stopping = new AbortController()
  const report = (error: unknown): void => log.error({ reference: newId(), err: error }, 'worker fault')
  const process = registerProcess({ database, clock, stopping: stopping.signal, readState }, report)
  const context: WorkerContext = { database, log, clock, onRunEnd, holder: process.id, stopping: stopping.signal }
  const all = [...tasks, enrollmentTask(tasks)]

  async function runLane({ tasks, maxConcurrent, idle }: Lane): Promise<void> {
    let enrolled = false
    await process.registered
    while (!stopping.signal.aborted) {
      let nextAt: string | null = null
      try {
        if (!enrolled) await enrollAll(context, tasks)
        enrolled = true
        nextAt = await runDue(context, tasks, maxConcurrent)
      } catch (error) {
        report(error)
      }
      await sleep(pollDelayMs(nextAt, clock(), idle), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const ended = Promise.all(lanesOf(all, idle).map(runLane))
  return {
    stop: async () => {
      stopping.abort()
      await ended
      await process.unregister()
    },
  }
}

type Lane = { tasks: readonly PeriodicTask[]; maxConcurrent: number; idle: readonly [min: number, max: number] }

/** Maximum concurrent tasks of a lane, so that companies with a slow provider don't block the others. */
const MAX_AT_ONCE = 10

/** Minimum and maximum time between two polls of a lane in milliseconds, short because people wait for these tasks. */
const LANE_IDLE_MS = [1_000, 2_000] as const

function lanesOf(all: readonly PeriodicTask[], idle: Lane['idle']): Lane[] {
  const lanes = Map.groupBy(all, ({ lane }) => lane)
  return [...lanes].map(([lane, tasks]) =>
    lane === undefined
      ? { tasks, maxConcurrent: 1, idle }
      : {
          tasks,
          maxConcurrent: MAX_AT_ONCE,
          idle: [Math.min(idle[0], LANE_IDLE_MS[0]), Math.min(idle[1], LANE_IDLE_MS[1])],
        },
  )
}

/** Runs all due tasks, up to `maxConcurrent` at a time. Returns the time the next task is ready. */
export async function runDue(
  context: WorkerContext,
  tasks: readonly PeriodicTask[],
  maxConcurrent = 1,
): Promise<string | null> {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const running = new Set<Promise<void>>()
  const faults: unknown[] = []
  try {
    while (!context.stopping.aborted) {
      const { lease, nextAt = null } = await claimLease(
        context.database,
        [...byName.keys()],
        context.clock(),
        context.holder,
      )
      if (lease === undefined && running.size === 0) return nextAt
      if (lease !== undefined) {
        const run = runTask(context, byName.get(lease.chore)!, lease)
          .catch((error: unknown) => void faults.push(error))
          .finally(() => running.delete(run))
        running.add(run)
      }
      if (lease === undefined || running.size === maxConcurrent) await waitForOne(running, lease === undefined)
      if (faults.length > 0) throw faults[0]
    }
    return null
  } finally {
    await Promise.all(running)
  }
}

/** Waits until one of these ends, but only briefly if others may become ready meanwhile. */
const waitForOne = (running: Iterable<Promise<void>>, briefly: boolean): Promise<void> =>
  Promise.race([...running, ...(briefly ? [sleep(RECHECK_MS)] : [])])

const RECHECK_MS = 500

/** Enrolls tasks that are new in this version. */
export const enrollAll = ({ database, clock }: WorkerContext, tasks: readonly PeriodicTask[]): Promise<unknown> =>
  database.send([enrollTasks(namesOf(tasks, 'service'), namesOf(tasks, 'tenant'), clock())])

const namesOf = (tasks: readonly PeriodicTask[], of: PeriodicTask['of']): string[] =>
  tasks.filter((task) => task.of === of).map(({ name }) => name)

/**
 * Returns the milliseconds until the next task is ready, at most one idle period, which is random so that processes
 * don't poll in step.
 */
function pollDelayMs(nextAt: string | null, now: Temporal.Instant, [min, max]: readonly [number, number]): number {
  const idle = min + Math.random() * (max - min)
  if (nextAt === null) return idle
  return Math.min(idle, Math.max(Math.min(MIN_WAIT_MS, min), Date.parse(nextAt) - now.epochMilliseconds))
}
