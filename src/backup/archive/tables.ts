import type { Client } from 'pg'

/** Table to back up: every table except the list of migrations, which is created again. */
export type BackupTable = {
  name: string
  /** Columns that aren't generated, in their order. */
  columns: string[]
  /** Whether the current role sees all rows at once, not only those of the current company. */
  is_open: boolean
  has_forced_policies: boolean
}

export const listTables = async (client: Client): Promise<BackupTable[]> =>
  (
    await client.query<BackupTable>(`
  select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as has_forced_policies,
    not c.relrowsecurity or r.rolsuper or r.rolbypassrls or (not c.relforcerowsecurity and pg_has_role(r.oid, c.relowner, 'usage')) or exists (
      select 1 from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
        and r.oid = any(p.polroles)
        and pg_get_expr(p.polqual, c.oid) = 'true') as is_open,
    (select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c cross join pg_roles r
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
    and r.rolname = current_user
  order by c.relname collate "C"`)
  ).rows

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const columnList = (columns: readonly string[]): string => `(${columns.map(quoteIdentifier).join(', ')})`

/** Session settings that fix the text format of values on any server and for any role, and disable timeouts. */
export const SESSION_SETTINGS = `
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC'; set local bytea_output = 'hex';
  set local extra_float_digits = 3; set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local search_path = public`

/** Returns the key and type of every file that rows refer to. Any table with these two columns refers to files. */
export async function listFiles<Table extends Pick<BackupTable, 'name' | 'columns'>>(
  tables: readonly Table[],
  query: (table: Table, text: string) => Promise<{ key: string; type: string }[]>,
): Promise<Map<string, string>> {
  const fileTables = tables.filter(({ columns }) => columns.includes('storage_key') && columns.includes('content_type'))
  const types = new Map<string, string>()
  for (const table of fileTables) {
    for (const { key, type } of await query(
      table,
      `select storage_key as key, content_type as type from ${quoteIdentifier(table.name)} where storage_key is not null order by 1`,
    ))
      types.set(key, type)
  }
  return types
}
