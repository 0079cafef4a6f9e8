import tag, { type Sql as SqlText } from 'sql-template-tag'

export { join, raw, empty } from 'sql-template-tag'

/** Row of a statement without a row type. */
export type Row = Record<string, unknown>

/** Statement, or part of one. `R` is the type of its rows. */
export type Sql<R = Row> = SqlText & { readonly returns?: R }

/** Builds a statement with its values as parameters; `sql<Customer>` gives the type of its rows. */
export const sql: <R extends Row = Row>(strings: readonly string[], ...values: readonly unknown[]) => Sql<R> = tag

/** Result of one statement of a batch: its rows, and the number of affected rows. */
export type StatementResult<R = Row> = { rows: R[]; count: number }

/** Returns the only row of a result. Throws if there is none or more than one, which is a bug. */
export function onlyRow<R>({ rows }: { rows: readonly R[] }): R {
  const [row, more] = rows
  if (row === undefined || more !== undefined) throw new Error(`Expected one row, got ${rows.length}`)
  return row
}

/** Results of a batch, one for each of its statements. */
type StatementResults<Statements extends readonly Sql[]> = {
  -readonly [I in keyof Statements]: Statements[I] extends Sql<infer R> ? StatementResult<R> : never
}

/** Runs statements in one round trip, and returns the result of each. `Options` are its further parameters. */
export type Send<Options extends unknown[] = []> = <const Statements extends readonly Sql[]>(
  statements: Statements,
  ...options: Options
) => Promise<StatementResults<Statements>>

/** Returns the rows of a statement that is sent alone. */
export const rowsOf = async <R extends Row>(send: Send, statement: Sql<R>): Promise<R[]> =>
  (await send([statement]))[0].rows

/** Runs any number of statements in one round trip, and returns as many results. */
export type SendBatch<Options extends unknown[] = []> = (
  statements: readonly Sql[],
  ...options: Options
) => Promise<StatementResult[]>

/** Types the results of a batch by its statements: PostgreSQL answers each of them, in order. */
export const byStatement = <Options extends unknown[]>(send: SendBatch<Options>): Send<Options> => send as Send<Options>
