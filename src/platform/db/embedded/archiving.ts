import { lchown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../errors/error_code.ts'
import type { Home } from './home.ts'

/** Seconds after which the server archives a WAL segment, even if it isn't full. */
const TIMEOUT_SECONDS = 120

/**
 * Maximum number of WAL segments, 16 MB each, that wait for the service. Further ones are discarded, so that a missing
 * backup folder doesn't fill the database's disk; the next base backup starts over.
 */
const MAX_WAITING = 64

/**
 * Archive command. It copies WAL segments to a folder beside the data, each atomically, and never replaces one with a
 * different one. It runs in the shell of the server's account, in the data folder.
 */
const COMMAND = [
  'a=../archive/%f; t=../archive/.%f.part',
  'if test -f $a; then cmp -s %p $a; exit; fi',
  `set -- ../archive/*; test $# -lt ${MAX_WAITING} || exit 0`,
  'cp %p $t && { sync $t || true; } && mv $t $a',
].join('; ')

/** Settings of a server whose write-ahead log is archived. */
export const archiveSettings: Readonly<Record<string, string>> = {
  archive_mode: 'on',
  archive_timeout: String(TIMEOUT_SECONDS),
  archive_command: COMMAND,
}

/** Returns the archive settings for this platform. Windows has no shell for the command. */
export const archiveSettingsIf = (isArchived: boolean): Record<string, string> =>
  isArchived && process.platform !== 'win32' ? { ...archiveSettings } : {}

/** Returns the folder in a cluster's home for archived segments. */
export const archiveFolder = ({ folder }: Pick<Home, 'folder'>): string => join(folder, 'archive')

/** Creates that folder. */
export async function makeArchiveFolder({ folder, account }: Pick<Home, 'folder' | 'account'>): Promise<void> {
  const path = archiveFolder({ folder })
  await mkdir(path, { mode: 0o700 }).catch(ignoreCodes('EEXIST'))
  if (account) await lchown(path, account.uid, account.gid)
}
