import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../access/credentials/caller.ts'
import { windowOf } from '../../recurrence/window.ts'
import { todayIn } from '../../shape/instants.ts'
import type { RunContext } from '../../tools/define.ts'
import { requireFixed, requireUnchanged } from '../../tools/unchanged.ts'
import { lockUnbegun, lookUpWork, placeAfter, workAfter, type TypedWork } from '../jobs/index.ts'
import { changeSeries, inputOf, lockSeries, requireActive, settable, type JobSeries, type SeriesInput } from './job_series.ts'
import { carryOut, decide, untouched, type Regeneration } from './regeneration.ts'
import { countable, timingAfter, type TypedTiming } from './timing.ts'

type Typed = TypedWork & TypedTiming & {
  id: string
  expected_updated_at?: string | undefined
  customer_id?: string | undefined
  keep_exceptions?: boolean | undefined
}

type Changed = { before: JobSeries; after: JobSeries; regeneration: Regeneration }

/** A change of a series by a person; the jobs that lie ahead are made what it says now (docs/spec/recurrence.md#changing-a-series), unless it says what it said. */
export async function editSeries({ db, caller }: RunContext, typed: Typed): Promise<Changed> {
  const now = Temporal.Now.instant()
  const today = todayIn(caller.tenant.timezone)
  const locked = lockSeries(db, typed.id).then((series) => changeable(series, typed, caller))
  const [before, found] = await Promise.all([locked, lookUpWork(db, typed)])
  const timing = timingAfter(before, typed, today)
  const place = await placeAfter(db, before, typed)
  const input: SeriesInput = { ...workAfter(inputOf(before), typed, found), ...place, ...timing }
  if (isDeepStrictEqual(settable(input), inputOf(before))) return { before, after: before, regeneration: untouched(await lockUnbegun(db, before.id, now), now) }
  const { slots, through } = windowOf(countable(timing), today)
  const [after, instances] = await Promise.all([
    changeSeries(db, caller, before.id, through.toString(), input), lockUnbegun(db, before.id, now),
  ])
  const decision = decide(instances, {
    timing, slots, now, keepExceptions: typed.keep_exceptions ?? false, isNewTemplate: !isDeepStrictEqual(templateOf(before), templateOf(after)),
  })
  return { before, after, regeneration: await carryOut(db, caller, after, decision) }
}

function changeable(series: JobSeries, { expected_updated_at, customer_id }: Typed, caller: Caller): JobSeries {
  requireActive(series)
  requireFixed(series, { customer_id }, 'customer_id')
  requireUnchanged(series, expected_updated_at, caller)
  return series
}

/** Returns what the jobs of a series take from it, besides their times. */
const templateOf = (series: JobSeries) => ({ ...inputOf(series), rrule: null, dtstart: null, end_date: null })
