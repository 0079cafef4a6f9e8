import { stat } from 'node:fs/promises'
import type { Client, ClientConfig } from 'pg'
import { missingMigrations, listAppliedMigrations } from '../../platform/db/migrations/migrate.ts'
import { MAX_BYTES as MAX_FILE_BYTES } from '../../files/screening/screening.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive } from '../../backup/archive/archive.ts'
import {
  TRAILER_NAME,
  archiveError,
  readBeginning,
  putFileOnce,
  importArchive,
  type ArchiveImport,
} from '../../backup/archive/parts.ts'
import { listFiles } from '../../backup/archive/tables.ts'
import { DamagedArchive, readWhole, type ReadEntry } from '../../backup/archive/tar.ts'
import { digestOf, openSum } from './digests.ts'
import {
  parseFileEntryName,
  readFileManifestEntry,
  readFileEnding,
  type FileEnding,
  type FileManifest,
} from './manifest.ts'
import { inviteExisting, matchPeople, type ImportInvitation, type MatchedPeople } from './people.ts'
import {
  requireCompanyRow,
  requireUnusedChannels,
  requireOwnFiles,
  requireOwnJournal,
  requireOwnPeople,
  requireReferences,
  requireSums,
} from './import_checks.ts'
import { findIdColumns } from './rows.ts'
import { createStagingTables, moveRows, stageRows, stagingTable, type StagedSums } from './staging.ts'
import { listExportTables, type ExportTable } from './tables.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

type ImportedTenant = FileManifest &
  FileEnding & { people: { made: number; known: number }; invitations: ImportInvitation[] }

/** Returns the manifest of a company's file without reading the rest. */
export const readFileManifest = (path: string): Promise<FileManifest> =>
  readBeginning(path, readFileManifestEntry).catch((cause: unknown) => {
    throw importError(path, cause)
  })

/**
 * Imports a company's file beside the existing companies of an installation with the same schema, as the schema's
 * owner, all or nothing (docs/spec/tenant_file.md). Never overwrites a file in storage. If the company wasn't frozen
 * for the export, it is imported frozen.
 */
export async function importTenant(owner: ClientConfig, storage: Storage, path: string): Promise<ImportedTenant> {
  if ((await missingMigrations(owner)).length > 0)
    throw new Error('The database schema is out of date; run callout migrate first')
  const entries = limitEntries(readArchive(path), await maxUnpackedSize(path))
  return importArchive(owner, { storage, entries }, loadEntries, (cause) => importError(path, cause))
}

/** Loads all entries in one transaction and records the files it saved. */
async function loadEntries(archive: ArchiveImport): Promise<ImportedTenant> {
  const { client } = archive
  const manifest = await readFileManifestEntry(archive.entries)
  const { tenant } = manifest
  await requireNew(client, manifest)
  await disableTriggers(client)
  const tables = await listExportTables(client)
  requireSameColumns(tables, manifest)
  await createStagingTables(client, tables)
  const { ending, sums, matched, files } = await readEntries(archive, tables, tenant)
  requireWhole(ending, sums, files.size)
  await requireCompanyRow(client)
  await requireOwnFiles(client, tables, tenant)
  await requireOwnPeople(client, tables)
  await requireOwnJournal(client)
  await requireUnusedChannels(client)
  await moveRows(client, tables, tenant).catch(requireNoClash)
  await completeImport(client, manifest)
  await requireReferences(client, tables, tenant)
  await requireSums(client, tables, tenant, new Map([...sums].map(([name, { mapped }]) => [name, mapped])))
  await requireFiles(client, tables, files, ending)
  const invitations = await inviteExisting(client, tenant, matched.existing)
  return { ...manifest, ...ending, people: { made: matched.made, known: matched.existing.length }, invitations }
}

/** Throws unless the schema is the same and the company is new. Enters the company. */
async function requireNew(client: Client, { tenant, version, migrations }: FileManifest): Promise<void> {
  if (JSON.stringify(await listAppliedMigrations(client)) !== JSON.stringify(migrations))
    throw new Error(
      `it was made by version ${version} with another schema; ` +
        `upgrade both installations to the same version and export it again`,
    )
  await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant])
  const { rowCount } = await client.query('select from tenants where id = $1', [tenant])
  if (rowCount !== 0) throw new Error(`the company ${tenant} already exists here`)
}

/** Disables triggers whose effects the rows already contain. */
async function disableTriggers(client: Client): Promise<void> {
  const {
    rows: [user],
  } = await client.query<{ name: string }>('select quote_ident(current_user) as name')
  await client.query('set local session_replication_role = replica').catch((cause: unknown) => {
    throw new Error(
      `the database's owner can't set session_replication_role; run as a superuser: ` +
        `grant set on parameter session_replication_role to ${requireValue(user, 'The name of the user').name}`,
      { cause },
    )
  })
}

function requireSameColumns(tables: readonly ExportTable[], manifest: FileManifest): void {
  const present = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]))
  if (JSON.stringify(present) !== JSON.stringify(manifest.tables))
    throw new DamagedArchive("its tables don't match its schema")
}

type ReadResult = { ending: FileEnding; sums: Map<string, StagedSums>; matched: MatchedPeople; files: Set<string> }

/** Loads rows into staging tables, and files into storage. */
async function readEntries(
  { client, storage, entries, savedKeys }: ArchiveImport,
  tables: readonly ExportTable[],
  tenant: string,
): Promise<ReadResult> {
  const tablesByName = new Map(tables.map((table) => [table.name, table]))
  const sums = new Map(tables.map(({ name }) => [name, { original: openSum(), mapped: openSum() }]))
  const idColumns = new Map<string, boolean[]>()
  const files = new Set<string>()
  let ending: FileEnding | undefined
  let matched: MatchedPeople | undefined
  let types: ContentTypes
  for await (const archiveEntry of entries) {
    if (ending !== undefined) throw new DamagedArchive('it has data after its end')
    if (archiveEntry.name === TRAILER_NAME) {
      ending = await readFileEnding(archiveEntry)
      continue
    }
    const entry = parseFileEntryName(archiveEntry.name, tenant)
    if ('table' in entry) {
      const table = tablesByName.get(entry.table)
      if (table === undefined)
        throw new DamagedArchive(`it has rows of ${entry.table}, a table that isn't in its schema`)
      // Accounts come first, so that other rows can refer to them by their ids here.
      if (table.name !== 'users') matched ??= await matchPeople(client, tenant)
      else if (matched !== undefined) throw new DamagedArchive('it has accounts in two places')
      if (!idColumns.has(table.name)) idColumns.set(table.name, await findIdColumns(client, table.name, table.columns))
      await stageRows(client, table, archiveEntry.bytes, {
        ids: matched?.ids ?? new Map(),
        idColumns: requireValue(idColumns.get(table.name), 'The columns of a table'),
        sums: requireValue(sums.get(table.name), 'The sums of a table'),
      })
    } else {
      types ??= await listStagedFiles(client, tables)
      if (files.has(entry.file)) throw new DamagedArchive(`it has the file ${entry.file} twice`)
      await importFile(storage, entry, archiveEntry, types, savedKeys)
      files.add(entry.file)
    }
  }
  if (ending === undefined) throw new DamagedArchive('it is truncated')
  return { ending, sums, matched: matched ?? (await matchPeople(client, tenant)), files }
}

type ContentTypes = Map<string, string> | undefined

const listStagedFiles = (client: Client, tables: readonly ExportTable[]): Promise<Map<string, string>> =>
  listFiles(
    tables,
    async ({ name }) =>
      (
        await client.query<{ key: string; type: string }>(
          `select storage_key as key, content_type as type from ${stagingTable(name)} where storage_key is not null`,
        )
      ).rows,
  )

async function importFile(
  storage: Storage,
  { file, digest }: { file: string; digest: string },
  archiveEntry: ReadEntry,
  types: ReadonlyMap<string, string>,
  put: string[],
): Promise<void> {
  const type = types.get(file)
  if (type === undefined) throw new DamagedArchive(`it has a file that no row refers to, ${file}`)
  const bytes = await readWhole(archiveEntry, MAX_FILE_BYTES)
  if (digestOf(bytes) !== digest) throw new DamagedArchive(`its file ${file} was changed`)
  if (!(await putFileOnce(storage, { key: file, bytes, type }, put)))
    throw new Error(`storage already has a different file ${file}`)
}

function requireWhole(ending: FileEnding, sums: ReadonlyMap<string, StagedSums>, files: number): void {
  for (const [table, { original }] of sums) {
    const [actual, expected] = [original.total(), ending.held[table]]
    if (actual.rows !== expected?.rows)
      throw new DamagedArchive(`it has ${actual.rows} rows of ${table} and should have ${expected?.rows ?? 0}`)
    if (actual.sum !== expected.sum) throw new DamagedArchive(`its rows of ${table} were changed`)
  }
  if (files !== ending.files) throw new DamagedArchive(`it has ${files} files and should have ${ending.files}`)
}

/** Creates derived rows: each person's companies, and scheduled tasks. Freezes a company exported without a freeze. */
async function completeImport(client: Client, { tenant, frozen }: FileManifest): Promise<void> {
  await client.query(
    'insert into user_tenants (user_id, tenant_id) select user_id, tenant_id from members where tenant_id = $1',
    [tenant],
  )
  await client.query(`select ask_chore($1, 'enrolment')`, [tenant])
  if (!frozen) await client.query('insert into frozen_companies (tenant_id) values ($1)', [tenant])
}

async function requireFiles(
  client: Client,
  tables: readonly ExportTable[],
  files: ReadonlySet<string>,
  { missing }: FileEnding,
): Promise<void> {
  const absent = new Set(missing)
  for (const key of (await listStagedFiles(client, tables)).keys())
    if (!files.has(key) && !absent.has(key)) throw new DamagedArchive(`it lacks the file ${key}, which a row refers to`)
}

/** Maximum ratio of unpacked to packed size: four times that of the most repetitive text of a company. */
const MAX_EXPANSION = 200
const MIN_ALLOWANCE = 64 * 2 ** 20

const maxUnpackedSize = async (path: string): Promise<number> =>
  MIN_ALLOWANCE +
  MAX_EXPANSION *
    (await stat(path).then(
      ({ size }) => size,
      () => 0,
    ))

async function* limitEntries(entries: AsyncGenerator<ReadEntry>, max: number): AsyncGenerator<ReadEntry> {
  let sum = 0
  try {
    for await (const entry of entries) {
      sum += entry.size
      if (sum > max) throw new DamagedArchive(`it unpacks to more than ${MAX_EXPANSION} times its size`)
      yield entry
    }
  } finally {
    await entries.return(undefined)
  }
}

function requireNoClash(error: unknown): never {
  const { code, table } = error as { code?: string; table?: string }
  if (code === '23505') throw new Error(`a row of ${table} already exists here, or is in it twice`, { cause: error })
  throw error
}

const importError = (path: string, cause: unknown): Error => archiveError(path, 'imported', cause)
