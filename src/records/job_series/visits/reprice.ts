import { sql, type Db } from '../../../platform/db/tenant.ts'
import { newId } from '../../../platform/validation/id.ts'
import { applyParts, lockVisits } from '../../jobs/index.ts'
import { replacePrice, unpriceLines, type LineItem, type PriceStep } from '../../line_items/line.ts'
import { priceLines } from '../../line_items/price.ts'
import { dayOf } from '../generation.ts'
import { lockSeries } from '../job_series.ts'

/** Series that sells an item, with the subtotal of a visit before tax. */
type SellingSeries = {
  id: string
  title: string
  customer_id: string
  customer_name: string
  line_items: LineItem[]
  subtotal_cents: number
}

/** Returns active series that sell an item at a price, by customer. */
export const listSeriesSelling = (db: Db, item: string, cents: number, limit: number): Promise<SellingSeries[]> =>
  db.all<SellingSeries>(sql`select s.id, s.title, s.customer_id, c.display_name as customer_name, s.line_items,
      s.subtotal_cents
    from job_series s join customers c on c.tenant_id = s.tenant_id and c.id = s.customer_id
    where s.tenant_id = ${db.tenant} and s.status = 'active'
      and s.line_items @> ${JSON.stringify([{ catalog_item_id: item, unit_price_cents: cents }])}::jsonb
    order by c.display_name, s.id limit ${limit}`)

/** Returns the subtotal of a visit at an item's new price. */
export const subtotalWith = async (db: Db, lines: LineItem[], step: PriceStep): Promise<number> =>
  (await priceLines(db, { lines: unpriceLines(replacePrice(lines, step)), hasTax: false })).subtotal_cents

/**
 * Reprices an item in the lines of a series and of its visits from a day on. A visit with prices of its own keeps them.
 */
export async function repriceSeries(db: Db, id: string, step: PriceStep, from: string): Promise<void> {
  const before = await lockSeries(db, id)
  const lines = replacePrice(before.line_items, step)
  if (before.status !== 'active' || lines === before.line_items) return
  const visits = await lockVisits(db, id, Temporal.Now.instant())
  const document = await priceLines(db, { lines: unpriceLines(lines), hasTax: false })
  await db.run(sql`update job_series
    set line_items = ${JSON.stringify(document.line_items)}, subtotal_cents = ${document.subtotal_cents},
      updated_by = null, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  const upcoming = visits.filter(({ occurrence_key }) => dayOf(occurrence_key) >= from)
  const repriced = upcoming.filter(({ own }) => !own.includes('price'))
  const counts = { changed: repriced.length, kept: upcoming.length - repriced.length }
  await Promise.all([
    applyParts(
      db,
      id,
      repriced.map(({ id, own, is_exception }) => ({ id, own, is_exception, parts: ['price'], slot: undefined })),
      null,
    ),
    db.run(sql`insert into audit (tenant_id, id, tool, record_type, record_id, changed)
      values (${db.tenant}, ${newId()}, 'job_series.price_changed', 'job_series', ${id}, ${JSON.stringify({
        subtotal_cents: [before.subtotal_cents, document.subtotal_cents],
        visits: [null, counts],
      })})`),
  ])
}
