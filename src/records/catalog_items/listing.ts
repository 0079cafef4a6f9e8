import { sql, type Db } from '../../platform/db/tenant.ts'
import { fold, likeLiteral } from '../../platform/validation/text/fold.ts'
import { changeColumns, whereListed, type ChangeFilter } from '../../tools/call/by_change.ts'
import { branchIds } from '../catalog_categories/index.ts'
import { cost, price, type CatalogItem, type ItemKind } from './fields.ts'

type ItemFilters = ChangeFilter & {
  kind?: readonly ItemKind[] | undefined
  category_id?: string | undefined
  include_descendants?: boolean | undefined
  query?: string | null | undefined
  page: number
  limit: number
}
type ItemRow = Pick<
  CatalogItem,
  | 'id'
  | 'kind'
  | 'name'
  | 'sku'
  | 'category_id'
  | 'unit'
  | 'unit_price_cents'
  | 'discount_type'
  | 'discount_value'
  | 'taxable'
  | 'cost_cents'
>

/** Returns items by name, one row more than the page holds. */
export async function listItems(
  db: Db,
  listing: ItemFilters,
): Promise<(Omit<ItemRow, 'cost_cents'> & Partial<Pick<ItemRow, 'cost_cents'>>)[]> {
  const { updated_since, page, limit } = listing
  const rows = await db.all<ItemRow>(sql`
    select i.id, i.kind, i.name, i.sku, i.category_id, i.unit, ${price} as unit_price_cents, i.discount_type,
      i.discount_value::float8 as discount_value, i.taxable,
      ${cost} as cost_cents ${changeColumns(listing, sql`i.updated_at`, sql`i.archived_at is not null`)}
    from catalog_items i where ${listConditions(db, listing)}
    order by ${updated_since === undefined ? sql`i.name_folded, i.id` : sql`i.updated_at, i.id`}
    limit ${limit + 1} offset ${(page - 1) * limit}`)
  return rows.map(({ cost_cents, ...row }) => (row.kind === 'discount' ? row : { ...row, cost_cents }))
}

export const countItems = async (db: Db, listing: ItemFilters): Promise<number> =>
  (
    await db.one<{ count: number }>(
      sql`select count(*) as count from catalog_items i where ${listConditions(db, listing)}`,
    )
  ).count

const listConditions = (db: Db, { kind, category_id, include_descendants, query, ...byChange }: ItemFilters) => sql`
  i.tenant_id = ${db.tenant} ${whereListed(byChange, sql`i.archived_at is null`)}
  ${kind === undefined ? sql`` : sql`and i.kind = any(${[...kind]})`}
  ${
    category_id === undefined
      ? sql``
      : include_descendants === false
        ? sql`and i.category_id = ${category_id}`
        : sql`and i.category_id in ${branchIds(db, category_id)}`
  }
  ${query == null ? sql`` : sql`and i.search_text like all(${likePatterns(query)})`}
  ${
    byChange.updated_since === undefined
      ? sql``
      : sql`and i.updated_at >= ${byChange.updated_since} and i.updated_at < settled()`
  }`

/** Returns a pattern for each word of the query, to match in the name or the SKU. */
const likePatterns = (query: string): string[] =>
  fold(query)
    .split(' ')
    .map((word) => `%${likeLiteral(word)}%`)
