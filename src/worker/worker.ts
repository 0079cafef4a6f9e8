import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../db/tenant.ts'
import { newId } from '../shape/id.ts'
import type { Chore } from './chore.ts'
import { enrolment } from './enrolment.ts'
import { claim, enrol } from './lease.ts'
import { runChore, type WorkerContext } from './run.ts'

export type Worker = {
  /** Waits for the step under way; an unfinished chore is given back, for another process to continue. */
  stop(): Promise<void>
}

export type WorkerPace = {
  /** Is set by tests. */
  clock?: () => Temporal.Instant
  /** Is the shortest and longest wait between two looks, in milliseconds. */
  idle?: readonly [least: number, most: number]
  runEnded?: WorkerContext['runEnded']
}

const IDLE = [10_000, 30_000] as const
const SHORTEST_WAIT = 1_000

/** Does the chores of this database when they are due, in turn with the workers of other processes. */
export function startWorker(
  database: Database,
  log: Logger,
  chores: readonly Chore[],
  { clock = Temporal.Now.instant, idle = IDLE, runEnded }: WorkerPace = {},
): Worker {
  const stopping = new AbortController()
  const context: WorkerContext = { database, log, clock, runEnded, stopping: stopping.signal }
  const all = [...chores, enrolment(chores)]

  async function work(): Promise<void> {
    let enrolled = false
    while (!stopping.signal.aborted) {
      let nextAt: string | null = null
      try {
        if (!enrolled) await enrolAll(context, all)
        enrolled = true
        nextAt = await runDue(context, all)
      } catch (error) {
        log.error({ reference: newId(), err: error }, 'worker fault')
      }
      await sleep(waitFor(nextAt, clock(), idle), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const ended = work()
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

/** Does everything that is due. Returns when the next chore becomes ready. */
export async function runDue(context: WorkerContext, chores: readonly Chore[]): Promise<string | null> {
  const byName = new Map(chores.map((chore) => [chore.name, chore]))
  while (!context.stopping.aborted) {
    const { lease, nextAt = null } = await claim(context.database, [...byName.keys()], context.clock())
    if (lease === undefined) return nextAt
    await runChore(context, byName.get(lease.chore)!, lease)
  }
  return null
}

/** Enrolls what this version has and the database doesn't know yet. */
export const enrolAll = ({ database, clock }: WorkerContext, chores: readonly Chore[]): Promise<unknown> =>
  database.send([enrol(namesOf(chores, 'service'), namesOf(chores, 'tenant'), clock())])

const namesOf = (chores: readonly Chore[], of: Chore['of']): string[] =>
  chores.filter((chore) => chore.of === of).map(({ name }) => name)

/**
 * Returns the wait until the next chore is ready, and no longer than idling lasts; the spread keeps processes from
 * looking all at once.
 */
function waitFor(nextAt: string | null, now: Temporal.Instant, [least, most]: readonly [number, number]): number {
  const idle = least + Math.random() * (most - least)
  if (nextAt === null) return idle
  return Math.min(idle, Math.max(Math.min(SHORTEST_WAIT, least), Date.parse(nextAt) - now.epochMilliseconds))
}
