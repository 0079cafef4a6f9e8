import { chmod, glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mayServe, readLock } from '../../src/platform/db/embedded/server.ts'
import { errorCode } from '../../src/platform/errors/error_code.ts'

/**
 * Makes a folder for everything that a run writes to temporary files, its server included. `remove` ends the database
 * servers that still run in it, such as those of an interrupted test, and removes it.
 */
export async function makeRunFolder(): Promise<{ remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'callout-'))
  // PostgreSQL runs as another user if the tests run as root.
  await chmod(folder, 0o755)
  process.env['TMPDIR'] = folder
  return {
    remove: async () => {
      for await (const lock of glob('**/postmaster.pid', { cwd: folder, exclude: (name) => name === 'base' }))
        await endServer(dirname(join(folder, lock)))
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Ends the server of a data folder at once: nobody needs its data. */
async function endServer(data: string): Promise<void> {
  const pid = (await readLock({ data }))?.pid
  if (pid === undefined) return
  while (await mayServe({ data }, pid)) {
    try {
      process.kill(pid, 'SIGQUIT')
    } catch (error) {
      // It may have ended by itself.
      if (errorCode(error) !== 'ESRCH') throw error
    }
    await sleep(20)
  }
}
