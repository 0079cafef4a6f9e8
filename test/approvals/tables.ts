import type pg from 'pg'

/** Sorted rows of a company's tables, by table. */
export type Contents = Record<string, string[]>

/** Tables that store the proposal itself, or that every request writes to. */
const OWN = new Set(['proposals', 'proposed_calls', 'credentials', 'removal_marks', 'key_hashes', 'chore_leases'])

async function tablesIn(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query(`select distinct table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'tenant_id' order by 1`)
  return (rows as { name: string }[]).map(({ name }) => name).filter((name) => !OWN.has(name))
}

/** Returns a checksum of each table of a company. */
export async function checksums(owner: pg.Client, tenant: string): Promise<Record<string, string>> {
  const tables = [...(await tablesIn(owner)), 'tenants']
  const { rows } = await owner.query(
    tables
      .map(
        (name) =>
          `select '${name}' as name, coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from ${name} t where ${name === 'tenants' ? 'id' : 'tenant_id'} = '${tenant}'`,
      )
      .join(' union all '),
  )
  return Object.fromEntries((rows as { name: string; sum: string }[]).map(({ name, sum }) => [name, sum]))
}

/** Columns with search text. Their word order depends on the row order on disk. */
const SEARCHED = new Set(['search_key', 'search_text', 'words'])
const inOrder = (words: string): string => words.split(' ').sort().join(' ')

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const HOUR_MS = 3_600_000
const INSTANT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)/g

/** Returns a company's rows with ids replaced by names and times removed, so that two companies can be compared. */
export async function tablesOf(
  owner: pg.Client,
  tenant: string,
  names: ReadonlyMap<string, string>,
): Promise<Contents> {
  const contents: Contents = {}
  // A search key begins with a mark of the company.
  const mark = new RegExp(`'${tenant.slice(-6)}`, 'g')
  for (const table of await tablesIn(owner)) {
    const { rows } = await owner.query(
      `select to_jsonb(t) - 'approved_by' - 'credential_id' as row from ${table} t where tenant_id = $1${table === 'audit' ? " and record_type <> 'key'" : ''}`,
      [tenant],
    )
    contents[table] = (rows as { row: Record<string, unknown> }[])
      .map(({ row }) =>
        JSON.stringify(row, (name, value: unknown) =>
          SEARCHED.has(name) && typeof value === 'string' ? inOrder(value) : value,
        )
          .replaceAll(mark, "'")
          .replaceAll(UUID, (id) => names.get(id) ?? '*')
          .replaceAll(INSTANT, (at) => (Math.abs(Date.parse(at) - Date.now()) < HOUR_MS ? 'then' : at)),
      )
      .sort()
  }
  return contents
}
