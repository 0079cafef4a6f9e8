import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { archiveFolder } from '../../platform/db/embedded/archiving.ts'
import { sql, type Sql } from '../../platform/db/sql.ts'
import type { BackupSettings } from '../jobs/job.ts'
import type { BackupResult } from '../status.ts'
import { explainTargetFault } from '../target/fault.ts'
import { openTarget } from '../target/open_target.ts'
import { openFileMirror } from './files.ts'
import { findUsableBase, isBaseDue, shipChanges } from './ship.ts'
import { listBases, skipUnreadable } from './base.ts'

/** Saves the changes of an embedded installation since the last save. */
export type ChangeArchive = {
  /** Moves changes and new files into the backup folder. Returns undefined if nothing usable has arrived yet. */
  save(): Promise<BackupResult | undefined>
  isBaseDue(): Promise<boolean>
}

/** Opens the change archive; undefined without an embedded server or a backup folder, and on Windows. */
export function openChangeArchive({
  backup,
  storage,
  dataDir,
  databaseUrl,
}: BackupSettings): ChangeArchive | undefined {
  if (databaseUrl !== null || backup.to === null || process.platform === 'win32') return undefined
  const [target, { key }] = [openTarget(backup.to), backup]
  const mirror = storage.kind === 'directory' ? openFileMirror(storage.directory, target, key) : undefined
  const explainFault = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      throw new Error(explainTargetFault(target.label, cause), { cause })
    }
  }
  const save = async (): Promise<BackupResult | undefined> => {
    // Files first, so that every file is there before the row that refers to it.
    await mirror?.()
    const spool = archiveFolder({ folder: await realpath(join(dataDir, 'postgres')) })
    const shipped = await shipChanges(target, spool, key)
    if (shipped === undefined) return undefined
    const base = await findUsableBase(target, await listBases(target, key, skipUnreadable))
    return base && shipped
  }
  return {
    save: () => explainFault(save),
    isBaseDue: () => explainFault(() => isBaseDue(target, key, Temporal.Now.instant())),
  }
}

/** Whether the server archives its write-ahead log, and whether archiving is failing. */
type ArchivingState = { is_on: boolean; is_failing: boolean }

export const selectArchiving = (): Sql<ArchivingState> =>
  sql<ArchivingState>`select current_setting('archive_mode') = 'on' as is_on,
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing
    from pg_stat_archiver`

/** Explains why the server's archiving doesn't work; null if it does. */
export function archivingFault({ is_on: isOn, is_failing: isFailing }: ArchivingState): string | null {
  if (!isOn) return 'The database was started without archiving: restart the service while no command is running'
  return isFailing ? "The database can't write to its archive folder: see postgres.log" : null
}
