import { windowOf } from '../../recurrence/window.ts'
import { invalidAt } from '../../platform/errors/refusal.ts'
import type { Warning } from '../../platform/errors/refusal_text.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import { activateCustomer, lockCustomer } from '../customers/index.ts'
import { addInstances, serviceWarnings, resolveWork, NO_PARTS, siteFor } from '../jobs/index.ts'
import { JOB_SERIES, type JobSeries, type SeriesDraft } from './fields.ts'
import { addSeries } from './job_series.ts'
import { toSeries, newTiming, timingWarnings } from './rhythm/timing.ts'
import { refusals, warnings } from './refusals.ts'

type NewSeries = SeriesDraft & { customer_id: string }

type StartedSeries = {
  series: JobSeries
  generated: { count: number; first_job_id: string | null; through: string }
  warnings: Warning[]
}

/** Creates a series and the jobs of its first window. */
export async function startSeries(
  { db, caller }: RunContext,
  { customer_id, ...draft }: NewSeries,
): Promise<StartedSeries> {
  const { user, tenant } = caller
  const today = todayIn(tenant.timezone)
  const timing = newTiming(draft, tenant.timezone, today)
  const { slots, through, more } = windowOf(toSeries(timing), today)
  if (more) throw invalidAt('rrule', refusals.tooOften({ max: slots.length, through: through.toString() }))
  const [customer, resolved, site] = await Promise.all([
    lockCustomer(db, customer_id),
    resolveWork(db, draft),
    siteFor(db, customer_id, draft),
  ])
  const work = { ...JOB_SERIES.complete(draft), ...NO_PARTS, ...resolved }
  const series = await addSeries(db, caller, customer_id, through.toString(), { ...work, ...site, ...timing })
  const [jobs] = await Promise.all([addInstances(db, series, slots, user), activateCustomer(db, customer_id)])
  const first = jobs.toSorted((a, b) => (a.occurrence_key < b.occurrence_key ? -1 : 1))[0]
  return {
    series,
    generated: { count: jobs.length, first_job_id: first?.id ?? null, through: through.toString() },
    warnings: [
      ...serviceWarnings(customer),
      ...timingWarnings(timing),
      ...(jobs.length === 0 ? [warnings.noOccurrence()] : []),
    ],
  }
}
