import type { Caller } from '../identity/credentials/caller.ts'
import { sql, type Db } from '../platform/db/tenant.ts'
import { itemPrice } from '../records/catalog_items/index.ts'
import type { BillRate } from './bill.ts'

/**
 * Describes an item that can be put on a visit; its price for those alone who may see the catalog. `rate` is its own
 * tax rate, null for none; an item without it is taxed like the visit.
 */
export type FieldItem = { id: string; name: string; unit: string; price_cents: number | null; rate?: BillRate | null }

/** Limits the items a phone is given, and the jobs in which is looked what is used most. */
const [MAX_ITEMS, MAX_RECENT_JOBS] = [300, 200]

/** Returns what can be put on a visit, the most used of late first. */
export const fieldCatalog = (db: Db, { scopes }: Caller): Promise<FieldItem[]> =>
  scopes.has('write:jobs') ? listFieldItems(db, scopes.has('read:catalog_items')) : Promise.resolve([])

type ItemRow = FieldItem & { taxable: boolean; rate_id: string | null; rate_decimal: string | null }

async function listFieldItems(db: Db, showsPrice: boolean): Promise<FieldItem[]> {
  const rows = await db.all<ItemRow>(sql`
    with used as (
      select line ->> 'catalog_item_id' as item, count(*) as times
      from (select line_items from jobs where tenant_id = ${db.tenant} order by updated_at desc, id desc
        limit ${MAX_RECENT_JOBS}) j,
        jsonb_array_elements(j.line_items) line
      where line ->> 'catalog_item_id' is not null group by 1)
    select i.id, i.name, i.unit, case when ${showsPrice} then ${itemPrice} end as price_cents, i.taxable,
      r.id as rate_id, r.rate_decimal
    from catalog_items i left join used u on u.item = i.id::text
      left join tax_rates r on r.tenant_id = ${db.tenant} and r.id = i.tax_rate_id and r.archived_at is null
    where i.tenant_id = ${db.tenant} and i.archived_at is null and i.kind <> 'discount'
    order by coalesce(u.times, 0) desc, i.name_folded, i.id limit ${MAX_ITEMS}`)
  return rows.map(({ taxable, rate_id, rate_decimal, ...item }) => ({
    ...item,
    ...(taxable && rate_id === null ? {} : { rate: taxable ? toRate(rate_id, rate_decimal) : null }),
  }))
}

const toRate = (id: string | null, decimal: string | null): BillRate | null =>
  id === null || decimal === null ? null : [id, Math.round(Number(decimal) * 1_000_000)]
