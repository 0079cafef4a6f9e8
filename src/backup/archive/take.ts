import type { Client, ClientConfig } from 'pg'
import { copyOut } from '../../platform/db/copy.ts'
import { listAppliedMigrations } from '../../platform/db/migrations/migrate.ts'
import { transactOn, withClient } from '../../platform/db/transaction.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { VERSION } from '../../platform/version.ts'
import { writeArchive, type AddEntry, type FillArchive } from './archive.ts'
import { MANIFEST_NAME, fileEntry, newManifest, type Trailer, type Manifest } from './manifest.ts'
import { TRAILER_NAME, rowsEntry, formatJson } from './parts.ts'
import { SESSION_SETTINGS, listFiles, columnList, quoteIdentifier, listTables, type BackupTable } from './tables.ts'

/** Writes an archive to its destination, all or nothing. */
type WriteArchive = (fill: FillArchive) => Promise<unknown>

/** Arbitrary advisory lock number. The lock keeps two processes from making a backup at the same time. */
const LOCK = 0x0ca1100a

/**
 * Writes a snapshot of all rows and the files they refer to into one archive. Connects as the schema's owner; the
 * service can keep running. A file removed meanwhile is recorded as missing.
 */
export const takeBackup = (
  owner: ClientConfig,
  storage: Storage,
  path: string,
  key: Buffer | null = null,
): Promise<Manifest & Trailer> => takeBackupTo(owner, storage, (fill) => writeArchive(path, fill, key))

/** Takes a backup to any destination. With `isAlone`, throws while another process is making one. */
export async function takeBackupTo(
  owner: ClientConfig,
  storage: Storage,
  write: WriteArchive,
  { isAlone = false } = {},
): Promise<Manifest & Trailer> {
  return withClient(owner, async (client) => {
    const before = await listTables(client)
    if (!before.some(({ name }) => name === 'tenants'))
      throw new Error('The database has no schema yet, so there is nothing to back up')
    const work = async (): Promise<Manifest & Trailer> => {
      if (isAlone) await requireLock(client)
      return writeBackup(client, before, storage, write)
    }
    return await transactOn(client, work, 'isolation level repeatable read read only')
  })
}

async function requireLock(client: Client): Promise<void> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [LOCK])
  if (rows[0]?.mine !== true) throw new Error('Another process is making a backup')
}

/** Writes a backup inside a transaction that sees one snapshot. */
async function writeBackup(
  client: Client,
  before: readonly BackupTable[],
  storage: Storage,
  write: WriteArchive,
): Promise<Manifest & Trailer> {
  const tables = await lockTables(client, before)
  const manifest = newManifest({
    version: VERSION,
    made_at: await readSnapshotTime(client),
    migrations: await listAppliedMigrations(client),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  })
  const tenants = (await client.query<{ id: string }>('select id from tenants order by id')).rows.map(({ id }) => id)
  const trailer: Trailer = { rows: {}, files: 0, missing: [] }
  await write(async (add) => {
    await add({ name: MANIFEST_NAME, bytes: formatJson(manifest) })
    for (const table of tables) trailer.rows[table.name] = await addRows(client, table, tenants, add)
    for (const key of (await filesOf(client, tables, tenants)).keys()) {
      if (await addFile(storage, key, add)) trailer.files++
      else trailer.missing.push(key)
    }
    await add({ name: TRAILER_NAME, bytes: formatJson(trailer) })
  })
  return { ...manifest, ...trailer }
}

/** Locks the tables, so that their columns can't change until the transaction ends, and returns them. */
async function lockTables(client: Client, before: readonly BackupTable[]): Promise<BackupTable[]> {
  await client.query(SESSION_SETTINGS)
  await client.query(
    `lock table ${before.map(({ name }) => quoteIdentifier(name)).join(', ')}, migrations in access share mode`,
  )
  const tables = await listTables(client)
  if (JSON.stringify(tables) !== JSON.stringify(before)) throw new Error('The schema was being changed; try again')
  return tables
}

const readSnapshotTime = async (client: Client): Promise<string> =>
  (
    await client.query<{ at: string }>(
      `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    )
  ).rows[0]!.at

async function addRows(client: Client, table: BackupTable, tenants: readonly string[], add: AddEntry): Promise<number> {
  const text = `copy ${quoteIdentifier(table.name)} ${columnList(table.columns)} to stdout`
  let [rows, part] = [0, 0]
  await eachTenant(client, table, tenants, async () => {
    rows += await copyOut(client, text, (bytes) => add({ name: rowsEntry(table.name, ++part), bytes }))
  })
  return rows
}

/** Runs a function once if the role sees all rows of a table, otherwise once per company. */
async function eachTenant(
  client: Client,
  { is_open: isOpen }: BackupTable,
  tenants: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  if (isOpen) return work()
  for (const tenant of tenants) {
    await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant])
    await work()
  }
}

async function filesOf(
  client: Client,
  tables: readonly BackupTable[],
  tenants: readonly string[],
): Promise<Map<string, string>> {
  return listFiles(tables, async (table, text) => {
    const rows: { key: string; type: string }[] = []
    await eachTenant(
      client,
      table,
      tenants,
      async () => void rows.push(...(await client.query<{ key: string; type: string }>(text)).rows),
    )
    return rows
  })
}

/** Adds a stored file to the archive. Returns false if storage doesn't have it. */
async function addFile(storage: Storage, key: string, add: AddEntry): Promise<boolean> {
  const stream = await storage.get(key)
  if (stream === undefined) return false
  // Photos and PDFs are compressed already.
  await add({ name: fileEntry(key), bytes: Buffer.from(await new Response(stream).arrayBuffer()), isCompressed: true })
  return true
}
