import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict, invalidField } from '../../../platform/errors/refusal.ts'
import type { CatalogItem } from '../fields.ts'
import { refusals } from './refusals.ts'

/** A price that an item has from a day on, and the recurring jobs and plans that take it too. */
type NextPrice = { unit_price_cents: number; from: string; recurring: readonly string[] }

/** Maximum recurring jobs and plans of one change. */
export const MAX_RECURRING = 500
const MAX_YEARS_AHEAD = 2

/** Returns the price that a live item has from a later day on. */
export const findNextPrice = async (db: Db, id: string): Promise<NextPrice | null> =>
  (
    await db.maybe<{ next_price: NextPrice | null }>(
      sql`select next_price from catalog_items where tenant_id = ${db.tenant} and id = ${id} and archived_at is null`,
    )
  )?.next_price ?? null

/** Checks whether an item has a price of its own, that can change. */
export const hasOwnPrice = ({ kind, pricing }: Pick<CatalogItem, 'kind'> & { pricing?: unknown }): boolean =>
  kind !== 'discount' && pricing !== 'sum'

/** Sets the price that a locked item has from a later day on; `today` is the company's day. */
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

/** Writes a later price of a locked item, or removes it. */
export const writeNextPrice = (db: Db, user: string | null, id: string, next: NextPrice | null): Promise<number> =>
  db.run(sql`update catalog_items
    set next_price = ${next === null ? null : JSON.stringify(next)}, updated_by = ${user},
      updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns the next items, by id, whose later price has come. */
export const dueNextPrices = (db: Db, today: string, after: string): Promise<{ id: string }[]> =>
  db.all(sql`select id from catalog_items
    where tenant_id = ${db.tenant} and id > ${after} and next_price is not null and archived_at is null
      and next_price ->> 'from' <= ${today}
    order by id limit 100`)

/** Gives an item its later price, whose day has come. Returns what changed; undefined where nothing was to change. */
export async function takeNextPrice(
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
