import type { Caller } from '../../../identity/credentials/caller.ts'
import { values } from '../../../platform/db/rows.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { requireNotCancelled, type JobStatus } from '../status.ts'
import { refusals } from '../refusals.ts'

export const MEDIA_STAGES = ['before', 'after'] as const
export type MediaStage = (typeof MEDIA_STAGES)[number]

/** Photo or document of a job. */
export type Media = {
  id: string
  file_name: string
  content_type: string
  size_bytes: number
  caption: string | null
  /** Whether the photo shows the site before or after the work. Omitted from a record's media if unset. */
  stage?: MediaStage | null
  created_at: string
  created_by: string | null
}

/** Media of a job with the storage key of its bytes. */
export type MediaFile = Media & { job_id: string; storage_key: string }

/** File in storage that isn't on a job yet. */
export type NewMedia = Pick<
  MediaFile,
  'id' | 'file_name' | 'content_type' | 'size_bytes' | 'caption' | 'stage' | 'storage_key'
>

/** Maximum files of a job. */
const MAX_MEDIA = 100

const columns = sql`id, job_id, file_name, content_type, size_bytes, storage_key, caption, stage, created_at,
  created_by`

/** Adds a file to a job. Throws `conflict` if it is full or canceled; `evenCancelled` allows late uploads of phones. */
export async function addMedia(
  db: Db,
  { user }: Pick<Caller, 'user'>,
  job: string,
  file: NewMedia,
  { evenCancelled = false } = {},
): Promise<MediaFile> {
  const { files, ...before } = await lockWithFileCount(db, job)
  if (!evenCancelled) requireNotCancelled(before)
  if (files >= MAX_MEDIA) throw conflict(refusals.tooManyFiles({ max: MAX_MEDIA }))
  const [added] = await Promise.all([
    db.one<MediaFile>(
      sql`insert into job_media ${values({ tenant_id: db.tenant, job_id: job, ...file, created_by: user })}
        returning ${columns}`,
    ),
    touchJob(db, job, user),
  ])
  return added
}

/** Removes a file from a job that isn't canceled. The caller deletes its bytes. */
export async function removeMedia(db: Db, { user }: Pick<Caller, 'user'>, job: string, id: string): Promise<MediaFile> {
  await lockOpenJob(db, job)
  const [removed] = await Promise.all([
    db.present<MediaFile>(
      sql`delete from job_media where tenant_id = ${db.tenant} and job_id = ${job} and id = ${id} returning ${columns}`,
      'file',
    ),
    touchJob(db, job, user),
  ])
  return removed
}

export const findMedia = (db: Db, job: string, id: string): Promise<MediaFile> =>
  db.present<MediaFile>(
    sql`select ${columns} from job_media where tenant_id = ${db.tenant} and job_id = ${job} and id = ${id}`,
    'file',
  )

/** Locks a job until the transaction ends. Throws if it is canceled. */
async function lockOpenJob(db: Db, job: string): Promise<void> {
  requireNotCancelled(await lockWithFileCount(db, job))
}

/** Returns a job's status and number of files, and locks its row until the transaction ends. */
async function lockWithFileCount(db: Db, job: string): Promise<{ status: JobStatus; files: number }> {
  const [before, { files }] = await Promise.all([
    db.present<{ status: JobStatus }>(
      sql`select status from jobs where tenant_id = ${db.tenant} and id = ${job} for no key update`,
      'job',
    ),
    db.one<{ files: number }>(
      sql`select count(*) as files from job_media where tenant_id = ${db.tenant} and job_id = ${job}`,
    ),
  ])
  return { ...before, files }
}

/** Updates the job's change time, since files are part of its record. */
const touchJob = (db: Db, job: string, user: string | null): Promise<number> =>
  db.run(
    sql`update jobs set updated_at = later_than(updated_at), updated_by = ${user}
      where tenant_id = ${db.tenant} and id = ${job}`,
  )
