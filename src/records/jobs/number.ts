import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'

const FIRST_NUMBER = 1001

/**
 * Returns the lowest of `amount` new job numbers. The counter stays locked until the transaction ends, so numbers are
 * assigned last.
 */
export const nextNumber = (db: Db, amount: Sql = sql`1`): Sql =>
  sql`next_number(${db.tenant}, 'job', ${FIRST_NUMBER}, ${amount})`
