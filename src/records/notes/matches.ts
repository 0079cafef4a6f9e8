import { isInstant } from '../../platform/validation/fields.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'

/** Newest notes to search first. */
const NEWEST_COUNT = 400

/** Minimum matches among those for a word to be common. */
const MIN_COMMON_MATCHES = 50

/** Newest notes to search and rank for a common word. */
const MAX_RANKED = 4000

/** Position of a row among the matches. With `since`, only newer notes are ranked; older ones follow, newest first. */
export type MatchPosition = { rank: number; at: string; id: string; since: string | null }

/** Rank of an unranked match, below every other. */
const UNRANKED = -1

/**
 * Selects live notes that match and fit, after a position: best match first, then newest. If many of the newest notes
 * match, only these are ranked; older ones follow, newest first.
 */
export function rankMatches(
  db: Db,
  tsquery: string,
  conditions: Sql,
  after: MatchPosition | undefined,
  limit: number,
): Sql {
  const live = sql`n.tenant_id = ${db.tenant} and n.archived_at is null ${conditions}`
  const orderMatches = (rows: Sql): Sql =>
    sql`select id, rank, at, since from (${rows}) found order by rank desc, at desc, id desc limit ${limit}`
  const olderMatches = (before: Sql): Sql => sql`(select n.id, ${UNRANKED}::real as rank, n.created_at as at
    from notes n
    where ${live} and ${before} and n.words @@ ${tsquery}::tsquery
    order by n.created_at desc, n.id desc limit ${limit})`
  if (after === undefined) return orderMatches(firstPage(db, tsquery, conditions, live, olderMatches))
  const { rank, at, id, since } = after
  const afterCondition = sql`(rank, at, id) < (${rank}::real, ${at}::timestamptz, ${id}::uuid)`
  if (since === null)
    return orderMatches(sql`select * from (select n.id, n.rank, n.created_at as at, null::timestamptz as since
      from notes_matching(${tsquery}, null) n where n.tenant_id = ${db.tenant} ${conditions}) n
        where ${afterCondition}`)
  if (rank === UNRANKED)
    return orderMatches(
      sql`select *, ${since}::timestamptz as since
        from ${olderMatches(sql`(n.created_at, n.id) < (${at}::timestamptz, ${id}::uuid)`)} n`,
    )
  return orderMatches(sql`select *, ${since}::timestamptz as since from (
    select n.id, ts_rank(n.words, ${tsquery}::tsquery) as rank, n.created_at as at
      from notes n where ${live} and n.created_at > ${since}::timestamptz and n.words @@ ${tsquery}::tsquery
    union all ${olderMatches(sql`n.created_at <= ${since}::timestamptz`)}) n where ${afterCondition}`)
}

/** Selects all matches with their rank, or the matches among the newest notes and the first of the older ones. */
function firstPage(db: Db, tsquery: string, conditions: Sql, live: Sql, olderMatches: (before: Sql) => Sql): Sql {
  const newest = (limit: number, condition: Sql): Sql => sql`
    select n.id, n.created_at as at,
      case when n.words @@ ${tsquery}::tsquery then ts_rank(n.words, ${tsquery}::tsquery) end as rank
    from notes n where ${live} and ${condition} order by n.created_at desc, n.id desc limit ${limit}`
  return sql`
    with near as materialized (${newest(NEWEST_COUNT, sql`true`)}),
    known as materialized (select count(*) < ${NEWEST_COUNT} as is_all, count(*) = ${NEWEST_COUNT}
      and count(rank) >= ${MIN_COMMON_MATCHES} as is_common
      from near),
    looked as materialized (${newest(MAX_RANKED, sql`(select is_common from known)`)}),
    edge as materialized (select min(at) as since from looked having count(*) = ${MAX_RANKED})
    select id, rank, at, null::timestamptz as since from near where rank is not null and (select is_all from known)
    union all select n.id, n.rank, n.created_at, null from notes_matching(${tsquery}, null) n
      where n.tenant_id = ${db.tenant} and (select not is_all and not is_common from known) ${conditions}
    union all select id, rank, at, (select since from edge) from looked
      where rank is not null and at > coalesce((select since from edge), '-infinity')
    union all select o.*, since from edge cross join ${olderMatches(sql`n.created_at <= (select since from edge)`)} o`
}

/** Returns the times of a position as text for a cursor. */
export const formatTimes = ({ at, since }: Pick<MatchPosition, 'at' | 'since'>): string =>
  since === null ? at : `${at} ${since}`

export const areTimes = (text: string): boolean => /^\S+( \S+)?$/.test(text) && text.split(' ').every(isInstant)

/** Parses the text of `formatTimes`. */
export function parseTimes(text: string): { at: string; since: string | null } {
  const [at = '', since = null] = text.split(' ')
  return { at, since }
}
