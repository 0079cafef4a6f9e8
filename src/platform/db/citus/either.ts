import { Sql as SqlText } from 'sql-template-tag'
import { sql, type Row, type SendBatch, type Sql } from '../sql.ts'

/** Placeholder for the transaction's company, in parts of a statement that are built before it is known. */
export const ENTERED_TENANT = Symbol('the company that is entered')

/** Statement in two versions: for a single PostgreSQL server and for a cluster (docs/operating/citus.md). */
class EitherSql extends SqlText {
  readonly #onCluster: () => SqlText

  constructor(alone: SqlText, onCluster: () => SqlText) {
    super(alone.strings, alone.values)
    this.#onCluster = onCluster
  }

  get onCluster(): SqlText {
    return this.#onCluster()
  }
}

/** Returns a statement with a second version for clusters. It must be a whole statement, not part of another. */
export const either = <R = Row>(alone: Sql<R>, onCluster: () => Sql<R>): Sql<R> => new EitherSql(alone, onCluster)

/**
 * Returns an `insert … select`. Without `returning`, a cluster runs it as a COPY, which row-level security refuses, or
 * also counts the conflicting rows.
 */
export const insertSelected = (insert: Sql): Sql => either(insert, () => sql`${insert} returning true as written`)

/**
 * Returns a write statement that returns looked-up or computed columns. A cluster can't run lookups within a write.
 * `table` is the statement's alias of its table.
 */
export const writeReturning = <R extends Row = Row>(table: Sql, write: Sql, columns: Sql): Sql<R> =>
  either(
    sql`${write} returning ${columns}`,
    () => sql`with written as (${write} returning ${table}.*) select ${columns} from written ${table}`,
  )

/** Sends the cluster version of statements. Does nothing on a single PostgreSQL server. */
export const toClusterDialect =
  (send: SendBatch): SendBatch =>
  (statements) =>
    send(statements.map((statement) => (statement instanceof EitherSql ? statement.onCluster : statement)))

/** Replaces `ENTERED_TENANT` among a statement's values with the company. The text doesn't change. */
export function withEnteredTenant(statement: Sql, tenant: string): Sql {
  if (!statement.values.includes(ENTERED_TENANT)) return statement
  const alone = withTenant(statement, tenant)
  return statement instanceof EitherSql ? either(alone, () => withTenant(statement.onCluster, tenant)) : alone
}

const withTenant = ({ strings, values }: SqlText, tenant: string): SqlText =>
  new SqlText(
    strings,
    values.map((value) => (value === ENTERED_TENANT ? tenant : value)),
  )
