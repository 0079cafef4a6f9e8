import { Client, type ClientBase, type ClientConfig } from 'pg'
import { sql, type Send } from './sql.ts'

/** Ways to send statements: on any connection, or several on one connection held for them. */
type Connections = { send: Send; hold<T>(use: (send: Send) => Promise<T>): Promise<T> }

export const BEGIN = sql`begin`
/** Statement that begins a read-only transaction with one snapshot. */
export const BEGIN_SNAPSHOT = sql`begin isolation level repeatable read read only`
export const COMMIT = sql`commit`
export const ROLLBACK = sql`rollback`

/** Statements that begin a part of a transaction, keep it, and undo it. */
export const SAVEPOINT = sql`savepoint part`
export const RELEASE = sql`release savepoint part`
export const UNDO = sql`rollback to savepoint part`

/**
 * Runs one transaction of several round trips outside any tenant, all or nothing. It rolls back once a statement has
 * failed, even if `work` caught the error: PostgreSQL would answer the COMMIT with a ROLLBACK that looks like success.
 */
export const transact = <T>(database: Connections, work: (send: Send) => Promise<T>): Promise<T> =>
  database.hold(async (send) => {
    let failure: { error: unknown } | undefined
    const step: Send = (statements) =>
      send(statements).catch((error: unknown) => {
        failure ??= { error }
        throw error
      })
    await send([BEGIN])
    try {
      const done = await work(step)
      if (failure !== undefined) throw failure.error
      await send([COMMIT])
      return done
    } catch (error) {
      await send([ROLLBACK]).catch(() => {})
      throw error
    }
  })

/** Runs `work` on a separate connection. If the connection breaks, the next query throws. */
export async function withClient<T>(config: ClientConfig, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs `work` in a transaction on a given connection. `mode` goes into `begin`, such as an isolation level. */
export async function transactOn<T>(client: ClientBase, work: () => Promise<T>, mode = ''): Promise<T> {
  await client.query(`begin ${mode}`)
  try {
    const done = await work()
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Lazy transaction: takes a connection and begins at its first statement. */
export type Transaction = {
  send: Send
  /**
   * Reads within it, or outside if it hasn't begun: a read alone needs no transaction, and mustn't wait for a second
   * connection.
   */
  read: Send
  /** Commits or rolls back. Throws if the commit fails. */
  end(keep: boolean): Promise<void>
}

export function openTransaction(database: Connections): Transaction {
  let started: { send: Promise<Send>; end(keep: boolean): Promise<void> } | undefined
  const send: Send = async (statements) => (await (started ??= begin(database)).send)(statements)
  return {
    send,
    read: (statements) => (started === undefined ? database.send(statements) : send(statements)),
    end: async (keep) => {
      const ending = started
      started = undefined
      await ending?.end(keep)
    },
  }
}

function begin(database: Connections) {
  const [opened, decision] = [Promise.withResolvers<Send>(), Promise.withResolvers<boolean>()]
  const dropError = new Error('The transaction is dropped')
  const transaction = transact(database, async (send) => {
    opened.resolve(send)
    if (!(await decision.promise)) throw dropError
  })
  transaction.catch(opened.reject)
  return {
    send: opened.promise,
    end: async (keep: boolean): Promise<void> => {
      decision.resolve(keep)
      await transaction.catch((error: unknown) => {
        if (keep) throw error
      })
    },
  }
}
