import tag, { type Sql as SqlText } from 'sql-template-tag'

export { join, raw, empty } from 'sql-template-tag'

/** A row of a statement that names no type for its rows. */
export type Row = Record<string, unknown>

/** A statement, or a part of one. `R` is the type of the rows that it returns. */
export type Sql<R = Row> = SqlText & { readonly returns?: R }

/** Writes a statement with its values beside the text; `sql<Customer>` names the type of its rows. */
export const sql: <R extends Row = Row>(strings: readonly string[], ...values: readonly unknown[]) => Sql<R> = tag

/** Result of one statement of a batch: its rows, and the number of affected rows. */
export type StatementResult<R = Row> = { rows: R[]; count: number }

/** Returns the only row of a result. Throws if there is none, or more than one, which is a fault of the program. */
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
