import type { Caller } from '../access/credentials/caller.ts'
import { sql, type Db } from '../db/tenant.ts'
import type { Changes } from './outcome.ts'

/** Describes one write of a record: when, who with what, and which fields from what to what. */
export type HistoryEntry = {
  id: string
  at: string
  /** Is the canonical name of a tool or action: `jobs.update`. */
  tool: string
  /** Is null for a tenant key, the operator and the service itself. */
  user_name: string | null
  /** Is null for the operator and the service itself. */
  credential_kind: 'user_key' | 'tenant_key' | 'oauth' | 'browser' | null
  /** Is the name of a key, or of the app. */
  credential_name: string | null
  /** Is what the client called itself. */
  client: string | null
  changed: Changes
}

/** Lists fields that only owners see (docs/spec/records.md#cost-fields), and fields of another area. */
const OWNERS = new Set(['cost_cents', 'supplier_name', 'supplier_sku', 'supplier_url'])

/** Lists the writes of a record, newest first, without what this caller may not see. */
export async function historyOf(db: Db, caller: Caller, record: string, limit: number): Promise<HistoryEntry[]> {
  const entries = await db.all<HistoryEntry>(sql`
    select a.id, a.at, a.tool, u.name as user_name, c.kind as credential_kind, c.name as credential_name, a.client, a.changed
    from audit a left join users u on u.id = a.user_id left join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
    where a.tenant_id = ${db.tenant} and a.record_id = ${record} order by a.at desc, a.id desc limit ${limit}`)
  return entries.map((entry) => ({ ...entry, changed: visible(entry.changed, caller) }))
}

const visible = (changed: Changes, { role, scopes }: Caller): Changes =>
  Object.fromEntries(
    Object.entries(changed).filter(
      ([name]) => (role === 'owner' || !OWNERS.has(name)) && (name !== 'invoice_ids' || scopes.has('read:invoices')),
    ),
  )
