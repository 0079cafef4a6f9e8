import { readFile, writeFile } from 'node:fs/promises'
import { listTenants } from '../../identity/companies/tenants.ts'
import { readTenant, type Database } from '../../platform/db/tenant.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { ReapplyResult } from '../../privacy/reapply.ts'
import {
  formatTombstones,
  listErasures,
  parseTombstones,
  readErasureList,
  mergeTombstones,
  writeErasureList,
  type Tombstone,
} from '../../privacy/tombstones.ts'
import { formatTable } from '../columns.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with_database.ts'

export const erasureCommands = [
  command({
    name: 'erasures list',
    description: 'Lists who was erased in which company, as ids, to erase them again after restoring a backup.',
    options: { to: { value: '<file>', bare: true, description: 'New file for the list, one erasure per line' } },
    run: async ({ to }) => {
      const all = await withDatabase(async ({ database, owner }, config) =>
        listAllErasures(
          database,
          openStorage(config.storage),
          (await listTenants(owner)).map(({ id }) => id),
        ),
      )
      if (to !== undefined) await writeFile(to, formatTombstones(all), { flag: 'wx', mode: 0o600 })
      const rows = all.map(({ tenant, kind, subject, at }) => [tenant, kind, subject, at.slice(0, 10)])
      return { json: all, text: formatTable(['COMPANY', 'KIND', 'ID', 'ERASED'], rows, 'No erasures.') }
    },
  }),
  command({
    name: 'erasures apply',
    description: 'Repeats the erasures listed in a file or in storage, as restore does automatically.',
    options: { from: { value: '<file>', bare: true, description: 'File written by erasures list' } },
    run: async ({ from }) => {
      const tombstones = from === undefined ? [] : parseTombstones(await readFile(from, 'utf8'), from)
      const results = await withDatabase(async ({ database, owner }, config) =>
        reapplyListedErasures(
          database,
          openStorage(config.storage),
          (await listTenants(owner)).map(({ id }) => id),
          tombstones,
        ),
      )
      return { json: results, text: formatErasures(results) }
    },
  }),
]

/** Repeats erasures that are listed in storage or in a file and missing from the database. */
export async function reapplyListedErasures(
  database: Database,
  storage: Storage,
  tenants: readonly string[],
  tombstones: readonly Tombstone[],
): Promise<ReapplyResult[]> {
  const stored = await Promise.all(tenants.map((tenant) => readErasureList(storage, tenant)))
  // Imported on demand, because erasing depends on most of the code.
  const { reapplyTombstones } = await import('../../privacy/reapply.ts')
  const results = await reapplyTombstones(database, mergeTombstones(stored.flat(), tombstones))
  for (const tenant of tenants)
    if (results.some((one) => one.tenant === tenant && one.outcome !== 'refused'))
      await writeErasureList(database, storage, tenant)
  return results
}

/** Formats the number of repeated erasures, and lists the refused ones. */
export function formatErasures(results: readonly ReapplyResult[]): string {
  const refused = results.filter(({ outcome }) => outcome === 'refused')
  const count = results.filter(({ outcome }) => outcome === 'erased').length
  return [
    `Erased again: ${count}`,
    ...refused.map(({ kind, subject, why }) => `Not erased: ${kind} ${subject}: ${why}`),
  ].join('\n')
}

async function listAllErasures(database: Database, storage: Storage, tenants: readonly string[]): Promise<Tombstone[]> {
  const lists: Tombstone[][] = []
  for (const tenant of tenants)
    lists.push(await readErasureList(storage, tenant), await readTenant(database, { tenant }, listErasures))
  return mergeTombstones(...lists)
}
