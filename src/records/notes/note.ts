import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { writeReturning, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { invalid } from '../../platform/errors/refusal.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { newId } from '../../platform/validation/id.ts'
import { NOTE, type Note, type NoteInput, type SubjectType } from './fields.ts'
import { refusals } from './refusals.ts'

/** Queries for the live records of each subject type. */
const LIVE_SUBJECTS: Readonly<Record<SubjectType, Sql>> = {
  customer: sql`select tenant_id, id from customers where archived_at is null`,
  contact: ofLiveCustomer(sql`contacts`),
  location: ofLiveCustomer(sql`locations`),
  job: sql`select tenant_id, id from jobs`,
  job_series: sql`select tenant_id, id from job_series`,
  invoice: sql`select tenant_id, id from invoices`,
  quote: sql`select tenant_id, id from quotes where status <> 'archived'`,
  plan: sql`select tenant_id, id from plans`,
  catalog_item: sql`select tenant_id, id from catalog_items where archived_at is null`,
}

function ofLiveCustomer(table: Sql): Sql {
  return sql`select p.tenant_id, p.id
    from ${table} p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    where p.archived_at is null and c.archived_at is null`
}

/** Returns a live note, even if its subject is no longer live. */
export const findNote = (db: Db, id: string): Promise<Note> =>
  db.present<Note>(
    sql`select ${NOTE.columns()} from notes where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
    'note',
  )

export const lockNote = (db: Db, id: string): Promise<Note> =>
  db.present<Note>(
    sql`select ${NOTE.columns()} from notes
    where tenant_id = ${db.tenant} and id = ${id} and archived_at is null for no key update`,
    'note',
  )

/** Adds a note. Its subject must be live, and is locked until the transaction ends. */
export async function addNote(db: Db, { user }: Caller, note: NoteInput): Promise<Note> {
  if (note.subject_type !== null) await requireSubject(db, note.subject_type, note.subject_id)
  return db.one<Note>(
    writeReturning(
      sql`notes`,
      sql`insert into notes ${values({
        tenant_id: db.tenant,
        id: newId(),
        ...NOTE.toColumns(note),
        words: toTsvector(db.tenant, note.body),
        created_by: user,
        updated_by: user,
      })}`,
      NOTE.columns(),
    ),
  )
}

export const changeNote = (db: Db, { user }: Caller, id: string, body: string): Promise<Note> =>
  db.one<Note>(
    writeReturning(
      sql`notes`,
      sql`update notes
        set ${assignments({ body, words: toTsvector(db.tenant, body), updated_by: user })},
          updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`,
      NOTE.columns(),
    ),
  )

/** Pins a note above the others, or unpins it. */
export const pinNote = (db: Db, { user }: Caller, id: string, pinned: boolean): Promise<Note> =>
  db.one<Note>(
    writeReturning(
      sql`notes`,
      sql`update notes set pinned = ${pinned}, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id}`,
      NOTE.columns(),
    ),
  )

/** Moves the notes of a record, including archived ones, to another of its type. */
export const moveNotes = (
  db: Db,
  user: string | null,
  type: SubjectType,
  subject: string,
  into: string,
): Promise<{ id: string }[]> =>
  db.all(sql`update notes set subject_id = ${into}, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and subject_type = ${type} and subject_id = ${subject} returning id`)

export const archiveNote = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update notes set archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)

async function requireSubject(db: Db, type: SubjectType, id: string | null): Promise<void> {
  await db.present(
    sql`select s.id from (${LIVE_SUBJECTS[type]}) s where s.tenant_id = ${db.tenant} and s.id = ${id} for key share`,
    type.replace('_', ' '),
  )
}

/** Checks whether a user may change a note: only its author and owners may. */
export const mayChangeNote = (
  { author_id }: Pick<Note, 'author_id'>,
  { user, role }: Pick<Caller, 'user' | 'role'>,
): boolean => role === 'owner' || (user !== null && user === author_id)

/** Throws unless the caller is the note's author or an owner (docs/spec/records.md#note-authors). */
export function requireMayChange(note: Pick<Note, 'author_id'>, caller: Pick<Caller, 'user' | 'role'>): void {
  if (!mayChangeNote(note, caller)) throw invalid(refusals.notAuthor())
}

/** Returns the words of a body and their positions, as a tsvector. */
const toTsvector = (tenant: string, body: string): string =>
  wordsOf(tenant, body)
    .map((word, i) => `${word}:${i + 1}`)
    .join(' ')

/**
 * Returns the tsquery for notes with all words of a text; the last word is a prefix. A text without words matches no
 * note.
 */
export function toTsquery(tenant: string, text: string): string {
  const words = wordsOf(tenant, text)
  return words.length === 0 ? '' : `${words.join(' & ')}:*`
}

/**
 * Returns the folded words of a text, each prefixed with the end of the tenant's id. They have only letters and digits,
 * so no text is tsquery syntax; PostgreSQL's own parser would keep `pump/motor` as one path and read the 555 of
 * `512-555` as negative. A run too long for an index entry counts as several words.
 */
const wordsOf = (tenant: string, text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]{1,64}/gu) ?? []).map((word) => `${tenant.slice(-6)}${word}`)
