import type { Refused, Scene } from '../scene.ts'

/** Lists refusals for catalog items, catalog categories and tax rates. */
export const listCatalogRefusals = (scene: Scene): Refused[] => [...items(scene), ...categories(scene), ...rates(scene)]

function items({ of, over, other }: Scene): Refused[] {
  const fee = { kind: 'fee', name: 'Trip', unit_price_cents: 1 }
  const kit = { kind: 'bundle', name: 'Kit' }
  const componentsOf = (catalog_item_id: string, quantity = 1): object => ({
    components: [{ catalog_item_id, quantity }],
  })
  const create = { tool: 'catalog_items_create' }
  const component = { ...create, field: 'components[0].catalog_item_id' }
  return [
    {
      tool: 'catalog_items_list',
      given: { category_id: of.item },
      code: 'not_found',
      field: 'catalog category',
      rule: 'not found',
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_items_list',
      given: { category_id: 'Pumps' },
      field: 'category_id',
      rule: 'must be a UUID',
      got: 'got "Pumps"',
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_items_get',
      given: { id: over.item },
      code: 'not_found',
      field: 'catalog item',
      rule: 'not found',
      way: 'catalog_items_list',
    },
    {
      ...create,
      given: { kind: 'part', name: 'x' },
      field: 'kind',
      rule: 'must be one of service, product, labor, fee, bundle, discount',
      got: 'got "part"',
    },
    {
      ...create,
      given: { kind: 'fee', name: 'x' },
      field: 'unit_price_cents',
      rule: 'is required for a catalog item of kind fee',
    },
    {
      ...create,
      given: { ...fee, unit_price_cents: 1.5 },
      field: 'unit_price_cents',
      rule: 'must be a whole number',
      got: 'got 1.5',
    },
    {
      ...create,
      given: { ...fee, manufacturer: 'x' },
      field: 'manufacturer',
      rule: 'is not allowed for a catalog item of kind fee',
    },
    {
      ...create,
      given: { ...fee, sku: 'S-1' },
      code: 'conflict',
      field: 'sku',
      rule: "is another item's",
      way: 'catalog_items_list',
    },
    {
      ...create,
      given: { ...fee, category_id: of.item },
      field: 'category_id',
      rule: 'is not a category of this account',
      way: 'catalog_categories_list',
    },
    {
      ...create,
      given: { ...fee, image_url: 'http://x.example/a.png' },
      field: 'image_url',
      rule: 'must be a URL that starts with https://',
      got: 'got "http://x.example/a.png"',
    },
    {
      ...create,
      given: { ...fee, cost_cents: 1 },
      by: 'office',
      field: 'cost_cents',
      rule: 'only an owner can set cost and supplier fields',
      way: 'leave them out',
    },
    { ...create, given: kit, field: 'components', rule: 'is required for a bundle' },
    {
      ...create,
      given: { ...kit, ...componentsOf(of.item), unit_price_cents: 1 },
      field: 'unit_price_cents',
      rule: 'is computed when pricing is sum',
      way: 'to set it, send pricing fixed',
    },
    {
      ...create,
      given: { ...kit, ...componentsOf(of.item), pricing: 'fixed' },
      field: 'unit_price_cents',
      rule: 'is required when pricing is fixed',
    },
    {
      ...component,
      given: { ...kit, ...componentsOf(over.item) },
      rule: 'is not a live catalog item',
      way: 'catalog_items_list',
    },
    {
      ...component,
      given: { ...kit, ...componentsOf(of.bundle) },
      rule: 'a bundle can contain only services, products, labor and fees',
      got: 'is of kind bundle',
    },
    {
      ...create,
      given: { ...kit, ...componentsOf(of.item, 0) },
      field: 'components[0].quantity',
      rule: 'must be at least 0.001',
      got: 'got 0',
    },
    {
      ...create,
      given: { ...kit, components: [of.item, of.item].map((catalog_item_id) => ({ catalog_item_id })) },
      field: 'components[1].catalog_item_id',
      rule: 'is already in the list',
      way: 'increase its quantity instead',
    },
    {
      ...create,
      given: { kind: 'discount', name: 'x', discount_type: 'percent' },
      field: 'discount_value',
      rule: 'is required for a catalog item of kind discount',
    },
    {
      ...create,
      given: { kind: 'discount', name: 'x', discount_type: 'percent', discount_value: 0 },
      field: 'discount_value',
      rule: 'must be above 0',
      got: 'got 0',
    },
    {
      tool: 'catalog_items_update',
      given: { id: of.item, kind: 'fee' },
      field: 'kind',
      rule: 'cannot be changed',
      got: 'it is service, got fee',
      way: 'leave it out',
    },
    {
      tool: 'catalog_items_update',
      given: { id: of.bundle, ...componentsOf(of.bundle) },
      field: 'components[0].catalog_item_id',
      rule: 'is the bundle itself',
    },
    {
      tool: 'catalog_items_archive',
      given: { id: of.item },
      code: 'conflict',
      field: 'the item',
      rule: 'is part of bundle Harbor bundle',
      way: 'first remove it from their components with catalog_items_update',
    },
    {
      tool: 'catalog_items_archive',
      given: { id: other.tag },
      code: 'not_found',
      field: 'catalog item',
      rule: 'not found',
      way: 'catalog_items_list',
    },
  ]
}

function categories({ of, other }: Scene): Refused[] {
  return [
    {
      tool: 'catalog_categories_list',
      given: { parent_id: of.item },
      code: 'not_found',
      field: 'catalog category',
      rule: 'not found',
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_categories_get',
      given: { id: of.item },
      code: 'not_found',
      field: 'catalog category',
      rule: 'not found',
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_categories_create',
      given: { name: 'HARBOR parent' },
      code: 'conflict',
      field: 'name',
      rule: "is another category's under the same parent",
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_categories_create',
      given: { name: 'x', parent_id: of.item },
      field: 'parent_id',
      rule: 'is not a category of this account',
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_categories_create',
      given: { name: 'x', position: -1 },
      field: 'position',
      rule: 'must be a whole number from 0 to 9999',
      got: 'got -1',
    },
    {
      tool: 'catalog_categories_update',
      given: { id: of.parent, parent_id: of.category },
      code: 'conflict',
      field: 'parent_id',
      rule: 'under itself or one of its descendants',
      got: 'Harbor parent',
      way: 'choose another parent_id, or null for the root',
    },
    {
      tool: 'catalog_categories_update',
      given: { id: other.category, name: 'Harbor parent' },
      code: 'conflict',
      field: 'name',
      rule: "is another category's under the same parent",
      way: 'catalog_categories_list',
    },
    {
      tool: 'catalog_categories_delete',
      given: { id: of.item },
      code: 'not_found',
      field: 'catalog category',
      rule: 'not found',
      way: 'catalog_categories_list',
    },
  ]
}

function rates({ of, over }: Scene): Refused[] {
  return [
    {
      tool: 'tax_rates_list',
      given: { include_archived: 'yes' },
      field: 'include_archived',
      rule: 'must be true or false',
      got: 'got "yes"',
    },
    {
      tool: 'tax_rates_get',
      given: { id: over.rate },
      code: 'not_found',
      field: 'tax rate',
      rule: 'not found',
      way: 'tax_rates_list',
    },
    {
      tool: 'tax_rates_create',
      given: { rate_percentage: 101 },
      field: 'rate_percentage',
      rule: 'must be at most 100',
      got: 'got 101',
    },
    {
      tool: 'tax_rates_create',
      given: { rate_percentage: 8.12345 },
      field: 'rate_percentage',
      rule: 'must have at most 4 decimals',
      got: 'got 8.12345',
    },
    {
      tool: 'tax_rates_create',
      given: { rate_percentage: '8%' },
      field: 'rate_percentage',
      rule: 'must be',
      got: 'got "8%"',
    },
    {
      tool: 'tax_rates_update',
      given: { id: of.rate, rate_percentage: 8.5 },
      field: 'rate_percentage',
      rule: 'cannot be changed',
      got: 'it is 8.25, got 8.5',
      way: 'create a new rate with tax_rates_create',
    },
    {
      tool: 'tax_rates_archive',
      given: { id: over.rate },
      code: 'not_found',
      field: 'tax rate',
      rule: 'not found',
      way: 'tax_rates_list',
    },
  ]
}
