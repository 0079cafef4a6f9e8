import type { Db } from '../../../platform/db/tenant.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { windowOf } from '../../../recurrence/window.ts'
import type { RunContext } from '../../../tools/declare/define.ts'
import {
  applyParts,
  findJob,
  lockVisits,
  scheduleAfter,
  type ResolvedWork,
  type Job,
  partsIn,
  type VisitUpdate,
  type VisitOfSeries,
  type VisitPart,
} from '../../jobs/index.ts'
import { inputAfter } from '../change.ts'
import type { JobSeries, SeriesPatch } from '../fields.ts'
import { dayOf, slotOf, slotTime } from '../generation.ts'
import { changeSeries } from '../job_series.ts'
import { startOf } from '../regeneration.ts'
import { refusals } from '../refusals.ts'
import { isAllDay, toSeries, type Timing } from '../rhythm/timing.ts'

/** Other visits that a change applies to: those after the chosen one, or all that lie ahead. */
type VisitScope = 'following' | 'all'

type VisitsPatch = SeriesPatch & { scheduled_start?: string | null | undefined }

/** Number of visits that were changed, and of those that kept a part of their own. */
type ChangedVisits = { changed: number; kept: number }

/**
 * Changes a locked series from one of its visits, together with the visits after it or all that lie ahead
 * (docs/spec/recurrence.md#several-visits). A visit that a person changed keeps its own parts only: one that was only
 * moved takes the new price.
 */
export async function changeVisits(
  { db, caller }: RunContext,
  before: JobSeries,
  { visit, scope, ...patch }: VisitsPatch & { visit: string; scope: VisitScope },
  work: ResolvedWork,
): Promise<{ after: JobSeries; visits: ChangedVisits }> {
  const now = Temporal.Now.instant()
  const today = todayIn(caller.tenant.timezone)
  const visits = await lockVisits(db, before.id, now)
  const chosen = visits.find(({ id }) => id === visit)
  if (chosen === undefined) throw invalidField('visit', refusals.visitBegun())
  const { start = startOf(chosen), ...time } = timePatch(
    before,
    await findJob(db, visit),
    patch,
    caller.tenant.timezone,
  )
  const { input, timing, isUnchanged } = await inputAfter(db, before, { ...patch, ...time }, work, today)
  const parts = partsIn(patch)
  const changes = visits
    .filter(({ occurrence_key }) => scope === 'all' || dayOf(occurrence_key) >= dayOf(chosen.occurrence_key))
    .map((one): VisitUpdate & { keepsOwnParts: boolean } => {
      const own = new Set(ownParts(one))
      const isChosen = one.id === visit
      // The chosen visit takes every value of its form, and stays on its day.
      const appliedParts = parts.filter((part) => isChosen || !one.is_exception || !own.has(part))
      const slot = appliedParts.includes('time') ? futureSlot(timing, one, now) : undefined
      const isMoved = isChosen && slot !== undefined && !slot.start.equals(start)
      const rest = [...own].filter((part) => !appliedParts.includes(part))
      return {
        id: one.id,
        parts: appliedParts,
        slot: slot && isChosen ? { ...slot, start } : slot,
        own: isMoved ? ['time' as const, ...rest] : rest,
        // Custom fields belong to no part; a visit with its own stays an exception.
        is_exception: isMoved || (one.is_exception && (rest.length > 0 || own.size === 0)),
        keepsOwnParts: appliedParts.length < parts.length,
      }
    })
  const after = isUnchanged ? before : await writeSeries(db, { before, timing, today, user: caller }, input)
  const written = changes.filter((one) => one.parts.length > 0)
  await applyParts(db, before.id, written, caller.user)
  return {
    after,
    visits: { changed: written.length, kept: changes.filter(({ keepsOwnParts }) => keepsOwnParts).length },
  }
}

type SeriesWrite = { before: JobSeries; timing: Timing; today: Temporal.PlainDate; user: RunContext['caller'] }

const writeSeries = (
  db: Db,
  { before, timing, today, user }: SeriesWrite,
  input: Parameters<typeof changeSeries>[4],
): Promise<JobSeries> => changeSeries(db, user, before.id, windowOf(toSeries(timing), today).through.toString(), input)

/** Returns a visit's own parts, with its time if those weren't recorded and its start isn't its slot's. */
const ownParts = (visit: VisitOfSeries): readonly VisitPart[] =>
  visit.is_noted || (visit.scheduled_start !== null && startOf(visit).equals(slotTime(visit)))
    ? visit.own
    : [...visit.own, 'time']

/** Returns a visit's slot at the new time. If that is already past, the visit keeps its start. */
function futureSlot(timing: Timing, visit: VisitOfSeries, now: Temporal.Instant): VisitUpdate['slot'] {
  const slot = slotOf(timing, visit.occurrence_key)
  if (slot === null) return undefined
  const start = Temporal.Instant.compare(slot.start, now) > 0 ? slot.start : startOf(visit)
  return { start, key: slot.key }
}

/** Returns the series' start with the visit's new time of day, and the visit's own start. */
function timePatch(
  before: JobSeries,
  job: Job,
  patch: VisitsPatch,
  zone: string,
): Partial<Timing> & { start?: Temporal.Instant } {
  if (patch.scheduled_start === undefined) return {}
  const { scheduled_start } = scheduleAfter(
    job,
    { scheduled_start: patch.scheduled_start, duration_minutes: patch.duration_minutes ?? undefined },
    { tenant: zone, job: job.timezone },
  )
  if (scheduled_start === null || isAllDay(before)) throw invalidField('scheduled_start', refusals.oneVisitOnly())
  const local = (instant: string) =>
    Temporal.Instant.from(instant).toZonedDateTimeISO(before.timezone).toPlainDateTime()
  const [newStart, day] = [local(scheduled_start), local(job.scheduled_start ?? scheduled_start).toPlainDate()]
  if (!newStart.toPlainDate().equals(day))
    throw invalidField('scheduled_start', refusals.otherDay({ day: day.toString() }))
  const time = newStart.toPlainTime().toString({ smallestUnit: 'second' })
  return {
    dtstart: `${before.dtstart.slice(0, 10)}T${time}`,
    rrule: withoutTime(before.rrule),
    start: Temporal.Instant.from(scheduled_start),
  }
}

/** Returns a rule without its time of day, which the start has. */
const withoutTime = (rrule: string): string =>
  rrule
    .split(';')
    .filter((part) => !/^BY(HOUR|MINUTE|SECOND)=/.test(part))
    .join(';')
