import { sql, type Sql } from '../../platform/db/database.ts'

/**
 * Order of a list's rows `i`: the column, the order inside the index, and the same order of the rows read there, `f`,
 * by `f.at`, `f.made` and `f.id`.
 */
export type Order = { at: Sql; rows: Sql; of: Sql }

/** Orders by a column, then by creation time and id. */
export function orderBy(at: Sql, way: 'asc' | 'desc' = 'asc', row: Sql = sql`i`): Order {
  const to = way === 'asc' ? sql`` : sql`desc`
  return {
    at,
    rows: sql`${at} ${to}, ${row}.created_at ${to}, ${row}.id ${to}`,
    of: sql`f.at ${to}, f.made ${to}, f.id ${to}`,
  }
}
