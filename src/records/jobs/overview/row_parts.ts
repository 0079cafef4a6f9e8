import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { wallAt } from '../../../platform/validation/formats/instants.ts'
import { requireAlsoReads } from '../../../tools/declare/also_reads.ts'
import { recentChanges } from '../../../tools/call/history.ts'
import type { JobRow } from '../listing.ts'
import { listSiteAccess } from '../visits/crew_visits.ts'

/** Parts that job rows can include. */
export const ROW_PARTS = ['access', 'lines', 'changes'] as const
type RowPart = (typeof ROW_PARTS)[number]

/** Parts of a row beyond its columns, as requested. */
type RowParts = {
  instructions?: string
  access_notes?: string
  phone?: string
  line_items?: { name: string; quantity: number }[]
  changes?: string[]
  /** Local time, on a brief row. */
  when?: string
  /** Names, on a brief row. */
  crew?: string
}

type PartsInput = { include?: readonly RowPart[] | undefined; brief?: boolean | undefined; since?: string | undefined }

/** Columns that brief rows omit, because they have the number, the local time and the names instead. */
export const BRIEF_OMITTED = [
  'id',
  'customer_id',
  'location_id',
  'series_id',
  'scheduled_start',
  'scheduled_end',
  'all_day',
  'assignees',
  'updated_at',
] as const satisfies readonly (keyof JobRow)[]

/** Adds the requested parts to rows. */
export async function withParts<Row extends JobRow>(
  db: Db,
  caller: Caller,
  rows: readonly Row[],
  { include = [], brief = false, since }: PartsInput,
): Promise<(Row & RowParts)[]> {
  const included = new Set(include)
  if (included.has('access')) requireAlsoReads(caller, 'jobs.list with access', 'read:customers')
  const ids = rows.map(({ id }) => id)
  const [access, lines, changes] = await Promise.all([
    included.has('access') ? listSiteAccess(db, ids, true) : [],
    included.has('lines') ? listLines(db, ids) : [],
    included.has('changes') ? recentChanges(db, caller, ids, since) : new Map<string, string[]>(),
  ])
  const accessOf = new Map(access.map(({ id, ...one }) => [id, one]))
  const linesOf = new Map(lines.map(({ id, line_items }) => [id, line_items]))
  return rows.map((row) => ({
    ...row,
    ...(brief && briefTimes(row, caller.tenant.timezone)),
    ...dropMissing(accessOf.get(row.id) ?? {}),
    ...dropMissing({ line_items: linesOf.get(row.id), changes: changes.get(row.id) }),
  }))
}

/** Drops missing values. */
const dropMissing = (parts: Readonly<Record<string, unknown>>): RowParts =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null && value !== undefined))

const listLines = (db: Db, ids: readonly string[]): Promise<{ id: string; line_items: RowParts['line_items'] }[]> =>
  db.all(sql`
    select j.id, (select json_agg(json_build_object('name', l.value ->> 'name', 'quantity', l.value -> 'quantity')
      order by l.ordinality) from jsonb_array_elements(j.line_items) with ordinality l) as line_items
    from jobs j
    where j.tenant_id = ${db.tenant} and j.id = any(${[...ids]}::uuid[]) and j.line_items <> '[]'`)

/** Returns the local time and the crew's names for a brief row. */
function briefTimes({ scheduled_start, scheduled_end, all_day, assignees }: JobRow, zone: string): RowParts {
  const crew = assignees.length === 0 ? {} : { crew: assignees.map(({ name }) => name).join(', ') }
  if (scheduled_start === null || scheduled_end === null) return crew
  const [from, to] = [localAt(scheduled_start, zone), localAt(scheduled_end, zone)]
  const day = from.toPlainDate()
  if (all_day) return { when: `${day.toString()} any time`, ...crew }
  const until = to.toPlainDate().equals(day) ? formatTime(to) : `${to.toPlainDate().toString()} ${formatTime(to)}`
  return { when: `${day.toString()} ${formatTime(from)}-${until}`, ...crew }
}

const localAt = (instant: string, zone: string): Temporal.PlainDateTime => wallAt(Temporal.Instant.from(instant), zone)
const formatTime = (wall: Temporal.PlainDateTime): string => wall.toPlainTime().toString({ smallestUnit: 'minute' })
