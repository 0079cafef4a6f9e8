import type { Actor } from '../audit.ts'
import { membershipIn } from './memberships.ts'
import { isOperator } from './operators.ts'
import type { Answer } from '../../db/batch.ts'
import { sql, within } from '../../db/tenant.ts'
import type { Database, Sql } from '../../db/tenant.ts'

/**
 * Whose waiting messages and events somebody may see and settle: all of the installation's (`tenant` null), or those that
 * are one company's already.
 */
export type Desk = { readonly by: Actor; readonly tenant: string | null }

/** The operator at the command line. */
export const COMMAND_LINE: Desk = { by: null, tenant: null }

/** A person's desk: of the installation for an operator, of a company for an owner of it; null for anybody else. */
export async function deskOf(database: Database, user: string, tenant: string | null): Promise<Desk | null> {
  const may = tenant === null ? await isOperator(database, user) : (await membershipIn(database, tenant, user))?.role === 'owner'
  return may ? { by: { user }, tenant } : null
}

/** What of a table's rows lies on a desk. */
export const onDesk = ({ tenant }: Desk): Sql => (tenant === null ? sql`true` : sql`tenant_id = ${tenant}`)

/** Asks from a desk: that of a company stands inside it. */
export const askFrom = async ({ tenant }: Desk, send: Database['send'], query: Sql): Promise<Answer> => (await send([...within(tenant), query])).at(-1)!

/** Some of what waits, newest first, and the id to go on from; null at the end. */
export type Waiting<Row> = { rows: Row[]; next: string | null }

/** After every id. */
export const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Of rows that were asked for one over the limit. */
export const waiting = <Row extends { id: string }>(found: readonly unknown[], limit: number): Waiting<Row> => {
  const rows = found.slice(0, limit) as Row[]
  return { rows, next: found.length > limit ? rows.at(-1)!.id : null }
}
