import type { Db } from '../../platform/db/tenant.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { visitWarnings } from './visits/visit_warnings.ts'
import { JOB, type Job, type JobPatch } from './fields.ts'
import { changeJob, inputOf, lockJob } from './job.ts'
import { resolveWork, siteAfter, workPartsAfter, type ResolvedWork } from './visits/work.ts'
import { scheduleAfter, scheduleForStatus, statusAfter } from './visits/schedule.ts'
import { requireNotCancelled } from './status.ts'

/** Returns a job and locks its row. Throws if the job is canceled. */
export async function lockEditable(db: Db, id: string): Promise<Job> {
  const job = await lockJob(db, id)
  requireNotCancelled(job)
  return job
}

/**
 * Changes a locked job for a person, with the members and lines already resolved. Returns the changed job and the
 * warnings.
 */
export async function editJob(
  context: RunContext,
  before: Job,
  patch: JobPatch,
  work: ResolvedWork,
): Promise<{ after: Job; warnings: Warning[] }> {
  const { db, caller } = context
  const schedule = scheduleAfter(before, scheduleForStatus(patch.status, patch), {
    tenant: caller.tenant.timezone,
    job: before.timezone,
  })
  const status = statusAfter(before.status, patch.status, schedule)
  const siteFields = await siteAfter(db, before, patch)
  const input = inputOf(before)
  const edited = {
    ...applyPatch(input, JOB.pickInput(patch)),
    ...workPartsAfter(input, work),
    ...siteFields,
    ...schedule,
    status,
  }
  const [warnings, after] = await Promise.all([
    visitWarnings(context, edited, before),
    changeJob(db, caller, before, edited),
  ])
  return { after, warnings }
}

/** Changes a locked job for a customer who uses a link. Returns the changed job. */
export async function changeJobForCustomer(context: RunContext, before: Job, patch: JobPatch): Promise<Job> {
  const { after } = await editJob(context, before, patch, await resolveWork(context.db, patch))
  return after
}
