import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../embedded/embedded.ts'
import { findPackagedVersion } from '../embedded/binaries.ts'
import { packCluster } from '../embedded/prepared.ts'
import { removeEmbedded } from '../embedded/remove.ts'
import { findMigrations, migrate, type Migration } from './migrate.ts'
import { schemaHashOf } from './baseline.ts'
import { withClient } from '../transaction.ts'

/** Folder of the prepared database, which npm fills after an installation (bin/after_install.js). */
const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache/callout-database/', import.meta.url))

/** Returns the path of the prepared database for these migrations and this PostgreSQL. It may not exist. */
export const preparedFile = async (migrations: readonly Migration[], folder = FOLDER): Promise<string> =>
  join(folder, `${schemaHashOf(migrations)}-${await findPackagedVersion()}.tar.gz`)

/** Creates the database that a new embedded server starts from, without initdb or migrations. */
export async function prepareDatabase(folder = FOLDER): Promise<string> {
  const migrations = await findMigrations()
  const file = await preparedFile(migrations, folder)
  const dataDir = await mkdtemp(join(tmpdir(), 'callout-'))
  try {
    // Removes WAL segments that aren't needed, instead of recycling them.
    const settings = { fsync: 'off', wal_recycle: 'off', min_wal_size: '32MB' }
    const { connection, stop } = await startEmbedded({ dataDir, settings })
    await migrate(connection, { migrations })
    await withClient(connection, async (client) => {
      // No service has run on it yet.
      await client.query('delete from releases')
      await client.query('vacuum analyze')
      await client.query('checkpoint')
    })
    await stop()
    await packCluster(join(await realpath(join(dataDir, 'postgres')), 'data'), file)
  } finally {
    await removeEmbedded(dataDir)
  }
  for (const name of await readdir(folder)) if (join(folder, name) !== file) await rm(join(folder, name))
  return file
}
