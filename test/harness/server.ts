import { createHash } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded, type Embedded } from '../../src/platform/db/embedded/embedded.ts'
import { isInWorker, whenWorkerEnds } from './worker_life.ts'

/** Variable with the name of a run that has its own server. A file that runs alone uses its checkout's server. */
const RUN = 'CALLOUT_TEST_RUN'

const checkout = createHash('sha256')
  .update(new URL('../..', import.meta.url).pathname)
  .digest('hex')
  .slice(0, 8)

/** A run's own server is in the run's folder, the checkout's in that of the system. The path of a socket must be short. */
const folderOf = (run: string | undefined): string =>
  join(
    tmpdir(),
    run === undefined ? `callout-tests-${process.getuid?.() ?? 'user'}-${checkout}-single` : `server-${run}`,
  )

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
  const dataDir = folderOf(process.env[RUN])
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

/**
 * Starts a server for this process and its children. `end` stops it; its files go with the run's folder
 * (scripts/tests/run_folder.ts).
 */
export async function startRun(): Promise<{ end(): Promise<void> }> {
  process.env[RUN] = String(process.pid)
  const server = await startTestServer()
  return { end: () => server.stop() }
}
