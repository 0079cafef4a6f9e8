import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import { releaseHeldBy } from './lease.ts'
import type { WorkerContext } from './run.ts'

/** A worker process among others on one database. */
export type WorkerProcess = {
  id: string
  /** Resolves once the others know of it, or it is to stop. */
  registered: Promise<void>
  /** Signs it off, once it holds no lease any more. */
  end(): Promise<void>
}

/** Milliseconds between two signs of life. */
const BEAT_MS = 3_000

/** Seconds without a sign of life after which a process is gone: a killed one holds its leases no longer. */
export const SILENT_SECONDS = 15

/**
 * Reports regularly to the other processes that this one is alive, and frees the leases of those that stopped
 * reporting. A process that was only slow loses no more than its turn: its lease's fence blocks its writes.
 */
export function registerProcess(
  { database, clock, stopping }: Pick<WorkerContext, 'database' | 'clock' | 'stopping'>,
  reportFault: (error: unknown) => void,
): WorkerProcess {
  const [id, ending, first] = [newId(), new AbortController(), Promise.withResolvers<void>()]
  async function beat(): Promise<void> {
    await database.send([signOfLife(id)])
    first.resolve()
    const [silent] = await database.send([silentProcesses()])
    const gone = silent!.rows.map((row) => String(row['id']))
    if (gone.length > 0) await database.send([releaseHeldBy(gone, clock()), forgetProcesses(gone)])
  }
  async function live(): Promise<void> {
    while (!ending.signal.aborted) {
      await beat().catch(reportFault)
      await sleep(BEAT_MS, undefined, { signal: ending.signal }).catch(() => {})
    }
    await database.send([forgetProcesses([id])]).catch(reportFault)
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

const signOfLife = (id: string) =>
  sql`insert into worker_processes (id) values (${id}) on conflict (id) do update set seen_at = moment_of(excluded.id)`

const silentProcesses = () =>
  sql`select id from worker_processes where seen_at < moment() - make_interval(secs => ${SILENT_SECONDS}) limit 100`

const forgetProcesses = (ids: readonly string[]) =>
  sql`delete from worker_processes where id = any(${[...ids]}::uuid[])`
