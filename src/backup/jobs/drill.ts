import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { isAlive } from '../../platform/db/embedded/server.ts'
import { removeEmbedded } from '../../platform/db/embedded/remove.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { openStorage } from '../../platform/storage/open_storage.ts'
import { newId } from '../../platform/validation/id.ts'
import { restoreBackup } from '../archive/restore.ts'
import type { BackupResult } from '../status.ts'
import type { BackupTarget } from '../target/target.ts'
import { listArchives } from './daily.ts'

type DrillOptions = { target: BackupTarget; key: Buffer | null; dataDir: string; signal: AbortSignal }

/**
 * Restores the newest backup into a temporary server, which listens on a socket in its own folder (a loopback port on
 * Windows), and checks that the service can open it. Removes everything afterwards.
 */
export async function runDrill({ target, key, dataDir, signal }: DrillOptions): Promise<BackupResult> {
  const startedAt = performance.now()
  await removeDrills(dataDir)
  const newest = (await listArchives(target)).at(-1)
  const from = newest && (await target.read(newest.name))
  if (newest === undefined || from === undefined) throw new Error(`No backup in ${target.label} yet`)
  const folder = join(dataDir, `${PREFIX}${process.pid}-${newId()}`)
  const stop = (): void => void removeEmbedded(folder).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const server = await startEmbedded({ dataDir: folder, settings: { fsync: 'off' } })
    const storage = openStorage({ kind: 'directory', directory: join(folder, 'files') })
    const { made_at, missing } = await restoreBackup(server.connection, storage, newest.name, { key, from })
    await (await openServiceDatabase(server.connection, null, 1)).close()
    if (missing.length > 0)
      throw new Error(`${newest.name} lacks ${missing.length} files that its rows refer to, such as ${missing[0]}`)
    await server.stop()
    return { asOf: made_at, bytes: newest.bytes, ms: Math.round(performance.now() - startedAt), name: newest.name }
  } finally {
    signal.removeEventListener('abort', stop)
    await removeEmbedded(folder)
  }
}

const PREFIX = 'drill-'

/** Age in milliseconds after which a drill is abandoned, even if a process with its id exists. */
const ABANDONED_AFTER_MS = 24 * 3_600_000

/** Stops and removes the drills of killed processes. */
export async function removeDrills(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const [, pid] = /^drill-(\d+)-/.exec(name) ?? []
    if (pid === undefined) continue
    const { mtimeMs } = await stat(join(dataDir, name)).catch(() => ({ mtimeMs: 0 }))
    if (!isAlive(Number(pid)) || Date.now() - mtimeMs > ABANDONED_AFTER_MS) await removeEmbedded(join(dataDir, name))
  }
}
