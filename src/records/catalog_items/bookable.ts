import { sql, type Db } from '../../platform/db/tenant.ts'
import { price, type CatalogItem } from './fields.ts'

/** What a public page shows of an item: never what it costs the company. */
export type PublicItem = Pick<CatalogItem, 'id' | 'name' | 'description'> & {
  unit_price_cents: number | null
  /** Skills that whoever does it needs, which no page shows. */
  skills: string[]
}

const MAX_OFFERED = 200

/** Returns the live items of a list that are work: services, labor and bundles. */
export const listPublicItems = (db: Db, ids: readonly string[]): Promise<PublicItem[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.all<PublicItem>(sql`select i.id, i.name, i.description, ${price} as unit_price_cents, i.skills
    from catalog_items i where i.tenant_id = ${db.tenant} and i.id = any(${[...ids]}::uuid[])
      and i.kind in ('service', 'labor', 'bundle') and i.archived_at is null limit ${MAX_OFFERED}`)

/** Returns the items that could be offered for booking, by name. */
export const listWork = (db: Db): Promise<PublicItem[]> =>
  db.all<PublicItem>(sql`select i.id, i.name, i.description, ${price} as unit_price_cents, i.skills
    from catalog_items i where i.tenant_id = ${db.tenant}
      and i.kind in ('service', 'labor', 'bundle') and i.archived_at is null
    order by i.name_folded, i.id limit ${MAX_OFFERED}`)

/** Returns the pictures of live items by their ids, for documents that customers see. */
export async function picturesOf(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const items = await db.all<{ id: string; image_url: string }>(sql`select id, image_url from catalog_items
    where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[]) and image_url is not null and archived_at is null`)
  return new Map(items.map(({ id, image_url }) => [id, image_url]))
}
