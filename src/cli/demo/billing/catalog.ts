import type { Results } from '../../../tools/declare/results.ts'
import { CATEGORIES, ITEMS, type DemoItem, type ItemRef } from './items.ts'
import type { DemoSite } from '../work/site.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Catalog items by demo name. */
export type Catalog = ReadonlyMap<string, Results['catalog_items_create']>

/** Line item: an item, an item with a quantity, or one that isn't in the catalog. */
export type DemoLine =
  | ItemRef
  | readonly [item: ItemRef, quantity: number]
  | { kind: 'service' | 'product'; name: string; unit_price_cents: number }

/** Creates the categories, then the items, and bundles last because they consist of other items. */
export async function makeCatalog(site: DemoSite): Promise<Catalog> {
  const categories = await makeCategories(site)
  const created = new Map<string, Results['catalog_items_create']>()
  const add = async ([ref, item]: readonly [string, DemoItem]): Promise<void> => {
    created.set(ref, await site.make('catalog_items_create', toItemInput(item, categories, created)))
  }
  const items = Object.entries<DemoItem>(ITEMS)
  await Promise.all(items.filter(([, { kind }]) => kind !== 'bundle').map(add))
  await Promise.all(items.filter(([, { kind }]) => kind === 'bundle').map(add))
  return created
}

/** Converts lines to tool input. */
export const linesOf = (catalog: Catalog, lines: readonly DemoLine[]): object[] =>
  lines.map((line) => {
    if (typeof line === 'string') return { catalog_item_id: requireValue(catalog.get(line), line).id }
    return 'name' in line
      ? line
      : { catalog_item_id: requireValue(catalog.get(line[0]), line[0]).id, quantity: line[1] }
  })

async function makeCategories({ make }: DemoSite): Promise<Map<string, string>> {
  const categoryIds = new Map<string, string>()
  for (const path of CATEGORIES) {
    const [name, parentName] = path.split('/').toReversed()
    const parent = parentName === undefined ? {} : { parent_id: categoryIds.get(parentName) }
    categoryIds.set(path, (await make('catalog_categories_create', { name, ...parent })).id)
  }
  return categoryIds
}

function toItemInput({ category, ...item }: DemoItem, categories: ReadonlyMap<string, string>, items: Catalog): object {
  const common = { ...item, category_id: categories.get(category) }
  if (item.kind !== 'bundle') return common
  return {
    ...common,
    components: item.components.map(({ item, quantity }) => ({
      catalog_item_id: requireValue(items.get(item), item).id,
      quantity,
    })),
  }
}
