import { sql } from '../db/database.ts'
import type { Database } from '../db/tenant.ts'

export type TransactionSend = Database['send']

/** Describes a transaction that begins with its first statement and holds a connection only from then on. */
export type Transaction = {
  send: TransactionSend
  /**
   * Reads inside it, or outside when it hasn't begun: a read alone needs no transaction, and may not wait for a second
   * connection.
   */
  read: TransactionSend
  /** Commits or rolls back what was done; throws when it could not be committed. */
  end(keep: boolean): Promise<void>
}

/** Runs work as one transaction outside any tenant: all of it or nothing. */
export async function transact<T>(database: Database, work: (send: TransactionSend) => Promise<T>): Promise<T> {
  const transaction = begin(database)
  try {
    const result = await work(transaction.send)
    await transaction.end(true)
    return result
  } catch (error) {
    await transaction.end(false)
    throw error
  }
}

export function begin(database: Database): Transaction {
  let held: Promise<TransactionSend> | undefined
  let holding: Promise<void> | undefined
  let isBroken = false
  const released = Promise.withResolvers<void>()

  function open(): Promise<TransactionSend> {
    held ??= new Promise<TransactionSend>((resolve, reject) => {
      holding = database.hold(async (send) => {
        await send([BEGIN])
        resolve(send)
        await released.promise
      })
      holding.catch(reject)
    })
    return held
  }

  const ask: TransactionSend = async (statements) => {
    const send = await open()
    return send(statements).catch((error: unknown) => {
      isBroken = true
      throw error
    })
  }

  return {
    send: ask,
    read: (statements) => (held === undefined ? database.send(statements) : ask(statements)),
    end: async (keep) => {
      if (held === undefined) return
      const send = await held.catch(() => undefined)
      try {
        // A COMMIT after a failed statement would be a silent ROLLBACK.
        if (send !== undefined) await send([keep && !isBroken ? COMMIT : ROLLBACK])
      } finally {
        held = undefined
        released.resolve()
        await holding?.catch(() => {})
      }
      if (keep && (isBroken || send === undefined)) throw new Error('The transaction could not be kept')
    },
  }
}

const BEGIN = sql`begin`
const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`
