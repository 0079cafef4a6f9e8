import type { Database } from '../../platform/db/tenant.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { writeArchive } from '../../privacy/export/archive.ts'
import {
  COMPANY_EXPORT_TASK,
  schedulePartRemoval,
  failExport,
  finishExport,
  saveProgress,
  partKey,
  claimExport,
} from '../../privacy/export/company_exports.ts'
import { openPartWriter } from '../../privacy/export/parts.ts'
import { openSpool, createSpooledSink } from '../../privacy/export/spool.ts'
import type { PeriodicTask, TenantRun } from '../periodic_task.ts'
import { onDemand } from '../schedule.ts'

/** Returns the task that makes the archive an owner requested, in a lane of its own. */
export const companyExportTask = (database: Database, storage: Storage): PeriodicTask => ({
  name: COMPANY_EXPORT_TASK,
  of: 'tenant',
  next: onDemand,
  lane: 'exports',
  run: (run) => makeExport(run, database, storage),
})

/** Minimum milliseconds between progress updates. */
const PROGRESS_INTERVAL_MS = 500

/** Spools the rows to a local file while their snapshot is held. Then writes everything to storage, part by part. */
async function makeExport(run: TenantRun, database: Database, storage: Storage): Promise<void> {
  const claimed = await run.write(claimExport)
  if (claimed === undefined) return
  const { tenant } = run
  const spool = await openSpool()
  const parts = openPartWriter(
    storage,
    (part) => partKey(tenant.id, claimed.id, part),
    (key) => run.write((db) => schedulePartRemoval(db, key)),
  )
  const { sink, startForwarding } = createSpooledSink(spool, parts.sink)
  let lastSavedAt = 0
  try {
    await writeArchive({
      database,
      storage,
      tenant: tenant.id,
      scope: async () => ({ of: 'company' }),
      sink,
      onRowsRead: startForwarding,
      onProgress: async (done, total) => {
        if (performance.now() - lastSavedAt < PROGRESS_INTERVAL_MS) return
        lastSavedAt = performance.now()
        await run.write((db) => saveProgress(db, claimed.id, done, total))
      },
    })
    const stored = await parts.end()
    await run.write((db) => finishExport(db, claimed.id, stored))
  } catch (error) {
    // This write is refused if the service stops or another process took over, which then makes the archive.
    await run.write((db) => failExport(db, claimed.id))
    throw error
  } finally {
    await spool.release()
  }
}
