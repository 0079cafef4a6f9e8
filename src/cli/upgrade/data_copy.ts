import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedError, startEmbedded } from '../../platform/db/embedded/embedded.ts'
import type { Upgrade } from './plan_file.ts'

const run = promisify(execFile)

/** Stops the embedded server. Throws if another program still uses it; with `force`, only if one restarts it. */
export async function stopDatabase({ data, from }: Upgrade, force = false): Promise<void> {
  const lock = join(data.folder, 'data', 'postmaster.pid')
  if (!existsSync(lock)) return
  const previous = existsSync(from.moved) ? from.moved : from.folder
  const server = await startEmbedded({ dataDir: data.dataDir, previous })
  await server.stop(force)
  // A program that is still running restarts it at once.
  if (force) await sleep(1_000)
  if (existsSync(lock))
    throw new Error(`the database in ${data.dataDir} is still in use: stop the service and other commands first`)
}

/** Copies the stopped database beside itself, with owners and times, as a reflink if the file system supports it. */
export async function copyData({ data }: Upgrade): Promise<void> {
  const unfinished = `${data.copy}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const reflinkArgs = process.platform === 'linux' ? ['--reflink=auto'] : []
  await run('cp', ['-a', ...reflinkArgs, data.folder, unfinished])
  await run('sync')
  await rename(unfinished, data.copy)
}

/** Restores the copy if it was completed. Before that, the database wasn't touched. */
export async function restoreCopy(plan: Upgrade): Promise<void> {
  const { data } = plan
  await rm(`${data.copy}.unfinished`, { recursive: true, force: true })
  if (!existsSync(data.copy)) return
  // A server that can't be started isn't running either.
  await stopDatabase(plan, true).catch((error: unknown) => {
    if (!(error instanceof EmbeddedError)) throw error
  })
  await rm(data.folder, { recursive: true, force: true })
  await rename(data.copy, data.folder)
  // A new cluster in another folder had replaced it.
  const databaseLink = join(data.dataDir, 'postgres')
  if ((await realpath(databaseLink)) === data.folder) return
  await rm(databaseLink)
  await symlink(data.folder, databaseLink)
}

/** Returns the size of a folder in bytes. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    // The server removes files while it runs.
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}
