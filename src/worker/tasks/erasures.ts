import type { Database } from '../../platform/db/tenant.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { expireKeptNames } from '../../privacy/erase/kept_names.ts'
import { hasUnlistedErasures, writeErasureList } from '../../privacy/tombstones.ts'
import type { PeriodicTask, TenantRun } from '../periodic_task.ts'
import { daily } from '../schedule.ts'

/**
 * Returns the task that deletes data kept of erased customers until a given day, and writes erasure lists that weren't
 * written with the erasure.
 */
export const erasureTask = (database: Database, storage: Storage): PeriodicTask => ({
  name: 'erasures',
  of: 'tenant',
  next: daily('00:15'),
  run: (run) => runErasures(run, database, storage),
})

async function runErasures({ now, tenant, write }: TenantRun, database: Database, storage: Storage): Promise<void> {
  const today = now.toZonedDateTimeISO(tenant.timezone).toPlainDate().toString()
  await write((db) => expireKeptNames(db, today))
  if (await write(hasUnlistedErasures)) await writeErasureList(database, storage, tenant.id)
}
