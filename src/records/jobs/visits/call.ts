import { z } from 'zod'
import { Refusal, invalid } from '../../../platform/errors/refusal.ts'
import { requireFree } from '../../../scheduling/availability.ts'
import { flag, id, optional } from '../../../platform/validation/fields.ts'
import { nonEmptyText, text } from '../../../platform/validation/text/text.ts'
import type { RunContext } from '../../../tools/declare/define.ts'
import { createInputs } from '../../../tools/declare/inputs.ts'
import { createOutcome, type Outcome } from '../../../tools/call/outcome.ts'
import { makeCustomer } from '../../customers/index.ts'
import { LOCATION } from '../../locations/index.ts'
import { bookJob, prepareJob } from './book.ts'
import { JOB } from '../fields.ts'
import { toJobView, type JobView } from '../job.ts'
import { refusals } from './refusals.ts'

const { address_line1, address_line2, city, region, postal_code } = LOCATION.inputs
const { title, scheduled_start, status: _status, scheduled_end: _end, fields: _fields, ...work } = JOB.inputs

/** Schema of a caller who isn't a customer yet. */
const newCaller = z.strictObject({
  name: nonEmptyText(200),
  is_company: flag().optional(),
  phone: text(40),
  address: z.strictObject({ address_line1, address_line2, city, region, postal_code }).optional(),
})

/** Inputs to book a call: an existing or a new customer, the work, the time and the crew. */
export const callInputs = {
  ...work,
  customer_id: optional(id()),
  new_customer: newCaller.optional(),
  title,
  scheduled_start,
  /** Whether the first of `assignees` must still be free at that time. */
  if_free: flag().optional(),
  ...createInputs,
}

type CallInput = z.output<z.ZodObject<typeof callInputs, z.core.$strict>>

/**
 * Books a call: creates the job and, if needed, the customer, both or neither (docs/spec/scheduling.md#booking-a-call).
 */
export async function bookCall(
  context: RunContext,
  { customer_id, new_customer, if_free = false, ...visit }: CallInput,
): Promise<Outcome<JobView & { warnings?: readonly string[] }>> {
  const { db, caller } = context
  if ((customer_id == null) === (new_customer === undefined)) throw invalid(refusals.oneCustomer())
  if (new_customer !== undefined && !caller.scopes.has('write:customers'))
    throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.newCustomerNotAllowed() }])
  const customer = new_customer === undefined ? undefined : await makeCustomer(context, toCustomerInput(new_customer))
  const draft = { ...visit, customer_id: customer?.result.id ?? customer_id! }
  const prepared = await prepareJob(context, draft)
  const [user] = visit.assignees ?? []
  const { location_id } = prepared.site
  if (if_free && user !== undefined && visit.scheduled_start != null)
    await requireFree(db, caller.tenant.timezone, {
      user,
      start: visit.scheduled_start,
      minutes: visit.duration_minutes ?? 60,
      place: location_id === null ? undefined : { location: location_id },
    })
  const { job, warnings } = await bookJob(context, draft, prepared)
  const outcome = createOutcome(toJobView(context, job), warnings)
  if (customer?.written === undefined) return outcome
  return { ...outcome, also: [{ ...customer.written, type: 'customer' }, ...(customer.also ?? [])] }
}

/** Returns the customer input for a caller: a person with a first and last name, or a company. */
function toCustomerInput({ name, is_company = false, phone, address }: z.output<typeof newCaller>) {
  const [first_name = name, ...others] = name.trim().split(/\s+/)
  return {
    ...(is_company
      ? { customer_type: 'company' as const, company_name: name }
      : { customer_type: 'individual' as const, first_name, last_name: others.length > 0 ? others.join(' ') : null }),
    phone,
    ...(address === undefined ? {} : { locations: [address] }),
  }
}
