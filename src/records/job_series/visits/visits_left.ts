import { sql, type Db } from '../../../platform/db/tenant.ts'
import { lastDay, preview } from '../../../recurrence/window.ts'
import type { JobSeries } from '../fields.ts'
import { toSeries } from '../rhythm/timing.ts'

/** Maximum visits that are counted one by one. */
const MAX_COUNTED = 500

/**
 * Counts the visits of a series that are still to come: those that are booked, and those that its rule has after them.
 * Null for a series that goes on without an end.
 */
export async function countVisitsLeft(db: Db, series: JobSeries): Promise<number | null> {
  const timing = toSeries(series)
  const isActive = series.status === 'active'
  if (isActive && lastDay(timing) === null && timing.rule.count === null) return null
  const { booked } = await db.one<{ booked: number }>(sql`select count(*)::integer as booked from jobs
    where tenant_id = ${db.tenant} and series_id = ${series.id} and status not in ('done', 'cancelled')
      and scheduled_end >= moment()`)
  if (!isActive || series.generated_through === null) return booked
  const after = Temporal.PlainDate.from(series.generated_through).add({ days: 1 })
  return booked + preview(timing, after, MAX_COUNTED).length
}
