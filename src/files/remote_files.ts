import { sql, type Db } from '../platform/db/tenant.ts'
import { UPLOAD_TASK, spool } from './attachment.ts'
import type { ScreenedFile } from './screening/screening.ts'

/** A file that the provider stores. */
export type RemoteFile = { id: string; file_name: string; content_type: string; source_url: string }

/** Days for which a file is asked for; a provider that hasn't given it by then won't. */
const RETRY_DAYS = 7

/** Returns the next that can be fetched, after an id. */
export const listRemoteFiles = (db: Db, after: string): Promise<RemoteFile[]> =>
  db.all<RemoteFile>(sql`
  select id, file_name, content_type, source_url from attachments
  where tenant_id = ${db.tenant} and state = 'elsewhere' and source_url is not null and id > ${after}
    and created_at > moment() - make_interval(days => ${RETRY_DAYS})
  order by id limit 20`)

/**
 * Takes what was fetched as it would have been taken with the message: into the spool and on to storage, or rejected
 * with the reason.
 */
export async function saveFetchedFile(db: Db, id: string, { bytes, size_bytes, reason }: ScreenedFile): Promise<void> {
  const taken = await db.run(sql`update attachments
    set state = ${bytes === null ? 'rejected' : 'pending'}, size_bytes = ${size_bytes}, reason = ${reason}
    where tenant_id = ${db.tenant} and id = ${id} and state = 'elsewhere'`)
  if (taken === 0 || bytes === null) return
  await spool(db, { id, bytes })
  await db.run(sql`select ask_chore(${db.tenant}, ${UPLOAD_TASK})`)
}
