import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { removeDrills } from '../../../backup/jobs/drill.ts'
import type { BackupJob, BackupSettings } from '../../../backup/jobs/job.ts'
import { runInChild } from '../../../backup/jobs/run_in_child.ts'
import {
  archivingFault,
  openChangeArchive,
  selectArchiving,
  type ChangeArchive,
} from '../../../backup/changes/archive_run.ts'
import { selectBackupStatus, upsertFailure, upsertSuccess, type BackupResult } from '../../../backup/status.ts'
import { errorMessage } from '../../../platform/errors/error_code.ts'
import { onlyRow } from '../../../platform/db/tenant.ts'
import type { PeriodicTask, ServiceRun } from '../../periodic_task.ts'
import { daily, every, type TaskSchedule } from '../../schedule.ts'

/** Lane of the backups, which take long. */
const LANE = 'backup'

/** Milliseconds after the start of a process during which it makes no backups, because a start is busy enough. */
const STARTUP_DELAY_MS = 60_000

/** Milliseconds between checks that this process still holds the task. */
const LEASE_CHECK_MS = 2_000

/** Overrides for tests: milliseconds before the first backup, and the function that runs a job. */
type BackupOverrides = { startupDelayMs?: number; runJob?: typeof runInChild }

/** Returns the tasks that make backups and test restoring them. `owner` owns the schema. */
export function backupTasks(
  settings: BackupSettings,
  owner: ClientConfig,
  overrides: BackupOverrides = {},
): PeriodicTask[] {
  const { to, time } = settings.backup
  if (to === null) return []
  void removeDrills(settings.dataDir).catch(() => {})
  const jobTask = (kind: BackupJob['kind'], schedule: TaskSchedule, isReady: IsReady = always): PeriodicTask => ({
    name: kind,
    of: 'service',
    lane: LANE,
    ...runAfterStartup(schedule, overrides, async (run) => {
      if (!(await isReady(run))) return 'later'
      await runJobOfTask(run, { kind, settings, owner }, overrides)
      return 'done'
    }),
  })
  const archive = openChangeArchive(settings)
  return [
    ...(archive === undefined
      ? []
      : [archiveTask(archive, overrides), jobTask('base', every({ minutes: 2 }), () => archive.isBaseDue())]),
    jobTask('backup', (after) => daily(time)(after, Temporal.Now.timeZoneId())),
    jobTask('drill', every({ hours: 7 * 24 }), hasBackup),
  ]
}

/** Returns the task that archives an embedded installation's changes: a lost disk costs at most five minutes. */
const archiveTask = (archive: ChangeArchive, overrides: BackupOverrides): PeriodicTask => ({
  name: 'archive',
  of: 'service',
  lane: LANE,
  ...runAfterStartup(every({ seconds: 30 }), overrides, async (run) => {
    const [state] = await run.query([selectArchiving()])
    const saved = await saveChanges(archive, archivingFault(onlyRow(state))).catch((error: unknown) => ({ error }))
    if (saved !== undefined && 'error' in saved) {
      await run.conclude([upsertFailure('archive', errorMessage(saved.error))])
      throw saved.error
    }
    if (saved !== undefined) await run.send([upsertSuccess('archive', saved)])
    return 'done'
  }),
})

async function saveChanges(archive: ChangeArchive, fault: string | null): Promise<BackupResult | undefined> {
  if (fault !== null) throw new Error(fault)
  return archive.save()
}

type IsReady = (run: ServiceRun) => Promise<boolean>

const always: IsReady = async () => true

const hasBackup: IsReady = async (run) => {
  const [status] = await run.query([selectBackupStatus()])
  return status.rows.some((row) => row.kind === 'backup' && row.succeeded_at !== null)
}

/** Milliseconds until a task that couldn't start is due again. */
const RETRY_DELAY_MS = 60_000

/** Returns a task that waits until the process has settled, and is soon due again if it couldn't start. */
function runAfterStartup(
  schedule: TaskSchedule,
  { startupDelayMs = STARTUP_DELAY_MS }: BackupOverrides,
  work: (run: ServiceRun) => Promise<'done' | 'later'>,
): Pick<PeriodicTask & { of: 'service' }, 'next' | 'run'> {
  let outcome: 'done' | 'later' = 'done'
  return {
    next: (after, zone) => (outcome === 'later' ? after.add({ milliseconds: RETRY_DELAY_MS }) : schedule(after, zone)),
    run: async (run) => {
      outcome = 'done'
      outcome = performance.now() < startupDelayMs ? 'later' : await work(run)
    },
  }
}

/** Runs a job while this process holds the task, and records the outcome. */
async function runJobOfTask(run: ServiceRun, job: BackupJob, { runJob = runInChild }: BackupOverrides): Promise<void> {
  const [ended, stopping] = [new AbortController(), new AbortController()]
  const running = runJob(job, stopping.signal)
    .then(
      (result): Outcome => ({ result }),
      (error: unknown): Outcome => ({ error }),
    )
    .finally(() => ended.abort())
  try {
    while (!ended.signal.aborted) {
      await run.send([])
      await sleep(LEASE_CHECK_MS, undefined, { signal: ended.signal }).catch(() => {})
    }
  } catch (error) {
    stopping.abort()
    await running
    throw error
  } finally {
    if (job.kind === 'drill') await removeDrills(job.settings.dataDir)
  }
  const outcome = await running
  // A base backup is usable once its changes have arrived. The archive task records that.
  const { kind } = job
  if ('result' in outcome) return void (await run.send(kind === 'base' ? [] : [upsertSuccess(kind, outcome.result)]))
  await run.conclude([upsertFailure(kind === 'base' ? 'archive' : kind, errorMessage(outcome.error))])
  throw outcome.error
}

type Outcome = { result: BackupResult } | { error: unknown }
