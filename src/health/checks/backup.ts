import { selectBackupStatus, type BackupStatus } from '../../backup/status.ts'
import type { BackupConfig } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { phrase, phraseCount, type Phrase } from '../../platform/i18n/phrase.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'

/** Last backup, drill and archived change, by kind. A kind that was never tried is missing. */
export type BackupMeasures = Partial<Record<BackupStatus['kind'], BackupStatus>>

/** Maximum age in hours of a daily backup or an archived change, and of a weekly drill. */
const [MAX_BACKUP_HOURS, MAX_DRILL_HOURS] = [26, 9 * 24]

const HOUR_MS = 3_600_000

export async function readBackups(send: Database['send']): Promise<BackupMeasures> {
  const [answer] = await send([selectBackupStatus()])
  return Object.fromEntries(answer.rows.map((row) => [row.kind, row]))
}

/** Reports missing, old or failed backups, and failed drills. */
export function backupFindings(
  { backup, drill, archive }: BackupMeasures,
  { to }: Pick<BackupConfig, 'to'>,
  now: number,
): Finding[] {
  const check = 'backup'
  if (to === null)
    return [warningFinding(check, phrase`none configured`, phrase`Set BACKUP_TO, or back up the database yourself.`)]
  const message = phrase`no backup yet; the service makes the first one soon after it starts`
  return [
    backup === undefined ? { check, ok: true, says: message } : backupFinding(backup, now),
    ...(drill === undefined ? [] : [drillFinding(drill, now)]),
    ...(archive === undefined ? [] : [archiveFinding(archive, now)]),
  ]
}

function backupFinding({ succeeded_at: succeededAt, error, ...last }: BackupStatus, now: number): Finding {
  const check = 'backup'
  const fix = phrase`Check BACKUP_TO and its free space, then run: callout backup`
  if (succeededAt === null) return wrongFinding(check, phrase`no backup has succeeded: ${error ?? '–'}`, fix)
  const hours = hoursSince(succeededAt, now)
  const age = phrase`the last backup was ${formatHours(hours)} ago`
  const message = error === null ? age : phrase`${age}; the last attempt failed: ${error}`
  if (hours >= MAX_BACKUP_HOURS) return wrongFinding(check, message, fix)
  if (error !== null) return warningFinding(check, message, fix)
  const [size, seconds] = [((last.bytes ?? 0) / 2 ** 20).toFixed(1), ((last.ms ?? 0) / 1_000).toFixed(1)]
  return { check, ok: true, says: phrase`${age}: ${last.name ?? '–'}, ${size} MiB in ${seconds} s` }
}

function drillFinding({ succeeded_at: succeededAt, error }: BackupStatus, now: number): Finding {
  const check = 'restore drill'
  const fix = phrase`Run: callout backup --verify. If it fails, make a new backup.`
  if (error !== null) return wrongFinding(check, phrase`the last backup could not be restored: ${error}`, fix)
  if (succeededAt === null) return warningFinding(check, phrase`no drill has succeeded`, fix)
  const hours = hoursSince(succeededAt, now)
  const message = phrase`the last drill was ${formatHours(hours)} ago`
  return hours >= MAX_DRILL_HOURS ? warningFinding(check, message, fix) : { check, ok: true, says: message }
}

/** Reports whether changes since the last backup are archived. */
function archiveFinding({ succeeded_at: succeededAt, tried_at: triedAt, error }: BackupStatus, now: number): Finding {
  const check = 'archived changes'
  const fix = phrase`Check BACKUP_TO and its free space; until fixed, a lost disk loses changes since the last backup.`
  if (error !== null) return wrongFinding(check, phrase`the last attempt failed: ${error}`, fix)
  const hours = hoursSince(succeededAt ?? triedAt, now)
  return hours >= MAX_BACKUP_HOURS
    ? warningFinding(check, phrase`changes were last archived ${formatHours(hours)} ago`, fix)
    : { check, ok: true, says: phrase`up to date` }
}

const hoursSince = (at: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(at)) / HOUR_MS))

const formatHours = (hours: number): Phrase =>
  hours < 48 ? phraseCount(hours, '{0} hour', '{0} hours') : phraseCount(Math.floor(hours / 24), '1 day', '{0} days')
