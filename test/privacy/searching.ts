import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'

/** Returns the rows whose text or bytes contain a mark, with their table, past row-level security. */
export async function tablesWith(owner: ClientConfig, marks: readonly string[], where = 'true'): Promise<string[]> {
  const found: string[] = []
  await each(owner, async (client, table) => {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${table} t where (${where}) and exists (select from unnest($1::text[]) mark
        where position(lower(mark) in lower(t::text)) > 0 or position(encode(convert_to(mark, 'UTF8'), 'hex') in t::text) > 0)`,
      [marks],
    )
    found.push(...rows.map(({ row }) => `${table}: ${row.slice(0, 300)}`))
  })
  return found
}

/** Returns the rows that contain one of some texts, by table. */
export async function rowsWith(owner: ClientConfig, marks: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  await each(owner, async (client, table) => {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${table} t where exists (select from unnest($1::text[]) mark where position(lower(mark) in lower(t::text)) > 0) order by 1`,
      [marks],
    )
    if (rows.length > 0) found[table] = rows.map(({ row }) => row)
  })
  return found
}

async function each(owner: ClientConfig, use: (client: Client, table: string) => Promise<void>): Promise<void> {
  const client = new Client(owner)
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    )
    for (const { name } of rows) await use(client, name)
  } finally {
    await client.end()
  }
}

/** Returns the stored files whose bytes or name contain a mark. */
export async function filesWith(directory: string, marks: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = (await readFile(path)).toString('latin1').toLowerCase()
    if (marks.some((mark) => text.includes(mark.toLowerCase()) || path.includes(mark))) found.push(path)
  }
  return found
}

/** Lists every column that may hold text: text, JSON, bytes and search vectors, except for computed ones. */
export async function textColumns(owner: ClientConfig): Promise<Map<string, string[]>> {
  const client = new Client(owner)
  await client.connect()
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    select c.relname as table, coalesce(array_agg(a.attname::text order by a.attnum) filter (
      where a.atttypid in ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype, 'bytea'::regtype, 'tsvector'::regtype, 'varchar'::regtype)
        and a.attgenerated = ''), '{}') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`)
  await client.end()
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}
