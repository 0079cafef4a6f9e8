import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { startEmbedded, type Embedded } from '../../src/platform/db/embedded/embedded.ts'
import { isInWorker, whenWorkerEnds } from './worker_life.ts'

/** Name of the run, for the processes of a run with its own server. A file that runs alone uses its checkout's. */
const RUN = 'CALLOUT_TEST_RUN'

const checkout = createHash('sha256')
  .update(new URL('../..', import.meta.url).pathname)
  .digest('hex')
  .slice(0, 8)

const folderOf = (run: string): string =>
  join(tmpdir(), `callout-tests-${process.getuid?.() ?? 'user'}-${checkout}-${run}`)

/** The server as a worker uses it until its last file is done. */
let ofWorker: Promise<Embedded> | undefined

/**
 * Starts the server of this run, shared by its processes; the last to leave stops it. No other checkout and no other run
 * uses it.
 */
export async function startTestServer(): Promise<Embedded> {
  if (!isInWorker()) return startServer()
  return { ...(await (ofWorker ??= keepServer())), stop: async () => {} }
}

async function keepServer(): Promise<Embedded> {
  const server = await startServer()
  whenWorkerEnds(() => server.stop())
  return server
}

async function startServer(): Promise<Embedded> {
  const dataDir = folderOf(process.env[RUN] ?? 'single')
  await mkdir(dataDir, { recursive: true })
  await chmod(dataDir, 0o755)
  return startEmbedded({
    dataDir,
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_connections: '300',
    },
  })
}

/** Starts a server for this process and those it starts; `end` stops it and removes what it held. */
export async function startRun(): Promise<{ end(): Promise<void> }> {
  const run = String(process.pid)
  process.env[RUN] = run
  await rm(folderOf(run), { recursive: true, force: true })
  const server = await startTestServer()
  return {
    end: async () => {
      await server.stop()
      await endServer(folderOf(run))
      await rm(folderOf(run), { recursive: true, force: true })
    },
  }
}

/** Ends the server of a folder that a process of an interrupted run still uses. */
async function endServer(folder: string): Promise<void> {
  const lock = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (lock === undefined) return
  const pid = Number(lock.split('\n')[0])
  try {
    for (process.kill(pid, 'SIGINT'); ; process.kill(pid, 0)) await scheduler.wait(20)
  } catch {
    // It is gone.
  }
}
