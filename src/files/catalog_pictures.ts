import type { IncomingMessage } from 'node:http'
import { readBytes, type Network } from '../identity/public_request.ts'
import type { Db } from '../platform/db/tenant.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { newId } from '../platform/validation/id.ts'
import {
  MAX_PICTURES_PER_RUN,
  requestPictures,
  findPicture,
  markPictureCurrent,
  listDuePictures,
  removeStalePictures,
  savePicture,
  type DuePicture,
  type PictureVersion,
  type StoredPicture,
} from '../records/catalog_items/index.ts'
import { downloadHeaders, type Download } from './download.ts'
import { TIMEOUT_MS, openFollowingRedirects } from './fetching.ts'
import { claimFile, releaseFile, reserveFile } from './file_removals.ts'
import { MAX_LOGO_BYTES } from './logo.ts'
import { readPicture, type Picture } from './screening/pictures.ts'

/**
 * Fetches a catalog picture; null if the copy is still current. Throws if it isn't available or isn't a small PNG or
 * JPEG.
 */
export type FetchPicture = (
  url: string,
  cachedVersion: PictureVersion | null,
) => Promise<(Picture & PictureVersion) | null>

export const pictureFetcher =
  (network: Network, timeout = TIMEOUT_MS): FetchPicture =>
  async (url, cachedVersion) => {
    const signal = AbortSignal.timeout(timeout)
    const headers = { accept: 'image/jpeg, image/png', ...conditionalHeaders(cachedVersion) }
    const response = await openFollowingRedirects(network, new URL(url), signal, () => headers)
    try {
      if (response.statusCode === 304 && cachedVersion !== null) return null
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
      const bytes = await readBytes(response, MAX_LOGO_BYTES, signal)
      if (bytes === undefined) throw new Error('The picture is too large')
      return { ...(await readPicture(bytes, 'image_url')), ...versionOf(response) }
    } finally {
      response.destroy()
    }
  }

/** Returns the headers of a conditional request (RFC 9110, 13.1). */
const conditionalHeaders = (cachedVersion: PictureVersion | null): Record<string, string> =>
  cachedVersion?.etag != null
    ? { 'if-none-match': cachedVersion.etag }
    : cachedVersion?.last_modified != null
      ? { 'if-modified-since': cachedVersion.last_modified }
      : {}

const versionOf = ({ headers }: IncomingMessage): PictureVersion => ({
  etag: shortHeader(headers.etag),
  last_modified: shortHeader(headers['last-modified']),
})

/** Returns a header if it is short enough to send back; otherwise null. */
const shortHeader = (value: string | undefined): string | null =>
  value === undefined || value === '' || value.length > 200 ? null : value

/** Transactions of a task and its file storage. */
type PictureRun = { tenant: string; storage: Storage; write<T>(work: (db: Db) => Promise<T>): Promise<T> }

/**
 * Copies catalog pictures that have no copy or changed at their site, and removes unused copies. A copy stays when its
 * site goes away. Pictures above the limit of one run are requested again, so that slow sites of one company don't
 * delay other companies.
 */
export async function copyPictures({ tenant, storage, write }: PictureRun, fetchPicture: FetchPicture): Promise<void> {
  await write(async (db) => {
    for (const key of await removeStalePictures(db)) await releaseFile(db, key)
  })
  const due = await write(listDuePictures)
  for (const item of due) {
    const { copy, image_url } = item
    const picture = await fetchPicture(image_url, copy).catch(() => null)
    if (copy !== null && (picture === null || (await isStored(storage, copy.storage_key, picture.bytes))))
      await write((db) => markPictureCurrent(db, item, picture ?? copy))
    else await storeCopy({ tenant, storage, write }, item, picture)
  }
  if (due.length === MAX_PICTURES_PER_RUN) await write(requestPictures)
}

/** Stores the new copy of a picture in place of the last one, or records that the picture wasn't available. */
async function storeCopy(
  { tenant, storage, write }: PictureRun,
  item: DuePicture,
  picture: (Picture & PictureVersion) | null,
): Promise<void> {
  const picture_id = newId()
  const storage_key = `${tenant}/${item.id}/${picture_id}`
  if (picture !== null) {
    await write((db) => reserveFile(db, storage_key))
    await storage.save(storage_key, picture.bytes, picture.content_type)
  }
  await write(async (db) => {
    if (picture !== null) await claimFile(db, storage_key)
    const previousKey = await savePicture(db, item, picture && toCopy(picture, picture_id, storage_key))
    if (previousKey !== null) await releaseFile(db, previousKey)
  })
}

/** Checks whether storage has these bytes under a key, because some sites send no version headers. */
async function isStored(storage: Storage, key: string, bytes: Buffer): Promise<boolean> {
  const body = await storage.get(key)
  return body !== undefined && bytes.equals(Buffer.from(await new Response(body).arrayBuffer()))
}

const toCopy = (
  { content_type, bytes, etag, last_modified }: Picture & PictureVersion,
  picture_id: string,
  storage_key: string,
): StoredPicture & PictureVersion => ({
  picture_id,
  content_type,
  size_bytes: bytes.length,
  storage_key,
  etag,
  last_modified,
})

/** Opens a copy; undefined if it is gone. The caller must have been authorized. */
export async function openPicture(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  storage: Storage,
  id: string,
): Promise<Download | undefined> {
  const copy = await read((db) => findPicture(db, id))
  const body = copy && (await storage.get(copy.storage_key))
  if (copy === undefined || body === undefined) return undefined
  return { headers: downloadHeaders({ file_name: 'picture', ...copy }, 'inline'), body }
}
