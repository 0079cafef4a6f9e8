import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { DiscountType } from '../../money/document.ts'
import { fold } from '../../platform/validation/text/fold.ts'

export type ItemKind = 'service' | 'product' | 'labor' | 'fee' | 'bundle' | 'discount'
export type Pricing = 'sum' | 'fixed'

/** An item of any kind; a field that its kind lacks is null. */
export type CatalogItem = {
  id: string
  kind: ItemKind
  name: string
  description: string | null
  sku: string | null
  category_id: string | null
  unit: string
  /** Computed from the components for a bundle that is priced as their sum. */
  unit_price_cents: number | null
  taxable: boolean
  tax_rate_id: string | null
  image_url: string | null
  fields: Record<string, string | number | boolean | null>
  duration_minutes: number | null
  manufacturer: string | null
  model: string | null
  barcode: string | null
  pricing: Pricing | null
  discount_type: DiscountType | null
  /** A percentage, or cents. */
  discount_value: number | null
  /** Computed from the components for a bundle; unknown while one of their costs is. */
  cost_cents: number | null
  supplier_name: string | null
  supplier_sku: string | null
  supplier_url: string | null
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
  archived_at: string | null
}

/** What a caller sets of an item; the kind only at create. */
export type ItemInput = Omit<
  CatalogItem,
  'id' | 'created_at' | 'updated_at' | 'created_by' | 'updated_by' | 'archived_at'
>

const componentsOfItem = sql`catalog_components c join catalog_items p on p.tenant_id = c.tenant_id and p.id = c.item_id
    where c.tenant_id = i.tenant_id and c.bundle_id = i.id`

/** The price of one unit of an item `i`: its own, or the sum of its components, each rounded as a line of its own. */
export const price = sql`case when i.pricing = 'sum' then (
    select coalesce(sum(round(c.quantity * p.unit_price_cents)), 0)::bigint from ${componentsOfItem}) else i.unit_price_cents end`

/** What one unit of an item `i` costs the tenant. */
export const cost = sql`case when i.kind = 'bundle' then (
    select case when bool_and(p.cost_cents is not null) then sum(round(c.quantity * p.cost_cents))::bigint end from ${componentsOfItem})
  else i.cost_cents end`

const columns = sql`i.id, i.kind, i.name, i.description, i.sku, i.category_id, i.unit, ${price} as unit_price_cents, i.taxable, i.tax_rate_id,
  i.image_url, i.fields, i.duration_minutes, i.manufacturer, i.model, i.barcode, i.pricing, i.discount_type,
  i.discount_value::float8 as discount_value, ${cost} as cost_cents, i.supplier_name, i.supplier_sku, i.supplier_url,
  i.created_at, i.updated_at, i.created_by, i.updated_by, i.archived_at`

/** Returns a live item. */
export const findItem = (db: Db, id: string): Promise<CatalogItem> =>
  db.present<CatalogItem>(
    sql`select ${columns} from catalog_items i
    where i.tenant_id = ${db.tenant} and i.id = ${id} and i.archived_at is null`,
    'catalog item',
  )

/** Returns a live item that no other call changes, or puts into a bundle, until this one ends. */
export const lockItem = (db: Db, id: string): Promise<CatalogItem> =>
  db.present<CatalogItem>(
    sql`select ${columns} from catalog_items i
    where i.tenant_id = ${db.tenant} and i.id = ${id} and i.archived_at is null for no key update of i`,
    'catalog item',
  )

export const addItem = (db: Db, { user }: Caller, id: string, item: ItemInput): Promise<number> =>
  db.run(
    sql`insert into catalog_items ${values({
      tenant_id: db.tenant,
      id,
      kind: item.kind,
      ...toColumns(item),
      created_by: user,
      updated_by: user,
    })}`,
  )

export const changeItem = (db: Db, { user }: Caller, id: string, item: ItemInput): Promise<number> =>
  db.run(sql`update catalog_items set ${assignments({ ...toColumns(item), updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)

export const archiveItem = (db: Db, { user }: Caller, id: string): Promise<{ id: string; archived_at: string }> =>
  db.one(sql`update catalog_items set archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, archived_at`)

/** Takes every item out of a category that is about to be removed; returns how many live ones it had. */
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

/** What a line item takes from the live item that it names; its rate only if that is live. */
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

/** Returns those of the ids that are live items. */
export async function lineSources(db: Db, ids: readonly string[]): Promise<Map<string, LineSource>> {
  if (ids.length === 0) return new Map()
  const items = await db.all<LineSource>(sql`
    select i.id, i.kind, i.name, i.description, i.unit, ${price} as unit_price_cents, i.taxable, i.discount_type,
      i.discount_value::float8 as discount_value, r.id as tax_rate_id, r.name as tax_rate_name, r.rate_decimal
    from catalog_items i left join tax_rates r on r.tenant_id = i.tenant_id and r.id = i.tax_rate_id and r.archived_at is null
    where i.tenant_id = ${db.tenant} and i.id = any(${[...ids]}::uuid[]) and i.archived_at is null`)
  return new Map(items.map((item) => [item.id, item]))
}

/** Returns the columns of an item, without what is computed from components. */
const toColumns = (item: ItemInput) => ({
  name: item.name,
  name_folded: fold(item.name),
  search_text: searchText(item),
  description: item.description,
  sku: item.sku,
  category_id: item.category_id,
  unit: item.unit,
  unit_price_cents: item.pricing === 'sum' ? null : item.unit_price_cents,
  taxable: item.taxable,
  tax_rate_id: item.tax_rate_id,
  image_url: item.image_url,
  fields: item.fields,
  duration_minutes: item.duration_minutes,
  manufacturer: item.manufacturer,
  model: item.model,
  barcode: item.barcode,
  pricing: item.pricing,
  discount_type: item.discount_type,
  discount_value: item.discount_value,
  cost_cents: item.kind === 'bundle' ? null : item.cost_cents,
  supplier_name: item.supplier_name,
  supplier_sku: item.supplier_sku,
  supplier_url: item.supplier_url,
})

const searchText = ({ name, sku }: ItemInput): string => `${fold(name)}\n${fold(sku ?? '')}`
