import { stat } from 'node:fs/promises'
import type { Client, ClientConfig } from 'pg'
import { missingMigrations, stepsOf } from '../../platform/db/migrations/migrate.ts'
import { MAX_BYTES as LARGEST_FILE } from '../../files/screening/screening.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive } from '../backup/archive.ts'
import { LAST, notDone, openedFor, putOnce, takenIn } from '../backup/parts.ts'
import { connected, filesIn } from '../backup/tables.ts'
import { Damaged, wholeOf, type ReadEntry } from '../backup/tar.ts'
import { digestOf, openSum } from './digests.ts'
import { entryOf, firstOf, readFileEnding, type FileEnding, type FileManifest } from './manifest.ts'
import { inviteExisting, matchPeople, type ImportInvitation, type Matched } from './people.ts'
import {
  requireCompanyRow,
  requireFree,
  requireOwnFiles,
  requireOwnJournal,
  requireOwnPeople,
  requireReferences,
  requireSums,
} from './proofs.ts'
import { namingColumns } from './rows.ts'
import { makeRoom, moveIn, stage, stagedName, type StagedSums } from './staging.ts'
import { carriedTables, type CarriedTable } from './tables.ts'

export type Imported = FileManifest &
  FileEnding & { people: { made: number; known: number }; invitations: ImportInvitation[] }

/** Returns what a company's file says of itself, without a look at the rest. */
export const fileManifestOf = (path: string): Promise<FileManifest> =>
  openedFor(path, firstOf).catch((cause: unknown) => {
    throw notImported(path, cause)
  })

/**
 * Brings a company's file into an installation of the same schema, beside the companies that it has, as the schema's owner:
 * all of it or nothing (docs/spec/tenant_file.md). A file that storage has already stays as it is. A company whose file
 * was made while it went on stays frozen.
 */
export async function importTenant(owner: ClientConfig, storage: Storage, path: string): Promise<Imported> {
  if ((await missingMigrations(owner)).length > 0)
    throw new Error('The schema is not the present one; run callout migrate first')
  const client = await connected(owner)
  try {
    const entries = bounded(readArchive(path), await mostOf(path))
    const taking = { storage, entries, failed: (cause: unknown) => notImported(path, cause) }
    return await takenIn(client, taking, (put) => load(client, storage, entries, put))
  } finally {
    await client.end()
  }
}

/** Takes all entries in within a transaction, and notes the files that it put. */
async function load(
  client: Client,
  storage: Storage,
  entries: AsyncGenerator<ReadEntry>,
  put: string[],
): Promise<Imported> {
  const manifest = await firstOf(entries)
  const { tenant } = manifest
  await requireNew(client, manifest)
  await silence(client)
  const tables = await carriedTables(client)
  requireSameColumns(tables, manifest)
  await makeRoom(client, tables)
  const { ending, sums, matched, files } = await readAll(client, storage, entries, { tables, tenant, put })
  requireWhole(ending, sums, files.size)
  await requireCompanyRow(client)
  await requireOwnFiles(client, tables, tenant)
  await requireOwnPeople(client, tables)
  await requireOwnJournal(client)
  await requireFree(client)
  await moveIn(client, tables, tenant).catch(requireNoClash)
  await complete(client, manifest)
  await requireReferences(client, tables, tenant)
  await requireSums(client, tables, tenant, new Map([...sums].map(([name, { kept }]) => [name, kept])))
  await requireFiles(client, tables, files, ending)
  const invitations = await inviteExisting(client, tenant, matched.existing)
  return { ...manifest, ...ending, people: { made: matched.made, known: matched.existing.length }, invitations }
}

/** Requires the same schema, and a company that isn't here; enters it. */
async function requireNew(client: Client, { tenant, version, migrations }: FileManifest): Promise<void> {
  if (JSON.stringify(await stepsOf(client)) !== JSON.stringify(migrations))
    throw new Error(
      `it was made by version ${version} with another schema; bring both installations to one version, and export it again`,
    )
  await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant])
  const { rowCount } = await client.query('select from tenants where id = $1', [tenant])
  if (rowCount !== 0) throw new Error(`the company ${tenant} is here already`)
}

/** Keeps triggers from doing again what the rows show as done. */
async function silence(client: Client): Promise<void> {
  const {
    rows: [who],
  } = await client.query<{ name: string }>('select quote_ident(current_user) as name')
  await client.query('set local session_replication_role = replica').catch((cause: unknown) => {
    throw new Error(
      `the database's owner may not set session_replication_role; as a superuser: grant set on parameter session_replication_role to ${who!.name}`,
      { cause },
    )
  })
}

function requireSameColumns(tables: readonly CarriedTable[], manifest: FileManifest): void {
  const present = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]))
  if (JSON.stringify(present) !== JSON.stringify(manifest.tables))
    throw new Damaged('its tables are not those of its schema')
}

type Reading = { tables: readonly CarriedTable[]; tenant: string; put: string[] }
type Read = { ending: FileEnding; sums: Map<string, StagedSums>; matched: Matched; files: Set<string> }

/** Takes rows into their waiting places, and files into storage. */
async function readAll(
  client: Client,
  storage: Storage,
  entries: AsyncGenerator<ReadEntry>,
  { tables, tenant, put }: Reading,
): Promise<Read> {
  const named = new Map(tables.map((table) => [table.name, table]))
  const sums = new Map(tables.map(({ name }) => [name, { given: openSum(), kept: openSum() }]))
  const naming = new Map<string, boolean[]>()
  const files = new Set<string>()
  let [ending, matched, types] = [
    undefined as FileEnding | undefined,
    undefined as Matched | undefined,
    undefined as Types,
  ]
  for await (const read of entries) {
    if (ending !== undefined) throw new Damaged('it has something after its end')
    if (read.name === LAST) {
      ending = await readFileEnding(read)
      continue
    }
    const entry = entryOf(read.name, tenant)
    if ('table' in entry) {
      const table = named.get(entry.table)
      if (table === undefined) throw new Damaged(`it has rows of ${entry.table}, which is no table of its schema`)
      // Whoever is named by other rows is known by then.
      if (table.name !== 'users') matched ??= await matchPeople(client, tenant)
      else if (matched !== undefined) throw new Damaged('it has accounts in two places')
      if (!naming.has(table.name)) naming.set(table.name, await namingColumns(client, table.name, table.columns))
      await stage(client, table, read.bytes, {
        ids: matched?.ids ?? new Map(),
        naming: naming.get(table.name)!,
        sums: sums.get(table.name)!,
      })
    } else {
      types ??= await stagedFiles(client, tables)
      if (files.has(entry.file)) throw new Damaged(`it has the file ${entry.file} twice`)
      await putFile(storage, entry, read, types, put)
      files.add(entry.file)
    }
  }
  if (ending === undefined) throw new Damaged('it ends too early')
  return { ending, sums, matched: matched ?? (await matchPeople(client, tenant)), files }
}

type Types = Map<string, string> | undefined

const stagedFiles = (client: Client, tables: readonly CarriedTable[]): Promise<Map<string, string>> =>
  filesIn(
    tables,
    async ({ name }) =>
      (
        await client.query<{ key: string; type: string }>(
          `select storage_key as key, content_type as type from ${stagedName(name)} where storage_key is not null`,
        )
      ).rows,
  )

async function putFile(
  storage: Storage,
  { file, digest }: { file: string; digest: string },
  read: ReadEntry,
  types: ReadonlyMap<string, string>,
  put: string[],
): Promise<void> {
  const type = types.get(file)
  if (type === undefined) throw new Damaged(`it has a file that no row names, ${file}`)
  const bytes = await wholeOf(read, LARGEST_FILE)
  if (digestOf(bytes) !== digest) throw new Damaged(`its file ${file} was changed`)
  if (!(await putOnce(storage, { key: file, bytes, type }, put)))
    throw new Error(`storage has another file as ${file} already`)
}

function requireWhole(ending: FileEnding, sums: ReadonlyMap<string, StagedSums>, files: number): void {
  for (const [table, { given }] of sums) {
    const [have, want] = [given.told(), ending.held[table]]
    if (have.rows !== want?.rows)
      throw new Damaged(`it has ${have.rows} rows of ${table} and should have ${want?.rows ?? 0}`)
    if (have.sum !== want.sum) throw new Damaged(`its rows of ${table} were changed`)
  }
  if (files !== ending.files) throw new Damaged(`it has ${files} files and should have ${ending.files}`)
}

/** Makes what is derived: whose companies a person has, and the work that is planned. */
async function complete(client: Client, { tenant, frozen }: FileManifest): Promise<void> {
  await client.query(
    'insert into user_tenants (user_id, tenant_id) select user_id, tenant_id from members where tenant_id = $1',
    [tenant],
  )
  await client.query(`select ask_chore($1, 'enrolment')`, [tenant])
  if (!frozen) await client.query('insert into frozen_companies (tenant_id) values ($1)', [tenant])
}

async function requireFiles(
  client: Client,
  tables: readonly CarriedTable[],
  files: ReadonlySet<string>,
  { missing }: FileEnding,
): Promise<void> {
  const absent = new Set(missing)
  for (const key of (await stagedFiles(client, tables)).keys())
    if (!files.has(key) && !absent.has(key)) throw new Damaged(`it has no file ${key}, which a row names`)
}

/** Is how many times its size an archive may unpack to: four times what the most repetitive text of a company comes to. */
const MOST_TIMES = 200
const MOST_ANYWAY = 64 * 2 ** 20

const mostOf = async (path: string): Promise<number> =>
  MOST_ANYWAY +
  MOST_TIMES *
    (await stat(path).then(
      ({ size }) => size,
      () => 0,
    ))

async function* bounded(entries: AsyncGenerator<ReadEntry>, most: number): AsyncGenerator<ReadEntry> {
  let sum = 0
  try {
    for await (const entry of entries) {
      sum += entry.size
      if (sum > most) throw new Damaged(`it unpacks to more than ${MOST_TIMES} times its size`)
      yield entry
    }
  } finally {
    await entries.return(undefined)
  }
}

function requireNoClash(error: unknown): never {
  const { code, table } = error as { code?: string; table?: string }
  if (code === '23505') throw new Error(`a row of ${table} is here already, or twice in it`, { cause: error })
  throw error
}

const notImported = (path: string, cause: unknown): Error => notDone(path, 'imported', cause)
