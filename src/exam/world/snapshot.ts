import type { Client } from 'pg'
import { transactOn } from '../../platform/db/transaction.ts'
import type { JsonRow } from '../task.ts'

/** Rows of a company by table and key. */
export type Snapshot = ReadonlyMap<string, ReadonlyMap<string, JsonRow>>

/** Difference between two snapshots. `fields` are the columns that changed. */
export type RowChange = {
  table: string
  kind: 'added' | 'changed' | 'removed'
  before: JsonRow | undefined
  after: JsonRow | undefined
  fields: readonly string[]
}

/**
 * Tables that follow from other rows or from the call itself: who asked for what, what can be undone, what search
 * finds. Proposals are judged by what they do once they are approved.
 */
const TRACES: ReadonlySet<string> = new Set([
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

/** Columns that say when and by whom a row was written, or are made from others for search and order. */
const DERIVED: ReadonlySet<string> = new Set([
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

/** Reads every row of a company in every table that has a tenant, as the owner of the schema. */
export async function readSnapshot(owner: Client, tenant: string): Promise<Snapshot> {
  const tables = await listTables(owner)
  const union = tables.map(
    ({ name }) => `select '${name}' as name, to_jsonb(t) as row from ${name} t where tenant_id = $1`,
  )
  // It is prepared because planning it takes longer than running it.
  const { rows } = await owner.query<{ name: string; row: JsonRow }>({
    name: 'exam_rows',
    text: union.join(' union all '),
    values: [tenant],
  })
  const snapshot = new Map(tables.map(({ name }) => [name, new Map<string, JsonRow>()]))
  const keys = new Map(tables.map(({ name, key }) => [name, key]))
  for (const { name, row } of rows)
    snapshot.get(name)?.set(JSON.stringify((keys.get(name) ?? []).map((column) => row[column])), row)
  return snapshot
}

/** Lists what differs in what a task can be about, table by table. */
export function compareSnapshots(before: Snapshot, after: Snapshot): RowChange[] {
  return differences(before, after, DERIVED).filter(({ table }) => !TRACES.has(table))
}

/** Puts a company back as it was, row by row: without triggers, which would note the change. */
export async function restoreSnapshot(owner: Client, tenant: string, snapshot: Snapshot): Promise<void> {
  const changes = differences(snapshot, await readSnapshot(owner, tenant), NOTHING)
  const tables = await listTables(owner)
  await transactOn(owner, async () => {
    await owner.query('set local session_replication_role = replica')
    for (const { name, key, columns } of tables) {
      const own = changes.filter(({ table }) => table === name)
      const [there, wasThere] = [own.flatMap(({ after }) => after ?? []), own.flatMap(({ before }) => before ?? [])]
      const same = key.map((column) => `t.${column} = d.${column}`).join(' and ')
      if (there.length > 0)
        await owner.query(
          `delete from ${name} t using jsonb_populate_recordset(null::${name}, $1) d
            where t.tenant_id = $2 and ${same}`,
          [JSON.stringify(there), tenant],
        )
      if (wasThere.length > 0)
        await owner.query(
          `insert into ${name} (${columns.join()})
            select ${columns.join()} from jsonb_populate_recordset(null::${name}, $1)`,
          [JSON.stringify(wasThere)],
        )
    }
  })
}

/** Lists the tables with a tenant, the columns of their keys, and those that can be written. */
function listTables(owner: Client): Promise<readonly Table[]> {
  const tables = TABLES.get(owner) ?? queryTables(owner)
  TABLES.set(owner, tables)
  return tables
}

/** Tables of each database that is open; an exam changes no schema. */
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

function differences(before: Snapshot, after: Snapshot, ignored: ReadonlySet<string>): RowChange[] {
  const changes: RowChange[] = []
  for (const table of new Set([...before.keys(), ...after.keys()])) {
    const [old, fresh] = [before.get(table) ?? NO_ROWS, after.get(table) ?? NO_ROWS]
    for (const [key, row] of fresh) {
      const was = old.get(key)
      const fields = Object.keys(row).filter(
        (column) => !ignored.has(column) && JSON.stringify(was?.[column]) !== JSON.stringify(row[column]),
      )
      if (was === undefined) changes.push({ table, kind: 'added', before: undefined, after: row, fields })
      else if (fields.length > 0) changes.push({ table, kind: 'changed', before: was, after: row, fields })
    }
    for (const [key, row] of old)
      if (!fresh.has(key)) changes.push({ table, kind: 'removed', before: row, after: undefined, fields: [] })
  }
  return changes
}

const NO_ROWS: ReadonlyMap<string, JsonRow> = new Map()
const NOTHING: ReadonlySet<string> = new Set()
