import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { isFinished, nextSlot, windowOf, type Slot } from '../../recurrence/window.ts'
import { instantAt, utc } from '../../platform/validation/formats/instants.ts'
import { addInstances, lockNotStarted, moveInstances, type Instance } from '../jobs/index.ts'
import { DTSTART } from './fields.ts'
import { toSeries, type Timing } from './rhythm/timing.ts'

/** Series as the generator needs it. */
type GeneratedSeries = Timing & {
  id: string
  status: 'active' | 'ended'
  generated_through: string | null
  updated_at: string
}

/** Days ahead for which a series creates jobs, including today. */
const DAYS_AHEAD = 90

/** Returns the last day that must have its jobs by the end of `today`. */
const horizon = (today: Temporal.PlainDate): string => today.add({ days: DAYS_AHEAD - 1 }).toString()

/** Returns up to 100 active series after an id that lack jobs up to the horizon of `today`. */
export const dueSeries = (db: Db, today: Temporal.PlainDate, after: string): Promise<GeneratedSeries[]> =>
  db.all<GeneratedSeries>(sql`select ${seriesColumns} from job_series s
    where s.tenant_id = ${db.tenant} and s.id > ${after} and ${needsJobsUntil(horizon(today))} order by s.id limit 100`)

/** Creates the jobs that nightly runs before the last one missed. Returns whether any were due. */
export async function catchUpSeries(db: Db, id: string, today: Temporal.PlainDate): Promise<boolean> {
  const series = await db.maybe<GeneratedSeries>(sql`select ${seriesColumns} from job_series s
    where s.tenant_id = ${db.tenant} and s.id = ${id} and ${needsJobsUntil(horizon(today.subtract({ days: 1 })))}`)
  if (series === undefined) return false
  await Promise.all([extendSeries(db, series, today), finishSeries(db, series, today)])
  return true
}

const needsJobsUntil = (day: string): Sql =>
  sql`s.status = 'active' and (s.generated_through is null or s.generated_through < ${day})`

/** Creates the jobs up to the horizon of `today`, the tenant's day. Idempotent. Returns how many it created. */
export async function extendSeries(db: Db, series: GeneratedSeries, today: Temporal.PlainDate): Promise<number> {
  const { slots, through } = windowOf(toSeries(series), today, DAYS_AHEAD)
  const [, created] = await Promise.all([
    db.run(sql`update job_series set generated_through = greatest(generated_through, ${through.toString()})
      where tenant_id = ${db.tenant} and id = ${series.id} and status = 'active'
        and updated_at = ${series.updated_at}`),
    addInstances(db, series, slots, null),
  ])
  return created.length
}

/** Ends a series that has no occurrence after `today`, the tenant's day. Returns whether it did. */
export async function finishSeries(db: Db, series: GeneratedSeries, today: Temporal.PlainDate): Promise<boolean> {
  if (!isFinished(toSeries(series), today)) return false
  const count = await db.run(sql`update job_series
      set status = 'ended', ended_at = moment(), updated_at = later_than(updated_at), updated_by = null
    where tenant_id = ${db.tenant} and id = ${series.id} and status = 'active' and updated_at = ${series.updated_at}`)
  return count > 0
}

/**
 * Moves unstarted jobs back to their local time after a time zone's rules changed, except those a person moved. Returns
 * how many moved.
 */
export async function realignSeries(db: Db, series: GeneratedSeries, now: Temporal.Instant): Promise<number> {
  const jobs = await lockNotStarted(db, series.id, now)
  const moves = jobs
    .filter(({ is_exception, scheduled_start }) => !is_exception && scheduled_start !== null)
    .map((job) => ({ id: job.id, start: slotTime(job), before: job.scheduled_start }))
    .filter(({ start, before }) => utc(start) !== before)
  return moves.length === 0 ? 0 : moveInstances(db, moves)
}

/** Returns the instant of a job's occurrence. */
export const slotTime = ({
  occurrence_key,
  timezone,
}: Pick<Instance, 'occurrence_key' | 'timezone'>): Temporal.Instant =>
  instantAt(Temporal.PlainDateTime.from(occurrence_key), timezone)

/** Returns the local day of a slot. It identifies a visit even after the series moved to another time of day. */
export const dayOf = (key: string): string => key.slice(0, 10)

/** Returns the slot on the day of a key; null if the rule no longer has one. */
export function slotOf(timing: Timing, key: string): Slot | null {
  const next = nextSlot(toSeries(timing), Temporal.PlainDate.from(dayOf(key)))
  return next !== null && dayOf(next.key) === dayOf(key) ? next : null
}

const seriesColumns = sql`s.id, s.rrule, s.timezone, ${DTSTART} as dtstart,
  s.end_date, s.status, s.generated_through, s.updated_at`
