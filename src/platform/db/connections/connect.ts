import type { Pool, PoolClient } from 'pg'
import { unreachableError } from '../faults.ts'
import { checkSession } from './session_check.ts'

/** Timeout in milliseconds for a new connection, and for its check. */
export const CONNECT_MS = 2_000

/** Takes a checked connection from a pool. */
type TakeClient = () => Promise<PoolClient>

/**
 * Returns a function that takes a pool's connections and checks each new one. The pool's own `verify` would leak a
 * connection whose check outlasts the caller's wait.
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
 * Takes a connection from the pool. One that arrives after the abort goes back to the pool before `giveBack` frees its
 * slot.
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

/** Takes a connection; throws if it isn't ready at `by`, a `performance.now()` value. */
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

/** Checks a new connection within `CONNECT_MS`. */
async function checkSessionInTime(client: PoolClient): Promise<{ isCluster: boolean }> {
  const late = setTimeout(() => client.connection.stream.destroy(), CONNECT_MS)
  return checkSession(client).finally(() => clearTimeout(late))
}

/** Returns the value that arrives, or rejects on the abort; a value that arrives later goes to `putBack`. */
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
