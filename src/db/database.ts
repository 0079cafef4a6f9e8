import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { Batch } from './batch.ts'
import type { Answer } from './batch.ts'
import { proving } from './proof.ts'

export { default as sql, join, raw, empty } from 'sql-template-tag'
export type { Sql } from 'sql-template-tag'

export type Database = {
  /** Runs statements as one implicit transaction in one round trip, outside any tenant. */
  send(statements: readonly Sql[]): Promise<Answer[]>
  /**
   * A connection of one's own, for a transaction of several round trips. When `signal` is aborted it is given up, and cut if
   * a statement is under way: a server that hangs runs into no timeout of its own.
   */
  hold<T>(use: (send: Database['send']) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** The connections at this moment, and how many callers wait for one. */
  load(): Load
  close(): Promise<void>
}

export type Load = { used: number; idle: number; most: number; waiting: number }

/** Told of a round trip as it begins, with its number of statements; answers what to tell of its end. */
export type WatchTrip = (statements: number) => (error?: unknown) => void

/** Opens the pool. `connection` is that of the login role (`loginOf`); every session of it proves so before it is used. */
export function openDatabase(connection: pg.ClientConfig, { most = 10 } = {}): Database {
  const pool = new pg.Pool({ ...connection, verify: proving, max: most, connectionTimeoutMillis: 5_000, keepAlive: true })
  pool.on('error', () => {})
  // A connection that dies while it is held tells its query; without a listener of its own it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const hold: Database['hold'] = async (use, signal) => {
    const client = await unlessAborted(pool.connect(), signal, (late) => late.release())
    let broken = false
    const send: Database['send'] = (statements) =>
      unlessAborted(client.query(new Batch(statements)).answers, signal).catch((error: unknown) => {
        broken ||= isBroken(error)
        throw error
      })
    try {
      return await use(send)
    } finally {
      client.release(broken)
    }
  }
  const load = (): Load => ({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount, most, waiting: pool.waitingCount })
  return { hold, load, send: (statements) => hold((send) => send(statements)), close: () => pool.end() }
}

/** The same database, each of its round trips told; that of `send` with its wait for a connection. */
export function watched(database: Database, watch: WatchTrip): Database {
  const telling = (send: Database['send']): Database['send'] => (statements) => {
    const end = watch(statements.length)
    const answers = send(statements)
    void answers.then(() => end(), end)
    return answers
  }
  return { ...database, send: telling(database.send), hold: (use, signal) => database.hold((send) => use(telling(send)), signal) }
}

/** What comes after the abort is put away. */
function unlessAborted<T>(coming: Promise<T>, signal: AbortSignal | undefined, putAway: (late: T) => void = () => {}): Promise<T> {
  if (signal === undefined) return coming
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const give = (): void => {
    reject(signal.reason)
    coming.then(putAway, () => {})
  }
  if (signal.aborted) give()
  else signal.addEventListener('abort', give, { once: true })
  void coming.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  return promise
}

/** An error that carries no SQLSTATE came from the connection itself, which must not be used again. */
const isBroken = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || error.code === undefined || error.code.startsWith('57') || error.code.startsWith('08')
