import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import type { CatalogItem } from '../fields.ts'
import { refusals } from './refusals.ts'

/** A scheduled price of an item, and the recurring jobs and plans that it also applies to. */
type NextPrice = { unit_price_cents: number; from: string; recurring: readonly string[] }

/** Maximum recurring jobs and plans of one price change. */
export const MAX_RECURRING = 500
const MAX_YEARS_AHEAD = 2

/** Returns the scheduled price of a live item. */
export const findNextPrice = async (db: Db, id: string): Promise<NextPrice | null> =>
  (
    await db.maybe<{ next_price: NextPrice | null }>(
      sql`select next_price from catalog_items where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
    )
  )?.next_price ?? null

/** Checks whether an item has its own price, which can change. */
export const hasOwnPrice = ({ kind, pricing }: Pick<CatalogItem, 'kind'> & { pricing?: unknown }): boolean =>
  kind !== 'discount' && pricing !== 'sum'

/** Schedules a price of a locked item; `today` is the company's date. */
export async function setNextPrice(
  db: Db,
  user: string | null,
  item: CatalogItem,
  next: NextPrice,
  today: Temporal.PlainDate,
): Promise<void> {
  if (!hasOwnPrice(item)) throw conflict(refusals.noOwnPrice())
  const [first, last] = [today.add({ days: 1 }).toString(), today.add({ years: MAX_YEARS_AHEAD }).toString()]
  if (next.from < first || next.from > last) throw invalidField('from', refusals.notAhead({ first, last }))
  if (next.unit_price_cents === item.unit_price_cents) throw invalidField('unit_price_cents', refusals.samePrice())
  await writeNextPrice(db, user, item.id, next)
}

/** Saves or removes the scheduled price of a locked item. */
export const writeNextPrice = (db: Db, user: string | null, id: string, next: NextPrice | null): Promise<number> =>
  db.run(sql`update catalog_items
    set next_price = ${next === null ? null : JSON.stringify(next)}, updated_by = ${user},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns the next items, by id, whose scheduled price is due. */
export const dueNextPrices = (db: Db, today: string, after: string): Promise<{ id: string }[]> =>
  db.all(sql`select id from catalog_items
    where tenant_id = ${db.tenant} and id > ${after} and next_price is not null and archived_at is null
      and next_price ->> 'from' <= ${today}
    order by id limit 100`)

/** Applies the due scheduled price of an item. Returns the change; undefined if none was due. */
export async function applyNextPrice(
  db: Db,
  id: string,
  today: string,
): Promise<(NextPrice & { before_cents: number }) | undefined> {
  const due = await db.maybe<{ next_price: NextPrice; before_cents: number }>(sql`
    select next_price, unit_price_cents as before_cents from catalog_items
    where tenant_id = ${db.tenant} and id = ${id} and next_price is not null and archived_at is null
      and next_price ->> 'from' <= ${today} for no key update`)
  if (due === undefined) return undefined
  await db.run(sql`update catalog_items
    set unit_price_cents = ${due.next_price.unit_price_cents}, next_price = null, updated_by = null,
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
  return { ...due.next_price, before_cents: due.before_cents }
}
