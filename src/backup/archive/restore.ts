import type { Client, ClientConfig } from 'pg'
import { copyIn } from '../../platform/db/copy.ts'
import { layOut, migrate } from '../../platform/db/migrations/migrate.ts'
import { MAX_BYTES as LARGEST_FILE } from '../../files/screening/screening.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive } from './archive.ts'
import { dropConstraints } from './constraints.ts'
import { parseEntryName, readManifestEntry, readEnding, type Ending, type Manifest } from './manifest.ts'
import { ENDING_NAME, archiveError, readBeginning, putFileOnce, importArchive } from './parts.ts'
import { connectClient, listFiles, columnList, quoteIdentifier, listTables, type BackupTable } from './tables.ts'
import { DamagedArchive, readWhole, type ReadEntry } from './tar.ts'

export type RestoredBackup = Manifest &
  Ending & {
    /** Steps that brought an earlier version's schema to the present one. */
    migrated: string[]
  }

/** Returns what a backup says of itself, without a look at the rest. */
export const readManifest = (path: string): Promise<Manifest> =>
  readBeginning(path, readManifestEntry).catch((cause: unknown) => {
    throw restoreError(path, cause)
  })

/**
 * Restores a backup into a database without a schema, as its owner: all of it or nothing. A file that storage already
 * has doesn't change. A backup of an earlier version is migrated to the current schema afterwards.
 */
export async function restoreBackup(owner: ClientConfig, storage: Storage, path: string): Promise<RestoredBackup> {
  const client = await connectClient(owner)
  try {
    const entries = readArchive(path)
    const taking = { storage, entries, failed: (cause: unknown) => restoreError(path, cause) }
    const loaded = await importArchive(client, taking, (put) => loadEntries(client, storage, entries, put))
    const migrated = await migrate(owner).catch((cause: unknown) => {
      throw new Error(
        `${path} was restored as of its own version; bringing it to this one failed: ${sentenceOf(cause)}`,
        { cause },
      )
    })
    await client.query('analyze')
    return { ...loaded, migrated }
  } finally {
    await client.end()
  }
}

/** Loads all entries in one transaction, and notes the files that it stored. */
async function loadEntries(
  client: Client,
  storage: Storage,
  entries: AsyncGenerator<ReadEntry>,
  put: string[],
): Promise<Manifest & Ending> {
  const manifest = await readManifestEntry(entries)
  await layOut(client, manifest.migrations)
  const tables = await listTables(client)
  requireSame(tables, manifest)
  const dress = await dropConstraints(client, tables)
  const rows: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  let [files, types] = [0, undefined as Map<string, string> | undefined]
  let ending: Ending | undefined
  for await (const read of entries) {
    if (ending !== undefined) throw new DamagedArchive('it has something after its end')
    if (read.name === ENDING_NAME) {
      ending = await readEnding(read)
      continue
    }
    const entry = parseEntryName(read.name)
    if ('table' in entry) {
      rows[entry.table]! += await copyIn(
        client,
        `copy ${quoteIdentifier(entry.table)} ${columnList(columnsOf(manifest, entry.table))} from stdin`,
        checkRows(read.bytes),
      )
    } else {
      types ??= await listFiles(
        tables,
        async (_table, text) => (await client.query<{ key: string; type: string }>(text)).rows,
      )
      await restoreFile(storage, entry.file, read, types, put)
      files++
    }
  }
  requireWhole(ending, rows, files)
  await dress()
  return { ...manifest, ...ending }
}

/** Bounds a row by the longest that is written: the largest mail in hexadecimal, with room. */
const MAX_ROW_BYTES = 128 * 2 ** 20

/** Passes rows in COPY's text form on, none of which is longer than any of ours: the server would keep it whole. */
async function* checkRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of pieces) {
    const [first, last] = [piece.indexOf('\n'), piece.lastIndexOf('\n')]
    length = first < 0 ? length + piece.length : piece.length - last
    if (length > MAX_ROW_BYTES) throw new DamagedArchive('it has a row that is too long')
    if (piece.includes(0)) throw new DamagedArchive('it has rows that are no text')
    yield piece
  }
}

function requireSame(tables: readonly BackupTable[], manifest: Manifest): void {
  const present = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]))
  if (JSON.stringify(present) !== JSON.stringify(manifest.tables))
    throw new DamagedArchive('its tables are not those of its schema')
}

function columnsOf({ tables }: Manifest, table: string): string[] {
  const columns = Object.hasOwn(tables, table) ? tables[table] : undefined
  if (columns === undefined) throw new DamagedArchive(`it has rows of ${table}, which is no table of its schema`)
  return columns
}

async function restoreFile(
  storage: Storage,
  key: string,
  read: ReadEntry,
  types: ReadonlyMap<string, string>,
  put: string[],
): Promise<void> {
  const type = types.get(key)
  if (type === undefined) throw new DamagedArchive(`it has a file that no row names, ${key}`)
  const bytes = await readWhole(read, LARGEST_FILE)
  if (!(await putFileOnce(storage, { key, bytes, type }, put)))
    throw new Error(`storage has another file as ${key} already; set STORAGE_URL or DATA_DIR to an empty place`)
}

function requireWhole(
  ending: Ending | undefined,
  rows: Readonly<Record<string, number>>,
  files: number,
): asserts ending is Ending {
  if (ending === undefined) throw new DamagedArchive('it ends too early')
  const short = Object.keys(rows).find((table) => rows[table] !== ending.rows[table])
  if (short !== undefined)
    throw new DamagedArchive(`it has ${rows[short]} rows of ${short} and should have ${ending.rows[short]}`)
  if (files !== ending.files) throw new DamagedArchive(`it has ${files} files and should have ${ending.files}`)
}

const restoreError = (path: string, cause: unknown): Error => archiveError(path, 'restored', cause)

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
