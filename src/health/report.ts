import { insertSelected, sql, type Database, type Sql } from '../platform/db/tenant.ts'
import type { BackupMeasures } from './checks/backup.ts'
import type { DatabaseMeasures } from './checks/database.ts'
import type { DiskMeasures } from './checks/disk.ts'
import type { ProcessState } from './checks/processes.ts'
import type { LateTask } from './checks/tasks.ts'
import type { CompanyMeasures, MessageCounts } from './companies.ts'
import type { Finding } from './finding.ts'

export type Status = 'ok' | 'warning' | 'wrong'

/** Measures beside the findings: counts and sizes, never a company's records. */
export type HealthMeasures = {
  database: DatabaseMeasures
  disks: readonly DiskMeasures[]
  messages: MessageCounts
  tasks: readonly LateTask[]
  quarantine: number
  backups: BackupMeasures
  processes: readonly ProcessState[]
  companies: { count: number; busiest: readonly CompanyMeasures[] }
}

/** Status of a check, its start, its number of consecutive turns, and whether a failure was mailed. */
export type CheckState = { status: Status; since: string; turns: number; isMailed: boolean }

/** Standings of all checks, by name. */
export type CheckStates = Readonly<Record<string, CheckState>>

/** Result of one turn of the checks. */
export type HealthReport = { version: string; findings: readonly Finding[]; measures: HealthMeasures }

/** Last report, its time, and the standing of each check. */
export type StoredReport = { checked_at: string; report: HealthReport; standing: CheckStates }

export const statusOf = ({ ok, warning }: Pick<Finding, 'ok' | 'warning'>): Status =>
  !ok ? 'wrong' : warning ? 'warning' : 'ok'

/** Returns the worst of several statuses. */
export const worstOf = (statuses: readonly Status[]): Status =>
  statuses.includes('wrong') ? 'wrong' : statuses.includes('warning') ? 'warning' : 'ok'

export const selectReport = (): Sql<StoredReport> =>
  sql<StoredReport>`select checked_at, report, standing from health_reports where id = 1`

/** Reads the last report; undefined before the first. `by` is the deadline, as a `performance.now()` value. */
export async function readReport(database: Database, by?: number): Promise<StoredReport | undefined> {
  const [answer] = await database.send([selectReport()], { by })
  return answer.rows[0]
}

export const upsertReport = (report: HealthReport, states: CheckStates): Sql =>
  insertSelected(sql`
  insert into health_reports (id, checked_at, report, standing)
  select 1, moment(), ${JSON.stringify(report)}::jsonb, ${JSON.stringify(states)}::jsonb
  on conflict (id) do update set checked_at = excluded.checked_at, report = excluded.report,
    standing = excluded.standing`)
