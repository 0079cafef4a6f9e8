import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreCodes } from '../../platform/errors/error_code.ts'
import { UNFINISHED, writeFileAtomically } from '../archive/whole_file.ts'
import { requireBackupName } from './names.ts'
import type { BackupFile, BackupTarget } from './target.ts'

/** Age in milliseconds after which an unfinished file is abandoned. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

/** Opens a local folder for backups. Creates the folder if it is missing, but not its parent. */
export function openBackupFolder(directory: string): BackupTarget {
  const pathOf = (name: string): string => join(directory, requireBackupName(name))
  return {
    label: directory,
    write: async (name, fill) => {
      const path = pathOf(name)
      await mkdir(directory, { mode: 0o700 }).catch(ignoreCodes('EEXIST'))
      if (dirname(path) !== directory) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      return writeFileAtomically(path, fill)
    },
    read: async (name) => {
      const path = pathOf(name)
      return (await stat(path).catch(ignoreCodes('ENOENT'))) && readOnce(path)
    },
    list: async (prefix) => listFolder(directory, prefix),
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

/** Opens the file on the first read, and closes it after the last or when the reader stops. */
async function* readOnce(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path)
}

/** Lists files by their names below `directory`, and removes unfinished files of killed processes. */
async function listFolder(directory: string, prefix: string): Promise<BackupFile[]> {
  const folder = join(directory, prefix)
  const entries = (await readdir(folder, { withFileTypes: true, recursive: true }).catch(ignoreCodes('ENOENT'))) ?? []
  const files: BackupFile[] = []
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile()) continue
    const stats = await stat(path).catch(ignoreCodes('ENOENT'))
    if (stats === undefined) continue
    const { size, mtimeMs } = stats
    if (!entry.name.endsWith(UNFINISHED))
      files.push({ name: path.slice(directory.length + 1).replaceAll('\\', '/'), bytes: size, at: mtimeMs })
    else if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true })
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1))
}
