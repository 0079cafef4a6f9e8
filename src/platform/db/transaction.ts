import { Client, type ClientBase, type ClientConfig } from 'pg'
import { sql, type Send } from './sql.ts'

/** Ways to send statements: on any connection, or several on one connection held for them. */
type Connections = { send: Send; hold<T>(use: (send: Send) => Promise<T>): Promise<T> }

export const BEGIN = sql`begin`
/** Begins a transaction that sees one moment and writes nothing. */
export const BEGIN_MOMENT = sql`begin isolation level repeatable read read only`
export const COMMIT = sql`commit`
export const ROLLBACK = sql`rollback`

/** Marks where a part of a transaction begins, keeps it, and undoes it. */
export const SAVEPOINT = sql`savepoint part`
export const RELEASE = sql`release savepoint part`
export const UNDO = sql`rollback to savepoint part`

/**
 * Runs one transaction of several round trips outside any tenant: all of it or nothing. It is dropped once a statement
 * has failed, whoever caught that, because the database answers a COMMIT then with a ROLLBACK that reads like a
 * success.
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

/** Runs work on a connection of its own. Where the connection breaks, the next query says so. */
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

/** Runs work in a transaction on a given connection. `mode` goes into `begin`, such as an isolation level. */
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

/** Transaction that begins with its first statement and takes a connection only then. */
export type Transaction = {
  send: Send
  /**
   * Reads in it, or outside when it hasn't begun: what reads alone needs none, and may not wait for a second
   * connection.
   */
  read: Send
  /** Commits or rolls back. Throws if the commit fails. */
  end(keep: boolean): Promise<void>
}

export function openTransaction(database: Connections): Transaction {
  let begun: { send: Promise<Send>; end(keep: boolean): Promise<void> } | undefined
  const send: Send = async (statements) => (await (begun ??= begin(database)).send)(statements)
  return {
    send,
    read: (statements) => (begun === undefined ? database.send(statements) : send(statements)),
    end: async (keep) => {
      const ending = begun
      begun = undefined
      await ending?.end(keep)
    },
  }
}

function begin(database: Connections) {
  const [opened, decided] = [Promise.withResolvers<Send>(), Promise.withResolvers<boolean>()]
  const dropped = new Error('The transaction is dropped')
  const ended = transact(database, async (send) => {
    opened.resolve(send)
    if (!(await decided.promise)) throw dropped
  })
  ended.catch(opened.reject)
  return {
    send: opened.promise,
    end: async (keep: boolean): Promise<void> => {
      decided.resolve(keep)
      await ended.catch((error: unknown) => {
        if (keep) throw error
      })
    },
  }
}
