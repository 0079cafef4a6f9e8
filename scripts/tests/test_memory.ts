import { readFile, statfs } from 'node:fs/promises'
import { freemem } from 'node:os'

/** Memory that a run's temporary files may take: databases, backups and uploads, all gone by its end. */
const MIN_FREE = 8 * 2 ** 30

/** Folder of the system that is memory. */
const FOLDER = '/dev/shm'

/**
 * Puts a run's temporary files into memory where there is room and programs may start from it: each test file has a
 * database of a thousand files. `TMPDIR` names another folder.
 */
export async function useMemory(): Promise<void> {
  if (process.env['TMPDIR'] === undefined && (await hasRoom())) process.env['TMPDIR'] = FOLDER
}

async function hasRoom(): Promise<boolean> {
  if (freemem() < MIN_FREE) return false
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
    const [, , kind, options = ''] = mounts.findLast(([, folder]) => folder === FOLDER) ?? []
    const { bavail, bsize } = await statfs(FOLDER)
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && bavail * bsize >= MIN_FREE
  } catch {
    // This system has no such folder.
    return false
  }
}
