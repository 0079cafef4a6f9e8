import { allCategories } from '../../records/catalog_categories/index.ts'
import { listTakenNames, lockCatalog, type StarterItem, type StarterTrade } from '../../records/catalog_items/index.ts'
import { readMoney } from '../../records/fields/fields.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { findChangesOfRecords } from '../../undo/changes.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { MemberContext } from '../member_context.ts'
import { refusals } from '../refusals.ts'

/** Returns the typed price of an item. */
type PriceReader = (item: StarterItem) => string

/**
 * Adds items of a starter catalog, with their categories, through the tools and in one transaction; returns the change
 * for undo. Existing items with the same names stay unchanged.
 */
export async function addItems(
  context: MemberContext,
  { categories }: StarterTrade,
  items: readonly StarterItem[],
  priceOf: PriceReader,
): Promise<{ count: number; change: string | undefined }> {
  const priced = items.map((item) => ({ item, name: item.name(), cents: readPrice(context, item, priceOf) }))
  const added = await context.write(async (db) => {
    await lockCatalog(db)
    const existing = await listTakenNames(
      db,
      priced.map(({ name }) => name),
    )
    const categoryOf = await openCategories(context, db)
    const ids: string[] = []
    for (const { item, name, cents } of priced.filter((one) => !existing.has(one.name))) {
      const { id } = await context.within(db, 'catalog_items_create', {
        kind: item.kind,
        name,
        unit_price_cents: cents,
        category_id: await categoryOf(categories[item.category]?.() ?? item.category),
        ...(item.unit !== undefined && !DEFAULT_UNITS.includes(item.unit) && { unit: unitName(item.unit) }),
        ...(item.minutes !== undefined && { duration_minutes: item.minutes }),
        ...(item.taxable === false && { taxable: false }),
      })
      ids.push(String(id))
    }
    return ids
  })
  if (added.length === 0) return { count: 0, change: undefined }
  const changes = await context.read((db) => findChangesOfRecords(db, context.caller.credential.id, added))
  return { count: added.length, change: changes[0]?.change_id }
}

/** Units that the tools assume by default, so that they are not sent. */
const DEFAULT_UNITS: readonly string[] = ['hour', 'each']

/** Returns the name of a unit in the reader's language. */
export const unitName = (unit: NonNullable<StarterItem['unit']>): string =>
  ({ hour: say`hour`, each: say`piece`, pallet: say`pallet`, yard: say`yard` })[unit]

function readPrice(context: MemberContext, item: StarterItem, priceOf: PriceReader): number {
  const text = priceOf(item).trim()
  const cents = readMoney(`price.${item.key}`, text, context.company.currency)
  if (cents === undefined || cents < 0)
    throw invalidField(`price.${item.key}`, refusals.starterPrice({ name: item.name() }))
  return cents
}

/** Returns a function that finds a top-level category by name, or creates it. */
async function openCategories(context: MemberContext, db: Db): Promise<(name: string) => Promise<string>> {
  const categories = new Map(
    (await allCategories(db)).filter(({ path }) => path.length === 0).map(({ id, name }) => [fold(name), id]),
  )
  return async (name) => {
    const existingId = categories.get(fold(name))
    if (existingId !== undefined) return existingId
    const { id } = await context.within(db, 'catalog_categories_create', { name })
    categories.set(fold(name), String(id))
    return String(id)
  }
}
