import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict, quoteText } from '../../platform/errors/refusal.ts'
import { requireAlsoReads } from '../../tools/declare/also_reads.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import {
  editSeries,
  endSeries,
  findSeries,
  lockSeries,
  reopenSeries,
  startSeries,
  type JobSeries,
} from '../job_series/index.ts'
import { cancelPlan, changePlan } from './change.ts'
import type { Plan } from './fields.ts'
import { findPlan, type PlanTerms } from './plan.ts'
import { refusals } from './refusals.ts'

type LockedPlan = { before: Plan; terms: PlanTerms }

/** Result of a change to a plan and its visits. */
export type AgreementChange = { plan: Plan; series?: { before: JobSeries | undefined; after: JobSeries } }

/** Returns the recurring job of a plan; undefined if it has none. */
export async function findPlanSeries(db: Db, plan: string): Promise<JobSeries | undefined> {
  const row = await db.maybe<{ series_id: string }>(
    sql`select series_id from plans where tenant_id = ${db.tenant} and id = ${plan} and series_id is not null`,
  )
  return row && findSeries(db, row.series_id)
}

type VisitsInput = Omit<Parameters<typeof startSeries>[1], 'customer_id' | 'title'> & { title?: string | undefined }

/** Books the visits of a locked plan, at its location and until its last day. */
export async function addVisits(
  context: RunContext,
  { before }: LockedPlan,
  visits: VisitsInput,
): Promise<AgreementChange> {
  const { db, caller } = context
  requireSeriesScope(caller)
  if ((await findPlanSeries(db, before.id)) !== undefined)
    throw conflict(refusals.hasVisits({ name: quoteText(before.name) }))
  const { customer_id, name, location_id, end_date } = before
  const { series } = await startSeries(context, {
    ...visits,
    customer_id,
    title: visits.title ?? name,
    location_id: location_id ?? undefined,
    end_date,
  })
  await db.run(sql`update plans set series_id = ${series.id}, updated_by = ${caller.user},
    updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${before.id}`)
  return { plan: await findPlan(db, before.id), series: { before: undefined, after: series } }
}

/** Months by which a plan can be renewed, the default first. */
export const RENEWAL_MONTHS = ['12', '6', '3', '24'] as const

/** Extends a locked plan by some months, and its visits too if they end on the same day. */
export async function renewAgreement(
  context: RunContext,
  locked: LockedPlan,
  months: number,
): Promise<AgreementChange> {
  const { db, caller } = context
  const { id, name, end_date } = locked.before
  if (end_date === null) throw conflict(refusals.noEnd({ name: quoteText(name) }))
  const until = Temporal.PlainDate.from(end_date).add({ months }).toString()
  const series = await findPlanSeries(db, id)
  const plan = await changePlan(db, caller, locked, { end_date: until })
  // Visits that end on another day were ended on purpose, and stay ended.
  if (series?.end_date !== end_date) return { plan }
  requireSeriesScope(caller)
  await lockSeries(db, series.id)
  await reopenSeries(db, caller, series.id)
  const before = await findSeries(db, series.id)
  const { after } = await editSeries(context, before, { end_date: until }, {})
  return { plan, series: { before: series, after } }
}

/** Cancels a locked plan, and ends its visits today. */
export async function endAgreement(
  context: RunContext,
  locked: LockedPlan,
  reason: string | null,
): Promise<AgreementChange> {
  const { db, caller } = context
  const series = await findPlanSeries(db, locked.before.id)
  const plan = await cancelPlan(db, caller, locked, reason)
  if (series?.status !== 'active') return { plan }
  requireSeriesScope(caller)
  return { plan, series: await endSeries(context, { id: series.id }) }
}

const requireSeriesScope = (caller: Caller): void => requireAlsoReads(caller, 'job_series', 'write:job_series')

type EndingPlan = Pick<Plan, 'id' | 'name' | 'customer_name'> & { end_date: string }

/** Days of notice before a plan's last day. */
export const NOTICE_DAYS = 30

/** Returns the plans that end within the notice period, the next one first. */
export const listEndingPlans = (db: Db, today: string): Promise<EndingPlan[]> =>
  db.all<EndingPlan>(sql`select p.id, p.name, c.display_name as customer_name, p.end_date from plans p
    join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    where p.tenant_id = ${db.tenant} and p.status in ('active', 'paused')
      and p.end_date between ${today}::date and ${today}::date + ${NOTICE_DAYS}::integer
    order by p.end_date, p.id limit 100`)
