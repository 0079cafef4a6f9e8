import { FETCHES } from '../../files/attachment.ts'
import { elsewhereAfter, keepFetched, type Elsewhere } from '../../files/elsewhere.ts'
import type { FetchFile } from '../../files/fetching.ts'
import { FIRST, type Chore, type TenantRun } from '../chore.ts'
import { daily } from '../schedule.ts'

/** Fetches files that lie with the provider; asked for by the message that tells of them, and daily for those that were not to be had. */
export const fetches = (fetchFile: FetchFile): Chore => ({
  name: FETCHES,
  of: 'tenant',
  next: daily('03:40'),
  run: (run) => fetchWaiting(run, fetchFile),
})

/** Fetches each by itself and outside a transaction; one that can't be had stays where it is for the next try. */
async function fetchWaiting({ write }: TenantRun, fetchFile: FetchFile): Promise<void> {
  const failed: unknown[] = []
  for (
    let after = FIRST, page: Elsewhere[];
    (page = await write((db) => elsewhereAfter(db, after))).length > 0;
    after = page.at(-1)!.id
  ) {
    for (const file of page) {
      const fetched = await fetchFile(file).catch((error: unknown) => void failed.push(error))
      await write(async (db) => fetched && keepFetched(db, file.id, fetched))
    }
  }
  if (failed.length > 0)
    throw new AggregateError(failed, `${failed.length} files were not fetched: ${String(failed[0])}`)
}
