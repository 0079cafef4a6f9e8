import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { assignments } from '../../platform/db/rows.ts'
import { repriceDraft } from '../line_items/draft.ts'
import { replacePrice, unpriceLines, type PriceStep } from '../line_items/line.ts'
import { priceLines } from '../line_items/price.ts'
import type { Plan } from './fields.ts'
import { lockPlan } from './plan.ts'

/** A plan that sells an item, with its amount per run. */
type SellingPlan = Pick<
  Plan,
  | 'id'
  | 'name'
  | 'customer_id'
  | 'customer_name'
  | 'line_items'
  | 'discount'
  | 'tax_rate_id'
  | 'tax_exempt'
  | 'total_cents'
>

/** Returns the active and paused plans that sell an item at a price, by customer. */
export const listPlansSelling = (db: Db, item: string, cents: number, limit: number): Promise<SellingPlan[]> =>
  db.all<SellingPlan>(sql`select p.id, p.name, p.customer_id, c.display_name as customer_name, p.line_items, p.discount,
      p.tax_rate_id, p.tax_exempt, p.total_cents
    from plans p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
    where p.tenant_id = ${db.tenant} and p.status in ('active', 'paused')
      and p.line_items @> ${JSON.stringify([{ catalog_item_id: item, unit_price_cents: cents }])}::jsonb
    order by c.display_name, p.id limit ${limit}`)

/** Returns the amount per run of a plan after a price change of an item. */
export const totalWithPrice = async (db: Db, plan: SellingPlan, step: PriceStep): Promise<number> => {
  const { line_items, discount, tax_rate_id, tax_exempt } = plan
  const lines = unpriceLines(replacePrice(line_items, step))
  return (await priceLines(db, { lines, discount, tax_rate_id, tax_exempt, hasTax: true })).total_cents
}

/** Changes the price of an item in the lines of an active or paused plan. */
export async function repricePlan(db: Db, id: string, step: PriceStep): Promise<void> {
  const { before, terms } = await lockPlan(db, id)
  const line_items = replacePrice(before.line_items, step)
  if ((before.status !== 'active' && before.status !== 'paused') || line_items === before.line_items) return
  const { contact_id: _, ...document } = await repriceDraft(db, { ...before, line_items, contact_id: null }, terms, {})
  await Promise.all([
    db.run(sql`update plans set ${assignments(document)}, updated_by = null, updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and id = ${id}`),
    db.run(sql`insert into audit (tenant_id, id, tool, record_type, record_id, changed)
      values (${db.tenant}, ${newId()}, 'plans.price_changed', 'plan', ${id}, ${JSON.stringify({
        total_cents: [before.total_cents, document.total_cents],
      })})`),
  ])
}
