import { sql, type Db } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { applyNextPrice } from '../catalog_items/index.ts'
import { repriceSeries, listSeriesSelling } from '../job_series/index.ts'
import { listPlansSelling, repricePlan } from '../plans/index.ts'
import { MAX_LISTED } from './recurring_work.ts'

/**
 * Applies an item's due scheduled price to it and to the recurring work chosen with it; visits from that day on have
 * the new price. Idempotent. `today` is the company's date.
 */
export async function applyPriceChange(db: Db, id: string, today: string): Promise<void> {
  const next = await applyNextPrice(db, id, today)
  if (next === undefined) return
  const { unit_price_cents: to, before_cents: from, recurring } = next
  const step = { item: id, from, to }
  const chosen = new Set(recurring)
  const [series, plans] = [
    await listSeriesSelling(db, id, from, MAX_LISTED),
    await listPlansSelling(db, id, from, MAX_LISTED),
  ]
  for (const one of series) if (chosen.has(one.id)) await repriceSeries(db, one.id, step, next.from)
  for (const one of plans) if (chosen.has(one.id)) await repricePlan(db, one.id, step)
  await db.run(sql`insert into audit (tenant_id, id, tool, record_type, record_id, changed)
    values (${db.tenant}, ${newId()}, 'catalog_items.price_changed', 'catalog_item', ${id}, ${JSON.stringify({
      unit_price_cents: [from, to],
    })})`)
}
