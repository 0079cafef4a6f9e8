import type { ClientConfig } from 'pg'
import type { Config } from '../../platform/config/config.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import { makeBase } from '../changes/base.ts'
import type { BackupResult } from '../status.ts'
import { explainTargetFault } from '../target/fault.ts'
import { openTarget } from '../target/open_target.ts'
import { makeDailyBackup } from './daily.ts'
import { runDrill } from './drill.ts'

/** Settings that backups depend on. */
export type BackupSettings = Pick<Config, 'backup' | 'storage' | 'dataDir' | 'dataKey' | 'databaseUrl'>

/** Long-running backup job, done in a process of its own. */
export type BackupJob = { kind: 'backup' | 'drill' | 'base'; settings: BackupSettings; owner: ClientConfig }

/** Runs a job. Throws one sentence for the operator. */
export async function runJob({ kind, settings, owner }: BackupJob, signal: AbortSignal): Promise<BackupResult> {
  const { backup, dataDir } = settings
  if (backup.to === null) throw new Error('Backups are off: set BACKUP_TO')
  const { keep } = backup
  const key = backup.key === null ? null : Buffer.from(backup.key)
  const target = openTarget(backup.to)
  try {
    if (kind === 'base') return await makeBase({ ...baseOptions(settings, owner), target, key, signal })
    if (kind === 'drill') return await runDrill({ target, key, dataDir, signal })
    return await makeDailyBackup({ owner, storage: openStorage(settings.storage), target, keep, key, signal })
  } catch (cause) {
    throw new Error(explainTargetFault(target.label, cause), { cause })
  }
}

/** Returns the options for a base backup of the embedded server, whose superuser owns the schema. */
const baseOptions = ({ storage, dataKey }: BackupSettings, owner: ClientConfig) => ({
  owner,
  password: String(owner.password),
  // A data key from the configuration is kept with the settings, not in a file.
  dataKeyFile: dataKey.current === null ? dataKey.file : null,
  files: storage.kind === 'directory' ? storage.directory : null,
})
