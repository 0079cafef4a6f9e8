import { ENTERED_TENANT, sql, type Db, type Sql } from '../platform/db/tenant.ts'
import type { HistoryEntry } from '../tools/call/history.ts'

/** Audit row of a change: what was done to which record. */
export type ChangeEntry = HistoryEntry & { record_type: string; record_id: string }

/** Writes of one transaction, with their audit rows. `change` is null if no journal rows are kept. */
export type AuditedChange = { change: string | null; at: string; entries: readonly ChangeEntry[]; isUndone: boolean }

/** Scope of an undo: one change, or the changes of credentials in a time span, excluding its end. */
export type UndoScope =
  | { kind: 'change'; change: string }
  | { kind: 'span'; credentials: readonly string[]; from: string; until: string }

/** Maximum number of records to undo at once. */
export const MAX_RECORDS = 500

/** Returns the id of the transaction's own change. */
export const currentChange = async (db: Db): Promise<string> =>
  (await db.one<{ change: string }>(sql`select this_change() as change`)).change

/**
 * Returns the changes of a scope, newest first; undefined if they have more than `MAX_RECORDS` audit rows. A span
 * leaves out undos.
 */
export async function findChanges(db: Db, scope: UndoScope): Promise<AuditedChange[] | undefined> {
  const rows = await db.all<ChangeEntry>(sql`
    select ${auditColumns} from audit a left join users u on u.id = a.user_id
      left join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
    where a.tenant_id = ${db.tenant} and ${conditionOf(scope)} order by a.at desc, a.id desc limit ${MAX_RECORDS + 1}`)
  return rows.length > MAX_RECORDS ? undefined : groupByChange(rows)
}

/** Change of a record by a connection. */
export type RecordChange = { record_id: string; tool: string; change_id: string; is_undone: boolean }

/** Returns the newest changes that a connection made to records, by itself or with somebody's approval. */
export const findChangesOfRecords = (db: Db, credential: string, records: readonly string[]): Promise<RecordChange[]> =>
  db.all<RecordChange>(sql`
    select a.record_id, a.tool, a.change_id, exists (select 1 from undone d
      where d.tenant_id = ${db.tenant} and d.change_id = a.change_id and d.stands) as is_undone
    from audit a where a.tenant_id = ${db.tenant} and a.credential_id = ${credential}
      and a.record_id = any(${[...records]}::uuid[]) and a.change_id is not null
    order by a.at desc, a.id desc limit ${MAX_RECORDS}`)

/** Groups audit rows by the transaction that wrote them, in order. */
export function groupByChange(rows: readonly ChangeEntry[]): AuditedChange[] {
  const byChange = Map.groupBy(rows, ({ change_id, id }) => change_id ?? id)
  return [...byChange.values()].flatMap((entries) =>
    entries
      .slice(0, 1)
      .map(({ change_id, at, is_undone }) => ({ change: change_id, at, entries, isUndone: is_undone })),
  )
}

const conditionOf = (scope: UndoScope): Sql =>
  scope.kind === 'change'
    ? sql`a.change_id = ${scope.change}`
    : sql`a.credential_id = any(${[...scope.credentials]}::uuid[]) and a.at >= ${scope.from} and a.at < ${scope.until}
        and a.tool not like '%.undo'`

/** Columns of audit rows, from `audit a`, `users u` and `credentials c`. */
export const auditColumns = sql`a.id, a.at, a.tool, a.user_id, u.name as user_name, c.kind as credential_kind,
  c.name as credential_name, a.client, a.changed, a.record_type, a.record_id, a.change_id,
  exists (select 1 from undone d
    where d.tenant_id = ${ENTERED_TENANT} and d.change_id = a.change_id and d.stands) as is_undone`
