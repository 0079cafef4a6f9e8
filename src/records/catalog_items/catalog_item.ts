import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { requestPictures } from './pictures/pictures.ts'
import { CATALOG_ITEM, price, type CatalogItem, type ItemInput } from './fields.ts'

/** Returns a live item. */
export const findItem = (db: Db, id: string): Promise<CatalogItem> =>
  db.present<CatalogItem>(
    sql`select ${CATALOG_ITEM.columns('i')} from catalog_items i
    where i.tenant_id = ${db.tenant} and i.id = ${id} and i.archived_at is null`,
    'catalog item',
  )

/** Locks a live item until the transaction ends, also against use in a bundle, and returns it. */
export const lockItem = (db: Db, id: string): Promise<CatalogItem> =>
  db.present<CatalogItem>(
    sql`select ${CATALOG_ITEM.columns('i')} from catalog_items i
    where i.tenant_id = ${db.tenant} and i.id = ${id} and i.archived_at is null for no key update of i`,
    'catalog item',
  )

export const addItem = (db: Db, { user }: Caller, id: string, item: ItemInput): Promise<unknown> =>
  Promise.all([
    db.run(
      sql`insert into catalog_items ${values({
        tenant_id: db.tenant,
        id,
        ...CATALOG_ITEM.toColumns(item),
        created_by: user,
        updated_by: user,
      })}`,
    ),
    item.image_url == null ? 0 : requestPictures(db),
  ])

export const changeItem = (db: Db, { user }: Caller, before: CatalogItem, item: ItemInput): Promise<unknown> =>
  Promise.all([
    db.run(sql`update catalog_items
    set ${assignments({ ...CATALOG_ITEM.toColumns(item), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${before.id}`),
    item.image_url == null || item.image_url === before.image_url ? 0 : requestPictures(db),
  ])

/** Returns the skills that a live item needs. */
export const findItemSkills = async (db: Db, id: string): Promise<string[]> =>
  (
    await db.present<{ skills: string[] }>(
      sql`select skills from catalog_items where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
      'catalog item',
    )
  ).skills

export const setItemSkills = (db: Db, { user }: Caller, id: string, skills: readonly string[]): Promise<number> =>
  db.run(sql`update catalog_items
    set skills = ${[...skills]}::text[], updated_by = ${user}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)

export const archiveItem = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update catalog_items set archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)

/** Removes all items from a category that is about to be deleted. Returns the number of live ones. */
export async function clearCategory(db: Db, { user }: Caller, category: string): Promise<number> {
  const [, items] = await Promise.all([
    db.run(sql`select id from catalog_categories where tenant_id = ${db.tenant} and id = ${category} for update`),
    db.all<{
      archived: boolean
    }>(sql`update catalog_items set category_id = null, updated_at = later_than(updated_at), updated_by = ${user}
      where tenant_id = ${db.tenant} and category_id = ${category} returning archived_at is not null as archived`),
  ])
  return items.filter(({ archived }) => !archived).length
}

/** The fields that a line item copies from its live item; the rate only if it is live. */
export type LineSource = Pick<
  CatalogItem,
  | 'id'
  | 'kind'
  | 'name'
  | 'description'
  | 'unit'
  | 'unit_price_cents'
  | 'taxable'
  | 'discount_type'
  | 'discount_value'
  | 'tax_rate_id'
> & { tax_rate_name: string | null; rate_decimal: string | null }

/** Returns the live items among some ids. */
export async function lineSources(db: Db, ids: readonly string[]): Promise<Map<string, LineSource>> {
  if (ids.length === 0) return new Map()
  const items = await db.all<LineSource>(sql`
    select i.id, i.kind, i.name, i.description, i.unit, ${price} as unit_price_cents, i.taxable, i.discount_type,
      i.discount_value::float8 as discount_value, r.id as tax_rate_id, r.name as tax_rate_name, r.rate_decimal
    from catalog_items i
      left join tax_rates r on r.tenant_id = i.tenant_id and r.id = i.tax_rate_id and r.archived_at is null
    where i.tenant_id = ${db.tenant} and i.id = any(${[...ids]}::uuid[]) and i.archived_at is null`)
  return new Map(items.map((item) => [item.id, item]))
}
