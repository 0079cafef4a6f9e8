import type { Send } from '../../platform/db/sql.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { retryTransient } from '../../platform/db/transient.ts'

/**
 * Database access shared by all webhooks, with a time limit, one connection at a time. Work with many bytes sends them
 * in pieces, each of which restarts the limit (`piecemeal`, docs/spec/webhooks.md#database-timeout).
 */
export type Gate = <T>(work: (database: Database) => Promise<T>, options?: { piecemeal?: boolean }) => Promise<T>

/**
 * Runs statements as one transaction outside any tenant. Retries up to three times after a deadlock or a serialization
 * failure.
 */
export type Intake = Send

/**
 * Timeout in milliseconds. A sender gets an answer within 5 s, whatever the database does
 * (docs/spec/webhooks.md#database-timeout).
 */
const TIMEOUT_MS = 4_000

/** Connection quota for a message whose company isn't known yet. */
const QUOTA = 'webhooks'

/**
 * Maximum connections, of the ten in the pool, so that senders waiting for a slow database leave some to everyone else.
 */
const MAX_CONNECTIONS = 6

const MAX_TRIES = 4

export function openGate(database: Database): Gate {
  let active = 0
  const waiting: (() => void)[] = []

  async function enter(signal: AbortSignal): Promise<void> {
    if (active < MAX_CONNECTIONS) return void active++
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    await promise
    signal.removeEventListener('abort', giveUp)
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) active--
    else next()
  }

  return async (work, { piecemeal = false } = {}) => {
    const timeout = new AbortController()
    const startTimer = (): NodeJS.Timeout =>
      setTimeout(() => timeout.abort(new Error(`The database did not answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    let timer = startTimer()
    const onProgress = (): void => {
      clearTimeout(timer)
      timer = startTimer()
    }
    try {
      await enter(timeout.signal)
      try {
        return await work(limitDatabase(database, timeout.signal, piecemeal ? onProgress : () => {}))
      } finally {
        leave()
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

export const intakeOf =
  (gate: Gate): Intake =>
  (statements) =>
    gate((database) => retryTransient(() => database.send(statements), MAX_TRIES))

/** Returns database access that ends when the signal is aborted. Calls `onRoundTrip` after each round trip. */
function limitDatabase(database: Database, signal: AbortSignal, onRoundTrip: () => void): Database {
  const withProgress =
    (send: Send): Send =>
    async (statements) => {
      const answers = await send(statements)
      onRoundTrip()
      return answers
    }
  const hold: Database['hold'] = (use, options) =>
    database.hold((send) => use(withProgress(send)), { of: QUOTA, ...options, signal, cuts: true })
  return { ...database, hold, send: (statements) => hold((send) => send(statements)) }
}
