import { sql, type Db } from '../../platform/db/tenant.ts'
import { price, type CatalogItem } from './fields.ts'

/** The fields of an item on public pages, which never show the company's cost. */
export type PublicItem = Pick<CatalogItem, 'id' | 'name' | 'description'> & {
  unit_price_cents: number | null
  /** Skills required for the work; no page shows them. */
  skills: string[]
}

const MAX_PUBLIC_ITEMS = 200

/** Returns the live service, labor and bundle items among some ids. */
export const listPublicItems = (db: Db, ids: readonly string[]): Promise<PublicItem[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.all<PublicItem>(sql`select i.id, i.name, i.description, ${price} as unit_price_cents, i.skills
    from catalog_items i where i.tenant_id = ${db.tenant} and i.id = any(${[...ids]}::uuid[])
      and i.kind in ('service', 'labor', 'bundle') and i.archived_at is null limit ${MAX_PUBLIC_ITEMS}`)

/** Returns the items that can be offered for online booking, by name. */
export const listBookableItems = (db: Db): Promise<PublicItem[]> =>
  db.all<PublicItem>(sql`select i.id, i.name, i.description, ${price} as unit_price_cents, i.skills
    from catalog_items i where i.tenant_id = ${db.tenant}
      and i.kind in ('service', 'labor', 'bundle') and i.archived_at is null
    order by i.name_folded, i.id limit ${MAX_PUBLIC_ITEMS}`)
