import type { Client, ClientConfig } from 'pg'
import { copyIn } from '../../platform/db/copy.ts'
import { layOut, migrate } from '../../platform/db/migrations/migrate.ts'
import { MAX_BYTES as LARGEST_FILE } from '../../files/screening/screening.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { readArchive } from './archive.ts'
import { layBare } from './bare.ts'
import { entryOf, firstOf, readEnding, type Ending, type Manifest } from './manifest.ts'
import { LAST, notDone, openedFor, putOnce, takenIn } from './parts.ts'
import { connected, filesIn, list, quoted, tablesOf, type BackupTable } from './tables.ts'
import { Damaged, wholeOf, type ReadEntry } from './tar.ts'

export type Restored = Manifest &
  Ending & {
    /** Steps that brought an earlier version's schema to the present one. */
    migrated: string[]
  }

/** Returns what a backup says of itself, without a look at the rest. */
export const manifestOf = (path: string): Promise<Manifest> =>
  openedFor(path, firstOf).catch((cause: unknown) => {
    throw notRestored(path, cause)
  })

/**
 * Brings a backup back into a database without a schema, as its owner: all of it or nothing. A file that storage has
 * already stays as it is. A backup of an earlier version is brought to the present schema afterwards.
 */
export async function bringBack(owner: ClientConfig, storage: Storage, path: string): Promise<Restored> {
  const client = await connected(owner)
  try {
    const entries = readArchive(path)
    const taking = { storage, entries, failed: (cause: unknown) => notRestored(path, cause) }
    const loaded = await takenIn(client, taking, (put) => load(client, storage, entries, put))
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

/** Takes all entries in within a transaction, and notes the files that it put. */
async function load(
  client: Client,
  storage: Storage,
  entries: AsyncGenerator<ReadEntry>,
  put: string[],
): Promise<Manifest & Ending> {
  const manifest = await firstOf(entries)
  await layOut(client, manifest.migrations)
  const tables = await tablesOf(client)
  requireSame(tables, manifest)
  const dress = await layBare(client, tables)
  const rows: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]))
  let [files, types] = [0, undefined as Map<string, string> | undefined]
  let ending: Ending | undefined
  for await (const read of entries) {
    if (ending !== undefined) throw new Damaged('it has something after its end')
    if (read.name === LAST) {
      ending = await readEnding(read)
      continue
    }
    const entry = entryOf(read.name)
    if ('table' in entry) {
      rows[entry.table]! += await copyIn(
        client,
        `copy ${quoted(entry.table)} ${list(columnsOf(manifest, entry.table))} from stdin`,
        linesIn(read.bytes),
      )
    } else {
      types ??= await filesIn(
        tables,
        async (_table, text) => (await client.query<{ key: string; type: string }>(text)).rows,
      )
      await putFile(storage, entry.file, read, types, put)
      files++
    }
  }
  requireWhole(ending, rows, files)
  await dress()
  return { ...manifest, ...ending }
}

/** Bounds a row by the longest that is written: the largest mail in hexadecimal, with room. */
const LONGEST_ROW = 128 * 2 ** 20

/** Passes rows in COPY's text form on, none of which is longer than any of ours: the server would keep it whole. */
async function* linesIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const piece of pieces) {
    const [first, last] = [piece.indexOf('\n'), piece.lastIndexOf('\n')]
    length = first < 0 ? length + piece.length : piece.length - last
    if (length > LONGEST_ROW) throw new Damaged('it has a row that is too long')
    if (piece.includes(0)) throw new Damaged('it has rows that are no text')
    yield piece
  }
}

function requireSame(tables: readonly BackupTable[], manifest: Manifest): void {
  const present = Object.fromEntries(tables.map(({ name, columns }) => [name, columns]))
  if (JSON.stringify(present) !== JSON.stringify(manifest.tables))
    throw new Damaged('its tables are not those of its schema')
}

function columnsOf({ tables }: Manifest, table: string): string[] {
  const columns = Object.hasOwn(tables, table) ? tables[table] : undefined
  if (columns === undefined) throw new Damaged(`it has rows of ${table}, which is no table of its schema`)
  return columns
}

async function putFile(
  storage: Storage,
  key: string,
  read: ReadEntry,
  types: ReadonlyMap<string, string>,
  put: string[],
): Promise<void> {
  const type = types.get(key)
  if (type === undefined) throw new Damaged(`it has a file that no row names, ${key}`)
  const bytes = await wholeOf(read, LARGEST_FILE)
  if (!(await putOnce(storage, { key, bytes, type }, put)))
    throw new Error(`storage has another file as ${key} already; set STORAGE_URL or DATA_DIR to an empty place`)
}

function requireWhole(
  ending: Ending | undefined,
  rows: Readonly<Record<string, number>>,
  files: number,
): asserts ending is Ending {
  if (ending === undefined) throw new Damaged('it ends too early')
  const short = Object.keys(rows).find((table) => rows[table] !== ending.rows[table])
  if (short !== undefined)
    throw new Damaged(`it has ${rows[short]} rows of ${short} and should have ${ending.rows[short]}`)
  if (files !== ending.files) throw new Damaged(`it has ${files} files and should have ${ending.files}`)
}

const notRestored = (path: string, cause: unknown): Error => notDone(path, 'restored', cause)

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
