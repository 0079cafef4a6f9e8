import { FILE_REMOVAL_TASK, deleteRemoval, listRemovableFiles } from '../../files/file_removals.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { PeriodicTask, TenantRun } from '../periodic_task.ts'
import { daily } from '../schedule.ts'

/** Returns the task that removes released files from storage, on request and daily for files that never got a row. */
export const fileRemovalTask = (storage: Storage): PeriodicTask => ({
  name: FILE_REMOVAL_TASK,
  of: 'tenant',
  next: daily('03:20'),
  run: (run) => removeFiles(run, storage),
})

/**
 * Removes each file from storage, then its row, so that the removal can be repeated after a crash. A file that storage
 * can't remove is retried in the next run.
 */
async function removeFiles({ write }: TenantRun, storage: Storage): Promise<void> {
  const errors: unknown[] = []
  for (
    let after = '', page: { storage_key: string }[];
    (page = await write((db) => listRemovableFiles(db, after))).length > 0;
    after = page.at(-1)!.storage_key
  ) {
    for (const { storage_key } of page) {
      try {
        await storage.remove(storage_key)
      } catch (error) {
        errors.push(error)
        continue
      }
      await write((db) => deleteRemoval(db, storage_key))
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} files were not removed: ${String(errors[0])}`)
}
