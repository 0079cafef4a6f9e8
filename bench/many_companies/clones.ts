import type pg from 'pg'

/** Tables of which only a tenth is cloned. They grow with every write. */
export const SAMPLED = ['audit', 'journal']

/**
 * Tables not to clone: they belong to the service, its worker fills them, or their rows are unique in the installation.
 */
const EXCLUDED = new Set(['tenants', 'chore_leases', 'managed_numbers', 'logos'])

type Column = { name: string; type: string; isGenerated: boolean; isPerson: boolean }

/**
 * Prepares to clone a company. Rows keep ids that are unique within a company; people, hashes and addresses, which are
 * unique in the whole installation, get new ones. Triggers are off, because the clone includes derived rows.
 */
export async function openClones(client: pg.Client, tenant: string) {
  await client.query('set session_replication_role = replica')
  await client.query('create schema bench')
  await client.query('create table bench.companies (place integer primary key, id uuid not null)')
  const { rows: people } = await client.query<{ user_id: string }>('select user_id from members where tenant_id = $1', [
    tenant,
  ])
  const ids = people.map(({ user_id }) => user_id)
  const statements: string[] = []
  for (const table of await tablesOf(client, tenant))
    statements.push(cloning(table, await columnsOf(client, table, ids)))

  return {
    /** Creates companies up to this number. */
    async upTo(count: number): Promise<void> {
      const {
        rows: [made],
      } = await client.query<{ id: string }>(
        `with made as (insert into bench.companies select place, gen_random_uuid()
           from generate_series((select coalesce(max(place), 0) + 1 from bench.companies), $1) place returning *)
         select array_agg(id)::text as id from made`,
        [count],
      )
      for (const statement of [TENANTS, USERS, SESSIONS, ...statements])
        await client.query(statement, statement.includes('$2') ? [made!.id, tenant] : [made!.id])
      await client.query('vacuum (analyze)')
    },
  }
}

const NEW = 'from bench.companies c where c.id = any($1::uuid[])'

const TENANTS = `insert into tenants (id, name, timezone, currency, country)
  select c.id, 'Company ' || c.place, (array['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'])[1 + c.place % 4], 'USD', 'US' ${NEW}`

const USERS = `insert into users (id, email, name, proved_at)
  select md5(c.id::text || u.id)::uuid, c.place || '.' || u.email, u.name, now()
  from bench.companies c cross join users u join members m on m.user_id = u.id and m.tenant_id = $2 where c.id = any($1::uuid[])`

/** Signs each person in on a phone and on a computer. */
const SESSIONS = `insert into sessions (hash, user_id)
  select sha256((c.id::text || m.user_id || n)::bytea), md5(c.id::text || m.user_id)::uuid
  from bench.companies c cross join members m cross join generate_series(1, 2) n where m.tenant_id = $2 and c.id = any($1::uuid[])`

async function tablesOf(client: pg.Client, tenant: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  const filled: string[] = []
  for (const { name } of rows) {
    if (EXCLUDED.has(name)) continue
    const { rowCount } = await client.query(`select from ${name} where tenant_id = $1 limit 1`, [tenant])
    if (rowCount === 1) filled.push(name)
  }
  return filled
}

async function columnsOf(client: pg.Client, table: string, people: readonly string[]): Promise<Column[]> {
  const { rows } = await client.query<Omit<Column, 'isPerson'>>(
    `select quote_ident(attname) as name, format_type(atttypid, null) as type, attgenerated <> '' as "isGenerated"
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  )
  const columns: Column[] = []
  for (const column of rows) {
    const { rowCount } =
      column.type === 'uuid'
        ? await client.query(`select from ${table} where ${column.name} = any($1) limit 1`, [people])
        : { rowCount: 0 }
    columns.push({ ...column, isPerson: rowCount === 1 })
  }
  return columns
}

function cloning(table: string, columns: readonly Column[]): string {
  const written = columns.filter(({ isGenerated }) => !isGenerated)
  const sample = SAMPLED.includes(table) ? 'and hashtext(x.id::text) % 10 = 0' : ''
  return `insert into ${table} (${written.map(({ name }) => name).join(', ')})
    select ${written.map(valueOf).join(', ')}
    from bench.companies c cross join ${table} x where c.id = any($1::uuid[]) and x.tenant_id = $2 ${sample}`
}

function valueOf({ name, type, isPerson }: Column): string {
  if (name === 'tenant_id') return 'c.id'
  if (name === 'hash' && type === 'bytea') return 'sha256(c.id::text::bytea || x.hash)'
  if (name === 'address') return `case when x.address like '%@%' then c.place || '.' || x.address else x.address end`
  if (isPerson) return `case when x.${name} is not null then md5(c.id::text || x.${name})::uuid end`
  if (type === 'uuid[]')
    return `case when x.${name} is not null then array(select md5(c.id::text || u)::uuid from unnest(x.${name}) u) end`
  if (type === 'tsvector')
    return `replace(x.${name}::text, right(x.tenant_id::text, 6), right(c.id::text, 6))::tsvector`
  return `x.${name}`
}
