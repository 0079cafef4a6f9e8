import type { Caller } from '../../access/credentials/caller.ts'
import type { RunContext } from '../../tools/define.ts'
import { requireFixed, requireUnchanged } from '../../tools/unchanged.ts'
import { changeJob, inputOf, lockJob, type Job } from './job.ts'
import { lookUpWork, placeAfter, workAfter, type TypedWork } from './work.ts'
import { rescheduled, type TypedSchedule } from './schedule.ts'
import { requireNotCancelled, scheduleUnder, statusAfter, type JobStatus } from './status.ts'

type Typed = TypedWork & TypedSchedule & Partial<Fixed> & {
  id: string
  expected_updated_at?: string | undefined
  status?: JobStatus | undefined
  fields?: Job['fields'] | undefined
}
type Fixed = { customer_id: string | undefined; quote_id: string | null | undefined }

/** A change of a job by a person. */
export async function editJob({ db, caller }: RunContext, typed: Typed): Promise<{ before: Job; after: Job }> {
  const locked = lockJob(db, typed.id).then((job) => changeable(job, typed, caller))
  const [before, found] = await Promise.all([locked, lookUpWork(db, typed)])
  const schedule = rescheduled(before, scheduleUnder(typed.status, typed), { tenant: caller.tenant.timezone, job: before.timezone })
  const status = statusAfter(before.status, typed.status, schedule)
  const place = await placeAfter(db, before, typed)
  const input = inputOf(before)
  const work = workAfter(input, typed, found)
  const after = await changeJob(db, caller, before, { ...work, ...place, ...schedule, status, fields: typed.fields ?? before.fields })
  return { before, after }
}

function changeable(job: Job, { expected_updated_at, customer_id, quote_id }: Typed, caller: Caller): Job {
  requireNotCancelled(job)
  requireFixed(job, { customer_id, quote_id }, 'customer_id', 'quote_id')
  requireUnchanged(job, expected_updated_at, caller)
  return job
}
