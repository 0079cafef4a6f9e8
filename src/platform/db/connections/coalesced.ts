import type { Database, TransactionOptions } from '../database.ts'
import { byStatement, type Sql } from '../sql.ts'
import { isEntry, newReadSharing } from './shared_reads.ts'

/**
 * Returns the same database, in which reads of one tick that enter a tenant alike share one round trip. Writes pass
 * through.
 */
export function coalesceReads(database: Database): Database {
  const sendAlone = (statements: readonly Sql[], options: TransactionOptions) => database.send(statements, options)
  const share = newReadSharing<TransactionOptions>({
    // A tick of the process comes after every microtask, so that parts of a page that began together read together.
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
