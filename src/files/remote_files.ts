import { sql, type Db } from '../platform/db/tenant.ts'
import { UPLOAD_TASK, spool } from './attachment.ts'
import type { ScreenedFile } from './screening/screening.ts'

/** File stored by the provider. */
export type RemoteFile = { id: string; file_name: string; content_type: string; source_url: string }

/** Days to keep trying to fetch a file. A provider that hasn't delivered it by then won't. */
const RETRY_DAYS = 7

/** Returns the next files to fetch, after an id. */
export const listRemoteFiles = (db: Db, after: string): Promise<RemoteFile[]> =>
  db.all<RemoteFile>(sql`
  select id, file_name, content_type, source_url from attachments
  where tenant_id = ${db.tenant} and state = 'elsewhere' and source_url is not null and id > ${after}
    and created_at > moment() - make_interval(days => ${RETRY_DAYS})
  order by id limit 20`)

/** Saves a fetched file as if it had come with the message: spools it for storage, or records the rejection reason. */
export async function saveFetchedFile(db: Db, id: string, { bytes, size_bytes, reason }: ScreenedFile): Promise<void> {
  const updated = await db.run(sql`update attachments
    set state = ${bytes === null ? 'rejected' : 'pending'}, size_bytes = ${size_bytes}, reason = ${reason}
    where tenant_id = ${db.tenant} and id = ${id} and state = 'elsewhere'`)
  if (updated === 0 || bytes === null) return
  await spool(db, { id, bytes })
  await db.run(sql`select ask_chore(${db.tenant}, ${UPLOAD_TASK})`)
}
