import { visit, type Refused, type Scene } from '../scene.ts'

/** Lists refusals for document lines. */
export function listLineRefusals({ of, over }: Scene): Refused[] {
  const off = { name: 'Off', kind: 'discount', discount_type: 'amount', discount_value: 101 }
  const each: [line: object, said: Pick<Refused, 'field' | 'rule' | 'got' | 'way'>][] = [
    [{ name: 'x' }, { field: 'line_items[1].unit_price_cents', rule: 'is required without catalog_item_id' }],
    [{ unit_price_cents: 1 }, { field: 'line_items[1].name', rule: 'is required without catalog_item_id' }],
    [
      { ...visit, price: 1 },
      { field: 'line_items[1].price', rule: 'unknown field', way: "did you mean 'unit_price_cents'?" },
    ],
    [
      { ...visit, quantity: -1 },
      { field: 'line_items[1].quantity', rule: 'must be above 0', got: 'got -1' },
    ],
    [
      { ...visit, unit_price_cents: -1 },
      {
        field: 'line_items[1].unit_price_cents',
        rule: 'must be at least 0',
        got: 'got -1',
        way: 'to take money off, add a line of kind discount',
      },
    ],
    [
      { catalog_item_id: over.item },
      { field: 'line_items[1].catalog_item_id', rule: 'is not a live catalog item', way: 'catalog_items_list' },
    ],
    [
      { catalog_item_id: 'Pump' },
      { field: 'line_items[1].catalog_item_id', rule: 'must be a UUID', got: 'got "Pump"', way: 'catalog_items_list' },
    ],
    [
      { ...visit, tax_rate_id: over.rate },
      { field: 'line_items[1].tax_rate_id', rule: 'is not a live tax rate', way: 'tax_rates_list' },
    ],
    [
      { ...visit, discount_value: 5 },
      { field: 'line_items[1].discount_value', rule: 'is only for lines of kind discount' },
    ],
    [
      { ...visit, kind: 'part' },
      {
        field: 'line_items[1].kind',
        rule: 'must be one of service, product, labor, fee, bundle, discount',
        got: 'got "part"',
      },
    ],
    [
      { name: 'Off', kind: 'discount' },
      { field: 'line_items[1].discount_type', rule: 'is required for a discount line' },
    ],
    [
      { ...off, quantity: 2 },
      { field: 'line_items[1].quantity', rule: 'is not allowed on a discount line' },
    ],
    [
      { ...off, discount_type: 'percent' },
      { field: 'line_items[1].discount_value', rule: 'must be at most 100', got: 'got 101' },
    ],
    [
      { catalog_item_id: over.discount, kind: 'fee' },
      { field: 'line_items[1].kind', rule: "can't be fee for a catalog item of kind discount" },
    ],
    [
      off,
      { field: 'line_items[1]', rule: 'must take off at most 100 cents, the rest of the subtotal', got: 'got 101' },
    ],
  ]
  return each.flatMap(([line, said]) => [
    { tool: 'jobs_create', given: { customer_id: of.customer, title: 'x', line_items: [visit, line] }, ...said },
    { tool: 'quotes_update', given: { id: of.quote, line_items: [visit, line] }, ...said },
  ])
}
