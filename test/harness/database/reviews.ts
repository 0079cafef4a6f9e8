import { sql, type Database } from '../../../src/platform/db/tenant.ts'

/** Returns the review decisions on a record, oldest first: act, person and changes. */
export async function reviewsOf(database: Pick<Database, 'send'>, record: string): Promise<unknown[][]> {
  const [reviews] = await database.send([
    sql`select act, user_id, changed from reviews where record_id = ${record} order by at, id`,
  ])
  return reviews!.rows.map(({ act, user_id, changed }) => [act, user_id, changed])
}
