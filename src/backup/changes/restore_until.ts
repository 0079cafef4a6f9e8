import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { MAX_BYTES as MAX_FILE_BYTES } from '../../files/screening/screening.ts'
import { startEmbedded, type Embedded } from '../../platform/db/embedded/embedded.ts'
import { makeHomeFrom } from '../../platform/db/embedded/home.ts'
import { removeCluster } from '../../platform/db/embedded/remove.ts'
import type { ServerAccount } from '../../platform/db/embedded/user.ts'
import { withClient } from '../../platform/db/transaction.ts'
import { ignoreCodes } from '../../platform/errors/error_code.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { listFiles, listTables } from '../archive/tables.ts'
import type { BackupTarget } from '../target/target.ts'
import { listBases, readBaseFiles, type Base } from './base.ts'
import { readMirrored } from './files.ts'
import { CHANGES, parseChange, plainName } from './names.ts'
import { isHistory } from './segments.ts'
import { findUsableBase, readChange } from './ship.ts'
import { changeOwner, unpackBase } from './unpack_base.ts'

type RestoreOptions = {
  target: BackupTarget
  key: Buffer | null
  dataDir: string
  storage: Storage
  /** Moment to restore to; null for the latest state. */
  until: Temporal.Instant | null
  log: (line: string) => void
}

type RestoredState = {
  /** Time of the last change; null if there was none since the base backup. */
  as_of: string | null
  base: string
  files: number
  /** Keys of files that rows refer to and that neither storage nor the backup folder has. */
  missing: string[]
}

/** Milliseconds the server may take to apply all changes. */
const RECOVERY_TIMEOUT_MS = 24 * 3_600_000

/**
 * Restores the embedded database into a DATA_DIR without one: the newest base backup before a moment, the changes
 * since, and the stored files. On failure, removes the database and keeps the restored files.
 */
export async function restoreUntil(options: RestoreOptions): Promise<RestoredState> {
  const { target, key, dataDir, until, log } = options
  const base = await chooseBase(target, key, until)
  const fill = (folder: string, account: ServerAccount | undefined): Promise<void> =>
    fillHome(folder, account, { target, key, base })
  await makeHomeFrom(dataDir, { password: base.password, fill, log })
  try {
    const asOf = await applyChanges(dataDir, until, log)
    if (base.data_key !== null) await writeDataKey(dataDir, base.data_key)
    const server = await startEmbedded({ dataDir, log })
    const files = await restoreFiles(server.connection, options).finally(() => server.stop())
    await rm(join(await realpath(join(dataDir, 'postgres')), CHANGES_FOLDER), { recursive: true, force: true })
    return { as_of: asOf, base: base.name, ...files }
  } catch (error) {
    await removeCluster(dataDir)
    throw error
  }
}

/** Returns the newest base backup that ended before the moment and has all its changes. Throws if there is none. */
async function chooseBase(target: BackupTarget, key: Buffer | null, until: Temporal.Instant | null): Promise<Base> {
  const bases = await listBases(target, key)
  const isEarly = ({ ended_at }: Base): boolean => until === null || Temporal.Instant.compare(ended_at, until) <= 0
  const base = await findUsableBase(target, bases.filter(isEarly))
  if (base !== undefined) return base
  const oldest = bases[0]
  const message = `No base backup to start from in ${target.label}`
  throw new Error(
    oldest === undefined || until === null
      ? `${message}; restore a daily backup: callout restore --from newest`
      : `${message}; the earliest possible time is ${oldest.ended_at}`,
  )
}

/** Folder in a cluster's home for the changes to replay. */
const CHANGES_FOLDER = 'restore'

async function fillHome(
  folder: string,
  account: ServerAccount | undefined,
  { target, key, base }: { target: BackupTarget; key: Buffer | null; base: Base },
): Promise<void> {
  const data = join(folder, 'data')
  await unpackBase(await readBaseFiles(target, base, key), data)
  await writeFile(join(data, 'recovery.signal'), '', { mode: 0o600 })
  const changesFolder = join(folder, CHANGES_FOLDER)
  await mkdir(changesFolder, { mode: 0o700 })
  for (const { name } of await target.list(CHANGES)) {
    const segment = parseChange(name)
    const isNeeded = segment === undefined ? isHistory(plainName(name)) : segment.number >= base.first
    if (isNeeded)
      await writeFile(join(changesFolder, plainName(name)), await readChange(target, name, key), { mode: 0o600 })
  }
  if (account) for (const path of [data, changesFolder]) await changeOwner(account, path)
}

/** Starts a server that replays the changes up to the moment. Returns the time of the last one. */
async function applyChanges(
  dataDir: string,
  until: Temporal.Instant | null,
  log: (line: string) => void,
): Promise<string | null> {
  const settings = {
    archive_mode: 'off',
    // The server accepts connections only once it is restored.
    hot_standby: 'off',
    restore_command: `cp ../${CHANGES_FOLDER}/%f %p`,
    recovery_target_timeline: 'latest',
  }
  const start = (target: Record<string, string>): Promise<Embedded> =>
    startEmbedded({ dataDir, settings: { ...settings, ...target }, timeoutMs: RECOVERY_TIMEOUT_MS, log })
  const server =
    until === null
      ? await start({})
      : await start({
          recovery_target_time: until.toString().replace('T', ' ').replace('Z', '+00'),
          recovery_target_action: 'promote',
        }).catch(async (error: unknown) => {
          // Nothing was written after the moment, so every change is before it.
          if (await checkEndedBefore(dataDir)) return start({})
          throw error
        })
  try {
    return await withClient(server.connection, async (client) => {
      const { rows } = await client.query<{ at: Date | null; recovering: boolean }>(
        'select pg_last_xact_replay_timestamp() as at, pg_is_in_recovery() as recovering',
      )
      if (rows[0]?.recovering !== false) throw new Error('The database did not finish its recovery')
      return rows[0].at === null ? null : rows[0].at.toISOString()
    })
  } finally {
    await server.stop()
  }
}

/** Checks whether the server stopped because no change is as late as the recovery target. */
async function checkEndedBefore(dataDir: string): Promise<boolean> {
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  return log.slice(-LOG_TAIL).includes('recovery ended before configured recovery target was reached')
}

/** Length in characters of the end of the server's log that covers its last start. */
const LOG_TAIL = 4_000

/** Writes the data key, unless there is one. */
async function writeDataKey(dataDir: string, key: string): Promise<void> {
  await writeFile(join(dataDir, 'data.key'), `${key}\n`, { flag: 'wx', mode: 0o600 }).catch(ignoreCodes('EEXIST'))
}

/** Restores the stored files that rows refer to. */
async function restoreFiles(
  owner: ClientConfig,
  { target, key, storage }: RestoreOptions,
): Promise<{ files: number; missing: string[] }> {
  const keys = await withClient(owner, async (client) =>
    listFiles(
      await listTables(client),
      async (_, text) => (await client.query<{ key: string; type: string }>(text)).rows,
    ),
  )
  const missing: string[] = []
  for (const [file, type] of keys) {
    const existing = await storage.get(file)
    await existing?.cancel()
    const bytes = existing === undefined ? await readMirrored(target, file, key, MAX_FILE_BYTES) : undefined
    if (bytes !== undefined) await storage.save(file, bytes, type)
    if (existing === undefined && bytes === undefined) missing.push(file)
  }
  return { files: keys.size - missing.length, missing }
}
