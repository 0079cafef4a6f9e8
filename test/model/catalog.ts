import type { Result } from '../harness/harness.ts'
import { lineTotal, scaleDecimal, type Discount } from './money.ts'
import {
  all,
  broken,
  isBlank,
  lacksRate,
  live,
  addRecord,
  patchField,
  text,
  type Actor,
  type Category,
  type Item,
  type Rule,
  type Rules,
  type World,
} from './world.ts'

const DEEPEST = 5

export const childrenOf = (world: World, parent: string | null): Category[] =>
  all(world, 'category').filter((category) => category.live && category.parent_id === parent)

export const depthOf = (world: World, id: string | null): number =>
  id === null ? 0 : 1 + depthOf(world, (world.records.get(id) as Category).parent_id)
const heightOf = (world: World, id: string): number =>
  1 + Math.max(0, ...childrenOf(world, id).map((child) => heightOf(world, child.id)))
const isUnder = (world: World, id: string | null, top: string): boolean =>
  id !== null && (id === top || isUnder(world, (world.records.get(id) as Category).parent_id, top))

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
const collides = (world: World, name: string, parent: string | null, by?: Category): boolean =>
  childrenOf(world, parent).some((other) => other !== by && isSame(other.name, name))

const categoriesCreate: Rule = (world, actor, given) => {
  const [name, parent]: [string | null, string | null] = [text(given['name']), given['parent_id'] ?? null]
  const isKnown = parent === null || live(world, actor, 'category', parent) !== undefined
  const codes = broken(
    [name === null || !isKnown || (isKnown && depthOf(world, parent) + 1 > DEEPEST), 'invalid_input'],
    [name !== null && isKnown && collides(world, name, parent), 'conflict'],
  )
  if (codes.length > 0) return codes
  return (answer) => {
    const category = addRecord<Category>(
      world,
      { kind: 'category', name: name!, parent_id: parent, position: given['position'] },
      answer,
    )
    return { shows: category, touched: [category] }
  }
}

const categoriesUpdate: Rule = (world, actor, given) => {
  const category = live(world, actor, 'category', given['id'])
  if (category === undefined) return ['not_found']
  const parent = patchField<string | null>(given, 'parent_id', category.parent_id)
  const name = text(patchField(given, 'name', category.name))
  const isKnown = parent === null || live(world, actor, 'category', parent) !== undefined
  const isCycle = isKnown && isUnder(world, parent, category.id)
  const codes = broken(
    [name === null || !isKnown, 'invalid_input'],
    [isCycle, 'conflict'],
    [isKnown && !isCycle && depthOf(world, parent) + heightOf(world, category.id) > DEEPEST, 'invalid_input'],
    [isKnown && name !== null && collides(world, name, parent, category), 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    const isMoved = parent !== category.parent_id
    const below = under(world, category.id)
    Object.assign(category, {
      name: name!,
      parent_id: parent,
      position: 'position' in given ? given['position'] : isMoved ? undefined : category.position,
    })
    return { shows: category, touched: [category, ...below] }
  }
}

const under = (world: World, id: string): Category[] =>
  childrenOf(world, id).flatMap((child) => [child, ...under(world, child.id)])

const categoriesDelete: Rule = (world, actor, given) => {
  const category = live(world, actor, 'category', given['id'])
  if (category === undefined) return ['not_found']
  const children = childrenOf(world, category.id)
  if (children.some(({ name }) => collides(world, name, category.parent_id, category))) return ['conflict']
  return () => {
    const moved = under(world, category.id)
    const items = all(world, 'item').filter((item) => item.live && item.category_id === category.id)
    category.live = false
    for (const child of children) Object.assign(child, { parent_id: category.parent_id, position: undefined })
    for (const item of all(world, 'item')) if (item.category_id === category.id) item.category_id = null
    return {
      says: { id: category.id, deleted: true, children_moved: children.length, items_uncategorised: items.length },
      touched: [category, ...moved, ...items],
    }
  }
}

const isBundle = (item: { item_kind: string }): boolean => item.item_kind === 'bundle'

/**
 * Returns the current price. For a bundle with summed pricing, that is the sum of its components, each rounded like a
 * line.
 */
export function priceOf(world: World, item: Item): number | null {
  if (!isBundle(item) || item.pricing === 'fixed') return item.price
  return item.components.reduce(
    (sum, { id, milli }) =>
      sum +
      Number(
        lineTotal({
          milli,
          cents: BigInt((world.records.get(id) as Item).price!),
          taxable: true,
          rate: null,
          discount: null,
        }),
      ),
    0,
  )
}

const componentsOf = (given: Result): Item['components'] =>
  (given['components'] as Result[]).map(({ catalog_item_id, quantity = 1 }) => ({
    id: catalog_item_id,
    milli: scaleDecimal(quantity, 3),
  }))

function hasWrongComponents(world: World, actor: Actor, given: Result): boolean {
  if (!('components' in given)) return false
  const ids = (given['components'] as Result[]).map(({ catalog_item_id }) => catalog_item_id as string)
  const items = ids.map((id) => live(world, actor, 'item', id))
  return (
    ids.length === 0 ||
    new Set(ids).size < ids.length ||
    items.some((item) => item === undefined || isBundle(item) || item.item_kind === 'discount')
  )
}

const skuTaken = (world: World, given: Result, by?: Item): boolean =>
  text(given['sku']) !== null &&
  all(world, 'item').some((other) => other !== by && other.live && other.sku === text(given['sku']))

const strayCategory = (world: World, actor: Actor, id: unknown): boolean =>
  id !== undefined && id !== null && live(world, actor, 'category', id) === undefined

const itemsCreate: Rule = (world, actor, given) => {
  const kind: string = given['kind']
  const isFixed = given['pricing'] === 'fixed'
  const codes = broken(
    [
      text(given['name']) === null ||
        strayCategory(world, actor, given['category_id']) ||
        lacksRate(world, actor, given['tax_rate_id']),
      'invalid_input',
    ],
    ['cost_cents' in given && actor.role !== 'owner', 'invalid_input'],
    [kind === 'service' && !('unit_price_cents' in given), 'invalid_input'],
    [kind !== 'bundle' && ('components' in given || 'pricing' in given), 'invalid_input'],
    [
      kind === 'bundle' &&
        (!('components' in given) ||
          hasWrongComponents(world, actor, given) ||
          isFixed !== 'unit_price_cents' in given ||
          'cost_cents' in given),
      'invalid_input',
    ],
    [
      kind === 'discount' && (!('discount_value' in given) || 'unit_price_cents' in given || 'cost_cents' in given),
      'invalid_input',
    ],
    [kind !== 'discount' && 'discount_value' in given, 'invalid_input'],
    [skuTaken(world, given), 'conflict'],
  )
  if (codes.length > 0) return codes
  return (answer) => {
    const discount: Discount | null =
      kind === 'discount' ? { type: given['discount_type'], value: given['discount_value'] } : null
    const item = addRecord<Item>(
      world,
      {
        kind: 'item',
        item_kind: kind,
        name: text(given['name'])!,
        sku: text(given['sku']),
        category_id: given['category_id'] ?? null,
        price: given['unit_price_cents'] ?? null,
        taxable: kind !== 'discount' && (given['taxable'] ?? true),
        tax_rate_id: given['tax_rate_id'] ?? null,
        cost: given['cost_cents'] ?? null,
        pricing: kind === 'bundle' ? (given['pricing'] ?? 'sum') : null,
        components: 'components' in given ? componentsOf(given) : [],
        discount,
      },
      answer,
    )
    return { shows: item, touched: [item] }
  }
}

const itemsUpdate: Rule = (world, actor, given) => {
  const item = live(world, actor, 'item', given['id'])
  if (item === undefined) return ['not_found']
  const codes = broken(
    [
      isBlank(given, 'name') ||
        (given['category_id'] !== item.category_id && strayCategory(world, actor, given['category_id'])),
      'invalid_input',
    ],
    ['cost_cents' in given && (actor.role !== 'owner' || item.item_kind !== 'service'), 'invalid_input'],
    ['components' in given && (!isBundle(item) || hasWrongComponents(world, actor, given)), 'invalid_input'],
    [
      'unit_price_cents' in given && (item.item_kind === 'discount' || (isBundle(item) && item.pricing === 'sum')),
      'invalid_input',
    ],
    [skuTaken(world, given, item), 'conflict'],
  )
  if (codes.length > 0) return codes
  return () => {
    Object.assign(item, {
      name: text(patchField(given, 'name', item.name)),
      sku: text(patchField(given, 'sku', item.sku)),
      category_id: patchField(given, 'category_id', item.category_id),
      price: patchField(given, 'unit_price_cents', item.price),
      cost: patchField(given, 'cost_cents', item.cost),
      components: 'components' in given ? componentsOf(given) : item.components,
    })
    return { shows: item, touched: [item, ...bundlesOf(world, item)] }
  }
}

const bundlesOf = (world: World, item: Item): Item[] =>
  all(world, 'item').filter((other) => other.live && other.components.some(({ id }) => id === item.id))

const itemsArchive: Rule = (world, actor, given) => {
  const item = live(world, actor, 'item', given['id'])
  if (item === undefined) return ['not_found']
  if (bundlesOf(world, item).length > 0) return ['conflict']
  return () => {
    item.live = false
    return { says: { id: item.id }, touched: [item] }
  }
}

export const catalog: Rules = {
  catalog_categories_create: { scope: 'write:catalog_categories', person: true, rule: categoriesCreate },
  catalog_categories_update: { scope: 'write:catalog_categories', person: true, rule: categoriesUpdate },
  catalog_categories_delete: { scope: 'write:catalog_categories', rule: categoriesDelete },
  catalog_items_create: { scope: 'write:catalog_items', person: true, rule: itemsCreate },
  catalog_items_update: { scope: 'write:catalog_items', person: true, rule: itemsUpdate },
  catalog_items_archive: { scope: 'write:catalog_items', person: true, rule: itemsArchive },
}
