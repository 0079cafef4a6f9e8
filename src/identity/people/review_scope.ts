import type { Actor } from '../audit.ts'
import { membershipIn } from './memberships.ts'
import { isOperator } from './operators.ts'
import type { Row, StatementResult } from '../../platform/db/sql.ts'
import { sendIn, sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/**
 * Scope of waiting messages and events that a user may review: the whole installation (`tenant` null), or one company.
 */
export type ReviewScope = { readonly by: Actor; readonly tenant: string | null }

/** Operator at the command line. */
export const COMMAND_LINE: ReviewScope = { by: null, tenant: null }

/** Returns a user's review scope: the installation for an operator, one company for its owner, else null. */
export async function reviewScopeOf(
  database: Database,
  user: string,
  tenant: string | null,
): Promise<ReviewScope | null> {
  const isAllowed =
    tenant === null ? await isOperator(database, user) : (await membershipIn(database, tenant, user))?.role === 'owner'
  return isAllowed ? { by: { user }, tenant } : null
}

/** Returns the condition that a row is within a scope. */
export const scopeCondition = ({ tenant }: ReviewScope): Sql =>
  tenant === null ? sql`true` : sql`tenant_id = ${tenant}`

/** Runs a query within a scope, and enters the tenant of a company's scope. */
export const queryInScope = <R extends Row>(
  { tenant }: ReviewScope,
  send: Database['send'],
  query: Sql<R>,
): Promise<StatementResult<R>> => sendIn(send, tenant, query)

/** Page of waiting items, newest first, and the ID to continue from; null at the end. */
export type WaitingPage<Row> = { rows: Row[]; next: string | null }

/** Highest ID: sorts after every other. */
export const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Builds a page from rows queried with one more than the limit. */
export const toWaitingPage = <Row extends { id: string }>(waiting: readonly Row[], limit: number): WaitingPage<Row> => {
  const rows = waiting.slice(0, limit)
  return { rows, next: waiting.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
