import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { startEmbedded, type Embedded } from '../../src/platform/db/embedded/embedded.ts'
import { isInWorker, whenWorkerEnds } from './worker_life.ts'

/** Variable with the name of a run that has its own server. A file that runs alone uses its checkout's server. */
const RUN = 'CALLOUT_TEST_RUN'

const checkout = createHash('sha256')
  .update(new URL('../..', import.meta.url).pathname)
  .digest('hex')
  .slice(0, 8)

const folderOf = (run: string): string =>
  join(tmpdir(), `callout-tests-${process.getuid?.() ?? 'user'}-${checkout}-${run}`)

/** Server that a worker keeps until its last file ends. */
let ofWorker: Promise<Embedded> | undefined

/**
 * Starts the server of this run. Its processes share it, and the last one stops it. Other checkouts and runs have their
 * own.
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

/** Starts a server for this process and its children. `end` stops it and removes its files. */
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

/** Ends a folder's server that a process of an interrupted run still uses. */
async function endServer(folder: string): Promise<void> {
  const lock = await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (lock === undefined) return
  const pid = Number(lock.split('\n')[0])
  try {
    for (process.kill(pid, 'SIGINT'); ; process.kill(pid, 0)) await scheduler.wait(20)
  } catch {
    // The process has ended.
  }
}
