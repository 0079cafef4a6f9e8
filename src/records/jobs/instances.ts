import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import { nextNumber } from './number.ts'

/** Unstarted job of a series. */
export type Instance = {
  id: string
  /** Local time in the series' time zone. */
  occurrence_key: string
  scheduled_start: string | null
  timezone: string
  is_exception: boolean
}

/** Job and its new start. */
type Move = { id: string; start: Temporal.Instant }

/** Job, its new start, and the slot that it now belongs to. */
export type Placement = Move & { key: string }

/** Series to create jobs from, as the caller read it. */
type Template = { id: string; updated_at?: string }

/**
 * Returns the instances that haven't started and are after `now` or have no start, and locks them until the transaction
 * ends.
 */
export const lockNotStarted = (db: Db, series: string, now: Temporal.Instant): Promise<Instance[]> =>
  db.all<Instance>(sql`select id, occurrence_key, scheduled_start, timezone, is_exception from jobs
    where tenant_id = ${db.tenant} and series_id = ${series} and status in ('unscheduled', 'scheduled', 'on_hold')
      and (scheduled_start is null or scheduled_start > ${utc(now)})
    order by id for update`)

/** Creates a job for each slot whose day has none; none at all if the series changed or ended since it was read. */
export const addInstances = (
  db: Db,
  { id: series, updated_at }: Template,
  slots: readonly { key: string; start: Temporal.Instant }[],
  user: string | null,
): Promise<{ id: string; occurrence_key: string }[]> =>
  db.all(sql`
    with slot as materialized (
      select s.id, s.key, s.start, row_number() over (order by s.key) - 1 as place
      from unnest(${slots.map(newId)}::uuid[], ${slots.map(({ key }) => key)}::timestamp[],
        ${slots.map(({ start }) => utc(start))}::timestamptz[]) s(id, key, start)
      where not exists (select 1 from jobs j
        where j.tenant_id = ${db.tenant} and j.series_id = ${series} and j.occurrence_key::date = s.key::date)
    ), template as materialized (
      select t.*, l.formatted_address
      from job_series t left join locations l on l.tenant_id = t.tenant_id and l.id = t.location_id
      where t.tenant_id = ${db.tenant} and t.id = ${series} and t.status = 'active'
        ${updated_at === undefined ? sql`` : sql`and t.updated_at = ${updated_at}`}
    ), lowest as materialized (
      select ${nextNumber(db, sql`(select count(*)::integer from slot)`)} as number
      from template
      where exists (select 1 from slot)
    )
    insert into jobs (tenant_id, id, number, customer_id, location_id, location_address, contact_id, title,
      title_folded, description, instructions, status, priority, scheduled_start, scheduled_end, duration_minutes,
      all_day, arrival_window_minutes, timezone, assignee_ids, line_items, subtotal_cents, series_id, occurrence_key,
      fields, created_by, updated_by)
    select t.tenant_id, slot.id, lowest.number + slot.place, t.customer_id, t.location_id, t.formatted_address,
      t.contact_id, t.title, t.title_folded, t.description, t.instructions, 'scheduled', t.priority, slot.start,
      slot.start + make_interval(mins => t.duration_minutes), t.duration_minutes, t.all_day, t.arrival_window_minutes,
      t.timezone, t.assignee_ids, own_lines(t.line_items), t.subtotal_cents, t.id, slot.key, '{}', ${user}, ${user}
    from template t, lowest, slot
    returning id, occurrence_key`)

/** Resets jobs to the template at the given times. Overwrites changes by people. */
export const alignInstances = (
  db: Db,
  series: string,
  moves: readonly Placement[],
  user: string | null,
): Promise<number> =>
  db.run(sql`update jobs j set
      location_id = t.location_id, contact_id = t.contact_id, title = t.title, title_folded = t.title_folded,
        description = t.description,
        location_address = (select l.formatted_address from locations l
          where l.tenant_id = ${db.tenant} and l.id = t.location_id),
        instructions = t.instructions, priority = t.priority, duration_minutes = t.duration_minutes,
        all_day = t.all_day, arrival_window_minutes = t.arrival_window_minutes, timezone = t.timezone,
        assignee_ids = t.assignee_ids, line_items = own_lines(t.line_items), subtotal_cents = t.subtotal_cents,
        is_exception = false, own_parts = null,
        status = case when j.status = 'unscheduled' then 'scheduled' else j.status end,
        occurrence_key = m.key, scheduled_start = m.start,
        scheduled_end = later_by(m.start, make_interval(mins => t.duration_minutes)), ${touchColumns(user)}
    from job_series t,
      unnest(${moves.map(({ id }) => id)}::uuid[], ${moves.map(({ start }) => utc(start))}::timestamptz[],
        ${moves.map(({ key }) => key)}::timestamp[]) m(id, start, key)
    where t.tenant_id = ${db.tenant} and t.id = ${series} and j.tenant_id = ${db.tenant} and j.id = m.id`)

/** Moves jobs to other times and keeps their length. */
export const moveInstances = (db: Db, moves: readonly Move[]): Promise<number> =>
  db.run(sql`update jobs j
    set scheduled_start = m.start, scheduled_end = later_by(m.start, j.scheduled_end - j.scheduled_start),
      ${touchColumns(null)}
    from ${movesTable(moves)} where j.tenant_id = ${db.tenant} and j.id = m.id`)

/**
 * Deletes the jobs that show no trace of people: no note, file, invoice, on-site record or change. Returns how many.
 */
export const deleteUntouchedInstances = (db: Db, ids: readonly string[]): Promise<number> =>
  db.run(sql`delete from jobs j
    where j.tenant_id = ${db.tenant} and j.id = any(${[...ids]}::uuid[]) and not j.is_exception
    and not exists (select 1 from notes n
      where n.tenant_id = ${db.tenant} and n.subject_type = 'job' and n.subject_id = j.id)
    and not exists (select 1 from job_media m where m.tenant_id = ${db.tenant} and m.job_id = j.id)
    and not exists (select 1 from job_checklists l where l.tenant_id = ${db.tenant} and l.job_id = j.id)
    and not exists (select 1 from time_entries t where t.tenant_id = ${db.tenant} and t.job_id = j.id)
    and not exists (select 1 from job_signatures s where s.tenant_id = ${db.tenant} and s.job_id = j.id)
    and not exists (select 1 from invoices s where s.tenant_id = ${db.tenant} and s.stage_of_job = j.id)
    and not exists (select 1 from invoice_jobs i where i.tenant_id = ${db.tenant} and i.job_id = j.id)`)

/** Cancels the jobs that still exist. Returns how many. */
export const cancelInstances = (db: Db, ids: readonly string[], reason: string, user: string | null): Promise<number> =>
  db.run(sql`update jobs j
    set status = 'cancelled', cancelled_at = moment(), cancel_reason = ${reason}, ${touchColumns(user)}
    where j.tenant_id = ${db.tenant} and j.id = any(${[...ids]}::uuid[])`)

const movesTable = (moves: readonly Move[]): Sql =>
  sql`unnest(${moves.map(({ id }) => id)}::uuid[], ${moves.map(({ start }) => utc(start))}::timestamptz[]) m(id, start)`

export function touchColumns(user: string | null): Sql {
  return sql`updated_at = later_than(j.updated_at), updated_by = ${user}`
}
