import {
  UPLOAD_TASK,
  markStored,
  listPendingAttachments,
  findSpooledBytes,
  storageKey,
  type Attachment,
} from '../../files/attachment.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { FIRST_ID, type PeriodicTask, type TenantRun } from '../periodic_task.ts'
import { onDemand } from '../schedule.ts'

/** Returns the task that moves attachments from the spool to storage, on request of their message. */
export const uploadTask = (storage: Storage): PeriodicTask => ({
  name: UPLOAD_TASK,
  of: 'tenant',
  next: onDemand,
  run: (run) => uploadPending(run, storage),
})

/** Uploads each attachment separately. One that storage refuses stays in the spool for the next run. */
async function uploadPending(run: TenantRun, storage: Storage): Promise<void> {
  const errors: unknown[] = []
  for (
    let after = FIRST_ID, page: Attachment[];
    (page = await run.write((db) => listPendingAttachments(db, after))).length > 0;
    after = page.at(-1)!.id
  ) {
    for (const attachment of page) await upload(run, storage, attachment, (error) => errors.push(error))
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} attachments were not stored`)
}

/** Stores the bytes, then the row. After a crash in between, uploads the same bytes again under the same key. */
async function upload(
  { tenant, write }: TenantRun,
  storage: Storage,
  attachment: Attachment,
  onError: (error: unknown) => void,
): Promise<void> {
  const key = storageKey(tenant.id, attachment)
  const bytes = await write((db) => findSpooledBytes(db, attachment.id))
  if (bytes === undefined) return
  try {
    await storage.save(key, bytes, attachment.content_type)
  } catch (error) {
    return onError(error)
  }
  await write((db) => markStored(db, attachment.id, key))
}
