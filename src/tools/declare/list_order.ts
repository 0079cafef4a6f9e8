import { sql, type Sql } from '../../platform/db/database.ts'

/**
 * Order of a list's rows `i`: the column, the order inside the index, and the same order of the rows read there, `f`,
 * by `f.at`, `f.made` and `f.id`.
 */
export type Order = { at: Sql; rows: Sql; of: Sql }

/** Orders by a column, then by creation time and id. */
export function orderBy(at: Sql, direction: 'asc' | 'desc' = 'asc', row: Sql = sql`i`): Order {
  const directionSql = direction === 'asc' ? sql`` : sql`desc`
  return {
    at,
    rows: sql`${at} ${directionSql}, ${row}.created_at ${directionSql}, ${row}.id ${directionSql}`,
    of: sql`f.at ${directionSql}, f.made ${directionSql}, f.id ${directionSql}`,
  }
}
