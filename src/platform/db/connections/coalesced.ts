import type { Database, TransactionOptions } from '../database.ts'
import { byStatement, type Sql, type StatementResult } from '../sql.ts'

type Read = {
  statements: readonly Sql[]
  options: TransactionOptions | undefined
  resolve: (answers: StatementResult[]) => void
  reject: (error: unknown) => void
}

/**
 * Returns the same database, in which reads of one tick that enter a tenant alike share one round trip. Where that
 * fails, each read is sent by itself, so that an error reaches only who caused it. Writes pass through.
 */
export function coalesceReads(database: Database): Database {
  let waiting: Read[] = []

  function flush(): void {
    const reads = waiting
    waiting = []
    for (const alike of Map.groupBy(reads, ({ statements }) => entryKey(statements[0]!)).values())
      void sendTogether(alike)
  }

  async function sendTogether(reads: readonly Read[]): Promise<void> {
    const [first] = reads
    if (reads.length === 1) return sendAlone(first!)
    const own = reads.map(({ statements }) => statements.slice(1))
    try {
      const [, ...answers] = await database.send([first!.statements[0]!, ...own.flat()], first!.options)
      let at = 0
      reads.forEach(({ resolve }, i) => {
        const count = own[i]!.length
        resolve([ENTERED, ...answers.slice(at, at + count)])
        at += count
      })
    } catch {
      for (const read of reads) void sendAlone(read)
    }
  }

  const sendAlone = ({ statements, options, resolve, reject }: Read): Promise<void> =>
    database.send(statements, options).then(resolve, reject)

  return {
    ...database,
    send: byStatement((statements: readonly Sql[], options?: TransactionOptions) => {
      if (!entersTenant(statements) || options?.counter !== undefined || options?.patient === true)
        return database.send(statements, options)
      // A tick of the process comes after every microtask, so that parts of a page that began together read together.
      if (waiting.length === 0) process.nextTick(flush)
      return new Promise((resolve, reject) => waiting.push({ statements, options, resolve, reject }))
    }),
  }
}

/** Placeholder for the entry statement's result, which nothing reads. */
const ENTERED: StatementResult = { rows: [], count: 1 }

/** Checks whether statements enter one tenant first and stay in it. */
const entersTenant = ([first, ...rest]: readonly Sql[]): boolean =>
  first !== undefined && isEntry(first) && !rest.some((one) => isEntry(one) || one.text.startsWith('select leave_'))

const isEntry = ({ text }: Sql): boolean => text.startsWith('select enter_')

/** Returns what tells entries apart: the tenant, the credential and its version. */
const entryKey = ({ values }: Sql): string => values.join(' ')
