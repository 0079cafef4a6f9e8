import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { orderLineFields } from '../line_items/line.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { pickWorkParts, toWorkColumns, workPartsOf } from '../jobs/index.ts'
import { JOB_SERIES, type JobSeries, type SeriesInput } from './fields.ts'
import { catchUpSeries } from './generation.ts'
import { describeRule, upcomingStarts } from './rhythm/timing.ts'
import { refusals } from './refusals.ts'

const selectSeries = (db: Db, id: string): Sql => sql`select ${JOB_SERIES.columns('s')}
  from job_series s join customers c on c.tenant_id = s.tenant_id and c.id = s.customer_id
  where s.tenant_id = ${db.tenant} and s.id = ${id}`

/** Returns a series, active or ended. */
export const findSeries = (db: Db, id: string): Promise<JobSeries> =>
  db.present<JobSeries>(selectSeries(db, id), 'job series').then(orderLineFields)

/** Returns a series after creating any missing jobs, even if no nightly run reached it. */
export async function freshSeries(db: Db, id: string, today: Temporal.PlainDate): Promise<JobSeries> {
  const [series, isBehind] = await Promise.all([findSeries(db, id), catchUpSeries(db, id, today)])
  return isBehind ? findSeries(db, id) : series
}

/**
 * Returns a series and locks its row until the transaction ends, so that no other call changes it or adds jobs. Locks
 * before it reads, because its customer may change meanwhile.
 */
export async function lockSeries(db: Db, id: string): Promise<JobSeries> {
  const [, series] = await Promise.all([
    db.run(sql`select id from job_series where tenant_id = ${db.tenant} and id = ${id} for no key update`),
    findSeries(db, id),
  ])
  return series
}

export function requireActive({ status, ended_at }: JobSeries): void {
  if (status === 'ended') throw conflict(refusals.ended({ ended_at: String(ended_at) }))
}

/** Series as a tool returns it. */
type SeriesView = JobSeries & { rule_text: string; next_occurrence_at: string | null; occurrences_preview: string[] }

/** Returns a series with the values derived from its rule. */
export function withOccurrences(series: JobSeries, now: Temporal.Instant): SeriesView {
  const occurrences_preview = upcomingStarts(series, now)
  return {
    ...series,
    rule_text: describeRule(series),
    next_occurrence_at: occurrences_preview[0] ?? null,
    occurrences_preview,
  }
}

/** Adds a series to a locked customer. `addInstances` creates its jobs. */
export async function addSeries(
  db: Db,
  { user }: Caller,
  customer: string,
  through: string,
  series: SeriesInput,
): Promise<JobSeries> {
  const id = newId()
  const [, added] = await Promise.all([
    db.run(
      sql`insert into job_series ${values({
        tenant_id: db.tenant,
        id,
        customer_id: customer,
        ...toColumns(series),
        status: 'active',
        generated_through: through,
        created_by: user,
        updated_by: user,
      })}`,
    ),
    findSeries(db, id),
  ])
  return added
}

/** Changes a locked series. */
export async function changeSeries(
  db: Db,
  { user }: Caller,
  id: string,
  through: string,
  series: SeriesInput,
): Promise<JobSeries> {
  const [, changed] = await Promise.all([
    db.run(sql`update job_series s
      set ${assignments({ ...toColumns(series), generated_through: through, updated_by: user })},
      updated_at = later_than(s.updated_at) where s.tenant_id = ${db.tenant} and s.id = ${id}`),
    findSeries(db, id),
  ])
  return changed
}

/** Ends a locked series; `end_date` is its last local day. */
export async function closeSeries(db: Db, user: string | null, id: string, end_date: string): Promise<JobSeries> {
  const [, ended] = await Promise.all([
    db.run(sql`update job_series
      set status = 'ended', ended_at = moment(), end_date = ${end_date}, updated_by = ${user},
      updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id}`),
    findSeries(db, id),
  ])
  return ended
}

/** Reactivates a locked series that ended with its last day. The caller moves that day, which creates the visits. */
export const reopenSeries = (db: Db, { user }: Caller, id: string): Promise<number> =>
  db.run(sql`update job_series set status = 'active', ended_at = null, updated_by = ${user},
    updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id} and status = 'ended'`)

/** Returns up to five active series of a customer, by title. A customer with any can't be archived. */
export const activeSeriesOf = (db: Db, customer: string): Promise<{ id: string; title: string }[]> =>
  db.all(sql`select id, title from job_series
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'active' order by title, id limit 5`)

/** Returns a series' title and status. */
export const findSeriesName = (db: Db, id: string): Promise<Pick<JobSeries, 'id' | 'title' | 'status'> | undefined> =>
  db.maybe(sql`select id, title, status from job_series where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns the values that a caller sets on a series. */
export const inputOf = (series: JobSeries): SeriesInput => ({ ...JOB_SERIES.pickInput(series), ...workPartsOf(series) })

export const toSettable = (series: SeriesInput): SeriesInput => ({
  ...JOB_SERIES.pickInput(series),
  ...pickWorkParts(series),
})

const toColumns = (series: SeriesInput) => ({ ...JOB_SERIES.toColumns(series), ...toWorkColumns(series) })
