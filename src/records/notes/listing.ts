import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { formatCursor, parseCursor } from '../../platform/validation/cursor.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import type { Note, SubjectType } from './fields.ts'
import { areTimes, rankMatches, parseTimes, formatTimes, type MatchPosition } from './matches.ts'
import { toTsquery } from './note.ts'

type NoteFilters = ChangeFilter & {
  query?: string | null | undefined
  pinned?: boolean | undefined
  subject_type?: SubjectType | undefined
  subject_id?: string | undefined
  author_id?: string | undefined
  created_from?: string | undefined
  created_to?: string | undefined
  cursor?: string | undefined
  limit: number
}

type NoteRow = Pick<Note, 'id' | 'pinned' | 'subject_type' | 'subject_id' | 'author_name' | 'created_at'> & {
  excerpt: string
}

/** Position of a row in its list, used as the cursor. */
type RowPosition = Omit<MatchPosition, 'id'>

type NotePage = { rows: (NoteRow & RowPosition)[]; cursorAfter: (last: NoteRow & RowPosition) => string }

/**
 * Returns a page of notes and one extra row. With `updated_since`: oldest change first. With a query: best match first,
 * then newest. With neither: newest first.
 */
export async function listNotes(
  db: Db,
  { tenant }: Caller,
  { cursor, limit, ...filters }: NoteFilters,
): Promise<NotePage> {
  const after = cursor === undefined ? undefined : readPosition(cursor, filters)
  const direction = filters.updated_since === undefined ? sql`desc` : sql`asc`
  const rows = await db.all<NoteRow & RowPosition>(sql`
    with page as materialized (${pageOf(db, tenant.timezone, filters, after, limit + 1)})
    select n.id, left(n.body, ${MAX_EXCERPT_LENGTH + 1}) as excerpt, n.pinned, n.subject_type, n.subject_id,
      u.name as author_name,
      n.created_at, p.rank, p.at, p.since ${changeColumns(filters, sql`n.updated_at`, sql`n.archived_at is not null`)}
    from page p join notes n on n.tenant_id = ${db.tenant} and n.id = p.id left join users u on u.id = n.created_by
    order by p.rank ${direction}, p.at ${direction}, p.id ${direction}`)
  return {
    rows: rows.map((row) => ({ ...row, excerpt: excerptOf(row.excerpt) })),
    cursorAfter: ({ rank, id, ...times }) => formatCursor(filters, [rank, formatTimes(times), id]),
  }
}

function readPosition(cursor: string, filters: Filters): MatchPosition {
  const [rank, times, id] = parseCursor(cursor, filters, areTimes)
  return { rank, id, ...parseTimes(times) }
}

type Filters = Omit<NoteFilters, 'cursor' | 'limit'>

function pageOf(db: Db, zone: string, filters: Filters, after: MatchPosition | undefined, limit: number): Sql {
  const { query, updated_since } = filters
  const conditions = filterConditions(zone, filters)
  const afterCondition = (position: MatchPosition | undefined, column: Sql, comparison: Sql): Sql =>
    position === undefined
      ? sql``
      : sql`and (${column}, n.id) ${comparison} (${position.at}::timestamptz, ${position.id}::uuid)`
  if (updated_since !== undefined) {
    return sql`select n.id, 0 as rank, n.updated_at as at, null::timestamptz as since from ${noteRows(db, filters)} n
      where n.tenant_id = ${db.tenant} ${conditions} and n.updated_at >= ${updated_since} and n.updated_at < settled()
        ${afterCondition(after, sql`n.updated_at`, sql`>`)} order by n.updated_at, n.id limit ${limit}`
  }
  if (query != null) return rankMatches(db, toTsquery(db.tenant, query), conditions, after, limit)
  return sql`select n.id, 0 as rank, n.created_at as at, null::timestamptz as since from notes n
    where n.tenant_id = ${db.tenant} and n.archived_at is null ${conditions} ${afterCondition(after, sql`n.created_at`, sql`<`)}
    order by n.created_at desc, n.id desc limit ${limit}`
}

/** Selects live notes, or those that match a query. Reads without the index if archived notes are included. */
function noteRows(db: Db, { query, ...filters }: Filters): Sql {
  if (query == null) return sql`(select * from notes where true ${whereListed(filters, sql`archived_at is null`)})`
  const tsquery = toTsquery(db.tenant, query)
  return filters.include_removed === true
    ? sql`(select * from notes where words @@ ${tsquery}::tsquery)`
    : sql`notes_matching(${tsquery}, null)`
}

const filterConditions = (
  zone: string,
  { pinned, subject_type, subject_id, author_id, created_from, created_to }: Filters,
): Sql => sql`
  ${pinned === undefined ? sql`` : pinned ? sql`and n.pinned` : sql`and not n.pinned`}
  ${subject_type === undefined ? sql`` : sql`and n.subject_type = ${subject_type}`}
  ${subject_id === undefined ? sql`` : sql`and n.subject_id = ${subject_id}`}
  ${author_id === undefined ? sql`` : sql`and n.created_by = ${author_id}`}
  ${created_from === undefined ? sql`` : sql`and n.created_at >= ${lowerBound(zone, created_from)}`}
  ${created_to === undefined ? sql`` : sql`and n.created_at < ${upperBound(zone, created_to)}`}`

/** Maximum code points of a body in a list row. */
const MAX_EXCERPT_LENGTH = 280

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns the start of a body, never cut within a character, with `…` if it was cut. */
export function excerptOf(body: string): string {
  const points = Array.from(body)
  if (points.length <= MAX_EXCERPT_LENGTH) return body
  const cut = points.slice(0, MAX_EXCERPT_LENGTH).join('').length
  return `${body.slice(0, characters.segment(body).containing(cut)?.index || cut)}…`
}
