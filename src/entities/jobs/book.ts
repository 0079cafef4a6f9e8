import type { RunContext } from '../../tools/define.ts'
import { engageCustomer, lockCustomer } from '../customers/index.ts'
import { markConverted, requireQuoteOf } from '../quotes/index.ts'
import { visitWarnings } from './visit_warnings.ts'
import { UNSCHEDULED, rescheduled, type TypedSchedule } from './schedule.ts'
import { addJob, type Job } from './job.ts'
import { doNotService, lookUpWork, placeFor, workAfter, type TypedWork } from './work.ts'
import { statusAfter } from './status.ts'

type Typed = TypedWork &
  TypedSchedule & {
    customer_id: string
    title: string
    quote_id?: string | null | undefined
    fields?: Job['fields'] | undefined
  }

/** Adds a job for a customer, who stops being a lead by it. */
export async function bookJob(
  context: RunContext,
  { customer_id, quote_id = null, fields = {}, ...typed }: Typed,
): Promise<{ job: Job; warnings: string[] }> {
  const { db, caller } = context
  const { timezone } = caller.tenant
  const schedule = rescheduled(UNSCHEDULED, typed, { tenant: timezone, job: timezone })
  const [customer, found, place] = await Promise.all([
    lockCustomer(db, customer_id),
    lookUpWork(db, typed),
    placeFor(db, customer_id, typed),
    requireQuoteOf(db, customer_id, quote_id),
  ])
  const work = workAfter({ title: typed.title }, typed, found)
  const booked = { ...work, ...place, ...schedule, status: statusAfter('unscheduled', undefined, schedule), fields }
  const [warnings, job] = await Promise.all([
    visitWarnings(context, booked),
    addJob(db, caller, { customer_id, quote_id, ...booked }),
    engageCustomer(db, customer_id),
  ])
  if (quote_id !== null) await markConverted(db, quote_id, { job: job.id })
  return { job, warnings: [...doNotService(customer), ...warnings] }
}
