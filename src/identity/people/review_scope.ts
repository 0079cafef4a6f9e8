import type { Actor } from '../audit.ts'
import { membershipIn } from './memberships.ts'
import { isOperator } from './operators.ts'
import type { Row, StatementResult } from '../../platform/db/sql.ts'
import { sendIn, sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/**
 * The waiting messages and events that somebody may see and decide on: all of the installation's (`tenant` null), or
 * one company's.
 */
export type ReviewScope = { readonly by: Actor; readonly tenant: string | null }

/** The operator at the command line. */
export const COMMAND_LINE: ReviewScope = { by: null, tenant: null }

/**
 * Returns what a person may review: all of the installation for an operator, one company's for its owner, null for
 * anybody else.
 */
export async function reviewScopeOf(
  database: Database,
  user: string,
  tenant: string | null,
): Promise<ReviewScope | null> {
  const may =
    tenant === null ? await isOperator(database, user) : (await membershipIn(database, tenant, user))?.role === 'owner'
  return may ? { by: { user }, tenant } : null
}

/** Returns the condition that a table's row is within a scope. */
export const scopeCondition = ({ tenant }: ReviewScope): Sql =>
  tenant === null ? sql`true` : sql`tenant_id = ${tenant}`

/** Asks within a scope, entering the tenant of a company's. */
export const queryInScope = <R extends Row>(
  { tenant }: ReviewScope,
  send: Database['send'],
  query: Sql<R>,
): Promise<StatementResult<R>> => sendIn(send, tenant, query)

/** Holds some of what waits, newest first, and the id to go on from; null at the end. */
export type WaitingPage<Row> = { rows: Row[]; next: string | null }

/** Sorts after every id. */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Makes a page of rows of which one more than the limit was asked for. */
export const toWaitingPage = <Row extends { id: string }>(waiting: readonly Row[], limit: number): WaitingPage<Row> => {
  const rows = waiting.slice(0, limit)
  return { rows, next: waiting.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
