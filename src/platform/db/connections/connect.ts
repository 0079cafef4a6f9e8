import type { Pool, PoolClient } from 'pg'
import { unreachableError } from '../faults.ts'
import { checkSession } from './session_check.ts'

/** Time in milliseconds for a new connection, and for its check. */
export const CONNECT_MS = 2_000

/** Takes a connection of a pool that has proved what it is. */
type TakeClient = () => Promise<PoolClient>

/**
 * Returns a pool's connections, of which each new one is checked first. The pool's own `verify` would lose a connection
 * for good whose check outlasts the wait for it.
 */
export function takeChecked(pool: Pool, onSession: (session: { isCluster: boolean }) => void): TakeClient {
  const checked = new WeakSet<PoolClient>()
  return async () => {
    const client = await pool.connect()
    if (checked.has(client)) return client
    try {
      onSession(await checkSessionInTime(client))
    } catch (error) {
      client.release(true)
      throw error
    }
    checked.add(client)
    return client
  }
}

/**
 * Takes a connection from the pool. One that arrives after the abort goes back to the pool before `giveBack` gives its
 * slot away.
 */
export const connect = (take: TakeClient, giveBack: () => void, over: AbortSignal | undefined): Promise<PoolClient> =>
  unlessAborted(
    take().catch((error: unknown) => {
      giveBack()
      throw unreachableError(error)
    }),
    over,
    (late) => {
      late.release()
      giveBack()
    },
  )

/** Makes a connection, which may take longer than its caller waits: until `by`, a `performance.now()` value. */
export function connectInTime(
  take: TakeClient,
  giveBack: () => void,
  by: number,
  cutBy: AbortSignal | undefined,
): Promise<PoolClient> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(unreachableError(undefined)), Math.max(0, by - performance.now()))
  const over = cutBy === undefined ? late.signal : AbortSignal.any([late.signal, cutBy])
  return connect(take, giveBack, over).finally(() => clearTimeout(timer))
}

/** Checks a new connection, within a time. */
async function checkSessionInTime(client: PoolClient): Promise<{ isCluster: boolean }> {
  const late = setTimeout(() => client.connection.stream.destroy(), CONNECT_MS)
  return checkSession(client).finally(() => clearTimeout(late))
}

/** Returns what arrives, and puts back what arrives after the abort. */
function unlessAborted<T>(
  arriving: Promise<T>,
  signal: AbortSignal | undefined,
  putBack: (late: T) => void,
): Promise<T> {
  if (signal === undefined) return arriving
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const giveUp = (): void => {
    reject(signal.reason)
    arriving.then(putBack, () => {})
  }
  if (signal.aborted) giveUp()
  else signal.addEventListener('abort', giveUp, { once: true })
  void arriving.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  return promise
}
