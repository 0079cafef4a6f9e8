import { readBytes, type Network } from '../identity/public_request.ts'
import type { Db } from '../platform/db/tenant.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { newId } from '../platform/validation/id.ts'
import {
  MAX_AT_ONCE,
  askForPictures,
  findPicture,
  listDuePictures,
  removeStalePictures,
  savePicture,
  type StoredPicture,
} from '../records/catalog_items/index.ts'
import { downloadHeaders, type Download } from './download.ts'
import { TIMEOUT_MS, openFollowing } from './fetching.ts'
import { claimFile, releaseFile, reserveFile } from './file_removals.ts'
import { MAX_LOGO_BYTES } from './logo.ts'
import { readPicture, type Picture } from './screening/pictures.ts'

/** Fetches a picture of the catalog; throws for what can't be had, or is no small PNG or JPEG. */
export type FetchPicture = (url: string) => Promise<Picture>

export const pictureFetcher =
  (network: Network, timeout = TIMEOUT_MS): FetchPicture =>
  async (url) => {
    const signal = AbortSignal.timeout(timeout)
    const accept = { accept: 'image/jpeg, image/png' }
    const response = await openFollowing(network, new URL(url), signal, () => accept)
    try {
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
      const bytes = await readBytes(response, MAX_LOGO_BYTES, signal)
      if (bytes === undefined) throw new Error('The picture is too large')
      return await readPicture(bytes, 'image_url')
    } finally {
      response.destroy()
    }
  }

/** Transactions of a task and where its files go. */
type PictureRun = { tenant: string; storage: Storage; write<T>(work: (db: Db) => Promise<T>): Promise<T> }

/**
 * Copies pictures of the catalog that have no copy, and removes copies that nothing shows any more. What is above one
 * run's share is asked for anew, so that slow sites of one company hold up no other.
 */
export async function copyPictures({ tenant, storage, write }: PictureRun, fetchPicture: FetchPicture): Promise<void> {
  await write(async (db) => {
    for (const key of await removeStalePictures(db)) await releaseFile(db, key)
  })
  const due = await write(listDuePictures)
  for (const item of due) {
    const picture = await fetchPicture(item.image_url).catch(() => null)
    const picture_id = newId()
    const storage_key = `${tenant}/${item.id}/${picture_id}`
    if (picture !== null) {
      await write((db) => reserveFile(db, storage_key))
      await storage.save(storage_key, picture.bytes, picture.content_type)
    }
    await write(async (db) => {
      if (picture !== null) await claimFile(db, storage_key)
      const before = await savePicture(db, item, picture && toCopy(picture, picture_id, storage_key))
      if (before !== null) await releaseFile(db, before)
    })
  }
  if (due.length === MAX_AT_ONCE) await write(askForPictures)
}

const toCopy = ({ content_type, bytes }: Picture, picture_id: string, storage_key: string): StoredPicture => ({
  picture_id,
  content_type,
  size_bytes: bytes.length,
  storage_key,
})

/** Opens a copy, for those who were let in to it; undefined where it is gone. */
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
