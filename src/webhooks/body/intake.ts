import type { Send } from '../../platform/db/sql.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { retryTransient } from '../../platform/db/transient.ts'

/**
 * Database access shared by all webhooks, with a time limit, one connection at a time. Work with many bytes sends them
 * in pieces, each of which restarts the limit (`piecemeal`, docs/spec/webhooks.md#time-for-the-database).
 */
export type Gate = <T>(work: (database: Database) => Promise<T>, how?: { piecemeal?: boolean }) => Promise<T>

/**
 * Runs statements as one transaction outside any tenant. Retries up to three times after a deadlock or a serialization
 * failure.
 */
export type Intake = Send

/**
 * Timeout in milliseconds. A sender gets an answer within 5 s, whatever the database does
 * (docs/spec/webhooks.md#time-for-the-database).
 */
const WITHIN_MS = 4_000

/** Connection quota for a message whose company isn't known yet. */
const QUOTA = 'webhooks'

/**
 * Maximum connections, of the ten in the pool, so that senders waiting for a slow database leave some to everyone else.
 */
const MAX_AT_ONCE = 6

const MAX_TRIES = 4

export function openGate(database: Database): Gate {
  let busy = 0
  const waiting: (() => void)[] = []

  async function enter(signal: AbortSignal): Promise<void> {
    if (busy < MAX_AT_ONCE) return void busy++
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const give = (): void => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', give, { once: true })
    await promise
    signal.removeEventListener('abort', give)
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) busy--
    else next()
  }

  return async (work, { piecemeal = false } = {}) => {
    const over = new AbortController()
    const wait = (): NodeJS.Timeout =>
      setTimeout(() => over.abort(new Error(`The database did not answer within ${WITHIN_MS} ms`)), WITHIN_MS)
    let late = wait()
    const onProgress = (): void => {
      clearTimeout(late)
      late = wait()
    }
    try {
      await enter(over.signal)
      try {
        return await work(limitDatabase(database, over.signal, piecemeal ? onProgress : () => {}))
      } finally {
        leave()
      }
    } finally {
      clearTimeout(late)
    }
  }
}

export const intakeOf =
  (gate: Gate): Intake =>
  (statements) =>
    gate((database) => retryTransient(() => database.send(statements), MAX_TRIES))

/** Returns database access that ends when the signal is aborted. Calls `moved` after each round trip. */
function limitDatabase(database: Database, signal: AbortSignal, moved: () => void): Database {
  const telling =
    (send: Send): Send =>
    async (statements) => {
      const answers = await send(statements)
      moved()
      return answers
    }
  const hold: Database['hold'] = (use, options) =>
    database.hold((send) => use(telling(send)), { of: QUOTA, ...options, signal, cuts: true })
  return { ...database, hold, send: (statements) => hold((send) => send(statements)) }
}
