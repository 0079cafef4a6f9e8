import type { RunContext } from '../../../tools/declare/define.ts'
import { activateCustomer, lockCustomer, type Customer } from '../../customers/index.ts'
import { markConverted, requireQuoteOf } from '../../quotes/index.ts'
import { visitWarnings } from './visit_warnings.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import { JOB, type Job, type JobDraft, type Schedule } from '../fields.ts'
import { addJob } from '../job.ts'
import { UNSCHEDULED, scheduleAfter, statusAfter } from './schedule.ts'
import { NO_PARTS, serviceWarnings, resolveWork, siteFor, type ResolvedWork } from './work.ts'

type BookingInput = JobDraft & { customer_id: string; quote_id?: string | null | undefined }

/** Locked customer of a new job, with the records that its input names. */
type PreparedJob = {
  customer: Customer
  schedule: Schedule
  work: ResolvedWork
  site: Pick<Job, 'location_id' | 'contact_id'>
}

/** Resolves the input of a new job, and locks its customer. */
export async function prepareJob(
  { db, caller }: RunContext,
  { customer_id, ...draft }: BookingInput,
): Promise<PreparedJob> {
  const { timezone } = caller.tenant
  const schedule = scheduleAfter(UNSCHEDULED, draft, { tenant: timezone, job: timezone })
  const [customer, work, site] = await Promise.all([
    lockCustomer(db, customer_id),
    resolveWork(db, draft),
    siteFor(db, customer_id, draft),
    requireQuoteOf(db, customer_id, draft.quote_id ?? null),
  ])
  return { customer, schedule, work, site }
}

/** Adds a job for a customer. A lead becomes an active customer. */
export async function bookJob(
  context: RunContext,
  { customer_id, quote_id = null, ...draft }: BookingInput,
  { customer, schedule, work, site }: PreparedJob,
): Promise<{ job: Job; warnings: Warning[] }> {
  const { db, caller } = context
  const status = statusAfter('unscheduled', undefined, schedule)
  const booked = { ...JOB.complete({ ...draft, status }), ...NO_PARTS, ...work, ...site, ...schedule }
  const [warnings, job] = await Promise.all([
    visitWarnings(context, booked),
    addJob(db, caller, { customer_id, quote_id, ...booked }),
    customer.status === 'lead' && activateCustomer(db, customer_id),
  ])
  if (quote_id !== null) await markConverted(db, quote_id, { job: job.id })
  return { job, warnings: [...serviceWarnings(customer), ...warnings] }
}
