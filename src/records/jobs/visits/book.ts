import type { RunContext } from '../../../tools/declare/define.ts'
import { engageCustomer, lockCustomer, type Customer } from '../../customers/index.ts'
import { markConverted, requireQuoteOf } from '../../quotes/index.ts'
import { visitWarnings } from './visit_warnings.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import { UNSCHEDULED, scheduleAfter, type Schedule, type ScheduleDraft } from './schedule.ts'
import { addJob, type Job } from '../job.ts'
import {
  serviceWarnings,
  resolveWork,
  siteFor,
  workAfter,
  type ResolvedWork,
  type WorkDraft,
  type Work,
} from './work.ts'
import { statusAfter } from '../status.ts'

type BookingInput = WorkDraft &
  ScheduleDraft & {
    customer_id: string
    title: string
    quote_id?: string | null | undefined
    fields?: Job['fields'] | undefined
  }

/** Holds a locked customer, and what a new job was found to name. */
export type JobPrepared = {
  customer: Customer
  schedule: Schedule
  found: ResolvedWork
  place: Pick<Work, 'location_id' | 'contact_id'>
}

/** Looks up what a new job needs, and locks its customer. */
export async function prepareJob(
  { db, caller }: RunContext,
  { customer_id, ...typed }: BookingInput,
): Promise<JobPrepared> {
  const { timezone } = caller.tenant
  const schedule = scheduleAfter(UNSCHEDULED, typed, { tenant: timezone, job: timezone })
  const [customer, found, place] = await Promise.all([
    lockCustomer(db, customer_id),
    resolveWork(db, typed),
    siteFor(db, customer_id, typed),
    requireQuoteOf(db, customer_id, typed.quote_id ?? null),
  ])
  return { customer, schedule, found, place }
}

/** Adds a job for a customer, who stops being a lead by it. */
export async function bookJob(
  context: RunContext,
  { customer_id, quote_id = null, fields = {}, ...typed }: BookingInput,
  { customer, schedule, found, place }: JobPrepared,
): Promise<{ job: Job; warnings: Warning[] }> {
  const { db, caller } = context
  const work = workAfter({ title: typed.title }, typed, found)
  const booked = { ...work, ...place, ...schedule, status: statusAfter('unscheduled', undefined, schedule), fields }
  const [warnings, job] = await Promise.all([
    visitWarnings(context, booked),
    addJob(db, caller, { customer_id, quote_id, ...booked }),
    customer.status === 'lead' && engageCustomer(db, customer_id),
  ])
  if (quote_id !== null) await markConverted(db, quote_id, { job: job.id })
  return { job, warnings: [...serviceWarnings(customer), ...warnings] }
}
