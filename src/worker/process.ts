import { setTimeout as sleep } from 'node:timers/promises'
import { deleteProcesses, insertSignOfLife, selectSilentProcesses } from '../platform/leases/processes.ts'
import { newId } from '../platform/validation/id.ts'
import { releaseHeldBy } from '../platform/leases/lease.ts'
import type { WorkerContext } from './run.ts'

/** Worker process registered in its database. */
type WorkerProcess = {
  id: string
  /** Resolves once other processes know of this one, or the worker is stopping. */
  registered: Promise<void>
  /** Unregisters the process. Call it once it holds no leases. */
  end(): Promise<void>
}

type ProcessContext = Pick<WorkerContext, 'database' | 'clock' | 'stopping'> & {
  /** Returns the state to report with each heartbeat. */
  readState?: (() => object) | undefined
}

/** Milliseconds between two heartbeats. */
const BEAT_MS = 3_000

/**
 * Sends heartbeats and frees the leases of processes that stopped sending them. A process that was only slow loses no
 * more than its turn, because the fence of its lease blocks its writes.
 */
export function registerProcess(
  { database, clock, stopping, readState }: ProcessContext,
  reportFault: (error: unknown) => void,
): WorkerProcess {
  const [id, ending, first] = [newId(), new AbortController(), Promise.withResolvers<void>()]
  async function beat(): Promise<void> {
    await database.send([insertSignOfLife(id, readState?.() ?? null)])
    first.resolve()
    const [silent] = await database.send([selectSilentProcesses()])
    const silentIds = silent!.rows.map((row) => String(row['id']))
    if (silentIds.length > 0) await database.send([releaseHeldBy(silentIds, clock()), deleteProcesses(silentIds)])
  }
  async function live(): Promise<void> {
    while (!ending.signal.aborted) {
      await beat().catch(reportFault)
      await sleep(BEAT_MS, undefined, { signal: ending.signal }).catch(() => {})
    }
    await database.send([deleteProcesses([id])]).catch(reportFault)
  }
  const lived = live()
  stopping.addEventListener('abort', () => first.resolve(), { once: true })
  return {
    id,
    registered: first.promise,
    end: async () => {
      ending.abort()
      await lived
    },
  }
}
