import type { Caller } from '../../identity/credentials/caller.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { Slot } from '../../recurrence/window.ts'
import {
  addInstances,
  alignInstances,
  cancelInstances,
  deleteUntouchedInstances,
  type Instance,
  type Placement,
} from '../jobs/index.ts'
import { dayOf, slotOf, slotTime } from './generation.ts'
import type { Timing } from './rhythm/timing.ts'

/** Counts of a series' future jobs after a regeneration (docs/spec/recurrence.md#regeneration). */
export type Regeneration = { kept: number; created: number; removed: number; cancelled: number; preserved: number }

type RegenerationInput = {
  timing: Timing
  slots: readonly Slot[]
  now: Temporal.Instant
  /** Whether to leave jobs alone that people changed. */
  keepExceptions: boolean
  /** Whether more than the rule changed, so that every job is rewritten. */
  isNewTemplate: boolean
}

/** Plan for the future jobs. `missing` may include slots that already have a job, past or started. */
type RegenerationPlan = {
  moves: Placement[]
  unchanged: number
  obsolete: string[]
  preserved: number
  missing: Slot[]
}

/**
 * Plans what happens to unstarted jobs after `now`, without writing anything. A rule has at most one occurrence a day,
 * so the day identifies it.
 */
export function planRegeneration(
  instances: readonly Instance[],
  { timing, slots, now, keepExceptions, isNewTemplate }: RegenerationInput,
): RegenerationPlan {
  const bySlot = new Map(slots.map((slot) => [dayOf(slot.key), slot]))
  const plan: RegenerationPlan = { moves: [], unchanged: 0, obsolete: [], preserved: 0, missing: [] }
  for (const job of instances.filter((each) => isAfter(startOf(each), now))) {
    const slot = bySlot.get(dayOf(job.occurrence_key)) ?? slotOf(timing, job.occurrence_key)
    if (keepExceptions && job.is_exception) plan.preserved += 1
    else if (slot === null) plan.obsolete.push(job.id)
    else {
      const start = isAfter(slot.start, now) ? slot.start : startOf(job)
      const isUnchanged =
        !isNewTemplate && !job.is_exception && startOf(job).equals(start) && job.occurrence_key === slot.key
      if (isUnchanged) plan.unchanged += 1
      else plan.moves.push({ id: job.id, start, key: slot.key })
    }
  }
  const coveredDays = new Set(instances.map(({ occurrence_key }) => dayOf(occurrence_key)))
  plan.missing = slots.filter(({ key, start }) => !coveredDays.has(dayOf(key)) && isAfter(start, now))
  return plan
}

/** Applies a plan to a locked series. */
export async function applyRegeneration(
  db: Db,
  { user }: Caller,
  series: { id: string; updated_at: string },
  plan: RegenerationPlan,
): Promise<Regeneration> {
  const { moves, unchanged, obsolete, preserved, missing } = plan
  const [, removed, cancelled, created] = await Promise.all([
    moves.length > 0 && alignInstances(db, series.id, moves, user),
    obsolete.length > 0 ? deleteUntouchedInstances(db, obsolete) : 0,
    obsolete.length > 0 ? cancelInstances(db, obsolete, 'series_changed', user) : 0,
    missing.length > 0 ? addInstances(db, series, missing, user) : [],
  ])
  return { kept: moves.length + unchanged, created: created.length, removed, cancelled, preserved }
}

/** Returns the result for an unchanged series: its future jobs stay. */
export const stableRegeneration = (instances: readonly Instance[], now: Temporal.Instant): Regeneration => ({
  kept: instances.filter((job) => isAfter(startOf(job), now)).length,
  created: 0,
  removed: 0,
  cancelled: 0,
  preserved: 0,
})

/** Returns when a job starts, or its slot's start if it has no schedule. */
export const startOf = (job: Instance): Temporal.Instant =>
  job.scheduled_start === null ? slotTime(job) : Temporal.Instant.from(job.scheduled_start)

const isAfter = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) > 0
