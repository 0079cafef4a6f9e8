import type { Caller } from '../../identity/credentials/caller.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import { conflict, joinRules, formatRule, quoteText } from '../../platform/errors/refusal.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { customerBalance } from '../invoices/index.ts'
import { activeSeriesOf } from '../job_series/index.ts'
import { countOpenJobs, openJobCounts } from '../jobs/index.ts'
import { activePlansOf } from '../plans/index.ts'
import { refusals, warnings } from './refusals.ts'

/**
 * Throws if a locked customer can't be archived because an active plan or job series would keep creating work that
 * nobody sees (docs/spec/records.md#archiving-a-customer).
 */
export async function requireNoActiveWork(db: Db, customer: string): Promise<void> {
  const [plans, series] = await Promise.all([activePlansOf(db, customer), activeSeriesOf(db, customer)])
  const active = [
    ...plans.map(({ id, name }) => formatRule`plan ${quoteText(name)} (${id})`),
    ...series.map(({ id, title }) => formatRule`job series ${quoteText(title)} (${id})`),
  ]
  if (active.length === 0) return
  const names = [...plans.map(({ name }) => name), ...series.map(({ title }) => title)].map((name) => [quoteText(name)])
  throw conflict(refusals.hasActiveWork({ work: { words: joinRules(active) }, names: { words: joinRules(names) } }))
}

/**
 * Warns agents about records that stay open when a locked customer is archived: open jobs and, with read:invoices,
 * unpaid invoices. Its queries join the round trip of the same tick.
 */
export async function openWorkWarnings({ db, caller, forAgent }: RunContext, customer: string): Promise<Warning[]> {
  if (forAgent !== true) return []
  const [jobs, { unpaid_invoices }] = await Promise.all([
    openJobCounts(db, customer),
    caller.scopes.has('read:invoices') ? customerBalance(db, customer) : { unpaid_invoices: 0 },
  ])
  const { open, upcoming } = jobs
  return [
    ...(open === 0 ? [] : [warnings.openJobs({ open, coming: upcoming, customer })]),
    ...(unpaid_invoices === 0 ? [] : [warnings.unpaidInvoices({ count: unpaid_invoices })]),
  ]
}

type CustomerCounts = {
  counts: { open_jobs: number; unpaid_invoices?: number; balance_due_cents?: number }
  redacted_fields?: string[]
}

/** Counts the customer's open records. Amounts owed require read:invoices (docs/spec/records.md#customer-counts). */
export async function countsOf(db: Db, { scopes }: Caller, customer: string): Promise<CustomerCounts> {
  const [open_jobs, owed] = await Promise.all([
    countOpenJobs(db, customer),
    scopes.has('read:invoices') ? customerBalance(db, customer) : undefined,
  ])
  return owed === undefined
    ? { counts: { open_jobs }, redacted_fields: ['counts.unpaid_invoices', 'counts.balance_due_cents'] }
    : { counts: { open_jobs, ...owed } }
}
