import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import type { PeriodicTask } from './periodic_task.ts'
import { enrollment } from './tasks/enrollment.ts'
import { claimLease, enrollTasks } from '../platform/leases/lease.ts'
import { registerProcess } from './process.ts'
import { runTask, type WorkerContext } from './run.ts'

type Worker = {
  /** Waits for the current step. Gives an unfinished task back, so that another process continues it. */
  stop(): Promise<void>
}

type WorkerPace = {
  /** Clock for tests. */
  clock?: () => Temporal.Instant
  /** Minimum and maximum time between two polls in milliseconds. */
  idle?: readonly [least: number, most: number]
  runEnded?: WorkerContext['runEnded']
  /** Returns the state to report with each heartbeat. */
  readState?: () => object
}

const IDLE = [10_000, 30_000] as const
const MIN_WAIT = 1_000

/** Runs this database's tasks when they are due, taking turns with the workers of other processes. */
export function startWorker(
  database: Database,
  log: Logger,
  tasks: readonly PeriodicTask[],
  { clock = Temporal.Now.instant, idle = IDLE, runEnded, readState }: WorkerPace = {},
): Worker {
  const stopping = new AbortController()
  const report = (error: unknown): void => log.error({ reference: newId(), err: error }, 'worker fault')
  const process = registerProcess({ database, clock, stopping: stopping.signal, readState }, report)
  const context: WorkerContext = { database, log, clock, runEnded, holder: process.id, stopping: stopping.signal }
  const all = [...tasks, enrollment(tasks)]

  async function work({ tasks, most, idle }: Lane): Promise<void> {
    let enrolled = false
    await process.registered
    while (!stopping.signal.aborted) {
      let nextAt: string | null = null
      try {
        if (!enrolled) await enrollAll(context, tasks)
        enrolled = true
        nextAt = await runDue(context, tasks, most)
      } catch (error) {
        report(error)
      }
      await sleep(waitFor(nextAt, clock(), idle), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const ended = Promise.all(lanesOf(all, idle).map(work))
  return {
    stop: async () => {
      stopping.abort()
      await ended
      await process.end()
    },
  }
}

type Lane = { tasks: readonly PeriodicTask[]; most: number; idle: readonly [least: number, most: number] }

/** Maximum concurrent tasks of a lane, so that companies with a slow provider don't block the others. */
const MAX_AT_ONCE = 10

/** Minimum and maximum time between two polls of a lane in milliseconds, short because people wait for these tasks. */
const LANE_IDLE = [1_000, 2_000] as const

function lanesOf(all: readonly PeriodicTask[], idle: Lane['idle']): Lane[] {
  const lanes = Map.groupBy(all, ({ lane }) => lane)
  return [...lanes].map(([lane, tasks]) =>
    lane === undefined
      ? { tasks, most: 1, idle }
      : { tasks, most: MAX_AT_ONCE, idle: [Math.min(idle[0], LANE_IDLE[0]), Math.min(idle[1], LANE_IDLE[1])] },
  )
}

/** Runs all due tasks, up to `most` at a time. Returns the time the next task is ready. */
export async function runDue(context: WorkerContext, tasks: readonly PeriodicTask[], most = 1): Promise<string | null> {
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const underWay = new Set<Promise<void>>()
  const faults: unknown[] = []
  try {
    while (!context.stopping.aborted) {
      const { lease, nextAt = null } = await claimLease(
        context.database,
        [...byName.keys()],
        context.clock(),
        context.holder,
      )
      if (lease === undefined && underWay.size === 0) return nextAt
      if (lease !== undefined) {
        const run = runTask(context, byName.get(lease.chore)!, lease)
          .catch((error: unknown) => void faults.push(error))
          .finally(() => underWay.delete(run))
        underWay.add(run)
      }
      if (lease === undefined || underWay.size === most) await oneOf(underWay, lease === undefined)
      if (faults.length > 0) throw faults[0]
    }
    return null
  } finally {
    await Promise.all(underWay)
  }
}

/** Waits until one of these ends, but only briefly if others may become ready meanwhile. */
const oneOf = (underWay: Iterable<Promise<void>>, briefly: boolean): Promise<void> =>
  Promise.race([...underWay, ...(briefly ? [sleep(LOOK_AGAIN_MS)] : [])])

const LOOK_AGAIN_MS = 500

/** Enrolls tasks that are new in this version. */
export const enrollAll = ({ database, clock }: WorkerContext, tasks: readonly PeriodicTask[]): Promise<unknown> =>
  database.send([enrollTasks(namesOf(tasks, 'service'), namesOf(tasks, 'tenant'), clock())])

const namesOf = (tasks: readonly PeriodicTask[], of: PeriodicTask['of']): string[] =>
  tasks.filter((task) => task.of === of).map(({ name }) => name)

/**
 * Returns the milliseconds until the next task is ready, at most one idle period, which is random so that processes
 * don't poll in step.
 */
function waitFor(nextAt: string | null, now: Temporal.Instant, [least, most]: readonly [number, number]): number {
  const idle = least + Math.random() * (most - least)
  if (nextAt === null) return idle
  return Math.min(idle, Math.max(Math.min(MIN_WAIT, least), Date.parse(nextAt) - now.epochMilliseconds))
}
