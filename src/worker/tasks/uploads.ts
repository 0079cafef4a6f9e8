import {
  UPLOADS,
  markStored,
  pendingAttachments,
  spooledBytes,
  storageKey,
  type Attachment,
} from '../../files/attachment.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { FIRST, type Chore, type TenantRun } from '../chore.ts'
import { whenAsked } from '../schedule.ts'

/** Moves attachments from the spool into storage; the message that they came with asks for it. */
export const uploads = (storage: Storage): Chore => ({
  name: UPLOADS,
  of: 'tenant',
  next: whenAsked,
  run: (given) => uploadPending(given, storage),
})

/** Uploads each by itself; one that storage refuses stays in the spool for the next try. */
async function uploadPending(given: TenantRun, storage: Storage): Promise<void> {
  const failed: unknown[] = []
  for (
    let after = FIRST, page: Attachment[];
    (page = await given.write((db) => pendingAttachments(db, after))).length > 0;
    after = page.at(-1)!.id
  ) {
    for (const attachment of page) await upload(given, storage, attachment, (error) => failed.push(error))
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} attachments were not stored`)
}

/** Stores the bytes first, then the row: after a crash between the two it uploads the same bytes under the same key again. */
async function upload(
  { tenant, write }: TenantRun,
  storage: Storage,
  attachment: Attachment,
  fail: (error: unknown) => void,
): Promise<void> {
  const key = storageKey(tenant.id, attachment)
  const bytes = await write((db) => spooledBytes(db, attachment.id))
  if (bytes === undefined) return
  try {
    await storage.put(key, bytes, attachment.content_type)
  } catch (error) {
    return fail(error)
  }
  await write((db) => markStored(db, attachment.id, key))
}
