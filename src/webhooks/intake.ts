import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../db/batch.ts'
import { isTransient } from '../db/tenant.ts'
import type { Database, Sql } from '../db/tenant.ts'

/** Statements as one transaction outside any tenant, within the intake's time and connections. */
export type Intake = (statements: readonly Sql[]) => Promise<Answer[]>

/** A sender is answered within 5 s whatever the database does (webhooks 2). */
const WITHIN_MS = 4_000

/** Of the pool's ten, so that senders who pile up on a slow database leave connections to everyone else. */
const MOST_AT_ONCE = 6

const MOST_RETRIES = 3

/** The way of all webhooks to the database: on a deadlock or a serialization failure tried again, three times at most. */
export function openIntake(database: Database, { withinMs = WITHIN_MS, most = MOST_AT_ONCE } = {}): Intake {
  let busy = 0
  const waiting: (() => void)[] = []

  async function enter(signal: AbortSignal): Promise<void> {
    if (busy < most) return void busy++
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

  return async (statements) => {
    const over = new AbortController()
    const late = setTimeout(() => over.abort(new Error(`The database did not answer within ${withinMs} ms`)), withinMs)
    try {
      await enter(over.signal)
      try {
        return await tried(database, statements, over.signal)
      } finally {
        leave()
      }
    } finally {
      clearTimeout(late)
    }
  }
}

async function tried(database: Database, statements: readonly Sql[], signal: AbortSignal): Promise<Answer[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.hold((send) => send(statements), signal)
    } catch (error) {
      if (tries > MOST_RETRIES || !isTransient(error)) throw error
      await sleep(tries * 20 * (1 + Math.random()))
    }
  }
}
