import pg from 'pg'
import { withExplicitTransactions } from './citus/schema/explicit_transaction.ts'
import { toClusterDialect } from './citus/either.ts'
import { Buckets, ROUND_TRIP_BOUNDS, type DatabaseTimes } from '../buckets.ts'
import { CONNECT_TIMEOUT_MS, connect, connectInTime, takeChecked } from './connections/connect.ts'
import { PATIENT, PROMPT, openRoundTrips } from './connections/round_trips.ts'
import { SERVICE, openConnectionQuota, type ConnectionRequest } from './connections/connection_quota.ts'
import { newReadSharing } from './connections/shared_reads.ts'
import { byStatement, type Send, type Sql, type StatementResult } from './sql.ts'
import { retryTransient } from './transient.ts'

export { sql, join, raw, empty, rowsOf, type Send, type Sql } from './sql.ts'

/** Options of a transaction: its connection quota and its timeouts. */
export type TransactionOptions = {
  /** Connection quota to use: a tenant's, by its id, or that of a part of the service. */
  of?: string
  writes?: boolean
  /** Counter that it will lock. It waits, without a connection, for other requests of the same quota that lock it. */
  counter?: string | undefined
  /** Signal whose abort drops a request that still waits for a connection. */
  signal?: AbortSignal | undefined
  /** Whether an abort also stops running statements. A server that hangs never reaches its own timeout. */
  cuts?: boolean
  /** Deadline, as a `performance.now()` value. */
  by?: number | undefined
  /** Whether it may share a connection and a round trip with other reads that enter the same tenant. */
  shares?: boolean
  /** Whether to use longer timeouts for a connection, a lock and an answer, for background work. */
  patient?: boolean
}

export type Database = {
  /**
   * Runs statements as one implicit transaction in one round trip, outside any tenant. Retries after a deadlock or
   * serialization failure.
   */
  readonly send: Send<[options?: TransactionOptions]>
  /** Holds a connection for a transaction of several round trips. */
  hold<T>(use: (send: Send) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Returns the current numbers of connections and of callers that wait for one. */
  load(): ConnectionLoad
  readonly times?: DatabaseTimes
  /** Login of the pool, for threads that open their own. */
  readonly connection: pg.ClientConfig
  close(): Promise<void>
}

type ConnectionLoad = { used: number; idle: number; max: number; waiting: number }

/** Called with the number of statements when a round trip begins. Returns the function to call when it ends. */
type ObserveRoundTrip = (statements: number) => (error?: unknown) => void

type DatabaseOptions = {
  /** Maximum number of connections. */
  maxConnections?: number
}

const ANSWER_TIMEOUT_MS = 4_000

/**
 * Opens the pool. `connection` is the login role's (`loginOf`); each new session is checked before its first use. A
 * round trip that the database doesn't answer, because it is busy, locked or down, throws `Unavailable`
 * (docs/spec/interface.md#under-load).
 */
export function openDatabase(connection: pg.ClientConfig, { maxConnections = 10 }: DatabaseOptions = {}): Database {
  let isCluster = false
  const pool = openPool(connection, maxConnections)
  const take = takeChecked(pool, (session) => (isCluster = session.isCluster))
  const quota = openConnectionQuota(maxConnections)
  const times: DatabaseTimes = { wait: new Buckets(ROUND_TRIP_BOUNDS), roundTrip: new Buckets(ROUND_TRIP_BOUNDS) }

  async function hold<T>(
    use: (send: Send) => Promise<T>,
    { of = SERVICE, writes = true, counter, signal, cuts = false, by, patient = false }: TransactionOptions = {},
  ): Promise<T> {
    const request: ConnectionRequest = { of, writes, counter }
    const waitMs = (patient ? PATIENT : PROMPT).connection
    const slot = quota.acquire(request, by === undefined ? waitMs : Math.min(waitMs, by - performance.now()), signal)
    // A request that doesn't wait skips reading the clock.
    const isFree = slot === undefined && pool.idleCount > 0
    const waitStartedAt = isFree ? 0 : performance.now()
    if (slot !== undefined) await slot
    const releaseSlot = (): void => quota.release(request)
    const cancelSignal = cuts ? signal : undefined
    const client = await (pool.idleCount > 0 || by === undefined
      ? connect(take, releaseSlot, cancelSignal)
      : connectInTime(take, releaseSlot, by, cancelSignal))
    times.wait.observe(isFree ? 0 : performance.now() - waitStartedAt)
    const roundTrips = openRoundTrips(client, { patient, by, cancelSignal }, times.roundTrip)
    try {
      return await use(
        byStatement(isCluster ? withExplicitTransactions(toClusterDialect(roundTrips.send)) : roundTrips.send),
      )
    } finally {
      client.release(roundTrips.isBroken())
      releaseSlot()
    }
  }

  const holdAgain: typeof hold = (use, options) => retryTransient(() => hold(use, options))
  const sendAlone = (statements: readonly Sql[], options: TransactionOptions): Promise<StatementResult[]> =>
    holdAgain((send) => send(statements), options)
  // Eight reads of single records hold a connection no longer than one list does.
  const sendShared = newReadSharing({ hold: holdAgain, join: quota.join, sendAlone, maxShared: 8 })

  const load = (): ConnectionLoad => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    max: maxConnections,
    waiting: quota.waiting(),
  })
  return {
    hold,
    load,
    times,
    connection,
    close: () => pool.end(),
    send: byStatement((statements: readonly Sql[], options: TransactionOptions = {}) => {
      const by = options.patient ? options.by : (options.by ?? performance.now() + ANSWER_TIMEOUT_MS)
      const merged = { writes: false, ...options, by }
      return options.shares === true ? sendShared(statements, merged) : sendAlone(statements, merged)
    }),
  }
}

function openPool(connection: pg.ClientConfig, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  })
  pool.on('error', () => {})
  // A connection that dies while it is held fails its query; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Returns the same database with default options for every call. */
export const withOptions = (database: Database, options: TransactionOptions): Database => ({
  ...database,
  send: (statements, own) => database.send(statements, { ...options, ...own }),
  hold: (use, own) => database.hold(use, { ...options, ...own }),
})

/**
 * Returns the same database with `observe` called for each round trip; for `send` its wait for a connection is
 * included.
 */
export function observeRoundTrips(database: Database, observe: ObserveRoundTrip): Database {
  const observeAnswers = <T>({ length }: { length: number }, answers: Promise<T>): Promise<T> => {
    const end = observe(length)
    void answers.then(() => end(), end)
    return answers
  }
  return {
    ...database,
    send: (statements, options) => observeAnswers(statements, database.send(statements, options)),
    hold: (use, options) =>
      database.hold((send) => use((statements) => observeAnswers(statements, send(statements))), options),
  }
}
