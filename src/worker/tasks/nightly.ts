import type { Tenant } from '../../identity/credentials/caller.ts'
import { dueSeries, extendSeries, finishSeries, realignSeries } from '../../records/job_series/index.ts'
import { duePlans, expirePlans, runPlan } from '../../records/plans/index.ts'
import { aggregateProfitDays } from '../../mobile/profit/profit_report.ts'
import { aggregateSalesDays } from '../../records/invoices/index.ts'
import { dueNextPrices } from '../../records/catalog_items/index.ts'
import { applyPriceChange } from '../../records/price_changes/index.ts'
import { expireQuotes } from '../../records/quotes/index.ts'
import type { TenantRun } from '../periodic_task.ts'
import { lastDayAt } from '../schedule.ts'

/** Local time at which plans run on their run dates (docs/spec/records.md#plan-runs). */
export const PLANS_AT = '06:00'

/** Makes the drafts of all due run dates, including days on which nothing ran. Then ends the plans that are over. */
export async function runPlans({ now, tenant, write, each }: TenantRun): Promise<void> {
  const day = lastDayAt(PLANS_AT, now, tenant.timezone).toString()
  await each(
    (db, after) => duePlans(db, day, after),
    (db, { id }) => runPlan(db, id, day),
  )
  await write((db) => expirePlans(db, day))
}

/**
 * Makes the jobs of one more day, ends finished series, and follows changed time zone rules
 * (docs/spec/recurrence.md#nightly-run).
 */
export function growSeries({ now, tenant, each }: TenantRun): Promise<void> {
  const today = dayOf(now, tenant)
  return each(
    (db, after) => dueSeries(db, today, after),
    async (db, series) => {
      await extendSeries(db, series, today)
      if (!(await finishSeries(db, series, today))) await realignSeries(db, series, now)
    },
  )
}

/** Applies scheduled prices that are due to items and to the recurring work chosen with them. */
export function changePrices({ now, tenant, each }: TenantRun): Promise<void> {
  const today = dayOf(now, tenant).toString()
  return each(
    (db, after) => dueNextPrices(db, today, after),
    (db, { id }) => applyPriceChange(db, id, today),
  )
}

/** Expires quotes whose last day has passed. */
export const endQuotes = ({ now, tenant, write }: TenantRun): Promise<number> =>
  write((db) => expireQuotes(db, dayOf(now, tenant).toString()))

/** Recalculates the days whose sales or profit changed. */
export async function recalculateReportDays({ tenant, write }: TenantRun): Promise<void> {
  while (await write(aggregateSalesDays));
  while (await write((db) => aggregateProfitDays(db, tenant.timezone)));
}

const dayOf = (now: Temporal.Instant, { timezone }: Tenant): Temporal.PlainDate =>
  now.toZonedDateTimeISO(timezone).toPlainDate()
