import { sql, type Database } from '../../../src/platform/db/tenant.ts'

/** Returns what people decided about a record that waited for them, the oldest first: act, person and changes. */
export async function reviewsOf(database: Pick<Database, 'send'>, record: string): Promise<unknown[][]> {
  const [reviews] = await database.send([
    sql`select act, user_id, changed from reviews where record_id = ${record} order by at, id`,
  ])
  return reviews!.rows.map(({ act, user_id, changed }) => [act, user_id, changed])
}
