import { sql, type Database } from '../../platform/db/tenant.ts'
import { phrase, phraseCount, type Phrase } from '../../platform/i18n/phrase.ts'
import { warningFinding, wrongFinding, type Finding } from '../finding.ts'

/** How the last backup, the last drill or the last archived change ended. */
type BackupStatus = {
  kind: 'backup' | 'drill' | 'archive'
  tried_at: string
  succeeded_at: string | null
  bytes: number | null
  ms: number | null
  error: string | null
}

/** What is known of the installation's backups, by kind; a kind that was never tried is missing. */
export type BackupMeasures = Partial<Record<BackupStatus['kind'], BackupStatus>>

/** Hours after which a daily backup, and after which a weekly drill, is too old. */
const [MAX_BACKUP_HOURS, MAX_DRILL_HOURS] = [26, 9 * 24]

const HOUR_MS = 3_600_000

/** Reads how the installation's backups stand. */
export async function readBackups(send: Database['send']): Promise<BackupMeasures> {
  const [answer] = await send([
    sql<BackupStatus>`select kind, tried_at, succeeded_at, bytes::float8 as bytes, ms, error from backup_status`,
  ])
  return Object.fromEntries(answer.rows.map((row) => [row.kind, row]))
}

/** Finds backups that are missing, too old or failed, and drills that did. */
export const backupFindings = (measures: BackupMeasures, now: number): Finding[] => [
  backupFinding(measures.backup, now),
  ...(measures.drill === undefined ? [] : [drillFinding(measures.drill, now)]),
  ...(measures.archive === undefined ? [] : [archiveFinding(measures.archive)]),
]

function backupFinding(backup: BackupStatus | undefined, now: number): Finding {
  const check = 'backup'
  const mend = phrase`Check BACKUP_TO and its room, then run: callout backup`
  if (backup === undefined)
    return warningFinding(check, phrase`none is made here`, phrase`Set BACKUP_TO, or back up the database yourself.`)
  const { succeeded_at: succeededAt, error } = backup
  if (succeededAt === null) return wrongFinding(check, phrase`none was made: ${error ?? '–'}`, mend)
  const hours = hoursSince(succeededAt, now)
  const says = phrase`the last one is ${formatHours(hours)} old`
  if (hours >= MAX_BACKUP_HOURS)
    return wrongFinding(check, error === null ? says : phrase`${says}; the last attempt failed: ${error}`, mend)
  return error === null
    ? { check, ok: true, says }
    : warningFinding(check, phrase`${says}; the last attempt failed: ${error}`, mend)
}

function drillFinding({ succeeded_at: succeededAt, error }: BackupStatus, now: number): Finding {
  const check = 'restore drill'
  const mend = phrase`Run: callout backup --verify, and make a new backup where it fails.`
  if (error !== null) return wrongFinding(check, phrase`the last backup could not be restored: ${error}`, mend)
  if (succeededAt === null) return warningFinding(check, phrase`none was made`, mend)
  const hours = hoursSince(succeededAt, now)
  const says = phrase`the last one is ${formatHours(hours)} old`
  return hours >= MAX_DRILL_HOURS ? warningFinding(check, says, mend) : { check, ok: true, says }
}

/** Finds whether changes since the last backup are kept beside it. */
function archiveFinding({ error }: BackupStatus): Finding {
  const check = 'archived changes'
  return error === null
    ? { check, ok: true, says: phrase`the last one was kept` }
    : wrongFinding(
        check,
        phrase`the last one was not kept: ${error}`,
        phrase`Check BACKUP_TO and its room; until then a lost disk loses what came since the last backup.`,
      )
}

const hoursSince = (at: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(at)) / HOUR_MS))

const formatHours = (hours: number): Phrase =>
  hours < 48 ? phraseCount(hours, '{0} hour', '{0} hours') : phraseCount(Math.floor(hours / 24), '1 day', '{0} days')
