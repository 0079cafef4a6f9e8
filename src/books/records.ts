import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import type { BooksReason } from './books_error.ts'
import type { BooksKey } from './documents/sources.ts'
import type { BooksKind, RemoteRecord } from './program.ts'

/** State of a record at the program. */
export type BooksRecord = {
  kind: BooksKind
  record: string
  state: 'due' | 'sending' | 'sent' | 'held' | 'failed' | 'cancelled'
  edition: number
  request: string
  remote: string | null
  customer: string | null
  number: string | null
  day: string | null
  sent: string | null
  cents: number | null
  attempts: number
}

const COLUMNS = sql`kind, record, state, edition, request, remote, customer, number, day, sent, cents, attempts`

/** Key of a record of one company at a program. */
export type RecordName = { key: BooksKey; kind: BooksKind; id: string }

const where = (db: Db, { key, kind, id }: RecordName): Sql => sql`tenant_id = ${db.tenant}
  and program = ${key.program} and organization = ${key.organization} and kind = ${kind} and record = ${id}`

export const findRecord = (db: Db, name: RecordName): Promise<BooksRecord | undefined> =>
  db.maybe<BooksRecord>(sql`select ${COLUMNS} from books_records where ${where(db, name)}`)

/** A request about to be sent: the fields to find its record by, our version, a hash of the contents, and the total. */
type SendingFacts = Pick<BooksRecord, 'customer' | 'number' | 'day' | 'cents'> & { version: number; sent: string }

/**
 * Records that a request is about to be sent, so that recovery after a crash knows what to look for. A row that is
 * already `sending` keeps its request and the facts sent with it.
 */
export async function beginSending(db: Db, name: RecordName, facts: SendingFacts): Promise<BooksRecord> {
  const { key, kind, id } = name
  await db.run(sql`insert into books_records as r (tenant_id, program, organization, kind, record, state, request,
      customer, number, day, version, sent, cents, attempts)
    values (${db.tenant}, ${key.program}, ${key.organization}, ${kind}, ${id}, 'sending', ${newId()},
      ${facts.customer}, ${facts.number}, ${facts.day}, ${facts.version}, ${facts.sent}, ${facts.cents}, 1)
    on conflict (tenant_id, program, organization, kind, record) do update set state = 'sending',
      attempts = r.attempts + 1, updated_at = later_than(r.updated_at),
      request = case when r.state = 'sending' then r.request else excluded.request end,
      customer = case when r.state = 'sending' then r.customer else excluded.customer end,
      number = case when r.state = 'sending' then r.number else excluded.number end,
      day = case when r.state = 'sending' then r.day else excluded.day end,
      sent = case when r.state = 'sending' then r.sent else excluded.sent end,
      cents = case when r.state = 'sending' then r.cents else excluded.cents end,
      edition = case when r.state = 'cancelled' then r.edition + 1 else r.edition end,
      remote = case when r.state = 'cancelled' then null else r.remote end,
      reason = null, detail = null`)
  return db.one<BooksRecord>(sql`select ${COLUMNS} from books_records where ${where(db, name)}`)
}

/** Records that the program has the record as it was sent. */
export const endSending = (
  db: Db,
  name: RecordName,
  { id: remote }: Pick<RemoteRecord, 'id'>,
  { version, sent, cents }: Pick<SendingFacts, 'version' | 'sent' | 'cents'>,
): Promise<number> =>
  db.run(sql`update books_records set state = 'sent', remote = ${remote}, version = ${version}, sent = ${sent},
      cents = ${cents}, reason = null, detail = null, updated_at = later_than(updated_at)
    where ${where(db, name)}`)

/** Records that our new version needs no change at the program. */
export const confirmSent = (db: Db, name: RecordName, version: number): Promise<number> =>
  db.run(sql`update books_records set state = 'sent', version = ${version}, reason = null, detail = null
    where ${where(db, name)}`)

/** Records that a record no longer exists at the program. */
export const markCancelled = (db: Db, name: RecordName, version: number): Promise<number> =>
  db.run(sql`update books_records set state = 'cancelled', remote = null, version = ${version}, reason = null,
      detail = null, updated_at = later_than(updated_at)
    where ${where(db, name)}`)

/** Why a record is out of sync, and our version to which that applies. */
type RecordProblem = { state: 'due' | 'held' | 'failed'; reason: BooksReason; detail: string | null; version: number }

/** Records why a record is out of sync; it waits for a change of ours, or for a person. */
export const markProblem = async (db: Db, name: RecordName, problem: RecordProblem): Promise<void> => {
  const { key, kind, id } = name
  const { state, reason, detail, version } = problem
  await db.run(sql`insert into books_records as r (tenant_id, program, organization, kind, record, state, request,
      version, reason, detail)
    values (${db.tenant}, ${key.program}, ${key.organization}, ${kind}, ${id}, ${state}, ${newId()}, ${version},
      ${reason}, ${detail})
    on conflict (tenant_id, program, organization, kind, record) do update set state = excluded.state,
      version = excluded.version, reason = excluded.reason, detail = excluded.detail,
      updated_at = later_than(r.updated_at)`)
}

/** Forgets a record that was created with a wrong total and canceled; the next one is a new edition. */
export const forgetRemote = (db: Db, name: RecordName): Promise<number> =>
  db.run(sql`update books_records set remote = null, edition = edition + 1 where ${where(db, name)}`)

/** Checks whether a record at the program belongs to another record of ours. */
export const isRemoteTaken = async (db: Db, { key, kind, id }: RecordName, remote: string): Promise<boolean> =>
  (await db.maybe(sql`select from books_records where tenant_id = ${db.tenant} and program = ${key.program}
    and organization = ${key.organization} and kind = ${kind} and remote = ${remote} and record <> ${id}`)) !==
  undefined
