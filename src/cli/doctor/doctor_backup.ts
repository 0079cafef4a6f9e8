import { explainTargetFault } from '../../backup/target/fault.ts'
import { openTarget } from '../../backup/target/open_target.ts'
import { writeBytes } from '../../backup/target/target.ts'
import { backupFindings, readBackups } from '../../health/checks/backup.ts'
import { wrongFinding, type Finding } from '../../health/finding.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'

/** Checks whether the backup folder is usable, and the last backup, drill and archived change. */
export async function checkBackups(send: Database['send'], { backup }: Pick<Config, 'backup'>): Promise<Finding[]> {
  const fault = backup.to && (await findFault(openTarget(backup.to)))
  return fault === null
    ? backupFindings(await readBackups(send), backup, Date.now())
    : [wrongFinding('backup', fault, 'Make the folder or bucket in BACKUP_TO writable.')]
}

/** Writes and removes a test file. Returns the fault, or null. */
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
