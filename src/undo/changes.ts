import { ENTERED, sql, type Db, type Sql } from '../platform/db/tenant.ts'
import type { HistoryEntry } from '../tools/call/history.ts'

/** One audit row of an act: what was done to which record. */
export type ChangeEntry = HistoryEntry & { record_type: string; record_id: string }

/** What was written in one transaction, with the audit rows of it; `change` is null for what keeps no rows. */
export type AuditedChange = { change: string | null; at: string; entries: readonly ChangeEntry[]; isUndone: boolean }

/** What to undo: one change, or what credentials did in a span of time, which excludes its end. */
export type UndoScope =
  | { kind: 'change'; change: string }
  | { kind: 'span'; credentials: readonly string[]; from: string; until: string }

/** Limits how many records are undone at once. */
export const MAX_RECORDS = 500

/** Returns the id of the change that a transaction makes. */
export const currentChange = async (db: Db): Promise<string> =>
  (await db.one<{ change: string }>(sql`select this_change() as change`)).change

/**
 * Returns the acts of a scope, newest first, of which at most `MAX_RECORDS` records are named; undefined where there
 * are more. A span leaves out what undid something.
 */
export async function findChanges(db: Db, scope: UndoScope): Promise<AuditedChange[] | undefined> {
  const rows = await db.all<ChangeEntry>(sql`
    select ${auditColumns} from audit a left join users u on u.id = a.user_id
      left join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
    where a.tenant_id = ${db.tenant} and ${conditionOf(scope)} order by a.at desc, a.id desc limit ${MAX_RECORDS + 1}`)
  return rows.length > MAX_RECORDS ? undefined : groupByChange(rows)
}

/** A change of a record by a connection. */
export type RecordChange = { record_id: string; tool: string; change_id: string; is_undone: boolean }

/** Returns the newest changes that a connection made of records, by itself or as somebody approved them. */
export const findChangesOfRecords = (db: Db, credential: string, records: readonly string[]): Promise<RecordChange[]> =>
  db.all<RecordChange>(sql`
    select a.record_id, a.tool, a.change_id, exists (select 1 from undone d
      where d.tenant_id = ${db.tenant} and d.change_id = a.change_id and d.stands) as is_undone
    from audit a where a.tenant_id = ${db.tenant} and a.credential_id = ${credential}
      and a.record_id = any(${[...records]}::uuid[]) and a.change_id is not null
    order by a.at desc, a.id desc limit ${MAX_RECORDS}`)

/** Puts audit rows that were written in one transaction together, in their order. */
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

/** Selects the audit rows of acts, from `audit a`, `users u` and `credentials c`. */
export const auditColumns = sql`a.id, a.at, a.tool, a.user_id, u.name as user_name, c.kind as credential_kind,
  c.name as credential_name, a.client, a.changed, a.record_type, a.record_id, a.change_id,
  exists (select 1 from undone d
    where d.tenant_id = ${ENTERED} and d.change_id = a.change_id and d.stands) as is_undone`
