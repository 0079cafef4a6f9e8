import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { isDistributed, distributeTables } from '../citus/distribute.ts'
import { applyDistributed } from '../citus/schema/upgrade.ts'
import { applyAtOnce, applyMigrations, prepareList, rewriteSteps } from './apply.ts'
import {
  currentSteps,
  findMigrationsBefore,
  isBeforeBaseline,
  schemaHashOf,
  migrationOf,
  missingBefore,
  type Migration,
  type SchemaStep,
} from './baseline.ts'
import { flawError } from './flaw.ts'
import { recordRelease } from './releases.ts'
import { transactOn, withClient } from '../transaction.ts'
import { VERSION } from '../../version.ts'
import { onlyRow } from '../sql.ts'

export type { Migration } from './baseline.ts'

/** Arbitrary lock number. The lock keeps services that start together from migrating at the same time. */
const LOCK = 0x0ca11007

type MigrateOptions = { distributes?: boolean; migrations?: readonly Migration[] }

/**
 * Migrates the database to the current schema as its owner; safe with several processes at once. Migrations are the
 * numbered `.sql` files beside the code they serve, in order, each in a transaction, those of an empty database in one
 * (docs/spec/operation.md#migrations). `distributes` distributes the tables over the machines of a cluster
 * (docs/operating/citus.md); later runs distribute new tables anyway. Returns the names of those applied now.
 */
export async function migrate(
  owner: pg.ClientConfig,
  { distributes = false, migrations }: MigrateOptions = {},
): Promise<string[]> {
  const target = migrations ?? (await findMigrations())
  return withClient(owner, async (client) => {
    const { missing, done } = await withMigrationLock(client, () => beginMigrating(client, target))
    const run = missing.length > 0 && (await isDistributed(client)) ? applyDistributed : undefined
    // Completes an interrupted run.
    if (run === applyDistributed) await distributeTables(client, distributes)
    for (const migration of missing) {
      const isNew = await withMigrationLock(client, async () => {
        const { rowCount } = await client.query('select from migrations where name = $1', [migration.name])
        if (rowCount === 0) await applyMigrations(client, [migration], run)
        return rowCount === 0
      })
      if (isNew) done.push(migration.name)
    }
    await distributeTables(client, distributes)
    await withMigrationLock(client, () => recordRelease(client))
    return done
  })
}

/**
 * Migrates an empty database to the current schema, and one from before the baseline to the baseline. Returns the names
 * of the applied migrations, and the migrations that are still missing.
 */
async function beginMigrating(
  client: pg.Client,
  target: readonly Migration[],
): Promise<{ missing: Migration[]; done: string[] }> {
  const steps = await listAppliedMigrations(client)
  await requireNoLaterStep(client, target, steps)
  const missing = missingOf(target, steps)
  await prepareList(client)
  if (steps.length === 0) {
    await applyAtOnce(client, missing)
    return { missing: [], done: missing.map(({ name }) => name) }
  }
  if (!isBeforeBaseline(steps)) return { missing, done: [] }
  const old = await missingBefore(steps)
  await applyMigrations(client, old)
  await rewriteSteps(client, currentSteps(steps, target))
  return { missing, done: old.map(({ name }) => name) }
}

/**
 * Applies exactly these migrations to an empty database, within the owner's open transaction; other migrating processes
 * wait for its end. Throws if there is a schema, or if a migration is unknown here or differs.
 */
export async function createSchema(client: pg.Client, steps: readonly SchemaStep[]): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [LOCK])
  if ((await listAppliedMigrations(client)).length > 0)
    throw new Error('the database is not empty; set DATABASE_URL or DATA_DIR to a new one')
  const stopsBefore = isBeforeBaseline(steps) && (await missingBefore(steps)).length > 0
  const present = await findMigrations()
  const all = stopsBefore ? await findMigrationsBefore() : present
  const byName = new Map(all.map((migration) => [migration.name, migration]))
  const target = (stopsBefore ? steps : currentSteps(steps, present)).map(({ name, checksum }) => {
    const migration = byName.get(name)
    if (migration === undefined) throw new Error(`migration ${name} is unknown here; upgrade Callout first`)
    if (migration.checksum !== checksum) throw new Error(`migration ${name} is different here`)
    return migration
  })
  await prepareList(client)
  await applyMigrations(client, target)
}

/** Returns the applied migrations in order. Empty if there is no schema. */
export async function listAppliedMigrations(client: pg.Client): Promise<SchemaStep[]> {
  const { there } = onlyRow(
    await client.query<{ there: boolean }>(`select to_regclass('public.migrations') is not null as there`),
  )
  if (!there) return []
  return (await client.query<SchemaStep>('select name, checksum from migrations order by name collate "C"')).rows
}

/** Returns the migrations that the schema lacks. Throws a flaw if it can't be migrated. */
export async function missingMigrations(owner: pg.ClientConfig): Promise<string[]> {
  return withClient(owner, async (client) => {
    const [target, steps] = [await findMigrations(), await listAppliedMigrations(client)]
    await requireNoLaterStep(client, target, steps)
    const old = isBeforeBaseline(steps) ? await missingBefore(steps) : []
    return [...old, ...missingOf(target, steps)].map(({ name }) => name)
  })
}

/**
 * Refuses the schema of a later release, which this version can't write to, unless each of its further migrations lets
 * the previous release keep running.
 */
async function requireNoLaterStep(
  client: pg.Client,
  target: readonly Migration[],
  steps: readonly SchemaStep[],
): Promise<void> {
  if (isBeforeBaseline(steps)) return
  const last = target.at(-1)?.name ?? ''
  const later = steps.filter(({ name }) => name > last).map(({ name }) => name)
  if (later.length === 0) return
  const { rows } = await client.query<{ name: string; release: string | null; allows_previous: boolean }>(
    `select name, to_jsonb(m) ->> 'release' as release,
      coalesce((to_jsonb(m) ->> 'allows_previous')::boolean, false) as allows_previous
    from migrations m where name = any($1) order by name collate "C"`,
    [later],
  )
  const refused = rows.find(({ allows_previous: allows }) => !allows)
  if (refused === undefined) return
  const { name, release } = refused
  const [by, start] = release === null ? ['', 'that release'] : [`, ${release}`, `Callout ${release}`]
  throw flawError({
    says: `The database has the schema of a later release${by} (${name}); this is ${VERSION}`,
    mend: `start ${start} or a later one, or restore the backup that was taken before its upgrade`,
  })
}

/** Returns the mark of the current schema. */
export const currentSchemaHash = async (): Promise<string> => schemaHashOf(await findMigrations())

/** Returns the missing migrations. Throws if an applied one has changed or comes after a missing one. */
function missingOf(migrations: readonly Migration[], steps: readonly SchemaStep[]): Migration[] {
  const checksums = new Map(currentSteps(steps, migrations).map(({ name, checksum }) => [name, checksum]))
  const changed = migrations.find(({ name, checksum }) => checksums.has(name) && checksums.get(name) !== checksum)
  if (changed !== undefined)
    throw flawError({
      says: `Migration ${changed.name} was changed after it was applied`,
      mend: 'restore its text and make the change in a new migration',
    })
  const missing = migrations.filter(({ name }) => !checksums.has(name))
  const later = [...checksums.keys()].findLast((name) => missing.some((migration) => migration.name < name))
  const [first] = missing
  if (first !== undefined && later !== undefined)
    throw flawError({
      says: `Migration ${first.name} is missing, but ${later} was already applied`,
      mend: 'give it the highest number',
    })
  return missing
}

/**
 * Runs `work` in a transaction while no other process migrates. The lock ends with it, so that a pooler can't keep it.
 */
const withMigrationLock = <T>(client: pg.Client, work: () => Promise<T>): Promise<T> =>
  transactOn(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    return work()
  })

const MIGRATION_FILE = /^\d{3}_.*\.sql$/

/** Returns the migrations of this version in order. */
export async function findMigrations(): Promise<Migration[]> {
  const root = new URL('../../..', import.meta.url)
  const paths = (await readdir(root, { recursive: true })).filter((path) => MIGRATION_FILE.test(basename(path)))
  const all = await Promise.all(
    paths.map(async (path) => migrationOf(basename(path, '.sql'), await readFile(new URL(path, root), 'utf8'))),
  )
  return all.sort((a, b) => (a.name < b.name ? -1 : 1))
}
