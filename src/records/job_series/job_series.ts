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

const one = (db: Db, id: string): Sql => sql`select ${JOB_SERIES.columns('s')}
  from job_series s join customers c on c.tenant_id = s.tenant_id and c.id = s.customer_id
  where s.tenant_id = ${db.tenant} and s.id = ${id}`

/** Returns a series, ended ones too. */
export const findSeries = (db: Db, id: string): Promise<JobSeries> =>
  db.present<JobSeries>(one(db, id), 'job series').then(orderLineFields)

/** Returns a series whose jobs are made as far ahead as they should be, even when no nightly run reached it. */
export async function freshSeries(db: Db, id: string, today: Temporal.PlainDate): Promise<JobSeries> {
  const [series, isBehind] = await Promise.all([findSeries(db, id), catchUpSeries(db, id, today)])
  return isBehind ? findSeries(db, id) : series
}

/**
 * Returns a series that no other call changes, and that gets no jobs from elsewhere, until this one ends; it is locked
 * before it is read, because its customer may change meanwhile.
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

/** Describes a series as a tool answers it. */
type SeriesView = JobSeries & { rule_text: string; next_occurrence_at: string | null; occurrences_preview: string[] }

/** Returns a series with what follows from its rule. */
export function withOccurrences(series: JobSeries, now: Temporal.Instant): SeriesView {
  const occurrences_preview = upcomingStarts(series, now)
  return {
    ...series,
    rule_text: describeRule(series),
    next_occurrence_at: occurrences_preview[0] ?? null,
    occurrences_preview,
  }
}

/** Adds a series to a customer whose row is locked; its jobs are made by `addInstances`. */
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

/** Changes a series whose row is locked. */
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

/** Ends a series whose row is locked; `end_date` is its last local day. */
export async function closeSeries(db: Db, user: string | null, id: string, end_date: string): Promise<JobSeries> {
  const [, ended] = await Promise.all([
    db.run(sql`update job_series
      set status = 'ended', ended_at = moment(), end_date = ${end_date}, updated_by = ${user},
      updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id}`),
    findSeries(db, id),
  ])
  return ended
}

/** Makes a locked series active again that ended with its last day; its visits are made by a later day. */
export const reopenSeries = (db: Db, { user }: Caller, id: string): Promise<number> =>
  db.run(sql`update job_series set status = 'active', ended_at = null, updated_by = ${user},
    updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id} and status = 'ended'`)

/** Returns the active series of a customer, by title; a customer that has one can't be archived. */
export const activeSeriesOf = (db: Db, customer: string): Promise<{ id: string; title: string }[]> =>
  db.all(sql`select id, title from job_series
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'active' order by title, id limit 5`)

/** Returns what a series is called. */
export const findSeriesName = (db: Db, id: string): Promise<Pick<JobSeries, 'id' | 'title' | 'status'> | undefined> =>
  db.maybe(sql`select id, title, status from job_series where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns a series as its caller set it. */
export const inputOf = (series: JobSeries): SeriesInput => ({ ...JOB_SERIES.pickInput(series), ...workPartsOf(series) })

export const toSettable = (series: SeriesInput): SeriesInput => ({
  ...JOB_SERIES.pickInput(series),
  ...pickWorkParts(series),
})

const toColumns = (series: SeriesInput) => ({ ...JOB_SERIES.toColumns(series), ...toWorkColumns(series) })
