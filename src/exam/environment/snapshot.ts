import type { Client } from 'pg'
import { transactOn } from '../../platform/db/transaction.ts'
import { requireValue } from '../../platform/errors/require_value.ts'
import type { JsonRow } from '../task.ts'

type Rows = ReadonlyMap<string, JsonRow>

/** Rows of a company by table and key. Includes the writes of transactions before `since`. */
export type Snapshot = { tables: ReadonlyMap<string, Rows>; since: string }

/** Difference between two snapshots. `fields` are the columns that changed. */
export type RowChange = {
  table: string
  kind: 'added' | 'changed' | 'removed'
  before: JsonRow | undefined
  after: JsonRow | undefined
  fields: readonly string[]
}

/**
 * Tables that derive from other rows or from the call itself: audit, undo journal, search entries. Proposals are judged
 * by their effect after approval.
 */
const DERIVED_TABLES: ReadonlySet<string> = new Set([
  'audit',
  'chore_leases',
  'counters',
  'idempotency_keys',
  'job_assignees',
  'job_titles',
  'journal',
  'notice_tasks',
  'proposals',
  'proposed_calls',
  'removal_marks',
  'removals',
  'report_days',
  'report_marks',
  'search_entries',
  'session_uses',
  'tool_uses',
])

/** Columns with the time and author of a write, and columns derived from others for search and order. */
const DERIVED_COLUMNS: ReadonlySet<string> = new Set([
  'access_version',
  'created_at',
  'created_by',
  'identity',
  'last_used_at',
  'name_folded',
  'name_words',
  'search_key',
  'search_text',
  'sort_name',
  'title_folded',
  'title_key',
  'updated_at',
  'updated_by',
  'words',
])

type Table = { name: string; key: readonly string[]; columns: readonly string[] }

/** Empty snapshot; every transaction is later than its `since`. */
const EMPTY_SNAPSHOT: Snapshot = { tables: new Map(), since: '0' }

/** Rows of a table written since the earlier snapshot, and the number of older ones. */
type TableRows = { name: string; older: number; written: readonly JsonRow[] }

/**
 * Reads a company's rows in every table with a tenant, as the owner of the schema: all of them, or those written since
 * an earlier snapshot, which provides the others.
 */
export async function readSnapshot(owner: Client, tenant: string, earlier = EMPTY_SNAPSHOT): Promise<Snapshot> {
  const tables = await listTables(owner)
  const isEarlier = 'age(t.xmin) > age($2::xid)'
  const union = tables.map(
    ({ name }) => `select '${name}' as name, (count(*) filter (where ${isEarlier}))::int4 as older,
      coalesce(jsonb_agg(to_jsonb(t)) filter (where not ${isEarlier}), '[]') as written
      from ${name} t where tenant_id = $1`,
  )
  const readTables = async (): Promise<Snapshot> => {
    const { rows: snapshotRows } = await owner.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as since',
    )
    // Prepared, because planning it takes longer than running it.
    const { rows } = await owner.query<TableRows>({
      name: 'exam_rows',
      text: union.join(' union all '),
      values: [tenant, earlier.since],
    })
    const tablesByName = new Map(rows.map((table) => [table.name, table]))
    const snapshot = new Map<string, Rows>()
    for (const { name, key } of tables) {
      const { older, written } = requireValue(tablesByName.get(name), 'A table')
      const existing = earlier.tables.get(name) ?? NO_ROWS
      const fresh = written.map((row) => [keyOf(row, key), row] as const)
      const merged = fresh.length === 0 ? existing : new Map([...existing, ...fresh])
      const hasRemoved = merged.size > older + written.length
      snapshot.set(name, hasRemoved ? await withoutRemoved(merged, owner, tenant, { name, key }) : merged)
    }
    return { tables: snapshot, since: requireValue(snapshotRows[0], 'A moment').since }
  }
  return transactOn(owner, readTables, 'isolation level repeatable read read only')
}

const keyOf = (row: JsonRow, key: readonly string[]): string => JSON.stringify(key.map((column) => row[column]))

/** Returns the rows whose keys still exist. */
async function withoutRemoved(
  existing: Rows,
  owner: Client,
  tenant: string,
  { name, key }: Pick<Table, 'name' | 'key'>,
): Promise<Rows> {
  const { rows } = await owner.query<{ key: unknown }>(
    `select jsonb_build_array(${key.join()}) as key from ${name} where tenant_id = $1`,
    [tenant],
  )
  const keys = new Set(rows.map((row) => JSON.stringify(row.key)))
  return new Map([...existing].filter(([one]) => keys.has(one)))
}

/** Lists the differences that a task can be about, table by table. */
export function compareSnapshots(before: Snapshot, after: Snapshot): RowChange[] {
  return listDifferences(before, after, DERIVED_COLUMNS).filter(({ table }) => !DERIVED_TABLES.has(table))
}

/**
 * Restores a company row by row. The writer's session runs no triggers, which would record the change. Returns the same
 * snapshot with a new `since`, for later reads.
 */
export async function restoreSnapshot(
  { owner, writer }: { owner: Client; writer: Client },
  tenant: string,
  snapshot: Snapshot,
): Promise<Snapshot> {
  const current = await readSnapshot(owner, tenant, snapshot)
  const changes = listDifferences(snapshot, current, NO_COLUMNS)
  const tables = await listTables(owner)
  await transactOn(writer, async () => {
    for (const { name, key, columns } of tables) {
      const tableChanges = changes.filter(({ table }) => table === name)
      const [rowsToDelete, rowsToInsert] = [
        tableChanges.flatMap(({ after }) => after ?? []),
        tableChanges.flatMap(({ before }) => before ?? []),
      ]
      const keyCondition = key.map((column) => `t.${column} = d.${column}`).join(' and ')
      if (rowsToDelete.length > 0)
        await writer.query({
          name: `remove_${name}`,
          text: `delete from ${name} t using jsonb_populate_recordset(null::${name}, $1) d
            where t.tenant_id = $2 and ${keyCondition}`,
          values: [JSON.stringify(rowsToDelete), tenant],
        })
      if (rowsToInsert.length > 0)
        await writer.query({
          name: `insert_${name}`,
          text: `insert into ${name} (${columns.join()})
            select ${columns.join()} from jsonb_populate_recordset(null::${name}, $1)`,
          values: [JSON.stringify(rowsToInsert)],
        })
    }
  })
  return { ...snapshot, since: current.since }
}

/** Lists the tables with a tenant, their key columns and their writable columns. */
function listTables(owner: Client): Promise<readonly Table[]> {
  const tables = TABLES.get(owner) ?? queryTables(owner)
  TABLES.set(owner, tables)
  return tables
}

/** Cache of tables by connection; an exam changes no schema. */
const TABLES = new WeakMap<Client, Promise<readonly Table[]>>()

async function queryTables(owner: Client): Promise<readonly Table[]> {
  const { rows } = await owner.query<Table>(`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any (i.indkey)) as key,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relkind = 'r' and exists (
      select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
    order by 1`)
  return rows
}

function listDifferences(before: Snapshot, after: Snapshot, ignored: ReadonlySet<string>): RowChange[] {
  const changes: RowChange[] = []
  for (const table of new Set([...before.tables.keys(), ...after.tables.keys()])) {
    const [old, fresh] = [before.tables.get(table) ?? NO_ROWS, after.tables.get(table) ?? NO_ROWS]
    if (old === fresh) continue
    for (const [key, row] of fresh) {
      const oldRow = old.get(key)
      if (oldRow === row) continue
      const fields = Object.keys(row).filter(
        (column) => !ignored.has(column) && JSON.stringify(oldRow?.[column]) !== JSON.stringify(row[column]),
      )
      if (oldRow === undefined) changes.push({ table, kind: 'added', before: undefined, after: row, fields })
      else if (fields.length > 0) changes.push({ table, kind: 'changed', before: oldRow, after: row, fields })
    }
    for (const [key, row] of old)
      if (!fresh.has(key)) changes.push({ table, kind: 'removed', before: row, after: undefined, fields: [] })
  }
  return changes
}

const NO_ROWS: Rows = new Map()
const NO_COLUMNS: ReadonlySet<string> = new Set()
