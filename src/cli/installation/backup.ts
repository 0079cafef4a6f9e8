import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { listTenants } from '../../identity/companies/tenants.ts'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { onErrand } from '../../platform/db/tenant.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { ReapplyResult } from '../../privacy/reapply.ts'
import { parseTombstones, type Tombstone } from '../../privacy/tombstones.ts'
import { restoreBackup, readManifest } from '../../backup/archive/restore.ts'
import type { Ending } from '../../backup/archive/manifest.ts'
import { takeBackup } from '../../backup/archive/take.ts'
import { alignColumns } from '../columns.ts'
import { command } from '../command.ts'
import { reapplyListedErasures, formatErasures } from './erasures.ts'
import { withOwner } from '../with_database.ts'
import { outputPath } from '../output_path.ts'

export const backupCommands = [
  command({
    name: 'backup',
    description: 'Writes everything that there is, rows and stored files, into one file; the service may be running.',
    options: {
      to: {
        value: '<file>',
        required: true,
        bare: true,
        description: 'The file, a gzipped tar archive; it must not be there yet',
      },
    },
    run: async ({ to }) => {
      const [config, path] = [readConfig(), outputPath(to)]
      const made = await withOwner(config, (owner) => takeBackup(owner, openStorage(config.storage), path))
      return {
        json: {
          file: path,
          made_at: made.made_at,
          migration: made.migrations.at(-1)?.name,
          rows: made.rows,
          files: made.files,
          missing: made.missing,
        },
        text: alignColumns([['Backup', path], ['As of', made.made_at], ...contents(made)]),
      }
    },
  }),
  command({
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
      await readManifest(path)
      const storage = openStorage(config.storage)
      const { restored, forgotten } = await withOwner(config, async (owner) => ({
        restored: await restoreBackup(owner, storage, path),
        forgotten: await reapplyAfterRestore(owner, config, storage, given),
      }))
      const { made_at, rows, files, missing, migrated } = restored
      return {
        json: { file: path, made_at, rows, files, missing, migrated, erasures: forgotten },
        text: alignColumns([
          ['Restored', path],
          ['As of', made_at],
          ...contents(restored),
          ...(migrated.length === 0 ? [] : [['Migrated', migrated.join(', ')]]),
          ...(forgotten.length === 0 ? [] : [['Erasures', formatErasures(forgotten)]]),
        ]),
      }
    },
  }),
]

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

const contents = ({ rows, files, missing }: Ending): string[][] => [
  ['Companies', String(rows['tenants'])],
  ['Rows', String(Object.values(rows).reduce((sum, count) => sum + count, 0))],
  ['Files', String(files)],
  ...(missing.length === 0
    ? []
    : [['Missing', `${missing.length} files that rows name are not in storage, such as ${missing[0]}`]]),
]
