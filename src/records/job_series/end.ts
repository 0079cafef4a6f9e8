import { lastDay } from '../../recurrence/window.ts'
import { todayIn, wallAt } from '../../platform/validation/formats/instants.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import { cancelInstances, lockNotStarted } from '../jobs/index.ts'
import type { JobSeries } from './fields.ts'
import { closeSeries, lockSeries, requireActive } from './job_series.ts'
import { startOf } from './regeneration.ts'
import { toSeries } from './rhythm/timing.ts'

type EndInput = { id: string; end_date?: string | null | undefined }

/**
 * Ends a series for good. Cancels the jobs after its last day and, if that is today or earlier, the rest of today's
 * (docs/spec/recurrence.md#ending-a-series).
 */
export async function endSeries(
  { db, caller }: RunContext,
  { id, end_date }: EndInput,
): Promise<{ before: JobSeries; after: JobSeries; cancelled: number }> {
  const now = Temporal.Now.instant()
  const today = todayIn(caller.tenant.timezone).toString()
  const before = await lockSeries(db, id)
  requireActive(before)
  const endsOn = end_date ?? today
  const currentLastDay = lastDay(toSeries(before))?.toString() ?? endsOn
  const newLastDay = currentLastDay < endsOn ? currentLastDay : endsOn
  const jobs = await lockNotStarted(db, id, now)
  const jobsToCancel = jobs.filter((job) => {
    const start = startOf(job)
    return (
      Temporal.Instant.compare(start, now) > 0 &&
      (newLastDay <= today || wallAt(start, before.timezone).toPlainDate().toString() > newLastDay)
    )
  })
  const [after, cancelled] = await Promise.all([
    closeSeries(db, caller.user, id, newLastDay),
    cancelInstances(
      db,
      jobsToCancel.map((job) => job.id),
      'series_ended',
      caller.user,
    ),
  ])
  return { before, after, cancelled }
}
