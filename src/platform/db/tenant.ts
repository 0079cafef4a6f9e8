import { withEnteredTenant } from './citus/either.ts'
import type { Database, TransactionOptions } from './database.ts'
export { onlyRow, rowsOf, sql } from './sql.ts'
export { withOptions } from './database.ts'
export { ENTERED_TENANT, either, insertSelected, writeReturning } from './citus/either.ts'
export type { Database, TransactionOptions } from './database.ts'
export type { Sql } from './sql.ts'
import { refusalOf } from './refusals.ts'
import { raw, sql, type Row, type Send, type SendBatch, type Sql, type StatementResult } from './sql.ts'
import { BEGIN, BEGIN_SNAPSHOT, COMMIT, RELEASE, ROLLBACK, SAVEPOINT, UNDO } from './transaction.ts'
import { isTransient, retryTransient } from './transient.ts'
import { errorCode } from '../errors/error_code.ts'
import { Frozen, Refusal, Unavailable, Uncertain, notFound } from '../errors/refusal.ts'

/**
 * Entry to a tenant. Work of the service itself (command line, worker) has no credential to check. It uses the tenant's
 * connection quota, unless its options name another.
 */
export type TenantEntry = { tenant: string; credential?: { id: string; version: number }; options?: TransactionOptions }

/** SQL function that enters a tenant: to read, to list settled changes, or to write. */
type EntryFunction = 'enter_tenant' | 'enter_settled' | 'enter_to_write'

/** The only access to a tenant's rows. A `Db` is valid only inside `readTenant` or `writeTenant`. */
export type Db = {
  readonly tenant: string
  all<T>(query: Sql): Promise<T[]>
  maybe<T>(query: Sql): Promise<T | undefined>
  /** Returns exactly one row. Throws if there isn't one, which is a bug. */
  one<T>(query: Sql): Promise<T>
  /** Returns one row, or throws `not_found` that names `what` (`customer`). */
  present<T>(query: Sql, what: string): Promise<T>
  /** Returns the number of affected rows. */
  run(query: Sql): Promise<number>
}

/** Write access for one transaction. */
export type WritableDb = Db & {
  /**
   * Runs a part in a savepoint: if it throws, its writes are undone and the transaction continues. Its `Db` is valid
   * only inside it, and may nest further parts.
   */
  separately<T>(work: (db: WritableDb) => Promise<T>): Promise<T>
}

/** Thrown if the credential's rights have changed since its caller was read. Read them again and retry once. */
export class StaleAccess extends Error {}

/**
 * Reads from one tenant. Queries of the same tick share one round trip and one implicit transaction with the entry and
 * its access check. With `byChange`, `settled()` excludes times at which an open transaction may still add changes.
 */
export async function readTenant<T>(
  database: Database,
  entry: TenantEntry,
  read: (db: Db) => Promise<T>,
  { byChange = false } = {},
): Promise<T> {
  const options = { of: entry.tenant, ...entry.options }
  const enter = entryStatement(entry, byChange ? 'enter_settled' : 'enter_tenant')
  return read(
    pipelineQueries(entry.tenant, (statements) =>
      database.send([enter, ...statements], options).then(afterFirst, refuse),
    ),
  )
}

/**
 * Reads a tenant in one snapshot, over any number of round trips. It uses the connection quota `of`, because it is
 * background work.
 */
export const readMoment = <T>(
  database: Database,
  tenant: string,
  of: string,
  read: (db: Db) => Promise<T>,
): Promise<T> =>
  database.hold(
    async (send) => {
      await send([BEGIN_SNAPSHOT, ...entryStatements(tenant)])
      try {
        return await read(pipelineQueries(tenant, send))
      } finally {
        await send([ROLLBACK]).catch(() => {})
      }
    },
    { of, writes: false, patient: false },
  )

/**
 * Runs one transaction on one tenant, all or nothing. `finish` returns statements that join the round trip of the
 * COMMIT. After a deadlock or serialization failure it retries with a short delay, up to three attempts in all.
 * `Unavailable` means that nothing was done, `Uncertain` that the answer to the COMMIT was lost.
 */
export async function writeTenant<T>(
  database: Database,
  entry: TenantEntry,
  write: (db: WritableDb) => Promise<T>,
  finish: (result: T) => readonly Sql[] = () => [],
): Promise<T> {
  const options = { of: entry.tenant, ...entry.options }
  try {
    return await retryTransient(() => database.hold((send) => transaction(entry, send, write, finish), options))
  } catch (error) {
    return refuse(error)
  }
}

async function transaction<T>(
  entry: TenantEntry,
  send: Send,
  write: (db: WritableDb) => Promise<T>,
  finish: (result: T) => readonly Sql[],
): Promise<T> {
  let isBegun = false
  let isEnded = false
  let failure: unknown
  const step = async (statements: readonly Sql[]): Promise<StatementResult[]> => {
    if (isEnded) throw new Error('The transaction has ended')
    const prelude = isBegun ? [] : [BEGIN, entryStatement(entry, 'enter_to_write')]
    isBegun = true
    try {
      return (await send([...prelude, ...statements])).slice(prelude.length)
    } catch (error) {
      failure ??= error
      throw error
    }
  }
  const separately = async <Part>(work: (db: WritableDb) => Promise<Part>): Promise<Part> => {
    let isOver = false
    const rejectEnded = (): Promise<never> => Promise.reject(new Error('This part of the transaction has ended'))
    const partDb: WritableDb = {
      ...pipelineQueries(entry.tenant, (statements) => (isOver ? rejectEnded() : step(statements))),
      separately: (part) => (isOver ? rejectEnded() : separately(part)),
    }
    await step([SAVEPOINT])
    try {
      const done = await work(partDb)
      isOver = true
      if (failure !== undefined) throw failure
      await step([RELEASE])
      return done
    } catch (error) {
      isOver = true
      if (isTransient(error) || error instanceof Unavailable) throw error
      await step([UNDO, RELEASE])
      failure = undefined
      throw refusalOf(error) ?? error
    }
  }
  try {
    const result = await write({ ...pipelineQueries(entry.tenant, step), separately })
    if (failure !== undefined) throw failure
    if (isBegun)
      await step([...finish(result).map((one) => withEnteredTenant(one, entry.tenant)), COMMIT]).catch(requireAnswer)
    isEnded = true
    return result
  } catch (error) {
    isEnded = true
    if (isBegun) await send([ROLLBACK]).catch(() => {})
    throw error
  }
}

function requireAnswer(error: unknown): never {
  if (error instanceof Unavailable && error.isLost)
    throw new Uncertain('The answer to a COMMIT was lost', { cause: error })
  throw error
}

const entryStatement = ({ tenant, credential }: TenantEntry, entryFunction: EntryFunction): Sql =>
  sql`select ${raw(entryFunction)}(${tenant}, ${credential?.id ?? null}, ${credential?.version ?? 0})`

/** Returns the statements that enter a tenant (null: none), without a credential to check. */
export function entryStatements(tenant: string): [Sql]
export function entryStatements(tenant: string | null): Sql[]
export function entryStatements(tenant: string | null): Sql[] {
  return tenant === null ? [] : [entryStatement({ tenant }, 'enter_tenant')]
}

/** Runs one statement within a tenant, or outside any (null), and returns its result. */
export async function sendIn<R extends Row>(
  send: Send,
  tenant: string | null,
  query: Sql<R>,
): Promise<StatementResult<R>> {
  if (tenant === null) return (await send([query]))[0]
  const [, answer] = await send([...entryStatements(tenant), query])
  return answer
}

/** Wraps statements of one tenant, for a transaction whose other statements run outside it. */
export function asTenant<const Statements extends readonly Sql[]>(
  tenant: string,
  ...statements: Statements
): [Sql, ...Statements, Sql]
export function asTenant(tenant: string, ...statements: readonly Sql[]): Sql[] {
  return [...entryStatements(tenant), ...statements.map((one) => withEnteredTenant(one, tenant)), LEAVE]
}

const LEAVE = sql`select leave_tenant()`

const afterFirst = (answers: StatementResult[]): StatementResult[] => answers.slice(1)

type WaitingQuery = { query: Sql; resolve: (answer: StatementResult) => void; reject: (error: unknown) => void }

/** Sends the queries of one tick as one batch. */
export function pipelineQueries(tenant: string, send: SendBatch): Db {
  let waiting: WaitingQuery[] = []
  let sent: Promise<unknown> = Promise.resolve()
  const flush = (): void => {
    const batch = waiting
    waiting = []
    sent = sent
      .then(() => send(batch.map(({ query }) => withEnteredTenant(query, tenant))))
      .then(
        (answers) => batch.forEach(({ resolve }, i) => resolve(answers[i]!)),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      )
  }
  const runQuery = (query: Sql): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ query, resolve, reject }) === 1) queueMicrotask(flush)
    })
  const rows = async <T>(query: Sql): Promise<T[]> => (await runQuery(query)).rows as T[]
  return {
    tenant,
    all: rows,
    maybe: async <T>(query: Sql) => (await rows<T>(query))[0],
    one: async <T>(query: Sql) => {
      const [row, more] = await rows<T>(query)
      if (row === undefined || more !== undefined) throw new Error(`Expected one row of: ${query.text}`)
      return row
    },
    present: async <T>(query: Sql, what: string) => {
      const [row] = await rows<T>(query)
      if (row === undefined) throw notFound(what)
      return row
    },
    run: async (query) => (await runQuery(query)).count,
  }
}

function refuse(error: unknown): never {
  if (error instanceof Refusal) throw error
  const code = errorCode(error)
  if (code === 'CA001') throw new StaleAccess()
  if (code === 'CA003') throw new Frozen()
  throw refusalOf(error) ?? error
}
