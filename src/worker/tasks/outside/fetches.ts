import { FETCH_TASK } from '../../../files/attachment.ts'
import { listRemoteFiles, saveFetchedFile, type RemoteFile } from '../../../files/remote_files.ts'
import type { FetchFile } from '../../../files/fetching.ts'
import { FIRST_ID, type PeriodicTask, type TenantRun } from '../../periodic_task.ts'
import { daily } from '../../schedule.ts'

/** Returns the task that fetches files from the provider, on request and daily for those that weren't available. */
export const fetchTask = (fetchFile: FetchFile): PeriodicTask => ({
  name: FETCH_TASK,
  of: 'tenant',
  next: daily('03:40'),
  run: (run) => fetchWaiting(run, fetchFile),
})

/** Fetches each file separately, outside a transaction. A failed one is retried in the next run. */
async function fetchWaiting({ write }: TenantRun, fetchFile: FetchFile): Promise<void> {
  const errors: unknown[] = []
  for (
    let after = FIRST_ID, page: RemoteFile[];
    (page = await write((db) => listRemoteFiles(db, after))).length > 0;
    after = page.at(-1)!.id
  ) {
    for (const file of page) {
      const fetched = await fetchFile(file).catch((error: unknown) => void errors.push(error))
      await write(async (db) => fetched && saveFetchedFile(db, file.id, fetched))
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} files were not fetched: ${String(errors[0])}`)
}
