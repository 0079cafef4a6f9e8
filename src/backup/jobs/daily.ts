import { addAbortSignal } from 'node:stream'
import type { ClientConfig } from 'pg'
import type { Storage } from '../../platform/storage/storage.ts'
import { streamArchive } from '../archive/archive.ts'
import { takeBackupTo } from '../archive/take.ts'
import type { BackupResult } from '../status.ts'
import { archiveName, isArchiveName } from '../target/names.ts'
import type { BackupFile, BackupTarget } from '../target/target.ts'

type DailyBackupOptions = {
  owner: ClientConfig
  storage: Storage
  target: BackupTarget
  keep: number
  key: Buffer | null
  signal: AbortSignal
}

/** Makes a backup in the backup folder. Then removes all but the newest `keep`. */
export async function makeDailyBackup({
  owner,
  storage,
  target,
  keep,
  key,
  signal,
}: DailyBackupOptions): Promise<BackupResult> {
  const startedAt = performance.now()
  const name = archiveName(Temporal.Now.instant())
  let bytes = 0
  const backup = await takeBackupTo(
    owner,
    storage,
    async (fill) => {
      bytes = await target.write(name, (sink) => {
        addAbortSignal(signal, sink)
        return streamArchive(sink, fill, key)
      })
    },
    { isAlone: true },
  )
  for (const { name: old } of (await listArchives(target)).slice(0, -keep)) await target.remove(old)
  return { asOf: backup.made_at, bytes, ms: Math.round(performance.now() - startedAt), name }
}

/** Lists the daily backups, the oldest first. */
export const listArchives = async (target: BackupTarget): Promise<BackupFile[]> =>
  (await target.list('')).filter(({ name }) => isArchiveName(name))
