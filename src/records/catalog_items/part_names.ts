import { sql, type Db } from '../../platform/db/tenant.ts'

/** Names an item of the catalog, without its price: whoever writes jobs may put it on one. */
export type NamedItem = { id: string; name: string }

const [MOST_LISTED, MOST_NAMED] = [150, 5]

/** Returns what the catalog sells by name, what changed last first. */
export const listPartNames = (db: Db): Promise<NamedItem[]> =>
  db.all(sql`select id, name from catalog_items
    where tenant_id = ${db.tenant} and archived_at is null and kind <> 'discount' order by updated_at desc, id limit ${MOST_LISTED}`)

/** Returns the items with a text in their name, that of exactly this name first. */
export const findPartsByName = (db: Db, text: string): Promise<NamedItem[]> =>
  db.all(sql`select id, name from catalog_items
    where tenant_id = ${db.tenant} and archived_at is null and kind <> 'discount' and strpos(lower(name), lower(${text})) > 0
    order by lower(name) = lower(${text}) desc, lower(name), id limit ${MOST_NAMED}`)
