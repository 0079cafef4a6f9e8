import type { Caller } from '../../access/caller.ts'
import { assignments, values } from '../../db/rows.ts'
import { sql } from '../../db/tenant.ts'
import type { Db, Sql } from '../../db/tenant.ts'
import { invalid, notFound } from '../../refusal.ts'
import { fold } from '../../shape/fold.ts'
import { newId } from '../../shape/id.ts'

/** What a note can hang on. */
export const SUBJECTS = ['customer', 'contact', 'location', 'job', 'job_series', 'invoice', 'quote', 'plan', 'catalog_item'] as const

export type SubjectType = (typeof SUBJECTS)[number]
export type Note = {
  id: string
  body: string
  subject_type: SubjectType | null
  subject_id: string | null
  pinned: boolean
  author_id: string | null
  author_name: string | null
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  archived_at: string | null
}

/** What a caller sets of a note; the subject at create only. */
export type NoteInput = Pick<Note, 'body' | 'subject_type' | 'subject_id'>

const columns = sql`id, body, subject_type, subject_id, pinned, created_by as author_id,
  (select u.name from users u where u.id = notes.created_by) as author_name, created_at, updated_at, created_by, updated_by, archived_at`

/** The live records of each type; a type that is missing here has none. */
const LIVE: { readonly [Type in SubjectType]?: Sql } = {
  customer: sql`select tenant_id, id from customers where archived_at is null`,
  contact: ofLiveCustomer(sql`contacts`),
  location: ofLiveCustomer(sql`locations`),
  job: sql`select tenant_id, id from jobs`,
  job_series: sql`select tenant_id, id from job_series`,
  plan: sql`select tenant_id, id from plans`,
}

function ofLiveCustomer(table: Sql): Sql {
  return sql`select p.tenant_id, p.id from ${table} p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    where p.archived_at is null and c.archived_at is null`
}

/** A live note, also of a subject that is no longer live. */
export const findNote = (db: Db, id: string): Promise<Note> =>
  db.present<Note>(sql`select ${columns} from notes where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`, 'note')

export const lockNote = (db: Db, id: string): Promise<Note> =>
  db.present<Note>(sql`select ${columns} from notes
    where tenant_id = ${db.tenant} and id = ${id} and archived_at is null for no key update`, 'note')

/** Adds a note; its subject must be live. */
export async function addNote(db: Db, { user }: Caller, { body, subject_type, subject_id }: NoteInput): Promise<Note> {
  if (subject_type !== null) await requireSubject(db, subject_type, subject_id)
  return db.one<Note>(sql`insert into notes ${values({
    tenant_id: db.tenant, id: newId(), ...stored(db, body), subject_type, subject_id, created_by: user, updated_by: user,
  })} returning ${columns}`)
}

export const changeNote = (db: Db, { user }: Caller, id: string, body: string): Promise<Note> =>
  db.one<Note>(sql`update notes set ${assignments({ ...stored(db, body), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id} returning ${columns}`)

export const archiveNote = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update notes set archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)

async function requireSubject(db: Db, type: SubjectType, id: string | null): Promise<void> {
  const live = LIVE[type]
  const what = type.replace('_', ' ')
  if (live === undefined) throw notFound(what)
  await db.present(sql`select s.id from (${live}) s where s.tenant_id = ${db.tenant} and s.id = ${id}`, what)
}

/** The gate of changes (records 3.4). */
export function requireAuthor({ author_id }: Note, { user, role }: Caller): void {
  if (role !== 'owner' && (user === null || user !== author_id)) throw invalid('only the author or an owner may change this note')
}

/** The words of a body and where they stand, as a tsvector. */
const placedWords = (db: Db, body: string): string => wordsOf(db, body).map((word, i) => `${word}:${i + 1}`).join(' ')

/** A tsquery for notes with all the words of a text, the last of which may be the beginning of one; no words match none. */
export const allWords = (db: Db, text: string): string => {
  const words = wordsOf(db, text)
  return words.length === 0 ? '' : `${words.join(' & ')}:*`
}

/**
 * Letters and digits alone, so that nothing in a text is syntax; PostgreSQL's own parser would keep `pump/motor` together
 * as a path and take the 555 of `512-555` for negative. A longer word than an index entry holds counts as several.
 */
const wordsOf = ({ tenant }: Db, text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]{1,64}/gu) ?? []).map((word) => `${tenant.slice(-6)}${word}`)

const stored = (db: Db, body: string) => ({ body, words: placedWords(db, body) })
