import { sql, type Db } from '../../../platform/db/tenant.ts'
import { lastDay, previewOccurrences } from '../../../recurrence/window.ts'
import type { JobSeries } from '../fields.ts'
import { toSeries } from '../rhythm/timing.ts'

/** Maximum occurrences to count individually. */
const MAX_COUNTED = 500

/**
 * Counts the remaining visits of a series: the booked ones, and the rule's occurrences after them. Null for a series
 * without an end.
 */
export async function countRemainingVisits(db: Db, series: JobSeries): Promise<number | null> {
  const timing = toSeries(series)
  const isActive = series.status === 'active'
  if (isActive && lastDay(timing) === null && timing.rule.count === null) return null
  const { booked } = await db.one<{ booked: number }>(sql`select count(*)::integer as booked from jobs
    where tenant_id = ${db.tenant} and series_id = ${series.id} and status not in ('done', 'cancelled')
      and scheduled_end >= moment()`)
  if (!isActive || series.generated_through === null) return booked
  const after = Temporal.PlainDate.from(series.generated_through).add({ days: 1 })
  return booked + previewOccurrences(timing, after, MAX_COUNTED).length
}
