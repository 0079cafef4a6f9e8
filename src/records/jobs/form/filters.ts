import { join, raw, sql, type Sql } from '../../../platform/db/database.ts'
import { ENTERED_TENANT, type Db } from '../../../platform/db/tenant.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { lowerBound, upperBound } from '../../../platform/validation/formats/instants.ts'
import { isFound, type RecordSearch } from '../../search/record_search.ts'
import { selectDeleted, type ChangeFilter } from '../../../tools/call/by_change.ts'
import { isUnbilled } from '../overview/unbilled.ts'
import { STATUSES, type JobStatus } from '../status.ts'

export type JobFilters = ChangeFilter & {
  status?: readonly JobStatus[] | undefined
  customer_id?: string | undefined
  series_id?: string | undefined
  location_id?: string | undefined
  /** User id. */
  member?: string | undefined
  scheduled_from?: string | undefined
  scheduled_to?: string | undefined
  title?: string | null | undefined
  /** Ids of all jobs with that title, if they are known to be few. */
  titleMatchIds?: readonly string[] | undefined
  /** Result of the text search. */
  search?: RecordSearch | undefined
  unassigned?: boolean | undefined
  /** Earliest completion of unbilled work: lists only done work without an invoice. */
  unbilled_since?: string | undefined
}

/** SQL after FROM, and the columns to sort a list by. */
export type JobSelection = { rows: Sql; id: Sql; created_at: Sql; scheduled_start: Sql }

/**
 * Selects the jobs of a list, at least `limit` of them. A member's jobs come from the member's own indexes, except in a
 * list by change, of unbilled work, or of few jobs that a text search found.
 */
export function selectJobs(
  db: Db,
  zone: string,
  { member, titleMatchIds, title, search, ...others }: JobFilters,
  limit: number,
): JobSelection {
  if (others.include_removed === true) return selectWithDeleted(db, zone, { ...others, member, title, search }, limit)
  const knownIds = titleMatchIds ?? (search !== undefined && 'ids' in search ? search.ids : undefined)
  const filters = {
    ...others,
    title: titleMatchIds === undefined ? title : undefined,
    search: knownIds === undefined || titleMatchIds !== undefined ? search : undefined,
  }
  const isOfAllJobs = filters.updated_since !== undefined || filters.unbilled_since !== undefined
  if (member === undefined || knownIds !== undefined || isOfAllJobs) {
    const from = knownIds === undefined ? sql`jobs j` : jobsByIds(db, knownIds)
    const assigned =
      member === undefined
        ? []
        : [
            sql`j.id in (select a.job_id from job_assignees a
              where a.tenant_id = ${db.tenant} and a.user_id = ${member})`,
          ]
    const where = [
      sql`j.tenant_id = ${db.tenant}`,
      ...assigned,
      ...scheduleConditions(zone, filters, JOB_COLUMNS),
      ...contentConditions(filters),
      ...(filters.unbilled_since === undefined ? [] : [isUnbilled(db, filters.unbilled_since)]),
    ]
    return { rows: sql`${from} where ${joinAll(where)}`, ...JOB_COLUMNS }
  }
  const rest = contentConditions(filters)
  const where = [
    sql`a.tenant_id = ${db.tenant} and a.user_id = ${member}`,
    ...scheduleConditions(zone, filters, ASSIGNEE_COLUMNS),
    ...(rest.length === 0
      ? []
      : [sql`exists (select 1 from jobs j where j.tenant_id = ${db.tenant} and j.id = a.job_id and ${joinAll(rest)})`]),
  ]
  return { rows: sql`job_assignees a where ${joinAll(where)}`, ...ASSIGNEE_COLUMNS }
}

/** Adds the jobs deleted since then, as they were; up to `limit` of each, in an index's order of change. */
function selectWithDeleted(db: Db, zone: string, { member, ...filters }: JobFilters, limit: number): JobSelection {
  const assigned = member === undefined ? [] : [sql`${member} = any(j.assignee_ids)`]
  const where = [
    sql`j.tenant_id = ${db.tenant}`,
    ...assigned,
    ...scheduleConditions(zone, filters, JOB_COLUMNS),
    ...contentConditions(filters),
  ]
  const rowsByChange = (from: Sql, isDeleted: Sql): Sql =>
    sql`(select j.id, j.updated_at, ${isDeleted} as is_deleted
      from ${from} j
      where ${joinAll(where)}
      order by j.updated_at, j.id limit ${limit})`
  return {
    rows: sql`(${rowsByChange(sql`jobs`, sql`false`)}
      union all ${rowsByChange(selectDeleted(db, 'jobs', filters), sql`true`)}) j`,
    ...JOB_COLUMNS,
  }
}

/** Reads jobs one by one. A generic plan would read all jobs of an average tenant instead. */
const jobsByIds = (db: Db, ids: readonly string[]): Sql => sql`
  unnest(${[...ids]}::uuid[]) t(id)
    cross join lateral (select * from jobs where tenant_id = ${db.tenant} and id = t.id limit 1) j`

type Columns = Omit<JobSelection, 'rows'> & { status: Sql }

const JOB_COLUMNS: Columns = {
  id: sql`j.id`,
  status: sql`j.status`,
  created_at: sql`j.created_at`,
  scheduled_start: sql`j.scheduled_start`,
}
const ASSIGNEE_COLUMNS: Columns = {
  id: sql`a.job_id`,
  status: sql`a.status`,
  created_at: sql`a.created_at`,
  scheduled_start: sql`a.scheduled_start`,
}

const joinAll = (conditions: readonly Sql[]): Sql => join([...conditions], ' and ')

/** Returns the conditions on columns that job_assignees also has. */
const scheduleConditions = (
  zone: string,
  { status, scheduled_from, scheduled_to }: JobFilters,
  columns: Columns,
): Sql[] => [
  ...(status === undefined ? [] : [sql`${columns.status} in (${statusesIn(status)})`]),
  ...(status?.some(isEnded) === false ? [sql`${columns.status} not in ('done', 'cancelled')`] : []),
  ...(scheduled_from === undefined ? [] : [sql`${columns.scheduled_start} >= ${lowerBound(zone, scheduled_from)}`]),
  ...(scheduled_to === undefined ? [] : [sql`${columns.scheduled_start} < ${upperBound(zone, scheduled_to)}`]),
]

const contentConditions = ({
  customer_id,
  series_id,
  location_id,
  title,
  search,
  unassigned,
  updated_since,
}: JobFilters): Sql[] => [
  ...(customer_id === undefined ? [] : [sql`j.customer_id = ${customer_id}`]),
  ...(series_id === undefined ? [] : [sql`j.series_id = ${series_id}`]),
  ...(location_id === undefined ? [] : [sql`j.location_id = ${location_id}`]),
  ...(unassigned === undefined ? [] : [unassigned ? sql`j.assignee_ids = '{}'` : sql`j.assignee_ids <> '{}'`]),
  ...(search === undefined ? [] : [isFound(search, sql`j`)]),
  ...(title == null ? [] : [sql`strpos(${TITLE}, ${fold(title)}) > 0`]),
  ...(updated_since === undefined ? [] : [sql`j.updated_at >= ${updated_since} and j.updated_at < settled()`]),
]

const isEnded = (status: JobStatus): boolean => status === 'done' || status === 'cancelled'

/** Writes statuses as SQL literals, so that even a generic plan knows how rare each is. */
const statusesIn = (statuses: readonly JobStatus[]): Sql =>
  raw(
    STATUSES.filter((status) => statuses.includes(status))
      .map((status) => `'${status}'`)
      .join(', '),
  )

/** Folded title. If it is too long for the index, it comes from the row. */
const TITLE = sql`coalesce(j.title_key,
  (select f.title_folded from jobs f where f.tenant_id = ${ENTERED_TENANT} and f.id = j.id))`
