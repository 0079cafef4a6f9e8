import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { ENTERED, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { orderLineFields } from '../line_items/line.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Assignment, Work } from '../jobs/index.ts'
import { catchUpSeries } from './generation.ts'
import { describeRule, isAllDay, upcomingStarts, type Timing } from './rhythm/timing.ts'
import { refusals } from './refusals.ts'

export type JobSeries = Omit<Work, 'assignee_ids'> &
  Timing & {
    id: string
    customer_id: string
    customer_name: string
    location_address: string | null
    assignments: Assignment[]
    status: 'active' | 'ended'
    /** Last local day whose jobs exist. */
    generated_through: string | null
    ended_at: string | null
    created_at: string
    updated_at: string
    created_by: string | null
    updated_by: string | null
  }

/** Holds what a caller sets of a series. */
export type SeriesInput = Omit<Work, 'all_day'> & Timing

const columns = sql`s.id, s.customer_id, c.display_name as customer_name, s.location_id,
  (select l.formatted_address from locations l where l.tenant_id = ${ENTERED} and l.id = s.location_id) as location_address, s.contact_id,
  s.title, s.description, s.instructions, s.priority, s.duration_minutes, s.all_day, s.arrival_window_minutes, crew(s.assignee_ids) as assignments,
  s.line_items, s.subtotal_cents, s.rrule, s.timezone,
  to_char(s.dtstart, case when s.all_day then 'YYYY-MM-DD' else 'YYYY-MM-DD"T"HH24:MI:SS' end) as dtstart, s.end_date, s.status,
  s.generated_through, s.ended_at, s.created_at, s.updated_at, s.created_by, s.updated_by`

const one = (db: Db, id: string): Sql => sql`select ${columns}
  from job_series s join customers c on c.tenant_id = s.tenant_id and c.id = s.customer_id where s.tenant_id = ${db.tenant} and s.id = ${id}`

/** Returns a series, ended ones too. */
const findSeries = (db: Db, id: string): Promise<JobSeries> =>
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
export type SeriesView = JobSeries & {
  rule_text: string
  next_occurrence_at: string | null
  occurrences_preview: string[]
}

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
  const [, made] = await Promise.all([
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
  return made
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
    db.run(sql`update job_series s set ${assignments({ ...toColumns(series), generated_through: through, updated_by: user })},
      updated_at = later_than(s.updated_at) where s.tenant_id = ${db.tenant} and s.id = ${id}`),
    findSeries(db, id),
  ])
  return changed
}

/** Ends a series whose row is locked; `end_date` is its last local day. */
export async function closeSeries(db: Db, user: string | null, id: string, end_date: string): Promise<JobSeries> {
  const [, ended] = await Promise.all([
    db.run(sql`update job_series set status = 'ended', ended_at = moment(), end_date = ${end_date}, updated_by = ${user},
      updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id}`),
    findSeries(db, id),
  ])
  return ended
}

/** Returns the active series of a customer, by title; a customer that has one can't be archived. */
export const activeSeriesOf = (db: Db, customer: string): Promise<{ id: string; title: string }[]> =>
  db.all(sql`select id, title from job_series
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'active' order by title, id limit 5`)

/** Returns what a series is called. */
export const findSeriesName = (db: Db, id: string): Promise<Pick<JobSeries, 'id' | 'title' | 'status'> | undefined> =>
  db.maybe(sql`select id, title, status from job_series where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns a series as its caller set it. */
export const inputOf = ({ assignments, ...series }: JobSeries): SeriesInput =>
  toSettable({ ...series, assignee_ids: assignments.map(({ user_id }) => user_id) })

export const toSettable = (series: SeriesInput): SeriesInput => ({
  location_id: series.location_id,
  contact_id: series.contact_id,
  title: series.title,
  description: series.description,
  instructions: series.instructions,
  priority: series.priority,
  duration_minutes: series.duration_minutes,
  arrival_window_minutes: series.arrival_window_minutes,
  assignee_ids: series.assignee_ids,
  line_items: series.line_items,
  subtotal_cents: series.subtotal_cents,
  rrule: series.rrule,
  timezone: series.timezone,
  dtstart: series.dtstart,
  end_date: series.end_date,
})

const toColumns = (series: SeriesInput) => ({
  ...toSettable(series),
  title_folded: fold(series.title),
  line_items: JSON.stringify(series.line_items),
  all_day: isAllDay(series),
})
