import { entryOf, type Caller } from '../identity/credentials/caller.ts'
import { readTenant, sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import {
  MEDIA_STAGES,
  addMedia,
  findJob,
  findMedia,
  removeMedia,
  type MediaFile,
  type MediaStage,
  type NewMedia,
} from '../records/jobs/index.ts'
import { Refusal, invalid, invalidField, notFound } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'
import { lengthOf, normalizeText } from '../platform/validation/text/text.ts'
import { UPLOAD_TYPES, isOfType, mediaTypeOf, typeFromName } from './screening/content_types.ts'
import { downloadHeaders, type Download, type DownloadPart } from './download.ts'
import { displayName } from './file_names.ts'
import { claimFile, reserveFile, abandonFile, releaseFile } from './file_removals.ts'
import { refusals } from './refusals.ts'
import { MAX_BYTES } from './screening/screening.ts'
import type { Storage } from '../platform/storage/storage.ts'

/** Uploaded file: name and type from the browser, content as bytes or as a stream. */
export type MediaUpload = {
  name: string
  type: string
  content: Uint8Array | ReadableStream<Uint8Array>
  caption?: string | undefined
  /** Stage of the work; empty for none. */
  stage?: string | undefined
}

/** Dependencies for storing media. */
type MediaContext = { database: Database; storage: Storage }

const MAX_CAPTION = 200

/** File stored for a job. It is removed again unless a row claims it. */
type StoredMedia = NewMedia & { tenant: string }

/**
 * Adds a picture or document to a job: types of attachments and HEIC, at most 10 MiB, content matching its type. Stores
 * the file first, then the row. A file without a row is removed again.
 */
export async function addJobMedia(
  context: MediaContext,
  caller: Caller,
  job: string,
  upload: MediaUpload,
): Promise<MediaFile> {
  const stored = await storeMedia(context, caller, job, upload)
  try {
    return await writeTenant(context.database, entryOf(caller), (db) => claimMedia(db, caller, job, stored))
  } catch (error) {
    await discardMedia(context, stored)
    throw error
  }
}

/** Checks a file and stores it for a job, before it has a row. */
export async function storeMedia(
  { database, storage }: MediaContext,
  caller: Caller,
  job: string,
  upload: MediaUpload,
): Promise<StoredMedia> {
  requireWrite(caller)
  const [caption, stage] = [parseCaption(upload), parseStage(upload)]
  await readTenant(database, entryOf(caller), (db) => findJob(db, job))
  const { bytes, ...file } = await screenUpload(upload)
  const id = newId()
  const tenant = caller.tenant.id
  const stored = {
    id,
    ...file,
    size_bytes: bytes.length,
    caption,
    stage,
    storage_key: `${tenant}/${job}/${id}`,
    tenant,
  }
  await writeTenant(database, entryOf(caller), (db) => reserveFile(db, stored.storage_key))
  try {
    await storage.save(stored.storage_key, bytes, file.content_type)
  } catch (error) {
    await discardMedia({ database }, stored)
    throw error
  }
  return stored
}

/** Adds the row and the audit row of a stored file, in the current transaction. */
export async function claimMedia(
  db: Db,
  caller: Caller,
  job: string,
  { tenant: _tenant, ...file }: StoredMedia,
  options: { evenCancelled?: boolean } = {},
): Promise<MediaFile> {
  requireWrite(caller)
  await claimFile(db, file.storage_key)
  const added = await addMedia(db, caller, job, file, options)
  await audit(db, caller, 'jobs.add_media', job, {
    media: [null, file.file_name],
    media_id: [null, file.id],
    ...(file.caption === null ? {} : { caption: [null, file.caption] }),
    ...(file.stage === null ? {} : { stage: [null, file.stage] }),
  })
  return added
}

/** Gives up a stored file that gets no row. */
export const discardMedia = async (
  { database }: Pick<MediaContext, 'database'>,
  stored: StoredMedia,
): Promise<void> => {
  await writeTenant(database, { tenant: stored.tenant }, (db) => abandonFile(db, stored.storage_key)).catch(() => {})
}

/** Removes a file from a job and releases it from storage. */
export async function removeJobMedia(database: Database, caller: Caller, job: string, id: string): Promise<MediaFile> {
  requireWrite(caller)
  return writeTenant(database, entryOf(caller), async (db) => {
    const removed = await removeMedia(db, caller, job, id)
    await Promise.all([
      releaseFile(db, removed.storage_key),
      audit(db, caller, 'jobs.remove_media', job, { media: [removed.file_name, null], media_id: [id, null] }),
    ])
    return removed
  })
}

/**
 * Opens a file of a job for a caller who may read jobs: browser-supported pictures inline, all others as a download.
 */
export async function openJobMedia(
  { database, storage }: MediaContext,
  caller: Caller,
  job: string,
  id: string,
  part: DownloadPart = 'file',
): Promise<Download> {
  requireScope(caller, 'read:jobs')
  const file = await readTenant(database, entryOf(caller), (db) => findMedia(db, job, id))
  const headers = downloadHeaders(file, INLINE_TYPES.has(file.content_type) ? 'inline' : 'attachment')
  if (part === 'headers') return { headers, body: null }
  const body = await storage.get(file.storage_key)
  if (body === undefined) throw notFound('file')
  return { headers, body }
}

/** Types that were verified by their bytes and can't contain scripts. */
const INLINE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

function requireWrite(caller: Caller): void {
  requireScope(caller, 'write:jobs')
  if (caller.user === null) throw invalid(refusals.noUser())
}

function requireScope({ scopes }: Caller, scope: 'read:jobs' | 'write:jobs'): void {
  if (!scopes.has(scope))
    throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.scopeMissing({ scope }) }])
}

function parseCaption({ caption = '' }: MediaUpload): string | null {
  const normalized = normalizeText(caption.trim(), MAX_CAPTION)
  if ('rule' in normalized) {
    const length = caption.length > 1_000 ? '' : ` (got ${lengthOf(caption)})`
    throw invalidField('caption', refusals.badCaption({ rule: normalized.rule, got: length, max: String(MAX_CAPTION) }))
  }
  const { text } = normalized
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) throw invalidField('caption', refusals.controlInCaption())
  return text === '' ? null : text
}

function parseStage({ stage = '' }: MediaUpload): MediaStage | null {
  if (stage === '') return null
  const mediaStage = MEDIA_STAGES.find((one) => one === stage)
  if (mediaStage === undefined)
    throw invalidField('stage', refusals.unknownStage({ stages: MEDIA_STAGES.join(', '), stage: stage.slice(0, 20) }))
  return mediaStage
}

type AcceptedFile = { file_name: string; content_type: string; bytes: Buffer }

/** Returns a whole upload that passed the checks. Throws `invalid_input` otherwise. */
async function screenUpload({ name, type, content }: MediaUpload): Promise<AcceptedFile> {
  const content_type = typeOf(name, type)
  const bytes = await readUpload(content)
  if (bytes.length === 0) throw invalidField('file', refusals.empty())
  if (!(await isOfType(bytes, content_type, UPLOAD_TYPES)))
    throw invalidField('file', refusals.notItsType({ type: content_type }))
  return { file_name: displayName(name, content_type), content_type, bytes }
}

/** Returns the declared type, or the one its extension indicates if the browser doesn't know it. */
function typeOf(name: string, declared: string): string {
  const type = mediaTypeOf(declared)
  const guessed = type === '' || type === 'application/octet-stream' ? typeFromName(name, UPLOAD_TYPES) : type
  if (guessed !== undefined && UPLOAD_TYPES.has(guessed)) return guessed
  throw invalidField('file', refusals.typeNotAllowed())
}

/** Reads a whole upload, up to the size limit. */
async function readUpload(content: MediaUpload['content']): Promise<Buffer> {
  if (content instanceof Uint8Array)
    return concatWithinLimit([Buffer.from(content.buffer, content.byteOffset, content.byteLength)])
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(Buffer.from(chunk))
    length += chunk.byteLength
    if (length > MAX_BYTES) break
  }
  return concatWithinLimit(chunks)
}

function concatWithinLimit(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(chunks)
  if (bytes.length > MAX_BYTES) throw invalidField('file', refusals.tooLarge())
  return bytes
}

/** Adds an audit row, like those of the tools. */
const audit = (
  db: Db,
  { user, credential }: Caller,
  action: 'jobs.add_media' | 'jobs.remove_media',
  job: string,
  changed: object,
): Promise<number> =>
  db.run(sql`insert into audit (tenant_id, id, user_id, credential_id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, ${user}, ${credential.id}, ${action}, 'job', ${job}, ${JSON.stringify(changed)})`)
