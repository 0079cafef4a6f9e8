import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'item' | 'bundle' | 'category' | 'rate'> = {
  make: async ({ call, idsOf, word }) => {
    const [{ category }, { rate }] = [await idsOf('catalog_categories'), await idsOf('tax_rates')]
    const { id: item } = await call('catalog_items_create', {
      kind: 'service',
      name: `${word} item`,
      unit_price_cents: 10_000,
      category_id: category,
      tax_rate_id: rate,
      cost_cents: 77,
      supplier_name: word,
    })
    const { id: bundle } = await call('catalog_items_create', {
      kind: 'bundle',
      name: `${word} bundle`,
      components: [{ catalog_item_id: item, quantity: 2 }],
    })
    return { item, bundle }
  },
  given: {
    list: (of) => [{ category_id: of.category, include_descendants: true }, {}],
    get: (of) => [{ id: of.item }, { id: of.bundle }],
    create: (of) => [
      { kind: 'product', name: freshName(), unit_price_cents: 1, category_id: of.category, tax_rate_id: of.rate },
      { kind: 'bundle', name: freshName(), components: [{ catalog_item_id: of.item }] },
    ],
    update: (of) => [
      { id: of.item, category_id: of.category, tax_rate_id: of.rate, description: 'x' },
      { id: of.bundle, components: [{ catalog_item_id: of.item }] },
    ],
    archive: byId('bundle'),
  },
  needs: ['components', 'unit_price_cents'],
}
