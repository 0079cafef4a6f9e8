import type { Client } from 'pg'
import { APPLICATION_ROLE } from '../connections/login.ts'
import { errorMessage } from '../../errors/error_code.ts'
import { SAVEPOINT, UNDO } from '../transaction.ts'
import { VERSION } from '../../version.ts'
import type { Migration, SchemaStep } from './baseline.ts'

/** `release` is the version that applied a migration; `allows_previous`: whether the previous one may keep running. */
const TABLE = `create table if not exists migrations (
  name text primary key, checksum text not null, applied_at timestamptz(3) not null default now());
  alter table migrations add column if not exists release text,
    add column if not exists allows_previous boolean not null default false`

/** Matches a migration that lets the previous release keep running. The opposite is `-- previous release: stops`. */
const ALLOWS_PREVIOUS = /^-- previous release: goes on$/m

/** Runs the text of a migration. */
type RunText = (client: Client, text: string) => Promise<void>

const runPlain: RunText = async (client, text) => void (await client.query(text))

/** Creates the list of migrations, or upgrades an earlier version of it. */
export const prepareList = async (client: Client): Promise<void> => void (await client.query(TABLE))

/** Applies migrations in order within the open transaction, then grants rights on their tables and records them. */
export async function applyMigrations(
  client: Client,
  migrations: readonly Migration[],
  run: RunText = runPlain,
): Promise<void> {
  for (const { name, text } of migrations)
    await run(client, text).catch((cause: unknown) => {
      throw new Error(`Migration ${name} failed: ${errorMessage(cause)}`, { cause })
    })
  await finishApplying(client, migrations)
}

/**
 * Applies the migrations of an empty database in one message: the server works through it while this process is busy.
 * If one fails, applies them one by one, for an error that names it.
 */
export async function applyAtOnce(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(SAVEPOINT.text)
  const isApplied = await client.query(migrations.map(({ text }) => text).join('\n;\n')).then(
    () => true,
    () => false,
  )
  if (isApplied) return finishApplying(client, migrations)
  await client.query(UNDO.text)
  await applyMigrations(client, migrations)
}

/** Grants rights on the tables of the migrations, and records the migrations. */
async function finishApplying(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(`grant select, insert, update, delete on all tables in schema public to ${APPLICATION_ROLE};
    revoke all on migrations from ${APPLICATION_ROLE}`)
  await listSteps(client, migrations)
}

/** Replaces the list of migrations. */
export async function rewriteSteps(client: Client, steps: readonly SchemaStep[]): Promise<void> {
  await client.query('delete from migrations')
  await listSteps(client, steps)
}

async function listSteps(client: Client, steps: readonly (SchemaStep & { text?: string })[]): Promise<void> {
  const columns = [
    steps.map(({ name }) => name),
    steps.map(({ checksum }) => checksum),
    steps.map(({ text = '' }) => ALLOWS_PREVIOUS.test(text)),
  ]
  await client.query(
    `insert into migrations (name, checksum, allows_previous, release)
    select name, checksum, allows, $4 from unnest($1::text[], $2::text[], $3::bool[]) s (name, checksum, allows)`,
    [...columns, VERSION],
  )
}
