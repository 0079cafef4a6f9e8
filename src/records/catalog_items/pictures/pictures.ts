import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'

/** Task that fetches pictures of items. */
export const PICTURES_TASK = 'catalog_pictures'

/** Wakes the task that fetches new and changed pictures. */
export const requestPictures = (db: Db): Promise<number> =>
  db.run(sql`select ask_chore(${db.tenant}, ${PICTURES_TASK})`)

/** An item and the URL of its picture. */
type PictureSource = { id: string; image_url: string }

/** Version of a picture as its site reports it; null for an absent header. */
export type PictureVersion = { etag: string | null; last_modified: string | null }

/** A picture to fetch. `copy` is the stored copy of the same URL, with its version, if there is one. */
export type DuePicture = PictureSource & { copy: (PictureVersion & { storage_key: string }) | null }

/** A stored copy of a picture; a changed picture gets a new id. */
export type StoredPicture = { picture_id: string; content_type: string; size_bytes: number; storage_key: string }

/** Maximum pictures of one run, so that companies take turns. */
export const MAX_PICTURES_PER_RUN = 20

/**
 * Maximum tries per URL, one a day, and maximum copies of a company. A daily task compares each copy with its site once
 * a week.
 */
const [MAX_TRIES, RETRY_HOURS, MAX_PICTURES, COMPARE_HOURS] = [5, 20, 1_000, 6 * 24 + 20]

/**
 * Returns the next items to fetch pictures for: first those without a copy (new, changed or to retry), then those whose
 * copy may be outdated.
 */
export async function listDuePictures(db: Db): Promise<DuePicture[]> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from catalog_pictures where tenant_id = ${db.tenant} and picture_id is not null`,
  )
  const missing = await listPictures(
    db,
    sql`p.item_id is null or p.source_url <> i.image_url or (p.picture_id is null and p.tries < ${MAX_TRIES}
        and p.tried_at < moment() - make_interval(hours => ${RETRY_HOURS}))`,
    Math.max(0, Math.min(MAX_PICTURES_PER_RUN, MAX_PICTURES - count)),
  )
  const outdated = await listPictures(
    db,
    sql`p.picture_id is not null and p.source_url = i.image_url
        and p.tried_at < moment() - make_interval(hours => ${COMPARE_HOURS})`,
    MAX_PICTURES_PER_RUN - missing.length,
  )
  return [...missing, ...outdated]
}

const listPictures = (db: Db, condition: Sql, limit: number): Promise<DuePicture[]> =>
  db.all<DuePicture>(sql`select i.id, i.image_url, case when p.source_url = i.image_url and p.picture_id is not null
      then json_build_object('etag', p.etag, 'last_modified', p.last_modified, 'storage_key', p.storage_key) end as copy
    from catalog_items i left join catalog_pictures p on p.tenant_id = ${db.tenant} and p.item_id = i.id
    where i.tenant_id = ${db.tenant} and i.archived_at is null and i.image_url is not null and (${condition})
    order by i.id limit ${limit}`)

/** Saves the copy of an item's picture, or a failed fetch. Returns the storage key of the earlier copy. */
export async function savePicture(
  db: Db,
  { id, image_url }: PictureSource,
  copy: (StoredPicture & PictureVersion) | null,
): Promise<string | null> {
  const before = await db.maybe<{ storage_key: string | null }>(sql`select storage_key from catalog_pictures
    where tenant_id = ${db.tenant} and item_id = ${id} for update`)
  const { picture_id = null, content_type = null, size_bytes = null, storage_key = null } = copy ?? {}
  const { etag = null, last_modified = null } = copy ?? {}
  await db.run(sql`insert into catalog_pictures
      (tenant_id, item_id, source_url, picture_id, content_type, size_bytes, storage_key, etag, last_modified, tries)
    values (${db.tenant}, ${id}, ${image_url}, ${picture_id}, ${content_type}, ${size_bytes}, ${storage_key}, ${etag},
      ${last_modified}, 1)
    on conflict (tenant_id, item_id) do update set source_url = excluded.source_url, picture_id = excluded.picture_id,
      content_type = excluded.content_type, size_bytes = excluded.size_bytes, storage_key = excluded.storage_key,
      etag = excluded.etag, last_modified = excluded.last_modified, tried_at = excluded.tried_at,
      tries = case when catalog_pictures.source_url = excluded.source_url then catalog_pictures.tries + 1 else 1 end`)
  return before?.storage_key ?? null
}

/** Keeps the current copy for another week, and saves its version. */
export const markPictureCurrent = (
  db: Db,
  { id, image_url }: PictureSource,
  { etag, last_modified }: PictureVersion,
): Promise<number> =>
  db.run(sql`update catalog_pictures set tried_at = moment(), etag = ${etag}, last_modified = ${last_modified}
    where tenant_id = ${db.tenant} and item_id = ${id} and source_url = ${image_url}`)

/** Deletes the copies of items that no longer have a picture. Returns their storage keys. */
export const removeStalePictures = async (db: Db): Promise<string[]> =>
  (
    await db.all<{ storage_key: string | null }>(sql`delete from catalog_pictures p using catalog_items i
      where p.tenant_id = ${db.tenant} and i.tenant_id = ${db.tenant} and i.id = p.item_id
        and (i.image_url is null or i.archived_at is not null) returning p.storage_key`)
  ).flatMap(({ storage_key }) => storage_key ?? [])

/** Checks whether fetching an item's picture failed. */
export const lacksPicture = async (db: Db, { id, image_url }: PictureSource): Promise<boolean> =>
  (await db.maybe(sql`select item_id from catalog_pictures where tenant_id = ${db.tenant} and item_id = ${id}
    and source_url = ${image_url} and picture_id is null`)) !== undefined

/** Returns a copy by its id. */
export const findPicture = (db: Db, id: string): Promise<StoredPicture | undefined> =>
  db.maybe<StoredPicture>(sql`select picture_id, content_type, size_bytes, storage_key from catalog_pictures
    where tenant_id = ${db.tenant} and picture_id = ${id}`)

/** Returns the URLs of the picture copies of live items, by item, under a customer's link. */
export async function picturesOf(db: Db, ids: readonly string[], link: string): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const items = await db.all<{ id: string; picture_id: string }>(sql`select i.id, p.picture_id from catalog_items i
      join catalog_pictures p on p.tenant_id = ${db.tenant} and p.item_id = i.id and p.source_url = i.image_url
    where i.tenant_id = ${db.tenant} and i.id = any(${[...ids]}::uuid[]) and i.archived_at is null
      and p.picture_id is not null`)
  return new Map(items.map(({ id, picture_id }) => [id, `${link}/pictures/${picture_id}`]))
}
