import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import pg from 'pg'
import { APPLICATION_ROLE } from './database.ts'

type Migration = { name: string; text: string; checksum: string }

/** Any number: the lock that keeps services that start together from migrating at once. */
const LOCK = 0x0ca11007

/**
 * Brings the database to the present schema as its owner; safe with several processes at once. Migrations are
 * the numbered `.sql` files that lie beside the code they serve, in the order of their numbers, each in a
 * transaction. Answers the names of those applied now.
 */
export async function migrate(owner: pg.ClientConfig): Promise<string[]> {
  const migrations = await findMigrations()
  const client = new pg.Client(owner)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`)
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
    const missing = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, checksum } of migrations) {
      const known = applied.get(name)
      if (known !== undefined && known !== checksum) {
        throw new Error(`Migration ${name} was changed after it was applied; add a new migration instead`)
      }
    }
    for (const migration of missing) await apply(client, migration)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Whether the schema is the present one, for readiness and `doctor`. Names what is missing. */
export async function missingMigrations(owner: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(`select to_regclass('public.migrations') is not null as there`)
    const migrations = await findMigrations()
    if (!rows[0]?.there) return migrations.map(({ name }) => name)
    const applied = await client.query<{ name: string }>('select name from migrations')
    const names = new Set(applied.rows.map(({ name }) => name))
    return migrations.map(({ name }) => name).filter((name) => !names.has(name))
  } finally {
    await client.end()
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query(`grant select, insert, update, delete on all tables in schema public to ${APPLICATION_ROLE}`)
    await client.query(`revoke all on migrations from ${APPLICATION_ROLE}`)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function findMigrations(): Promise<Migration[]> {
  const root = new URL('..', import.meta.url)
  const found: Migration[] = []
  for await (const path of glob('**/[0-9][0-9][0-9]_*.sql', { cwd: root })) {
    const text = await readFile(new URL(path, root), 'utf8')
    found.push({ name: basename(path, '.sql'), text, checksum: createHash('sha256').update(text).digest('hex') })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}
