import type { Database, TransactionOptions } from '../database.ts'
import { byStatement, type Sql, type StatementResult } from '../sql.ts'

type Read = {
  /** Statement that enters the tenant. */
  entry: Sql
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
    for (const alike of Map.groupBy(reads, ({ entry }) => entryKey(entry)).values()) void sendTogether(alike)
  }

  async function sendTogether(reads: readonly Read[]): Promise<void> {
    const [first, ...others] = reads
    if (first === undefined) return
    if (others.length === 0) return sendAlone(first)
    try {
      const together = reads.flatMap(({ statements }) => statements)
      const [, ...answers] = await database.send([first.entry, ...together], first.options)
      let at = 0
      for (const { statements, resolve } of reads) {
        resolve([ENTERED, ...answers.slice(at, at + statements.length)])
        at += statements.length
      }
    } catch {
      for (const read of reads) void sendAlone(read)
    }
  }

  const sendAlone = ({ entry, statements, options, resolve, reject }: Read): Promise<void> =>
    database.send([entry, ...statements], options).then(resolve, reject)

  return {
    ...database,
    send: byStatement((statements: readonly Sql[], options?: TransactionOptions) => {
      const [entry, ...others] = statements
      if (
        entry === undefined ||
        !staysInTenant(entry, others) ||
        options?.counter !== undefined ||
        options?.patient === true
      )
        return database.send(statements, options)
      // A tick of the process comes after every microtask, so that parts of a page that began together read together.
      if (waiting.length === 0) process.nextTick(flush)
      return new Promise((resolve, reject) => waiting.push({ entry, statements: others, options, resolve, reject }))
    }),
  }
}

/** Placeholder for the entry statement's result, which nothing reads. */
const ENTERED: StatementResult = { rows: [], count: 1 }

/** Checks whether a statement enters a tenant, and those after it stay there. */
const staysInTenant = (entry: Sql, others: readonly Sql[]): boolean =>
  isEntry(entry) && !others.some((one) => isEntry(one) || one.text.startsWith('select leave_'))

const isEntry = ({ text }: Sql): boolean => text.startsWith('select enter_')

/** Returns what tells entries apart: the tenant, the credential and its version. */
const entryKey = ({ values }: Sql): string => values.join(' ')
