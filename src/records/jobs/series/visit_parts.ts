import { isDeepStrictEqual } from 'node:util'
import { raw } from '../../../platform/db/database.ts'
import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import type { JobInput } from '../fields.ts'
import { lockNotStarted, touchColumns, type Instance } from '../instances.ts'

/** Parts of a visit, each of which follows the series or is the visit's own. */
const VISIT_PARTS = ['time', 'price', 'people', 'place', 'text'] as const
export type VisitPart = (typeof VISIT_PARTS)[number]

/** Fields in each part of a visit. */
const PART_FIELDS: Readonly<Record<VisitPart, readonly (keyof JobInput)[]>> = {
  time: ['scheduled_start', 'scheduled_end', 'duration_minutes', 'all_day', 'arrival_window_minutes'],
  price: ['line_items'],
  people: ['assignee_ids'],
  place: ['location_id', 'contact_id'],
  text: ['title', 'description', 'instructions', 'priority'],
}

export const partsIn = (patch: Readonly<Record<string, unknown>>): VisitPart[] =>
  VISIT_PARTS.filter((part) =>
    PART_FIELDS[part].some((name) => patch[name === 'assignee_ids' ? 'assignees' : name] !== undefined),
  )

/** Returns a visit's own parts after a person changed it; null if the earlier ones weren't recorded. */
export function ownPartsAfter(before: JobInput, after: JobInput): Sql {
  const changed = VISIT_PARTS.filter((part) =>
    PART_FIELDS[part].some((name) => !isDeepStrictEqual(before[name], after[name])),
  )
  return sql`case when j.is_exception and j.own_parts is null then null
    else array(select distinct unnest(coalesce(j.own_parts, '{}') || ${changed}::text[]) order by 1) end`
}

/** Visit of a series with its own parts. Without `is_noted`, its start may be its own too. */
export type VisitOfSeries = Instance & { own: VisitPart[]; is_noted: boolean }

/** Locks visits like `lockNotStarted`, and returns them with their own parts. */
export async function lockVisits(db: Db, series: string, now: Temporal.Instant): Promise<VisitOfSeries[]> {
  const [, visits] = await Promise.all([
    lockNotStarted(db, series, now),
    db.all<VisitOfSeries>(sql`select j.id, j.occurrence_key, j.scheduled_start, j.timezone, j.is_exception,
        j.own_parts is not null or not j.is_exception as is_noted,
        case when not j.is_exception then '{}' when j.own_parts is not null then j.own_parts else array_remove(array[
          case when (j.duration_minutes, j.arrival_window_minutes, j.all_day)
            is distinct from (t.duration_minutes, t.arrival_window_minutes, t.all_day) then 'time' end,
          case when ${linesWithoutIds(sql`j.line_items`)} <> ${linesWithoutIds(sql`t.line_items`)} then 'price' end,
          case when not (j.assignee_ids <@ t.assignee_ids and t.assignee_ids <@ j.assignee_ids) then 'people' end,
          case when (j.location_id, j.contact_id) is distinct from (t.location_id, t.contact_id) then 'place' end,
          case when (j.title, j.description, j.instructions, j.priority)
            is distinct from (t.title, t.description, t.instructions, t.priority) then 'text' end], null) end as own
      from jobs j join job_series t on t.tenant_id = j.tenant_id and t.id = j.series_id
      where j.tenant_id = ${db.tenant} and j.series_id = ${series}
        and j.status in ('unscheduled', 'scheduled', 'on_hold')
        and (j.scheduled_start is null or j.scheduled_start > ${utc(now)}) order by j.occurrence_key`),
  ])
  return visits
}

/** Returns lines without their ids, which differ between visits. */
const linesWithoutIds = (lines: Sql): Sql =>
  sql`(select coalesce(jsonb_agg(line - 'id' order by place), '[]'::jsonb)
    from jsonb_array_elements(${lines}) with ordinality as l(line, place))`

/** Update of a visit from its series: the parts to take, the slot of a new time, and the parts that stay its own. */
export type VisitUpdate = {
  id: string
  parts: readonly VisitPart[]
  slot: { start: Temporal.Instant; key: string } | undefined
  own: readonly VisitPart[]
  is_exception: boolean
}

/** Updates parts of visits to the current values of their series. */
export const applyParts = (
  db: Db,
  series: string,
  changes: readonly VisitUpdate[],
  user: string | null,
): Promise<number> =>
  db.run(sql`update jobs j set
      title = ${ifPart('text', 'title')}, title_folded = ${ifPart('text', 'title_folded')},
      description = ${ifPart('text', 'description')}, instructions = ${ifPart('text', 'instructions')},
      priority = ${ifPart('text', 'priority')},
      location_id = ${ifPart('place', 'location_id')}, contact_id = ${ifPart('place', 'contact_id')},
      location_address = case when 'place' = any(m.parts) then (select l.formatted_address from locations l
        where l.tenant_id = ${db.tenant} and l.id = t.location_id) else j.location_address end,
      assignee_ids = ${ifPart('people', 'assignee_ids')},
      line_items = case when 'price' = any(m.parts) then own_lines(t.line_items) else j.line_items end,
      subtotal_cents = ${ifPart('price', 'subtotal_cents')},
      duration_minutes = ${ifPart('time', 'duration_minutes')}, all_day = ${ifPart('time', 'all_day')},
      arrival_window_minutes = ${ifPart('time', 'arrival_window_minutes')},
      status = case when j.status = 'unscheduled' and m.start is not null then 'scheduled' else j.status end,
      occurrence_key = coalesce(m.key, j.occurrence_key), scheduled_start = coalesce(m.start, j.scheduled_start),
      scheduled_end = later_by(coalesce(m.start, j.scheduled_start),
        case when 'time' = any(m.parts) then make_interval(mins => t.duration_minutes)
          else j.scheduled_end - j.scheduled_start end),
      is_exception = m.is_exception, own_parts = case when m.is_exception then m.own end, ${touchColumns(user)}
    from job_series t, (
      select id, string_to_array(parts, ',') as parts, start, key, string_to_array(own, ',') as own, is_exception
      from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ parts }) => parts.join(','))}::text[],
        ${changes.map(({ slot }) => (slot === undefined ? null : utc(slot.start)))}::timestamptz[],
        ${changes.map(({ slot }) => slot?.key ?? null)}::timestamp[],
        ${changes.map(({ own }) => own.join(','))}::text[], ${changes.map((change) => change.is_exception)}::boolean[])
        u(id, parts, start, key, own, is_exception)) m
    where t.tenant_id = ${db.tenant} and t.id = ${series} and j.tenant_id = ${db.tenant} and j.id = m.id`)

/** Returns the series' value of a column if the visit takes its part, else the visit's. */
const ifPart = (part: VisitPart, column: string): Sql =>
  sql`case when ${raw(`'${part}'`)} = any(m.parts) then ${raw(`t.${column}`)} else ${raw(`j.${column}`)} end`
