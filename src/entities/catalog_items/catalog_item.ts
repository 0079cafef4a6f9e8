import { sql } from '../../db/tenant.ts'
import type { Db } from '../../db/tenant.ts'
import type { DiscountType } from '../../money/document.ts'

export type ItemKind = 'service' | 'product' | 'labor' | 'fee' | 'bundle' | 'discount'

/** What a line item takes over from the live item that it names. A live rate only; a bundle's price is its own or its components'. */
export type LineSource = {
  id: string
  kind: ItemKind
  name: string
  description: string | null
  unit: string
  unit_price_cents: number | null
  taxable: boolean
  discount_type: DiscountType | null
  discount_value: number | null
  tax_rate_id: string | null
  tax_rate_name: string | null
  rate_decimal: string | null
}

/** What one unit of an item `i` costs: its own price, or the sum of its components, each rounded as a line of its own. */
const price = sql`case when i.pricing = 'sum' then (
    select coalesce(sum(round(c.quantity * p.unit_price_cents)), 0)::bigint
    from catalog_components c join catalog_items p on p.tenant_id = c.tenant_id and p.id = c.item_id
    where c.tenant_id = i.tenant_id and c.bundle_id = i.id) else i.unit_price_cents end`

/** Those of the ids that are live items. */
export async function lineSources(db: Db, ids: readonly string[]): Promise<Map<string, LineSource>> {
  if (ids.length === 0) return new Map()
  const items = await db.all<LineSource>(sql`
    select i.id, i.kind, i.name, i.description, i.unit, ${price} as unit_price_cents, i.taxable, i.discount_type,
      i.discount_value::float8 as discount_value, r.id as tax_rate_id, r.name as tax_rate_name, r.rate_decimal
    from catalog_items i left join tax_rates r on r.tenant_id = i.tenant_id and r.id = i.tax_rate_id and r.archived_at is null
    where i.tenant_id = ${db.tenant} and i.id = any(${[...ids]}::uuid[]) and i.archived_at is null`)
  return new Map(items.map((item) => [item.id, item]))
}
