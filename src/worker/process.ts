import { setTimeout as sleep } from 'node:timers/promises'
import { deleteProcesses, upsertHeartbeat, selectDeadProcesses } from '../platform/leases/processes.ts'
import { newId } from '../platform/validation/id.ts'
import { releaseLeasesOf } from '../platform/leases/lease.ts'
import type { WorkerContext } from './run.ts'

/** Worker process registered in its database. */
type WorkerProcess = {
  id: string
  /** Resolves once other processes know of this one, or the worker is stopping. */
  registered: Promise<void>
  /** Unregisters the process. Call it once it holds no leases. */
  unregister(): Promise<void>
}

type ProcessContext = Pick<WorkerContext, 'database' | 'clock' | 'stopping'> & {
  /** Returns the state to report with each heartbeat. */
  readState?: (() => object) | undefined
}

/** Milliseconds between two heartbeats. */
const HEARTBEAT_MS = 3_000

/**
 * Sends heartbeats and frees the leases of processes that stopped sending them. A process that was only slow loses no
 * more than its turn, because the fence of its lease blocks its writes.
 */
export function registerProcess(
  { database, clock, stopping, readState }: ProcessContext,
  reportFault: (error: unknown) => void,
): WorkerProcess {
  const [id, ended, firstHeartbeat] = [newId(), new AbortController(), Promise.withResolvers<void>()]
  async function sendHeartbeat(): Promise<void> {
    await database.send([upsertHeartbeat(id, readState?.() ?? null)])
    firstHeartbeat.resolve()
    const [silent] = await database.send([selectDeadProcesses()])
    const silentIds = silent!.rows.map((row) => String(row['id']))
    if (silentIds.length > 0) await database.send([releaseLeasesOf(silentIds, clock()), deleteProcesses(silentIds)])
  }
  async function runHeartbeats(): Promise<void> {
    while (!ended.signal.aborted) {
      await sendHeartbeat().catch(reportFault)
      await sleep(HEARTBEAT_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
    await database.send([deleteProcesses([id])]).catch(reportFault)
  }
  const heartbeats = runHeartbeats()
  stopping.addEventListener('abort', () => firstHeartbeat.resolve(), { once: true })
  return {
    id,
    registered: firstHeartbeat.promise,
    unregister: async () => {
      ended.abort()
      await heartbeats
    },
  }
}
