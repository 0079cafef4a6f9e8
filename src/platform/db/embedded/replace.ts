import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../errors/error_code.ts'

export const exists = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(ignoreCodes('ENOENT'))) !== undefined

/** Creates a folder for the cluster that will replace that of `dataDir`; until then it is its own data directory. */
export async function prepareNext(dataDir: string): Promise<string> {
  await rm(nextHome(dataDir), { recursive: true, force: true })
  await mkdir(nextHome(dataDir), { mode: 0o700 })
  return nextHome(dataDir)
}

const nextHome = (dataDir: string): string => join(dataDir, 'postgres.next')

/** Replaces the current cluster with the next one, complete and stopped. Returns where the old one is kept. */
export async function replaceCluster(dataDir: string, name: string): Promise<string> {
  const oldPath = join(dataDir, name)
  await rm(oldPath, { recursive: true, force: true })
  await rename(join(dataDir, 'postgres'), oldPath)
  await finishReplacing(dataDir)
  return oldPath
}

/** Finishes an interrupted replacement. */
export async function finishReplacing(dataDir: string): Promise<void> {
  const next = join(nextHome(dataDir), 'postgres')
  if ((await exists(join(dataDir, 'postgres'))) || !(await exists(next))) return
  await rename(next, join(dataDir, 'postgres'))
  await rm(nextHome(dataDir), { recursive: true, force: true })
}
