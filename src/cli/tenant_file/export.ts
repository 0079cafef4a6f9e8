import type { Client, ClientConfig } from 'pg'
import { freezeCompany } from '../../identity/companies/freeze.ts'
import { copyOut } from '../../platform/db/copy.ts'
import { missingMigrations, listAppliedMigrations } from '../../platform/db/migrations/migrate.ts'
import { transactOn, withClient } from '../../platform/db/transaction.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { notFound } from '../../platform/errors/refusal.ts'
import { VERSION } from '../../platform/version.ts'
import { writeArchive, type AddEntry } from '../../backup/archive/archive.ts'
import { TRAILER_NAME, rowsEntry, formatJson } from '../../backup/archive/parts.ts'
import { SESSION_SETTINGS, listFiles } from '../../backup/archive/tables.ts'
import { digestOf, openSum } from './digests.ts'
import { FILE_MANIFEST_NAME, newFileManifest, storedFileEntry, type FileEnding, type FileManifest } from './manifest.ts'
import { listExportTables, selectRows, type ExportTable } from './tables.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/**
 * Exports one company's snapshot, rows and the files they refer to, to an archive without secrets
 * (docs/spec/tenant_file.md). Connects as the schema's owner; the service can keep running. With `freezes`, freezes the
 * company first.
 */
export async function exportTenant(
  owner: ClientConfig,
  storage: Storage,
  path: string,
  { tenant, freezes }: { tenant: string; freezes: boolean },
): Promise<FileManifest & FileEnding> {
  const missing = await missingMigrations(owner)
  if (missing.length > 0) throw new Error('The database schema is out of date; run callout migrate first')
  return withClient(owner, async (client) => {
    await requireCompany(client, tenant)
    if (freezes) await freezeCompany(owner, tenant)
    return await transactOn(
      client,
      () => writeTenantFile(client, storage, path, tenant),
      'isolation level repeatable read read only',
    )
  })
}

async function requireCompany(client: Client, tenant: string): Promise<void> {
  const { rowCount } = await client.query('select from tenants where id = $1', [tenant])
  if (rowCount === 0) throw notFound('tenant')
}

/** Writes the file inside a transaction that sees one snapshot. */
async function writeTenantFile(
  client: Client,
  storage: Storage,
  path: string,
  tenant: string,
): Promise<FileManifest & FileEnding> {
  await client.query(SESSION_SETTINGS)
  await client.query(`select set_config('app.tenant_id', $1, true)`, [tenant])
  const tables = await listExportTables(client)
  const {
    rows: [company],
  } = await client.query<{ name: string; frozen: boolean; made_at: string }>(
    `select name, exists (select 1 from frozen_companies where tenant_id = $1) as frozen,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as made_at from tenants where id = $1`,
    [tenant],
  )
  const manifest = newFileManifest({
    version: VERSION,
    ...requireValue(company, 'The company'),
    tenant,
    migrations: await listAppliedMigrations(client),
    tables: Object.fromEntries(tables.map(({ name, columns }) => [name, columns])),
  })
  const ending: FileEnding = { held: {}, files: 0, missing: [] }
  await writeArchive(path, async (add) => {
    await add({ name: FILE_MANIFEST_NAME, bytes: formatJson(manifest) })
    for (const table of tables) ending.held[table.name] = await addRows(client, table, tenant, add)
    for (const key of await listStorageKeys(client, tables, tenant)) {
      if (await addFile(storage, key, add)) ending.files++
      else ending.missing.push(key)
    }
    await add({ name: TRAILER_NAME, bytes: formatJson(ending) })
  })
  return { ...manifest, ...ending }
}

async function addRows(
  client: Client,
  table: ExportTable,
  tenant: string,
  add: AddEntry,
): Promise<{ rows: number; sum: string }> {
  const sum = openSum()
  let part = 0
  await copyOut(client, `copy (${selectRows(table, tenant)}) to stdout`, (bytes) => {
    sum.add(bytes)
    return add({ name: rowsEntry(table.name, ++part), bytes })
  })
  return sum.total()
}

async function listStorageKeys(client: Client, tables: readonly ExportTable[], tenant: string): Promise<string[]> {
  const types = await listFiles(
    tables,
    async ({ name }) =>
      (
        await client.query<{ key: string; type: string }>(
          `select storage_key as key, content_type as type
          from ${name} where tenant_id = $1 and storage_key is not null order by 1`,
          [tenant],
        )
      ).rows,
  )
  return [...types.keys()]
}

/** Adds a stored file to the archive. Returns false if storage doesn't have it. */
async function addFile(storage: Storage, key: string, add: AddEntry): Promise<boolean> {
  const stream = await storage.get(key)
  if (stream === undefined) return false
  const bytes = Buffer.from(await new Response(stream).arrayBuffer())
  await add({ name: storedFileEntry(key, digestOf(bytes)), bytes })
  return true
}
