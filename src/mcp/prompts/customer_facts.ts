import { OPEN_STATUSES } from '../../records/jobs/index.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { wallAt } from '../../platform/validation/formats/instants.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { ToolAccess } from '../rounds/tool_access.ts'

const MAX_JOBS = 25

/**
 * Returns the facts for a draft to a customer: the record, its primary locations, and its jobs where the caller may
 * read them.
 */
export async function customerFacts(by: ToolAccess, id: string, { withDone = false } = {}): Promise<object> {
  const [customer, open, done] = await Promise.all([
    customerOf(by, id),
    jobsOf(by, id, { status: OPEN_STATUSES, sort: 'scheduled_asc' }),
    withDone ? jobsOf(by, id, { status: ['done'], sort: 'scheduled_desc' }) : undefined,
  ])
  const { display_name, customer_type, status, do_not_service, tax_exempt, payment_terms_days, locations } = customer
  return {
    customer: { id, name: display_name, customer_type, status, do_not_service, tax_exempt, payment_terms_days },
    primary_locations: locations
      .filter(({ is_primary }) => is_primary)
      .map(({ id, type, name, formatted_address }) => ({ id, type, name, address: formatted_address })),
    open_jobs: open,
    ...(done === undefined ? {} : { done_jobs: done }),
  }
}

/** Reads the customer with the tool. Refuses `customer_id` if there is none. */
async function customerOf(by: ToolAccess, id: string): Promise<Results['customers_get']> {
  try {
    return await by.call('customers_get', { id })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found')
      throw invalidField('customer_id', `is not the id of a customer (got ${id}); find it with customers_search`)
    throw error
  }
}

/** Returns the customer's jobs, or a notice that the caller may not read them. */
async function jobsOf(
  by: ToolAccess,
  customer_id: string,
  which: { status: readonly string[]; sort: string },
): Promise<object[] | string> {
  if (!by.may('jobs_list')) return "not shown: this caller can't use jobs_list"
  const { rows } = await by.call('jobs_list', { customer_id, ...which, limit: MAX_JOBS })
  return rows.map(({ id, display_number, title, status, location_address, scheduled_start }) => ({
    id,
    number: display_number,
    title,
    status,
    address: location_address,
    start: localTime(by, scheduled_start),
  }))
}

/** Returns an instant as the company's local time, to the minute. */
export const localTime = ({ caller }: ToolAccess, instant: string | null | undefined): string | undefined =>
  instant == null
    ? undefined
    : wallAt(Temporal.Instant.from(instant), caller.tenant.timezone).toString({ smallestUnit: 'minute' })
