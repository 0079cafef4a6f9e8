import type { Caller } from '../identity/credentials/caller.ts'
import { isOffice } from '../identity/permissions/areas.ts'
import type { Scope } from '../identity/permissions/scopes.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { notFound } from '../platform/errors/refusal.ts'
import type { AuditedChange, UndoScope } from './changes.ts'
import type { JournaledRow } from './journal.ts'

/**
 * Requires an owner, or the person whose connection it is. The office may also undo what customers did with their own
 * visits. Throws not found for everybody else.
 */
export async function requireUndoAccess(db: Db, { role, user }: Caller, scope: UndoScope): Promise<void> {
  if (role === 'owner') return
  const exceptByCustomers = role === 'office' ? sql`and tool <> all(${CUSTOMER_TOOLS}::text[])` : sql``
  const { foreign } = await db.one<{ foreign: number }>(
    scope.kind === 'span'
      ? sql`select ${scope.credentials.length} - count(*)::int as foreign from credentials
          where tenant_id = ${db.tenant} and id = any(${[...scope.credentials]}::uuid[]) and user_id = ${user}`
      : sql`select count(*)::int as foreign from audit
        where tenant_id = ${db.tenant} and change_id = ${scope.change} and user_id is distinct from ${user}
          ${exceptByCustomers}`,
  )
  if (foreign > 0) throw notFound('connection')
}

/** Actions of customers on their own visits, by their links. */
const CUSTOMER_TOOLS = ['jobs.move_by_link', 'jobs.cancel_by_link']

/** Returns the write scope that the caller lacks for a change, if any. */
export const missingScope = ({ scopes }: Caller, { entries }: AuditedChange): Scope | undefined =>
  entries.map(({ tool }) => writeScopeOf(tool)).find((scope) => scope !== undefined && !scopes.has(scope))

/** Checks whether a change wrote days off, which only the office changes, and the caller isn't of the office. */
export const lacksOfficeRole = ({ role }: Caller, rows: readonly JournaledRow[]): boolean =>
  !isOffice({ role }) && rows.some(({ kind }) => kind === 'working_exceptions')

const writeScopeOf = (tool: string): Scope | undefined => {
  const entity = entities.find(({ name }) => name === tool.split('.')[0])
  return entity && `write:${entity.subject}`
}

/** Checks whether the caller may read the record of an entry. */
export function maySee({ scopes }: Caller, { tool }: { tool: string }): boolean {
  const entity = entities.find(({ name }) => name === tool.split('.')[0])
  return entity !== undefined && scopes.has(`read:${entity.subject}`)
}

/** Checks whether a customer used the tool on their own visit, which the office may undo. */
export const isByCustomer = (tool: string): boolean => CUSTOMER_TOOLS.includes(tool)
