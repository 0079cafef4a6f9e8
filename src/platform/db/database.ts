import pg from 'pg'
import { withExplicitTransactions } from './citus/schema/explicit_transaction.ts'
import { inWordsOfCluster } from './citus/either.ts'
import { Buckets, TRIP_BOUNDS, type DatabaseTimes } from '../buckets.ts'
import { CONNECT_MS, connect, connectInTime, takeChecked } from './connections/connect.ts'
import { PATIENT, PROMPT, roundTrips } from './connections/round_trips.ts'
import { SERVICE, openConnectionQuota, type ConnectionRequest } from './connections/connection_quota.ts'
import { newReadSharing } from './connections/shared_reads.ts'
import { byStatement, type Send, type Sql, type StatementResult } from './sql.ts'
import { retryTransient } from './transient.ts'

export { sql, join, raw, empty, rowsOf, type Send, type Sql } from './sql.ts'

/** Options of a transaction: who asks, and how long they wait. */
export type TransactionOptions = {
  /** Connection quota to use: a tenant's, by its id, or that of a part of the service. */
  of?: string
  writes?: boolean
  /** Counter that it will lock. It waits, without a connection, for other requests of the same quota that lock it. */
  counter?: string | undefined
  /** Drops what still waits for a connection when it is aborted. */
  signal?: AbortSignal | undefined
  /** Whether an abort also stops running statements. A server that hangs never reaches its own timeout. */
  cuts?: boolean
  /** Deadline, as a `performance.now()` value. */
  by?: number | undefined
  /** Whether it may wait for its connection with other reads that enter a tenant alike, and share their round trip. */
  shares?: boolean
  /** Longer timeouts for a connection, a lock and an answer, for work that nobody waits for. */
  patient?: boolean
}

export type Database = {
  /**
   * Runs statements as one implicit transaction in one round trip, outside any tenant; again after a deadlock or
   * serialization failure.
   */
  readonly send: Send<[options?: TransactionOptions]>
  /** Holds a connection for a transaction of several round trips. */
  hold<T>(use: (send: Send) => Promise<T>, errand?: TransactionOptions): Promise<T>
  /** Returns how many connections there are at this moment, and how many callers wait for one. */
  load(): ConnectionLoad
  readonly times?: DatabaseTimes
  /** Login of the pool, for a thread that opens its own. */
  readonly connection: pg.ClientConfig
  close(): Promise<void>
}

type ConnectionLoad = { used: number; idle: number; most: number; waiting: number }

/** Called with the number of statements when a round trip begins. Returns the function to call when it ends. */
type WatchTrip = (statements: number) => (error?: unknown) => void

type DatabaseOptions = {
  /** Maximum number of connections. */
  most?: number
}

const ANSWER_MS = 4_000

/**
 * Opens the pool. `connection` is that of the login role (`loginOf`); every session proves that it is before it is
 * used. A round trip that the database doesn't answer, because it is busy, locked or down, ends in `Unavailable`
 * (docs/spec/interface.md#under-load).
 */
export function openDatabase(connection: pg.ClientConfig, { most = 10 }: DatabaseOptions = {}): Database {
  let isCluster = false
  const pool = openPool(connection, most)
  const take = takeChecked(pool, (session) => (isCluster = session.isCluster))
  const quota = openConnectionQuota(most)
  const times: DatabaseTimes = { wait: new Buckets(TRIP_BOUNDS), trip: new Buckets(TRIP_BOUNDS) }

  async function hold<T>(
    use: (send: Send) => Promise<T>,
    { of = SERVICE, writes = true, counter, signal, cuts = false, by, patient = false }: TransactionOptions = {},
  ): Promise<T> {
    const request: ConnectionRequest = { of, writes, counter }
    const waitMs = (patient ? PATIENT : PROMPT).room
    const room = quota.take(request, by === undefined ? waitMs : Math.min(waitMs, by - performance.now()), signal)
    // Whoever waits for nothing costs no look at the clock.
    const isFree = room === undefined && pool.idleCount > 0
    const begun = isFree ? 0 : performance.now()
    if (room !== undefined) await room
    const giveBack = (): void => quota.giveBack(request)
    const cutBy = cuts ? signal : undefined
    const client = await (pool.idleCount > 0 || by === undefined
      ? connect(take, giveBack, cutBy)
      : connectInTime(take, giveBack, by, cutBy))
    times.wait.observe(isFree ? 0 : performance.now() - begun)
    const trips = roundTrips(client, { patient, by, cutBy }, times.trip)
    try {
      return await use(byStatement(isCluster ? withExplicitTransactions(inWordsOfCluster(trips.send)) : trips.send))
    } finally {
      client.release(trips.isBroken())
      giveBack()
    }
  }

  const holdAgain: typeof hold = (use, options) => retryTransient(() => hold(use, options))
  const sendAlone = (statements: readonly Sql[], options: TransactionOptions): Promise<StatementResult[]> =>
    holdAgain((send) => send(statements), options)
  // Others of a quota wait no longer for eight reads of one record than for a list.
  const sendShared = newReadSharing({ hold: holdAgain, join: quota.join, sendAlone, maxShared: 8 })

  const load = (): ConnectionLoad => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    most,
    waiting: quota.waiting(),
  })
  return {
    hold,
    load,
    times,
    connection,
    close: () => pool.end(),
    send: byStatement((statements: readonly Sql[], options: TransactionOptions = {}) => {
      const by = options.patient ? options.by : (options.by ?? performance.now() + ANSWER_MS)
      const own = { writes: false, ...options, by }
      return options.shares === true ? sendShared(statements, own) : sendAlone(statements, own)
    }),
  }
}

function openPool(connection: pg.ClientConfig, most: number): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: most, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  pool.on('error', () => {})
  // A connection that dies while it is held fails its query; without a listener the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Returns the same database with options for every call; those that a call gives itself win. */
export const withOptions = (database: Database, options: TransactionOptions): Database => ({
  ...database,
  send: (statements, own) => database.send(statements, { ...options, ...own }),
  hold: (use, own) => database.hold(use, { ...options, ...own }),
})

/**
 * Returns the same database with `watch` called for each round trip; for `send` its wait for a connection is included.
 */
export function watchTrips(database: Database, watch: WatchTrip): Database {
  const watchAnswers = <T>({ length }: { length: number }, answers: Promise<T>): Promise<T> => {
    const end = watch(length)
    void answers.then(() => end(), end)
    return answers
  }
  return {
    ...database,
    send: (statements, options) => watchAnswers(statements, database.send(statements, options)),
    hold: (use, options) =>
      database.hold((send) => use((statements) => watchAnswers(statements, send(statements))), options),
  }
}
