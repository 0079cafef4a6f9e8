import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ClientConfig } from 'pg'
import { archiveError } from '../../backup/archive/parts.ts'
import { restoreUntil } from '../../backup/changes/restore_until.ts'
import { listArchives } from '../../backup/jobs/daily.ts'
import { openTarget } from '../../backup/target/open_target.ts'
import { restoreBackup, readManifest } from '../../backup/archive/restore.ts'
import { listTenants } from '../../identity/companies/tenants.ts'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { withOptions } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { ReapplyResult } from '../../privacy/reapply.ts'
import { parseTombstones, type Tombstone } from '../../privacy/tombstones.ts'
import { alignColumns } from '../columns.ts'
import { command, type Report } from '../command.ts'
import { logToStderr, withOwner } from '../with_database.ts'
import { listContents } from './backup.ts'
import { reapplyListedErasures, formatErasures } from './erasures.ts'

export const restoreCommand = command({
  name: 'restore',
  description: 'Restores a backup into an empty database, all or nothing, and repeats later erasures.',
  options: {
    from: {
      value: '<file>',
      bare: true,
      description: 'File written by backup, or newest for the newest one in BACKUP_TO',
    },
    until: {
      value: '<time>',
      description: 'Time to restore an embedded database to, from BACKUP_TO: such as 2026-01-31T14:05:00Z, or latest',
    },
    erasures: {
      value: '<file>',
      description:
        'File written by erasures list, with more erasures to repeat; those listed in storage are always repeated',
    },
  },
  anyOf: ['from', 'until'],
  run: async ({ from, until, erasures }) => {
    const config = readConfig()
    const tombstones = erasures === undefined ? [] : parseTombstones(await readFile(erasures, 'utf8'), erasures)
    return until === undefined
      ? restoreFile(config, await findFile(config, from ?? ''), tombstones)
      : restoreToMoment(config, until, tombstones)
  },
})

/** Backup to restore: its path or name, and its bytes if it isn't a local file. */
type BackupSource = { path: string; from?: AsyncIterable<Buffer> }

async function findFile({ backup }: Config, from: string): Promise<BackupSource> {
  if (from !== 'newest') return { path: resolve(from) }
  if (backup.to === null) throw invalidField('from', 'can be newest only if BACKUP_TO is set')
  const target = openTarget(backup.to)
  const newest = (await listArchives(target)).at(-1)
  const bytes = newest && (await target.read(newest.name))
  if (newest === undefined || bytes === undefined) throw new Error(`There is no daily backup in ${target.label}`)
  return { path: newest.name, from: bytes }
}

async function restoreFile(
  config: Config,
  { path, from }: BackupSource,
  tombstones: readonly Tombstone[],
): Promise<Report> {
  const readOptions = { key: config.backup.key, ...(from && { from }) }
  // Checked before a database is started, in case the file isn't a backup.
  if (from === undefined) await readManifest(path, readOptions)
  const storage = openStorage(config.storage)
  const { restored, reapplyResults } = await withOwner(config, async (owner) => ({
    restored: await restoreBackup(owner, storage, path, readOptions),
    reapplyResults: await reapplyAfterRestore(owner, config, storage, tombstones),
  }))
  const { made_at, rows, files, missing, migrated } = restored
  return {
    json: { file: path, made_at, rows, files, missing, migrated, erasures: reapplyResults },
    text: alignColumns([
      ['Restored', path],
      ['As of', made_at],
      ...listContents(restored),
      ...(migrated.length === 0 ? [] : [['Migrated', migrated.join(', ')]]),
      ...(reapplyResults.length === 0 ? [] : [['Erasures', formatErasures(reapplyResults)]]),
    ]),
  }
}

async function restoreToMoment(config: Config, until: string, tombstones: readonly Tombstone[]): Promise<Report> {
  const { backup, databaseUrl, dataDir, storage: location } = config
  if (databaseUrl !== null)
    throw invalidField(
      'until',
      'works only with the embedded database; restore the database of DATABASE_URL with its own tools',
    )
  if (backup.to === null) throw invalidField('until', 'needs BACKUP_TO')
  const [target, storage] = [openTarget(backup.to), openStorage(location)]
  const moment = until === 'latest' ? null : parseMoment(until)
  const options = { target, key: backup.key, dataDir, storage, until: moment, log: logToStderr }
  const restored = await restoreUntil(options).catch((cause: unknown) => {
    throw archiveError(target.label, 'restored', cause)
  })
  const { reapplyResults, migrated } = await withOwner(config, async (owner) => ({
    migrated: await migrate(owner),
    reapplyResults: await reapplyAfterRestore(owner, config, storage, tombstones),
  }))
  const { as_of: asOf, base, files, missing } = restored
  return {
    json: { from: target.label, as_of: asOf, base, files, missing, migrated, erasures: reapplyResults },
    text: alignColumns([
      ['Restored', target.label],
      ['As of', asOf ?? base],
      ['Files', String(files)],
      ...(missing.length === 0 ? [] : [['Missing', `${missing.length} files, such as ${missing[0]}`]]),
      ...(reapplyResults.length === 0 ? [] : [['Erasures', formatErasures(reapplyResults)]]),
    ]),
  }
}

function parseMoment(text: string): Temporal.Instant {
  try {
    return Temporal.Instant.from(text)
  } catch {
    throw invalidField('until', `must be latest, or a time with its zone such as 2026-01-31T14:05:00Z (got '${text}')`)
  }
}

/** Repeats erasures, listed in storage or in a file, in the restored database. */
async function reapplyAfterRestore(
  owner: ClientConfig,
  { databaseAppUrl }: Config,
  storage: Storage,
  tombstones: readonly Tombstone[],
): Promise<ReapplyResult[]> {
  const database = await openServiceDatabase(owner, databaseAppUrl)
  try {
    const tenants = (await listTenants(owner)).map(({ id }) => id)
    return await reapplyListedErasures(withOptions(database, { patient: true }), storage, tenants, tombstones)
  } finally {
    await database.close()
  }
}
