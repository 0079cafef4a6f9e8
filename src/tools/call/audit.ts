import { sql, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { ToolCall } from './context.ts'
import type { Outcome } from './outcome.ts'

/**
 * Returns the audit rows of a write, one per record: author, credential, tool, record, and the changed fields with
 * their values before and after.
 */
export const auditOf = ({ caller, client, listed, approver }: ToolCall, { written, also = [] }: Outcome): Sql[] =>
  (written === undefined ? [] : [written, ...also]).map(
    ({ record, changes, type = listed.entity.singular }) => sql`
    insert into audit (tenant_id, id, user_id, credential_id, client, tool, record_type, record_id, changed,
      approved_by)
    values (${caller.tenant.id}, ${newId()}, ${caller.user}, ${caller.credential.id}, ${client}, ${listed.canonical},
      ${type}, ${record}, ${JSON.stringify(changes)}, ${approver ?? null})`,
  )
