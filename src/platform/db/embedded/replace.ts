import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../errors/error_code.ts'

export const isThere = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(ignoreCodes('ENOENT'))) !== undefined

/** Makes a folder for the cluster that will replace that of `dataDir`. It is a data directory of its own until then. */
export async function prepareNext(dataDir: string): Promise<string> {
  await rm(nextHome(dataDir), { recursive: true, force: true })
  await mkdir(nextHome(dataDir), { mode: 0o700 })
  return nextHome(dataDir)
}

const nextHome = (dataDir: string): string => join(dataDir, 'postgres.next')

/** Puts the next cluster, complete and stopped, in the place of the present one, which is kept. Returns where. */
export async function replaceCluster(dataDir: string, name: string): Promise<string> {
  const aside = join(dataDir, name)
  await rm(aside, { recursive: true, force: true })
  await rename(join(dataDir, 'postgres'), aside)
  await finishReplacing(dataDir)
  return aside
}

/** Finishes it where it was cut off in between. */
export async function finishReplacing(dataDir: string): Promise<void> {
  const next = join(nextHome(dataDir), 'postgres')
  if ((await isThere(join(dataDir, 'postgres'))) || !(await isThere(next))) return
  await rename(next, join(dataDir, 'postgres'))
  await rm(nextHome(dataDir), { recursive: true, force: true })
}
