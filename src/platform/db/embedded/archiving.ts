import { lchown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../errors/error_code.ts'
import type { Home } from './home.ts'

/** Seconds after which the server hands on what was written, even if it is little. */
const TIMEOUT_SECONDS = 120

/**
 * Number of files of the write-ahead log, 16 MB each, that wait for the service. More are thrown away, so that a backup
 * folder that is gone doesn't fill the disk of the database; the next base backup begins anew.
 */
const MAX_WAITING = 64

/**
 * Hands the server's write-ahead log on to a folder beside its data, file by file: each whole or not at all, and never
 * another one in its place. It runs in the shell of the server's account, in the folder of the data.
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

/** Returns the settings of a server of this platform. Windows has no shell for the command. */
export const archiveSettingsIf = (isArchived: boolean): Record<string, string> =>
  isArchived && process.platform !== 'win32' ? { ...archiveSettings } : {}

/** Folder in a cluster's home where the files wait. */
export const archiveFolder = ({ folder }: Pick<Home, 'folder'>): string => join(folder, 'archive')

/** Makes that folder. */
export async function makeArchiveFolder({ folder, account }: Pick<Home, 'folder' | 'account'>): Promise<void> {
  const path = archiveFolder({ folder })
  await mkdir(path, { mode: 0o700 }).catch(ignoreCodes('EEXIST'))
  if (account) await lchown(path, account.uid, account.gid)
}
