import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ignoreCodes } from '../../errors/error_code.ts'
import { removeSocketLink } from './home.ts'
import { mayServe, readLock } from './server.ts'

/** Milliseconds for an immediate shutdown before the server is killed. */
const SHUTDOWN_TIMEOUT_MS = 10_000

/** Stops the server of `dataDir`, if one runs, and removes the folder with everything in it. */
export async function removeEmbedded(dataDir: string): Promise<void> {
  await removeCluster(dataDir)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

/** Stops the server of `dataDir`, if one runs, and removes its files; others in the folder stay. */
export async function removeCluster(dataDir: string): Promise<void> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(ignoreCodes('ENOENT'))
  if (folder !== undefined) {
    await endServer(join(folder, 'data'))
    await removeSocketLink(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  await rm(join(dataDir, 'postgres'), { recursive: true, force: true })
}

async function endServer(data: string): Promise<void> {
  const lock = await readLock({ data })
  if (lock === undefined || !(await mayServe({ data }, lock.pid))) return
  // PostgreSQL's "immediate" shutdown: nothing of this server is kept.
  process.kill(lock.pid, 'SIGQUIT')
  const deadline = performance.now() + SHUTDOWN_TIMEOUT_MS
  while (await mayServe({ data }, lock.pid)) {
    if (performance.now() > deadline) return void process.kill(lock.pid, 'SIGKILL')
    await sleep(20)
  }
}
