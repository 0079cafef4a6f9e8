import type { Caller } from '../../access/caller.ts'
import { raw, sql } from '../../db/database.ts'
import type { Sql } from '../../db/database.ts'
import type { Db } from '../../db/tenant.ts'
import { invalid } from '../../refusal.ts'
import { fold, literal } from '../../shape/fold.ts'
import { isId } from '../../shape/id.ts'
import { boundFrom, boundTo } from '../../shape/instants.ts'
import { MOST_COUNTED } from '../../tools/outcome.ts'
import type { Assignment, Job } from './job.ts'
import { STATUSES } from './status.ts'
import type { JobStatus } from './status.ts'

export const SORTS = ['scheduled_asc', 'scheduled_desc', 'created_desc'] as const

export type Listing = {
  status?: readonly JobStatus[] | undefined
  customer_id?: string | undefined
  series_id?: string | undefined
  location_id?: string | undefined
  /** A user id or an e-mail. */
  assignee?: string | undefined
  scheduled_from?: string | undefined
  scheduled_to?: string | undefined
  title?: string | null | undefined
  unassigned?: boolean | undefined
  sort?: (typeof SORTS)[number] | undefined
  updated_since?: string | undefined
  page: number
  limit: number
}

export type JobRow = Pick<Job, 'id' | 'display_number' | 'title' | 'status' | 'priority' | 'customer_id' | 'customer_name' | 'location_address'
  | 'scheduled_start' | 'scheduled_end' | 'all_day' | 'series_id' | 'updated_at'> & { assignees: Assignment[] }

/** A page of jobs, one row more than it holds; and, if asked for, how many there are, counted no further than one past the most. */
export async function listJobs(db: Db, { tenant }: Caller, listing: Listing, isCounted: boolean): Promise<{ rows: JobRow[]; total: number | undefined }> {
  const assignee = listing.assignee === undefined ? undefined : await memberId(db, listing.assignee)
  const where = matching(db, tenant.timezone, listing, assignee)
  const [rows, count] = await Promise.all([
    db.all<JobRow>(pageOf(db, where, listing)),
    isCounted ? db.one<{ total: number }>(sql`select count(*) as total from (select from jobs j where ${where} limit ${MOST_COUNTED + 1}) counted`) : undefined,
  ])
  return { rows, total: count?.total }
}

const pageOf = (db: Db, where: Sql, { page, limit, ...listing }: Listing): Sql => sql`
  with page as materialized (
    select f.id, row_number() over () as place
    from (select j.id from jobs j where ${where} order by ${order(listing)} limit ${limit + 1} offset ${(page - 1) * limit}) f
  )
  select j.id, 'J-' || j.number as display_number, j.title, j.status, j.priority, j.customer_id, c.display_name as customer_name,
    j.location_address, j.scheduled_start, j.scheduled_end, j.all_day, crew(j.assignee_ids) as assignees, j.series_id, j.updated_at
  from page p join jobs j on j.tenant_id = ${db.tenant} and j.id = p.id join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
  order by p.place`

const ORDERS = {
  scheduled_asc: sql`j.scheduled_start, j.id`,
  scheduled_desc: sql`j.scheduled_start desc nulls last, j.id desc`,
  created_desc: sql`j.created_at desc, j.id desc`,
}

function order({ sort, updated_since, scheduled_from, scheduled_to }: Omit<Listing, 'page' | 'limit'>): Sql {
  if (updated_since !== undefined) return sql`j.updated_at, j.id`
  const isBound = scheduled_from !== undefined || scheduled_to !== undefined
  return ORDERS[sort ?? (isBound ? 'scheduled_asc' : 'created_desc')]
}

function matching(db: Db, zone: string, listing: Listing, assignee: string | undefined): Sql {
  const { status, customer_id, series_id, location_id, scheduled_from, scheduled_to, title, unassigned, updated_since } = listing
  return sql`j.tenant_id = ${db.tenant}
    ${status === undefined ? sql`` : sql`and j.status in (${statusesIn(status)})`}
    ${status?.some(isOver) === false ? sql`and j.status not in ('done', 'cancelled')` : sql``}
    ${customer_id === undefined ? sql`` : sql`and j.customer_id = ${customer_id}`}
    ${series_id === undefined ? sql`` : sql`and j.series_id = ${series_id}`}
    ${location_id === undefined ? sql`` : sql`and j.location_id = ${location_id}`}
    ${assignee === undefined ? sql`` : sql`and j.id in (
      select a.job_id from job_assignees a where a.tenant_id = ${db.tenant} and a.user_id = ${assignee})`}
    ${unassigned === undefined ? sql`` : unassigned ? sql`and j.assignee_ids = '{}'` : sql`and j.assignee_ids <> '{}'`}
    ${scheduled_from === undefined ? sql`` : sql`and j.scheduled_start >= ${boundFrom(zone, scheduled_from)}`}
    ${scheduled_to === undefined ? sql`` : sql`and j.scheduled_start < ${boundTo(zone, scheduled_to)}`}
    ${title == null ? sql`` : sql`and ${TITLE} like ${`%${literal(fold(title))}%`}`}
    ${updated_since === undefined ? sql`` : sql`and j.updated_at >= ${updated_since}`}`
}

const isOver = (status: JobStatus): boolean => status === 'done' || status === 'cancelled'

/** In the statement's text, so that a plan made for any caller still knows how rare each status is. */
const statusesIn = (asked: readonly JobStatus[]): Sql => raw(STATUSES.filter((status) => asked.includes(status)).map((status) => `'${status}'`).join(', '))

/** The folded title; one too long for the index is read from its row. */
const TITLE = sql`coalesce(j.title_key, (select f.title_folded from jobs f where f.tenant_id = j.tenant_id and f.id = j.id))`

/** A member's user id, of former members too. */
async function memberId(db: Db, named: string): Promise<string> {
  const found = await db.maybe<{ id: string }>(sql`select u.id from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and ${isId(named) ? sql`u.id = ${named}` : sql`u.email = ${named}`}`)
  if (found === undefined) throw invalid(`assignee is not a member of this account (got ${named}); use the exact e-mail or user id of a member`)
  return found.id
}
