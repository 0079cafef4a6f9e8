import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { restoreBackup, readManifest } from '../../backup/archive/restore.ts'
import { listTenants } from '../../identity/companies/tenants.ts'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { onErrand } from '../../platform/db/tenant.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { ReapplyResult } from '../../privacy/reapply.ts'
import { parseTombstones, type Tombstone } from '../../privacy/tombstones.ts'
import { alignColumns } from '../columns.ts'
import { command } from '../command.ts'
import { withOwner } from '../with_database.ts'
import { listContents } from './backup.ts'
import { reapplyListedErasures, formatErasures } from './erasures.ts'

export const restoreCommand = command({
  name: 'restore',
  description: 'Brings a backup back into an empty database, all of it or nothing, without who was erased since.',
  options: {
    from: { value: '<file>', required: true, bare: true, description: 'A file that backup wrote' },
    erasures: {
      value: '<file>',
      description:
        'Forget who is listed there, a file that erasures list wrote; those listed in storage are forgotten anyway',
    },
  },
  run: async ({ from, erasures }) => {
    const [config, path] = [readConfig(), resolve(from)]
    const given = erasures === undefined ? [] : parseTombstones(await readFile(erasures, 'utf8'), erasures)
    // Before a database is started for a file that is none.
    await readManifest(path, config.backup)
    const storage = openStorage(config.storage)
    const { restored, forgotten } = await withOwner(config, async (owner) => ({
      restored: await restoreBackup(owner, storage, path, config.backup),
      forgotten: await reapplyAfterRestore(owner, config, storage, given),
    }))
    const { made_at, rows, files, missing, migrated } = restored
    return {
      json: { file: path, made_at, rows, files, missing, migrated, erasures: forgotten },
      text: alignColumns([
        ['Restored', path],
        ['As of', made_at],
        ...listContents(restored),
        ...(migrated.length === 0 ? [] : [['Migrated', migrated.join(', ')]]),
        ...(forgotten.length === 0 ? [] : [['Erasures', formatErasures(forgotten)]]),
      ]),
    }
  },
})

/** Erases again, in the restored database, everyone listed beside its data or in a file. */
async function reapplyAfterRestore(
  owner: ClientConfig,
  { databaseAppUrl }: Config,
  storage: Storage,
  given: readonly Tombstone[],
): Promise<ReapplyResult[]> {
  const database = await openServiceDatabase(owner, databaseAppUrl)
  try {
    const tenants = (await listTenants(owner)).map(({ id }) => id)
    return await reapplyListedErasures(onErrand(database, { patient: true }), storage, tenants, given)
  } finally {
    await database.close()
  }
}
