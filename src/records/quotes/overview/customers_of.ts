import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Returns the customer's id of each quote, by the quote's. */
export async function customersOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all<{ id: string; customer_id: string }>(
    sql`select id, customer_id from quotes where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[])`,
  )
  return new Map(rows.map(({ id, customer_id }) => [id, customer_id]))
}
