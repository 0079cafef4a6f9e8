import { sql, type Db } from '../../platform/db/tenant.ts'
import { isOlder, type HistoryPage } from '../history/history_cursor.ts'
import type { Note } from './fields.ts'

/** Note in a history; `job_number` and `job_id` are set for a note on one of a customer's jobs. */
export type NoteEvent = Pick<Note, 'id' | 'author_name'> & {
  at: string
  body: string
  is_cut: boolean
  job_id: string | null
  job_number: string | null
}

/** Record whose notes are in a history; a customer's may include those of its jobs. */
type NotesSubject = { type: 'customer' | 'job'; id: string; hasJobs?: boolean }

/** Maximum jobs whose notes a customer's history includes, newest first. Notes of older jobs are on their pages. */
const MAX_JOBS = 100

/** Maximum characters of a note in a history; its page has the rest. */
const MAX_CHARACTERS = 1_000

const columns = sql`n.id, left(n.body, ${MAX_CHARACTERS}) as body,
  char_length(left(n.body, ${MAX_CHARACTERS} + 1)) > ${MAX_CHARACTERS} as is_cut, u.name as author_name,
  n.created_at as at`

/** Returns notes, newest first, except those pinned on the record itself. */
export const listNoteEvents = (
  db: Db,
  { type, id, hasJobs = false }: NotesSubject,
  page: HistoryPage,
): Promise<NoteEvent[]> =>
  db.all<NoteEvent>(sql`
    with subjects as (
      select ${type}::text as type, ${id}::uuid as id, null::text as number
      ${
        hasJobs
          ? sql`union all (select 'job', j.id, j.display_number from jobs j
              where j.tenant_id = ${db.tenant} and j.customer_id = ${id}
              order by j.created_at desc, j.id desc limit ${MAX_JOBS})`
          : sql``
      })
    select ${columns}, case when s.number is not null then s.id end as job_id, s.number as job_number
    from subjects s join notes n on n.tenant_id = ${db.tenant} and n.subject_type = s.type and n.subject_id = s.id
      left join users u on u.id = n.created_by
    where n.archived_at is null and not (n.pinned and n.subject_id = ${id})
      and ${isOlder(page, sql`n.created_at`, sql`n.id`)}
    order by n.created_at desc, n.id desc limit ${page.limit}`)

/** Returns the pinned notes on a record, newest first. */
export const listPinnedNotes = (db: Db, { type, id }: NotesSubject, limit: number): Promise<NoteEvent[]> =>
  db.all<NoteEvent>(sql`
    select ${columns}, null as job_id, null as job_number
    from notes n left join users u on u.id = n.created_by
    where n.tenant_id = ${db.tenant} and n.subject_type = ${type} and n.subject_id = ${id} and n.pinned
      and n.archived_at is null
    order by n.created_at desc, n.id desc limit ${limit}`)
