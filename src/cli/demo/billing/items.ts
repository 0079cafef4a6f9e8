/** Catalog categories as paths from the root, parents first. */
export const CATEGORIES = [
  'Plumbing',
  'Plumbing/Drains',
  'Plumbing/Water heaters',
  'Heating & air',
  'Heating & air/Maintenance',
  'Heating & air/Repair',
  'Parts',
  'Labor & fees',
] as const

type Common = { name: string; category: (typeof CATEGORIES)[number]; description?: string; taxable?: false }
type PricedItem = Common & { unit_price_cents: number; cost_cents?: number; unit?: string; sku?: string }

/** Arguments of `catalog_items_create`. Bundles refer to other items by their key in ITEMS. */
export type DemoItem =
  | (PricedItem & { kind: 'service'; duration_minutes: number })
  | (PricedItem & {
      kind: 'product'
      manufacturer?: string
      model?: string
      supplier_name: string
      supplier_sku?: string
    })
  | (PricedItem & { kind: 'labor' | 'fee' })
  | (Common & {
      kind: 'bundle'
      pricing: 'fixed'
      unit_price_cents: number
      components: readonly { item: string; quantity: number }[]
    })
  | (Common & { kind: 'discount'; discount_type: 'percent'; discount_value: number })

type PartDetails = Omit<
  Extract<DemoItem, { kind: 'product' }>,
  'kind' | 'name' | 'category' | 'unit_price_cents' | 'cost_cents' | 'supplier_name'
>

const service = (
  name: string,
  category: Common['category'],
  duration_minutes: number,
  unit_price_cents: number,
  cost_cents: number,
  description: string,
): DemoItem => ({ kind: 'service', name, category, duration_minutes, unit_price_cents, cost_cents, description })

const part = (name: string, unit_price_cents: number, cost_cents: number, extra: PartDetails = {}): DemoItem => ({
  kind: 'product',
  name,
  category: 'Parts',
  unit_price_cents,
  cost_cents,
  supplier_name: 'Hill Country Supply',
  ...extra,
})

const laborOrFee = (
  kind: 'labor' | 'fee',
  name: string,
  unit_price_cents: number,
  extra: Partial<PricedItem> = {},
): DemoItem => ({ kind, name, category: 'Labor & fees', unit_price_cents, taxable: false, ...extra })

/** Catalog items of the demo company, by the names that other data refers to. */
export const ITEMS = {
  drain: service(
    'Main line cleaning',
    'Plumbing/Drains',
    90,
    28_500,
    6_500,
    'Cable machine up to 100 ft through an accessible cleanout.',
  ),
  fixture_drain: service(
    'Fixture drain cleaning',
    'Plumbing/Drains',
    60,
    16_500,
    4_000,
    'One sink, tub, shower or floor drain.',
  ),
  camera: service(
    'Camera inspection',
    'Plumbing/Drains',
    60,
    22_500,
    5_000,
    'With a recording and the depth of what was found.',
  ),
  grease: service(
    'Grease trap pumping',
    'Plumbing/Drains',
    60,
    32_000,
    14_500,
    'Up to 100 gal, with the manifest for the city.',
  ),
  flush: service(
    'Water heater flush',
    'Plumbing/Water heaters',
    75,
    18_900,
    4_500,
    'Drain, flush, anode and relief valve check.',
  ),
  descale: service(
    'Tankless descaling',
    'Plumbing/Water heaters',
    90,
    21_900,
    5_200,
    'Pump kit and cleaner, flow measured before and after.',
  ),
  leak_search: service(
    'Leak search',
    'Plumbing',
    120,
    34_500,
    7_000,
    'Pressure test by zones, acoustic search, marked on site.',
  ),
  backflow: service(
    'Backflow test',
    'Plumbing',
    45,
    12_500,
    2_500,
    'Certified gauge, report filed with the water utility.',
  ),
  tune_up: service(
    'Seasonal tune-up',
    'Heating & air/Maintenance',
    60,
    14_900,
    4_000,
    'One system, heating in fall, cooling in spring.',
  ),
  diagnosis: service(
    'Heating and air diagnosis',
    'Heating & air/Repair',
    60,
    12_900,
    3_500,
    'Credited to the repair when it is done the same week.',
  ),
  heater: part('Gas water heater, 50 gal', 142_000, 83_500, {
    manufacturer: 'Halden',
    model: 'G50-40N',
    sku: 'WH-50G',
    supplier_sku: 'HC-88150',
  }),
  tankless: part('Tankless gas heater, 199k BTU', 238_000, 151_000, {
    manufacturer: 'Halden',
    model: 'T199',
    sku: 'WH-T199',
    supplier_sku: 'HC-88199',
  }),
  expansion_tank: part('Expansion tank, 2 gal', 8_900, 4_150, { sku: 'ET-2' }),
  disposer: part('Garbage disposer, 3/4 hp', 24_500, 13_800, {
    manufacturer: 'Kettering',
    model: 'K750',
    sku: 'GD-34',
  }),
  filter: part('Media filter 20x25x4', 4_900, 2_100, { sku: 'MF-20254' }),
  capacitor: part('Dual run capacitor 45/5', 16_500, 2_350, { sku: 'CAP-455' }),
  contactor: part('Contactor, 2 pole 40 A', 14_500, 2_900, { sku: 'CON-240' }),
  refrigerant: part('Refrigerant R-410A', 9_500, 3_200, { unit: 'lb', sku: 'R410A' }),
  plumber: laborOrFee('labor', 'Plumber', 13_500, { cost_cents: 5_800 }),
  technician: laborOrFee('labor', 'HVAC technician', 14_500, { cost_cents: 6_200 }),
  trip: laborOrFee('fee', 'Trip charge', 5_900),
  after_hours: laborOrFee('fee', 'After-hours call', 15_000),
  permit: laborOrFee('fee', 'City permit', 9_500, { cost_cents: 9_500 }),
  heater_swap: {
    kind: 'bundle',
    name: 'Water heater replacement, 50 gal',
    category: 'Plumbing/Water heaters',
    pricing: 'fixed',
    unit_price_cents: 209_000,
    description: 'Heater, expansion tank, permit and four hours; the old one is hauled away.',
    components: [
      { item: 'heater', quantity: 1 },
      { item: 'expansion_tank', quantity: 1 },
      { item: 'plumber', quantity: 4 },
      { item: 'permit', quantity: 1 },
    ],
  },
  plan_discount: {
    kind: 'discount',
    name: 'Maintenance plan discount',
    category: 'Labor & fees',
    discount_type: 'percent',
    discount_value: 10,
    taxable: false,
  },
} as const satisfies Record<string, DemoItem>

export type ItemRef = keyof typeof ITEMS
