import type { Caller } from '../identity/credentials/caller.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { itemPrice } from '../records/catalog_items/index.ts'
import type { BillRate } from './bill_lines.ts'

/**
 * Item that can be added to a visit; its price only for those who may see the catalog. `rate` is its own tax rate, null
 * for none; without it the item is taxed like the visit. `favorite` marks the user's favorites, `picture` is the id of
 * the company's copy of its picture.
 */
export type FieldItem = {
  id: string
  name: string
  unit: string
  price_cents: number | null
  rate?: BillRate | null
  favorite?: true
  picture?: string
}

/** Maximum items sent to a phone, and recent jobs searched for the most used ones. */
const [MAX_ITEMS, MAX_RECENT_JOBS] = [300, 200]

/** Returns the items that can be added to a visit: the user's favorites first, then those most used recently. */
export const fieldCatalog = (db: Db, { scopes, user }: Caller): Promise<FieldItem[]> =>
  scopes.has('write:jobs') ? listFieldItems(db, user, scopes.has('read:catalog_items')) : Promise.resolve([])

/** Adds an item to a user's favorites, or removes it; idempotent. */
export const setFavorite = (db: Db, user: string, item: string, isFavorite: boolean): Promise<number> =>
  db.run(
    isFavorite
      ? sql`insert into catalog_favorites (tenant_id, user_id, item_id) values (${db.tenant}, ${user}, ${item})
          on conflict do nothing`
      : sql`delete from catalog_favorites
          where tenant_id = ${db.tenant} and user_id = ${user} and item_id = ${item}`,
  )

type ItemRow = Omit<FieldItem, 'favorite' | 'picture'> & {
  picture_id: string | null
  taxable: boolean
  rate_id: string | null
  rate_decimal: string | null
  is_favorite: boolean
}

async function listFieldItems(db: Db, user: string | null, showsPrice: boolean): Promise<FieldItem[]> {
  const rows = await db.all<ItemRow>(sql`
    with used as (
      select line ->> 'catalog_item_id' as item, count(*) as times
      from (select line_items from jobs where tenant_id = ${db.tenant} order by updated_at desc, id desc
        limit ${MAX_RECENT_JOBS}) j,
        jsonb_array_elements(j.line_items) line
      where line ->> 'catalog_item_id' is not null group by 1)
    select i.id, i.name, i.unit, case when ${showsPrice} then ${itemPrice} end as price_cents, i.taxable,
      case when ${showsPrice} then p.picture_id end as picture_id,
      r.id as rate_id, r.rate_decimal, f.item_id is not null as is_favorite
    from catalog_items i left join used u on u.item = i.id::text
      left join tax_rates r on r.tenant_id = ${db.tenant} and r.id = i.tax_rate_id and r.archived_at is null
      left join catalog_favorites f on f.tenant_id = ${db.tenant} and f.user_id = ${user} and f.item_id = i.id
      left join catalog_pictures p on p.tenant_id = ${db.tenant} and p.item_id = i.id and p.source_url = i.image_url
    where i.tenant_id = ${db.tenant} and i.archived_at is null and i.kind <> 'discount'
    order by (f.item_id is null), coalesce(u.times, 0) desc, i.name_folded, i.id limit ${MAX_ITEMS}`)
  return rows.map(({ taxable, rate_id, rate_decimal, is_favorite, picture_id, ...item }) => ({
    ...item,
    ...(is_favorite && { favorite: true as const }),
    ...(picture_id !== null && { picture: picture_id }),
    ...(taxable && rate_id === null ? {} : { rate: taxable ? toRate(rate_id, rate_decimal) : null }),
  }))
}

const toRate = (id: string | null, decimal: string | null): BillRate | null =>
  id === null || decimal === null ? null : [id, Math.round(Number(decimal) * 1_000_000)]
