import type { Pool, PoolClient } from 'pg'
import { unreachableError } from '../faults.ts'
import { checkSession } from './session_check.ts'

/** Timeout in milliseconds for a new connection, and for its check. */
export const CONNECT_TIMEOUT_MS = 2_000

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
 * Takes a connection from the pool. One that arrives after the abort goes back to the pool before `releaseSlot` frees
 * its slot.
 */
export const connect = (
  take: TakeClient,
  releaseSlot: () => void,
  signal: AbortSignal | undefined,
): Promise<PoolClient> =>
  unlessAborted(
    take().catch((error: unknown) => {
      releaseSlot()
      throw unreachableError(error)
    }),
    signal,
    (late) => {
      late.release()
      releaseSlot()
    },
  )

/** Takes a connection; throws if it isn't ready at `by`, a `performance.now()` value. */
export function connectInTime(
  take: TakeClient,
  releaseSlot: () => void,
  by: number,
  cancelSignal: AbortSignal | undefined,
): Promise<PoolClient> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(unreachableError(undefined)), Math.max(0, by - performance.now()))
  const signal = cancelSignal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, cancelSignal])
  return connect(take, releaseSlot, signal).finally(() => clearTimeout(timer))
}

/** Checks a new connection within `CONNECT_TIMEOUT_MS`. */
async function checkSessionInTime(client: PoolClient): Promise<{ isCluster: boolean }> {
  const timer = setTimeout(() => client.connection.stream.destroy(), CONNECT_TIMEOUT_MS)
  return checkSession(client).finally(() => clearTimeout(timer))
}

/** Returns the value that arrives, or rejects on the abort; a value that arrives later goes to `discard`. */
function unlessAborted<T>(
  arriving: Promise<T>,
  signal: AbortSignal | undefined,
  discard: (late: T) => void,
): Promise<T> {
  if (signal === undefined) return arriving
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const onAbort = (): void => {
    reject(signal.reason)
    arriving.then(discard, () => {})
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  void arriving.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}
