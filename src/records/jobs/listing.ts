import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { isId } from '../../platform/validation/id.ts'
import { MAX_COUNTED } from '../../tools/call/outcome.ts'
import { searchRecords } from '../search/record_search.ts'
import { changeColumns } from '../../tools/call/by_change.ts'
import { memberId } from './visits/crew.ts'
import { selectJobs, type JobFilters, type JobSelection } from './form/filters.ts'
import type { Job } from './fields.ts'
import type { Assignment } from './visits/work_fields.ts'

export const SORTS = ['scheduled_asc', 'scheduled_desc', 'created_desc'] as const

type JobListFilters = Omit<JobFilters, 'member' | 'titleMatchIds' | 'search'> & {
  /** User id or email address. */
  assignee?: string | undefined
  sort?: (typeof SORTS)[number] | undefined
  /** Text in the title, the number, the customer's name or the address. */
  query?: string | null | undefined
  page: number
  limit: number
}

export type JobRow = Pick<
  Job,
  | 'id'
  | 'display_number'
  | 'title'
  | 'status'
  | 'priority'
  | 'customer_id'
  | 'customer_name'
  | 'location_id'
  | 'location_address'
  | 'scheduled_start'
  | 'scheduled_end'
  | 'all_day'
  | 'series_id'
  | 'updated_at'
> & { assignees: Assignment[] }

/** Row of a list. Unbilled work also has its completion time and the sum of its lines before discounts and tax. */
type ListedJob = JobRow & Partial<Pick<Job, 'completed_at' | 'subtotal_cents'>>

type UnbilledSums = { jobs: number; subtotal_cents: number }

/**
 * Returns a page of jobs and one extra row; if `isCounted`, also their number, counted up to one more than the limit.
 */
export async function listJobs(
  db: Db,
  { tenant }: Caller,
  listing: JobListFilters,
  isCounted: boolean,
): Promise<{ rows: ListedJob[]; total: number | undefined; sums?: UnbilledSums }> {
  const { assignee: assigneeInput, title } = listing
  const [titleMatchIds, search] = await Promise.all([
    title == null ? undefined : findIdsByTitle(db, title),
    searchRecords(db, 'job', listing.query),
  ])
  const assignee = assigneeInput === undefined ? undefined : memberId(db, assigneeInput)
  const member =
    assigneeInput === undefined || isId(assigneeInput.toLowerCase()) ? assigneeInput?.toLowerCase() : await assignee
  const selection = selectJobs(
    db,
    tenant.timezone,
    { ...listing, member, titleMatchIds, search },
    isCounted ? MAX_COUNTED + 1 : listing.page * listing.limit + 1,
  )
  const [rows, count, sums] = await Promise.all([
    db.all<ListedJob>(pageQuery(db, selection, listing)),
    isCounted
      ? db.one<{ total: number }>(
          sql`select count(*) as total from (select from ${selection.rows} limit ${MAX_COUNTED + 1}) counted`,
        )
      : undefined,
    listing.unbilled_since === undefined
      ? undefined
      : db.one<UnbilledSums>(
          sql`select count(*) as jobs, coalesce(sum(j.subtotal_cents), 0)::bigint as subtotal_cents
            from ${selection.rows}`,
        ),
    assignee,
  ])
  return { rows, total: count?.total, ...(sums && { sums }) }
}

/**
 * Returns the ids of the jobs whose title contains a text, if there are few. For a common text, reading the newest jobs
 * finds a page sooner.
 */
async function findIdsByTitle(db: Db, title: string): Promise<string[] | undefined> {
  const folded = fold(title)
  if (Array.from(folded).length < MIN_TITLE_LENGTH) return undefined
  const { ids } = await db.one<{ ids: string[] | null }>(sql`select case when (
      select count(*)
      from (select title_key from jobs
        where tenant_id = ${db.tenant}
        order by created_at desc, id desc limit 1000) newest
      where strpos(title_key, ${folded}) > 0) < ${MIN_COMMON_MATCHES} then array(select jobs_titled(${folded},
        ${MAX_TITLE_MATCHES + 1})) end as ids`)
  return ids === null || ids.length > MAX_TITLE_MATCHES ? undefined : ids
}

/** Minimum characters of a text for the title index to help. */
const MIN_TITLE_LENGTH = 3
/** Minimum matches among the thousand newest jobs for a text to be common. */
const MIN_COMMON_MATCHES = 10
const MAX_TITLE_MATCHES = 300

function pageQuery(db: Db, selection: JobSelection, { page, limit, ...listing }: JobListFilters): Sql {
  const join = listing.include_removed === true ? sql`left join` : sql`join`
  return sql`
  with page as materialized (
    select f.*, row_number() over () as place
    from (select ${selection.id} as id ${changeColumns(listing, sql`j.updated_at`, sql`j.is_deleted`)}
      from ${selection.rows}
      order by ${orderClause(selection, listing)} limit ${limit + 1} offset ${(page - 1) * limit}) f
  )
  select j.id, j.display_number, j.title, j.status, j.priority, j.customer_id, c.display_name as customer_name,
    j.location_id, j.location_address, j.scheduled_start, j.scheduled_end, j.all_day, ${CREW} as assignees,
    j.series_id, j.updated_at
    ${listing.unbilled_since === undefined ? sql`` : sql`, j.completed_at, j.subtotal_cents`}
    ${listing.include_removed === true ? sql`, p.id, p.updated_at, p.removed` : sql``}
  from page p ${join} jobs j on j.tenant_id = ${db.tenant}
    and j.id = p.id ${join} customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
  order by p.place`
}

/** Same result as `crew()`, without one call per row of a page. */
export const CREW = sql`(
  select coalesce(json_agg(json_build_object('user_id', u.id, 'name', u.name) order by a.place), '[]')
  from unnest(j.assignee_ids) with ordinality a(id, place) join users u on u.id = a.id)`

function orderClause(
  { id, created_at, scheduled_start }: JobSelection,
  { sort, updated_since, unbilled_since, scheduled_from, scheduled_to }: Omit<JobListFilters, 'page' | 'limit'>,
): Sql {
  if (updated_since !== undefined) return sql`j.updated_at, j.id`
  if (unbilled_since !== undefined && sort === undefined) return sql`j.completed_at, j.id`
  const hasDateRange = scheduled_from !== undefined || scheduled_to !== undefined
  switch (sort ?? (hasDateRange ? 'scheduled_asc' : 'created_desc')) {
    case 'scheduled_asc':
      return sql`${scheduled_start}, ${id}`
    case 'scheduled_desc':
      return sql`${scheduled_start} desc nulls last, ${id} desc`
    case 'created_desc':
      return sql`${created_at} desc, ${id} desc`
  }
}
