import { readFile, writeFile } from 'node:fs/promises'
import { listTenants } from '../../identity/companies/tenants.ts'
import { readTenant, type Database } from '../../platform/db/tenant.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { reapply, type Reapplied } from '../../privacy/reapply.ts'
import {
  linesOf,
  listErasures,
  readLines,
  readList,
  united,
  writeList,
  type Tombstone,
} from '../../privacy/tombstones.ts'
import { listed } from '../aligned.ts'
import { command } from '../command.ts'
import { onDatabase } from '../opened.ts'

export const erasureCommands = [
  command({
    name: 'erasures list',
    description: 'Who was erased in which company, as ids: what a restored backup has to forget again.',
    options: { to: { value: '<file>', bare: true, description: 'Write it to this file, one erasure a line' } },
    run: async ({ to }) => {
      const all = await onDatabase(async ({ database, owner }, config) =>
        everyErasure(
          database,
          openStorage(config.storage),
          (await listTenants(owner)).map(({ id }) => id),
        ),
      )
      if (to !== undefined) await writeFile(to, linesOf(all), { flag: 'wx', mode: 0o600 })
      const rows = all.map(({ tenant, kind, subject, at }) => [tenant, kind, subject, at.slice(0, 10)])
      return { json: all, text: listed(['COMPANY', 'KIND', 'ID', 'ERASED'], rows, 'Nobody was erased.') }
    },
  }),
  command({
    name: 'erasures apply',
    description: 'Does erasures again that are listed in a file or in storage, as restore does by itself.',
    options: { from: { value: '<file>', bare: true, description: 'A file that erasures list wrote' } },
    run: async ({ from }) => {
      const given = from === undefined ? [] : readLines(await readFile(from, 'utf8'), from)
      const done = await onDatabase(async ({ database, owner }, config) =>
        forgetAgain(
          database,
          openStorage(config.storage),
          (await listTenants(owner)).map(({ id }) => id),
          given,
        ),
      )
      return { json: done, text: said(done) }
    },
  }),
]

/** Does again what storage and a file list and the database doesn't know. */
export async function forgetAgain(
  database: Database,
  storage: Storage,
  tenants: readonly string[],
  given: readonly Tombstone[],
): Promise<Reapplied[]> {
  const stored = await Promise.all(tenants.map((tenant) => readList(storage, tenant)))
  const done = await reapply(database, united(stored.flat(), given))
  for (const tenant of tenants)
    if (done.some((one) => one.tenant === tenant && one.outcome !== 'refused'))
      await writeList(database, storage, tenant)
  return done
}

/** Says what was done, and what was not. */
export function said(done: readonly Reapplied[]): string {
  const refused = done.filter(({ outcome }) => outcome === 'refused')
  const count = done.filter(({ outcome }) => outcome === 'erased').length
  return [
    `Erased again: ${count}`,
    ...refused.map(({ kind, subject, why }) => `Not erased: ${kind} ${subject}: ${why}`),
  ].join('\n')
}

async function everyErasure(database: Database, storage: Storage, tenants: readonly string[]): Promise<Tombstone[]> {
  const lists: Tombstone[][] = []
  for (const tenant of tenants)
    lists.push(await readList(storage, tenant), await readTenant(database, { tenant }, listErasures))
  return united(...lists)
}
