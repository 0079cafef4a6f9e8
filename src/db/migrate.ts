import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import pg from 'pg'
import { APPLICATION_ROLE } from './login.ts'
import { transactOn } from './transaction.ts'

/** A step of the schema; its text never changes once it was applied somewhere. */
export type SchemaStep = { name: string; checksum: string }
type Migration = SchemaStep & { text: string }

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
    const known = await inTurn(client, async () => {
      await client.query(TABLE)
      return new Map((await stepsOf(client)).map(({ name, checksum }) => [name, checksum]))
    })
    const changed = migrations.find(({ name, checksum }) => known.has(name) && known.get(name) !== checksum)
    if (changed !== undefined) throw new Error(`Migration ${changed.name} was changed after it was applied; add a new migration instead`)
    const done: string[] = []
    for (const migration of migrations.filter(({ name }) => !known.has(name))) {
      if (await inTurn(client, () => applied(client, migration))) done.push(migration.name)
    }
    return done
  } finally {
    await client.end()
  }
}

const TABLE = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`

/**
 * Lays out an empty database as one that had exactly these steps, within the transaction that its owner has begun; others
 * that migrate wait for its end. Throws when there is a schema, and when a step is not known here or is another.
 */
export async function layOut(client: pg.Client, steps: readonly SchemaStep[]): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  if ((await stepsOf(client)).length > 0) throw new Error('the database is not empty; set DATABASE_URL or DATA_DIR to a new one')
  const known = new Map((await findMigrations()).map((migration) => [migration.name, migration]))
  const wanted = steps.map(({ name, checksum }) => {
    const migration = known.get(name)
    if (migration === undefined) throw new Error(`migration ${name} is not known here; update Callout first`)
    if (migration.checksum !== checksum) throw new Error(`migration ${name} is another one here`)
    return migration
  })
  await client.query(TABLE)
  for (const migration of wanted) await take(client, migration)
}

/** The steps that a database had, in their order; none when there is no schema. */
export async function stepsOf(client: pg.Client): Promise<SchemaStep[]> {
  const { rows: [found] } = await client.query<{ there: boolean }>(`select to_regclass('public.migrations') is not null as there`)
  if (!found!.there) return []
  return (await client.query<SchemaStep>('select name, checksum from migrations order by name collate "C"')).rows
}

/** Whether the schema is the present one, for readiness and `doctor`. Names what is missing. */
export async function missingMigrations(owner: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const [migrations, steps] = [await findMigrations(), await stepsOf(client)]
    const names = new Set(steps.map(({ name }) => name))
    return migrations.map(({ name }) => name).filter((name) => !names.has(name))
  } finally {
    await client.end()
  }
}

/** Names the present schema: databases of the same mark have the same migrations, texts included. */
export async function schemaMark(): Promise<string> {
  const steps = (await findMigrations()).map(({ name, checksum }) => `${name} ${checksum}`)
  return createHash('sha256').update(steps.join('\n')).digest('hex').slice(0, 16)
}

/** Whether no other process has done it meanwhile. */
async function applied(client: pg.Client, migration: Migration): Promise<boolean> {
  const { rowCount } = await client.query('select from migrations where name = $1', [migration.name])
  if (rowCount === 0) await take(client, migration)
  return rowCount === 0
}

/** A transaction while no other process migrates; the lock is the transaction's, so that a pooler can't keep it. */
const inTurn = <T>(client: pg.Client, work: () => Promise<T>): Promise<T> => transactOn(client, async () => {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  return work()
})

async function take(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query(text)
    await client.query(`grant select, insert, update, delete on all tables in schema public to ${APPLICATION_ROLE}`)
    await client.query(`revoke all on migrations from ${APPLICATION_ROLE}`)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  } catch (error) {
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
