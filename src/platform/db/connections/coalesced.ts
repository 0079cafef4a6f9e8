import type { Database, TransactionOptions } from '../database.ts'
import { byStatement, type Sql } from '../sql.ts'
import { isEntry, newReadSharing } from './shared_reads.ts'

/** Returns a database in which reads of one tick that enter the same tenant share a round trip. Writes pass through. */
export function coalesceReads(database: Database): Database {
  const sendAlone = (statements: readonly Sql[], options: TransactionOptions) => database.send(statements, options)
  const share = newReadSharing<TransactionOptions>({
    // Waits until all pending microtasks have run, so that parts of a page that start together read together.
    hold: async (use, options) => {
      await new Promise<void>((resolve) => process.nextTick(resolve))
      return use(byStatement((statements) => sendAlone(statements, options)))
    },
    join: () => () => {},
    sendAlone,
    maxShared: Infinity,
  })
  return {
    ...database,
    send: byStatement((statements: readonly Sql[], options: TransactionOptions = {}) =>
      staysInTenant(statements) && options.counter === undefined && options.patient !== true
        ? share(statements, options)
        : sendAlone(statements, options),
    ),
  }
}

/** Checks whether the statements after the first, which enters a tenant, stay there. */
const staysInTenant = ([, ...others]: readonly Sql[]): boolean =>
  !others.some((one) => isEntry(one) || one.text.startsWith('select leave_'))
