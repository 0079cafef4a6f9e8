import { join, raw, sql, type Sql } from './database.ts'

const NAME = /^[a-z][a-z0-9_]*$/

function columnName(column: string): Sql {
  if (!NAME.test(column)) throw new Error(`Not a column name: ${column}`)
  return raw(column)
}

/** Returns `(a, b) values ($1, $2)` for a row; the columns are the row's keys. */
export const values = (row: Record<string, unknown>): Sql =>
  sql`(${join(Object.keys(row).map(columnName))}) values (${join(Object.values(row))})`

/** Returns `(a, b) values ($1, $2), ($3, $4)` for rows that have the same keys. */
export const valuesOf = (rows: readonly Record<string, unknown>[]): Sql =>
  sql`(${join(Object.keys(rows[0] ?? {}).map(columnName))})
  values ${join(rows.map((row) => sql`(${join(Object.values(row))})`))}`

/** Returns `a = $1, b = $2` for a row. */
export const assignments = (row: Record<string, unknown>): Sql =>
  join(Object.entries(row).map(([column, value]) => sql`${columnName(column)} = ${value}`))
