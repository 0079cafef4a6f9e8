import { valuesOf } from '../platform/db/rows.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { newId } from '../platform/validation/id.ts'
import { releaseFile } from './file_removals.ts'
import { runWithBytes } from './incoming_pieces.ts'
import type { RejectionReason, ScreenedFile } from './screening/screening.ts'

export type Attachment = {
  id: string
  communication_id: string
  position: number
  file_name: string
  content_type: string
  size_bytes: number | null
  /** Location of the bytes. `elsewhere` means with the provider and not fetched. */
  state: 'pending' | 'stored' | 'rejected' | 'elsewhere'
  reason: RejectionReason | null
  storage_key: string | null
  stored_at: string | null
  created_at: string
}

/** Task that moves the spool into storage. */
export const UPLOAD_TASK = 'attachment_uploads'

/** Task that fetches files from the provider. */
export const FETCH_TASK = 'attachment_fetches'

const columns = sql`id, communication_id, position, file_name, content_type, size_bytes, state, reason, storage_key,
  stored_at, created_at`

/** Adds the attachments of a new message, puts the bytes of accepted ones into the spool, and requests their upload. */
export async function addAttachments(db: Db, communication: string, screened: readonly ScreenedFile[]): Promise<void> {
  if (screened.length === 0) return
  const rows = screened.map((one, position) => ({ ...one, id: newId(), position }))
  const spooled = rows.flatMap(({ id, bytes }) => (bytes === null ? [] : { id, bytes }))
  await Promise.all([
    db.run(
      sql`insert into attachments ${valuesOf(
        rows.map(({ id, position, file_name, content_type, size_bytes, reason, ...one }) => ({
          tenant_id: db.tenant,
          id,
          communication_id: communication,
          position,
          file_name,
          content_type,
          size_bytes,
          reason,
          state: reason !== null ? 'rejected' : 'source_url' in one ? 'elsewhere' : 'pending',
          source_url: 'source_url' in one ? one.source_url : null,
        })),
      )}`,
    ),
    ...spooled.filter(({ bytes }) => !isLarge(bytes)).map((file) => spool(db, file)),
  ])
  for (const file of spooled.filter(({ bytes }) => isLarge(bytes))) await spool(db, file)
  if (spooled.length > 0) await db.run(sql`select ask_chore(${db.tenant}, ${UPLOAD_TASK})`)
  if (screened.some((one) => 'source_url' in one && one.source_url !== null))
    await db.run(sql`select ask_chore(${db.tenant}, ${FETCH_TASK})`)
}

/** Checks for a large file. Large files are sent one after another. */
const isLarge = ({ length }: Buffer): boolean => length > 2 ** 16

/** Keeps the bytes of an attachment until they are in storage. */
export const spool = (db: Db, { id, bytes }: { id: string; bytes: Buffer }): Promise<number> =>
  runWithBytes(
    db,
    bytes,
    (value) =>
      sql`insert into attachment_spool (tenant_id, attachment_id, bytes) values (${db.tenant}, ${id}, ${value})`,
  )

/** Returns the attachments of a message, in their original order. */
export const listAttachments = (db: Db, communication: string): Promise<Attachment[]> =>
  db.all<Attachment>(
    sql`select ${columns} from attachments where tenant_id = ${db.tenant} and communication_id = ${communication}
      order by position`,
  )

/** Returns an attachment that can be opened. Throws `not_found`. */
export async function findAttachment(db: Db, id: string): Promise<Attachment> {
  return db.present<Attachment>(
    sql`select ${columns} from attachments
      where tenant_id = ${db.tenant} and id = ${id} and state in ('pending', 'stored')`,
    'attachment',
  )
}

/** Returns the next attachments that wait for storage, after an id. */
export const listPendingAttachments = (db: Db, after: string): Promise<Attachment[]> =>
  db.all<Attachment>(
    sql`select ${columns} from attachments where tenant_id = ${db.tenant} and state = 'pending' and id > ${after}
      order by id limit 20`,
  )

export async function findSpooledBytes(db: Db, id: string): Promise<Buffer | undefined> {
  return (
    await db.maybe<{ bytes: Buffer }>(
      sql`select bytes from attachment_spool where tenant_id = ${db.tenant} and attachment_id = ${id}`,
    )
  )?.bytes
}

/**
 * Records the storage key of an attachment and removes it from the spool. If it was erased meanwhile, releases the
 * stored file.
 */
export async function markStored(db: Db, id: string, key: string): Promise<void> {
  const [stored] = await Promise.all([
    db.run(
      sql`update attachments set state = 'stored', storage_key = ${key}, stored_at = moment()
        where tenant_id = ${db.tenant} and id = ${id} and state = 'pending'`,
    ),
    db.run(sql`delete from attachment_spool where tenant_id = ${db.tenant} and attachment_id = ${id}`),
  ])
  if (stored === 0) await releaseFile(db, key)
}

/** Returns the storage key of an attachment. It contains only ids, never the file name. */
export const storageKey = (
  tenant: string,
  { communication_id, id }: Pick<Attachment, 'communication_id' | 'id'>,
): string => `${tenant}/${communication_id}/${id}`
