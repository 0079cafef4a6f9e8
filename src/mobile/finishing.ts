import { Refusal } from '../platform/errors/refusal.ts'
import type { Db } from '../platform/db/tenant.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import { findJob, type Job } from '../records/jobs/index.ts'
import { listOpenItems } from './checklists/answering.ts'
import { autoStartTime } from './time/auto_clock.ts'
import { stopTime } from './time/tracking.ts'

/** Visit, with the required items of its checklist that are still open. */
export type OpenVisit = { job: Job; open: readonly string[] }

/** Returns the unfinished visits with open required items. Skips visits that don't exist. */
export async function listOpenVisits(db: Db, jobs: readonly string[]): Promise<OpenVisit[]> {
  const visits: OpenVisit[] = []
  for (const id of jobs) {
    const visit = await findOpenVisit(db, id)
    if (visit !== undefined && visit.open.length > 0) visits.push(visit)
  }
  return visits
}

async function findOpenVisit(db: Db, id: string): Promise<OpenVisit | undefined> {
  try {
    const job = await findJob(db, id)
    return { job, open: job.status === 'done' ? [] : await listOpenItems(db, job) }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}

/** Starts a user's clock on a visit assigned to them that they set to "In progress". */
export async function startOwnTime(db: Db, id: string, by: { user: string }): Promise<void> {
  const { assignments } = await findJob(db, id)
  if (assignments.some(({ user_id }) => user_id === by.user)) await autoStartTime(db, { id }, { at: now(), by })
}

/** Ends a user's own time on finished visits. */
export async function endOwnTime(db: Db, jobs: readonly string[], by: { user: string }): Promise<void> {
  const at = now()
  for (const id of jobs) await stopTime(db, { id }, { at, by }, 'end')
}

const now = (): string => utc(Temporal.Now.instant())
