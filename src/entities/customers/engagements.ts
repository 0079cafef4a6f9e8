import type { Caller } from '../../access/credentials/caller.ts'
import type { Db } from '../../db/tenant.ts'
import { conflict } from '../../refusal.ts'
import { owedBy } from '../invoices/index.ts'
import { activeSeriesOf } from '../job_series/index.ts'
import { openJobsOf } from '../jobs/index.ts'
import { activePlansOf } from '../plans/index.ts'

/**
 * Refuses to archive a locked customer while something makes work for it that nobody would see
 * (docs/spec/records.md#archiving-a-customer).
 */
export async function requireIdle(db: Db, customer: string): Promise<void> {
  const [plans, series] = await Promise.all([activePlansOf(db, customer), activeSeriesOf(db, customer)])
  const active = [
    ...plans.map(({ id, name }) => `plan '${name}' (${id})`),
    ...series.map(({ id, title }) => `job series '${title}' (${id})`),
  ]
  if (active.length > 0)
    throw conflict(
      `the customer has work that goes on; end it first with plans_cancel or job_series_end: ${active.join(', ')}`,
    )
}

type CustomerCounts = {
  counts: { open_jobs: number; unpaid_invoices?: number; balance_due_cents?: number }
  redacted_fields?: string[]
}

/**
 * Counts what is open between the customer and the company; what is owed only with read:invoices
 * (docs/spec/records.md#customer-counts).
 */
export async function countsOf(db: Db, { scopes }: Caller, customer: string): Promise<CustomerCounts> {
  const [open_jobs, owed] = await Promise.all([
    openJobsOf(db, customer),
    scopes.has('read:invoices') ? owedBy(db, customer) : undefined,
  ])
  return owed === undefined
    ? { counts: { open_jobs }, redacted_fields: ['counts.unpaid_invoices', 'counts.balance_due_cents'] }
    : { counts: { open_jobs, ...owed } }
}
