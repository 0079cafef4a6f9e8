import type { ClientConfig } from 'pg'
import { copyIn } from '../../platform/db/copy.ts'
import { createSchema, migrate } from '../../platform/db/migrations/migrate.ts'
import { MAX_BYTES as MAX_FILE_BYTES } from '../../files/screening/screening.ts'
import { withClient } from '../../platform/db/transaction.ts'
import { errorMessage } from '../../platform/errors/error_code.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive, type ArchiveSource } from './archive.ts'
import { dropConstraints } from './constraints.ts'
import { readManifestEntry, type Trailer, type Manifest } from './manifest.ts'
import { archiveError, readBeginning, putFileOnce, importArchive, type ArchiveImport } from './parts.ts'
import { checkRows, columnsOf, openTally } from './tally.ts'
import { listFiles, columnList, quoteIdentifier, listTables, type BackupTable } from './tables.ts'
import { DamagedArchive, readWhole, type ReadEntry } from './tar.ts'

type RestoredBackup = Manifest &
  Trailer & {
    /** Migrations that upgraded the schema of an earlier version. */
    migrated: string[]
  }

/** Backup key if the backup is encrypted, and its source if it isn't the file at the path. */
type ReadOptions = { key?: Buffer | null; from?: ArchiveSource }

/** Returns the manifest of a backup without reading the rest. */
export const readManifest = (path: string, { key = null, from = path }: ReadOptions = {}): Promise<Manifest> =>
  readBeginning(from, readManifestEntry, key).catch((cause: unknown) => {
    throw restoreError(path, cause)
  })

/**
 * Restores a backup into a database without a schema, as its owner, all or nothing. Never overwrites a file in storage.
 * Migrates a backup of an earlier version to the current schema.
 */
export async function restoreBackup(
  owner: ClientConfig,
  storage: Storage,
  path: string,
  { key = null, from = path }: ReadOptions = {},
): Promise<RestoredBackup> {
  const entries = readArchive(from, key)
  const loaded = await importArchive(owner, { storage, entries }, loadEntries, (cause) => restoreError(path, cause))
  const migrated = await migrate(owner).catch((cause: unknown) => {
    throw new Error(
      `${path} was restored with its own version's schema; migrating it to this one failed: ${errorMessage(cause)}`,
      { cause },
    )
  })
  await withClient(owner, (client) => client.query('analyze'))
  return { ...loaded, migrated }
}

/** Loads all entries in one transaction and records the files it saved. */
async function loadEntries({ client, storage, entries, savedKeys }: ArchiveImport): Promise<Manifest & Trailer> {
  const manifest = await readManifestEntry(entries)
  await createSchema(client, manifest.migrations)
  const tables = await listTables(client)
  requireSameTables(tables, manifest)
  const restoreConstraints = await dropConstraints(client, tables)
  const tally = openTally(manifest)
  let types: Map<string, string> | undefined
  for await (const read of entries) {
    const entry = await tally.next(read)
    if (entry === undefined) continue
    if ('table' in entry) {
      const text = `copy ${quoteIdentifier(entry.table)} ${columnList(columnsOf(manifest, entry.table))} from stdin`
      tally.addRows(entry.table, await copyIn(client, text, checkRows(read.bytes)))
    } else {
      types ??= await listFiles(
        tables,
        async (_table, text) => (await client.query<{ key: string; type: string }>(text)).rows,
      )
      await restoreFile(storage, entry.file, read, types, savedKeys)
    }
  }
  const trailer = tally.finish()
  await restoreConstraints()
  return { ...manifest, ...trailer }
}

function requireSameTables(tables: readonly BackupTable[], manifest: Manifest): void {
  const present = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]))
  if (JSON.stringify(present) !== JSON.stringify(manifest.tables))
    throw new DamagedArchive("its tables don't match its schema")
}

async function restoreFile(
  storage: Storage,
  key: string,
  read: ReadEntry,
  types: ReadonlyMap<string, string>,
  savedKeys: string[],
): Promise<void> {
  const type = types.get(key)
  if (type === undefined) throw new DamagedArchive(`it has a file that no row refers to, ${key}`)
  const bytes = await readWhole(read, MAX_FILE_BYTES)
  if (!(await putFileOnce(storage, { key, bytes, type }, savedKeys)))
    throw new Error(`storage already has a different file ${key}; set STORAGE_URL or DATA_DIR to an empty location`)
}

const restoreError = (path: string, cause: unknown): Error => archiveError(path, 'restored', cause)
