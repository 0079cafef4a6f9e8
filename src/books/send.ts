import { createHash } from 'node:crypto'
import type { Db } from '../platform/db/tenant.ts'
import { BooksError, holdRecord } from './books_error.ts'
import type { BooksKey } from './documents/sources.ts'
import type { BooksDocument, BooksProgram, CreditDocument, RemoteRecord } from './program.ts'
import {
  beginSending,
  confirmSent,
  endSending,
  findRecord,
  forgetRemote,
  isRemoteTaken,
  markProblem,
  type BooksRecord,
  type RecordName,
} from './records.ts'

/** A run over one company. `conclude` saves effects at the program even if another process took over the run. */
export type BooksRun = {
  key: BooksKey
  program: BooksProgram
  /** Whether an account for tips is chosen. */
  sendsTips: boolean
  /** URL of the company's pages. */
  url: string
  today: string
  write: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  conclude: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

/** A document without its mark, which needs the edition. */
export type Unmarked = BooksDocument extends infer One ? (One extends BooksDocument ? Omit<One, 'mark'> : never) : never

/**
 * Creates a document at the program once, or updates the existing one. Writes the row first. After a crash or timeout,
 * the retry looks for the created record, and repeats the same request only if there is none. Returns the program's id.
 */
export async function sendOnce(run: BooksRun, unmarked: Unmarked, version: number): Promise<string> {
  const name = { key: run.key, kind: unmarked.kind, id: unmarked.id }
  const sent = hashOf(unmarked)
  const before = await run.write((db) => findRecord(db, name))
  if (before?.remote != null && before.state !== 'sending' && before.state !== 'cancelled')
    return updateRemote(run, { name, before, version, sent }, withMark(unmarked, before.edition))
  const facts = 'cents' in unmarked ? unmarked : { customer: null, number: null, day: null, cents: null }
  const row = await run.write((db) => beginSending(db, name, { ...facts, version, sent }))
  const document = withMark(unmarked, row.edition)
  const remote = await findOrCreate(run, name, row, document)
  if (isCredit(document)) await run.program.apply(remote.id, document, row.request)
  await run.conclude((db) => endSending(db, name, remote, { version, sent: row.sent ?? sent, cents: row.cents }))
  if (row.sent === sent) return remote.id
  // The record created before the crash is older than our books.
  return updateRemote(run, { name, before: { ...row, state: 'sent', remote: remote.id }, version, sent }, document)
}

const isCredit = (document: BooksDocument): document is CreditDocument =>
  document.kind === 'credit' || document.kind === 'reversal'

async function findOrCreate(
  run: BooksRun,
  name: RecordName,
  row: BooksRecord,
  document: BooksDocument,
): Promise<RemoteRecord> {
  // It may exist without a row: after a crash, or if the database was restored from a backup.
  const existing = await run.program.find(document)
  if (existing !== undefined && (await run.write((db) => isRemoteTaken(db, name, existing.id))))
    throw holdRecord('name_taken', 'name' in document ? document.name : row.number)
  const remote = existing ?? (await run.program.create(document, row.request))
  if (remote.cents === null || remote.cents === row.cents) return remote
  // It would be wrong in the books: cancel it and let a person decide.
  await run.program.cancel(document.kind, remote.id, `${row.request}-x`)
  await run.conclude((db) => forgetRemote(db, name))
  throw holdRecord('total', String(remote.cents))
}

/** Kinds that are never changed; a wrong one is canceled. */
const IMMUTABLE_KINDS: ReadonlySet<BooksDocument['kind']> = new Set(['payment', 'refund', 'tip'])

type Current = { name: RecordName; before: BooksRecord; version: number; sent: string }

/** Updates the program's record if ours has changed. */
async function updateRemote(
  run: BooksRun,
  { name, before, version, sent }: Current,
  document: BooksDocument,
): Promise<string> {
  const remote = before.remote ?? ''
  if (before.sent === sent || IMMUTABLE_KINDS.has(document.kind)) {
    if (isCredit(document)) await run.program.apply(remote, document, before.request)
    await run.conclude((db) => confirmSent(db, name, version))
    return remote
  }
  const cents = 'cents' in document ? document.cents : null
  // Only the same change has the same idempotency key.
  const changed = await run.program.update(remote, document, `${before.request.slice(0, 8)}-${sent.slice(0, 24)}`)
  if (changed.cents !== null && changed.cents !== cents) throw holdRecord('total', String(changed.cents))
  await run.conclude((db) => endSending(db, name, { id: remote }, { version, sent, cents }))
  return remote
}

/** Runs work on a record and saves its failure there. Rethrows transient errors and a revoked access. */
export async function recordProblems(
  run: BooksRun,
  name: RecordName,
  version: number,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof BooksError) || error.failure === 'revoked') throw error
    if (error.failure === 'later' && !(await hasFailedTooOften(run, name, error))) throw error
    const state = error.failure === 'held' ? 'held' : 'failed'
    await run.conclude((db) => markProblem(db, name, { state, reason: error.reason, detail: error.detail, version }))
  }
}

/** Attempts after which a record on which the program fails no longer blocks the others. */
const MAX_ATTEMPTS = 5

const hasFailedTooOften = async (run: BooksRun, name: RecordName, { isBroken }: BooksError): Promise<boolean> =>
  isBroken && ((await run.write((db) => findRecord(db, name)))?.attempts ?? 0) >= MAX_ATTEMPTS

const hashOf = (document: Unmarked): string => createHash('sha256').update(JSON.stringify(document)).digest('hex')

/** Returns the mark of a document: its record and its edition. */
export const markOf = ({ id }: Pick<Unmarked, 'id'>, edition: number): string => `Callout ${id} ${edition}`

const withMark = (document: Unmarked, edition: number): BooksDocument => ({
  ...document,
  mark: markOf(document, edition),
})
