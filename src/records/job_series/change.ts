import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../platform/db/tenant.ts'
import { windowOf } from '../../recurrence/window.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { lockNotStarted, siteAfter, workPartsAfter, type ResolvedWork } from '../jobs/index.ts'
import { JOB_SERIES, type JobSeries, type SeriesInput, type SeriesPatch } from './fields.ts'
import { changeSeries, inputOf, lockSeries, requireActive, toSettable } from './job_series.ts'
import { applyRegeneration, planRegeneration, stableRegeneration, type Regeneration } from './regeneration.ts'
import { toSeries, timingAfter, type Timing } from './rhythm/timing.ts'

/** Returns an active series and locks its row. Throws if the series has ended. */
export async function lockEditable(db: Db, id: string): Promise<JobSeries> {
  const series = await lockSeries(db, id)
  requireActive(series)
  return series
}

/**
 * Changes a locked series for a person and regenerates its future jobs (docs/spec/recurrence.md#changing-a-series),
 * unless the change has no effect.
 */
export async function editSeries(
  { db, caller }: RunContext,
  before: JobSeries,
  patch: SeriesPatch & { keep_exceptions?: boolean | undefined },
  work: ResolvedWork,
): Promise<{ after: JobSeries; regeneration: Regeneration }> {
  const now = Temporal.Now.instant()
  const today = todayIn(caller.tenant.timezone)
  const { input, timing, isUnchanged } = await inputAfter(db, before, patch, work, today)
  if (isUnchanged)
    return { after: before, regeneration: stableRegeneration(await lockNotStarted(db, before.id, now), now) }
  const { slots, through } = windowOf(toSeries(timing), today)
  const [after, instances] = await Promise.all([
    changeSeries(db, caller, before.id, through.toString(), input),
    lockNotStarted(db, before.id, now),
  ])
  const plan = planRegeneration(instances, {
    timing,
    slots,
    now,
    keepExceptions: patch.keep_exceptions ?? false,
    isNewTemplate: !isDeepStrictEqual(templateOf(before), templateOf(after)),
  })
  return { after, regeneration: await applyRegeneration(db, caller, after, plan) }
}

/** Returns the stored values of a locked series after a change, and whether they are the same as before. */
export async function inputAfter(
  db: Db,
  before: JobSeries,
  patch: SeriesPatch,
  work: ResolvedWork,
  today: Temporal.PlainDate,
): Promise<{ input: SeriesInput; timing: Timing; isUnchanged: boolean }> {
  const timing = timingAfter(before, patch, today)
  const site = await siteAfter(db, before, patch)
  const stored = inputOf(before)
  const input: SeriesInput = {
    ...applyPatch(stored, JOB_SERIES.pickInput(patch)),
    ...workPartsAfter(stored, work),
    ...site,
    ...timing,
  }
  return { input, timing, isUnchanged: isDeepStrictEqual(toSettable(input), stored) }
}

/** Returns the values that jobs copy from their series, that is all except the times. */
const templateOf = (series: JobSeries) => ({ ...inputOf(series), rrule: null, dtstart: null, end_date: null })
