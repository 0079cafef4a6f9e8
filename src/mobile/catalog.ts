import type { Caller } from '../identity/credentials/caller.ts'
import { sql, type Db } from '../platform/db/tenant.ts'

/** Describes an item that can be put on a visit; its price for those alone who may see the catalog. */
export type FieldItem = { id: string; name: string; unit: string; price_cents: number | null }

/** Limits the items a phone is given, and the jobs in which is looked what is used most. */
const [MAX_ITEMS, MAX_RECENT_JOBS] = [300, 200]

/** Returns what can be put on a visit, the most used of late first. */
export const fieldCatalog = (db: Db, { scopes }: Caller): Promise<FieldItem[]> =>
  scopes.has('write:jobs')
    ? db.all<FieldItem>(sql`
    with used as (
      select line ->> 'catalog_item_id' as item, count(*) as times
      from (select line_items from jobs where tenant_id = ${db.tenant} order by updated_at desc, id desc
        limit ${MAX_RECENT_JOBS}) j,
        jsonb_array_elements(j.line_items) line
      where line ->> 'catalog_item_id' is not null group by 1)
    select i.id, i.name, i.unit,
      case when ${scopes.has('read:catalog_items')} then i.unit_price_cents end as price_cents
    from catalog_items i left join used u on u.item = i.id::text
    where i.tenant_id = ${db.tenant} and i.archived_at is null and i.kind <> 'discount'
    order by coalesce(u.times, 0) desc, i.name_folded, i.id limit ${MAX_ITEMS}`)
    : Promise.resolve([])
