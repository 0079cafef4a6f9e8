import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { findPackagedMajor } from '../../platform/db/embedded/binaries.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { readMajor } from '../../platform/db/embedded/major.ts'
import { prepareNext, replaceCluster } from '../../platform/db/embedded/replace.ts'
import { acquireLock } from '../../platform/db/open.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import { restoreBackup } from '../../backup/archive/restore.ts'
import { takeBackup } from '../../backup/archive/take.ts'

type Takeover = Pick<Config, 'databaseUrl' | 'dataDir' | 'postgresPrevious'>
type Log = (line: string) => void

/**
 * Upgrades the embedded database from an earlier PostgreSQL major version, if POSTGRES_PREVIOUS points to its server:
 * restores a backup of its rows into a new cluster, which then replaces the old one. The old one is kept unchanged.
 */
export async function upgradeMajorVersion(
  { databaseUrl, dataDir, postgresPrevious }: Takeover,
  log: Log,
): Promise<void> {
  if (databaseUrl !== null || postgresPrevious === null) return
  const [currentMajor, packagedMajor] = [await readMajor(join(dataDir, 'postgres', 'data')), await findPackagedMajor()]
  if (currentMajor === undefined || currentMajor >= packagedMajor) return
  log(`Migrating the database from PostgreSQL ${currentMajor} to ${packagedMajor}.`)
  const old = await startEmbedded({ dataDir, previous: postgresPrevious, log })
  try {
    const lock = await acquireLock(old.connection, dataDir)
    await copyRows(dataDir, old.connection, log).finally(() => lock.end())
  } finally {
    await old.stop()
  }
  const folder = await replaceCluster(dataDir, `postgres.${currentMajor}`)
  log(
    `The database now uses PostgreSQL ${packagedMajor}. Files of ${currentMajor} are in ${folder}: remove them later.`,
  )
}

/** Copies the rows through a backup without stored files, which stay where they are. */
async function copyRows(dataDir: string, from: Parameters<typeof takeBackup>[0], log: Log): Promise<void> {
  const next = await prepareNext(dataDir)
  const [path, storage] = [join(next, 'rows.tar.gz'), openStorage({ kind: 'directory', directory: join(next, 'none') })]
  await takeBackup(from, storage, path)
  const server = await startEmbedded({ dataDir: next, log })
  await restoreBackup(server.connection, storage, path).finally(() => server.stop())
}
