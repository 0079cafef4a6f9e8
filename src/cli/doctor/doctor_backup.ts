import type { Client } from 'pg'
import { selectBackupStatus, type BackupStatus } from '../../backup/status.ts'
import { newId } from '../../platform/validation/id.ts'
import { explainTargetFault } from '../../backup/target/fault.ts'
import { openTarget } from '../../backup/target/open_target.ts'
import { writeBytes } from '../../backup/target/target.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Finding } from '../../health/finding.ts'

/** Hours after which a daily backup is late. */
const LATE_HOURS = 26
/** Days after which a weekly drill is late. */
const LATE_DRILL_DAYS = 9

/** Finds whether the backup folder can be used, and whether the last backup, drill and archived change succeeded. */
export async function backupFindings(client: Client, { backup }: Pick<Config, 'backup'>): Promise<Finding[]> {
  if (backup.to === null) {
    const mend = 'Set BACKUP_TO to a folder on another disk, or to a bucket.'
    return [{ check: 'backup', ok: true, warning: true, says: 'none are made by the service', mend }]
  }
  const target = openTarget(backup.to)
  const fault = await findFault(target)
  if (fault !== null)
    return [{ check: 'backup', ok: false, says: fault, mend: 'Make the folder or bucket of BACKUP_TO writable.' }]
  const { text, values } = selectBackupStatus()
  const { rows } = await client.query<BackupStatus>(text, values)
  const of = (kind: BackupStatus['kind']): BackupStatus | undefined => rows.find((row) => row.kind === kind)
  return [
    statusFinding('backup', of('backup'), LATE_HOURS),
    ...(of('drill') === undefined ? [] : [statusFinding('restore drill', of('drill'), LATE_DRILL_DAYS * 24)]),
    ...(of('archive') === undefined ? [] : [statusFinding('archived changes', of('archive'), LATE_HOURS)]),
  ]
}

/** Writes a file, and removes it; returns what failed. */
async function findFault(target: ReturnType<typeof openTarget>): Promise<string | null> {
  const name = `check-${newId()}`
  try {
    await writeBytes(target, name, Buffer.from(name))
    await target.remove(name)
    return null
  } catch (error) {
    return explainTargetFault(target.label, error)
  }
}

function statusFinding(check: string, row: BackupStatus | undefined, lateHours: number): Finding {
  const mend = "Keep the service running, and look for 'chore failed' in its log."
  if (row === undefined) return { check, ok: true, says: 'none yet: the service makes the first soon after its start' }
  if (row.error !== null) return { check, ok: false, says: row.error, mend }
  const hours = row.succeeded_at === null ? Infinity : (Date.now() - Date.parse(row.succeeded_at)) / 3_600_000
  const says = `${row.name} as of ${row.as_of}, ${formatSize(row.bytes ?? 0)} in ${((row.ms ?? 0) / 1000).toFixed(1)} s`
  return hours > lateHours
    ? { check, ok: false, says: `late: the last one is ${says}`, mend }
    : { check, ok: true, says }
}

const formatSize = (bytes: number): string =>
  bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`
