import type { Actor } from '../audit.ts'
import { membershipIn } from './memberships.ts'
import { isOperator } from './operators.ts'
import type { StatementResult } from '../../db/batch.ts'
import { sql, within, type Database, type Sql } from '../../db/tenant.ts'

/**
 * Whose waiting messages and events somebody may see and settle: all of the installation's (`tenant` null), or those that
 * are one company's already.
 */
export type ReviewScope = { readonly by: Actor; readonly tenant: string | null }

/** The operator at the command line. */
export const COMMAND_LINE: ReviewScope = { by: null, tenant: null }

/** What a person may review: all of the installation for an operator, one company's for an owner of it; null for anybody else. */
export async function reviewScopeOf(database: Database, user: string, tenant: string | null): Promise<ReviewScope | null> {
  const may = tenant === null ? await isOperator(database, user) : (await membershipIn(database, tenant, user))?.role === 'owner'
  return may ? { by: { user }, tenant } : null
}

/** Which of a table's rows are in a scope. */
export const inScope = ({ tenant }: ReviewScope): Sql => (tenant === null ? sql`true` : sql`tenant_id = ${tenant}`)

/** Asks within a scope: that of a company enters it. */
export const askWithin = async ({ tenant }: ReviewScope, send: Database['send'], query: Sql): Promise<StatementResult> => (await send([...within(tenant), query])).at(-1)!

/** Some of what waits, newest first, and the id to go on from; null at the end. */
export type WaitingPage<Row> = { rows: Row[]; next: string | null }

/** After every id. */
export const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Of rows that were asked for one over the limit. */
export const waiting = <Row extends { id: string }>(found: readonly unknown[], limit: number): WaitingPage<Row> => {
  const rows = found.slice(0, limit) as Row[]
  return { rows, next: found.length > limit ? rows.at(-1)!.id : null }
}
