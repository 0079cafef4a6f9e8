import { expectNew, expectChange, idOf, present, type TaskArea } from '../task.ts'

const plumbing = idOf('catalog_categories', { name: 'Plumbing' })

/** Tasks about the catalog and its tax rates. */
export const catalog: TaskArea = {
  area: 'catalog',
  tasks: [
    {
      id: 'raise-price',
      role: 'owner',
      level: 'easy',
      prompt: 'Camera inspections are $245 starting today.',
      expect: [expectChange('catalog_items', { name: 'Camera inspection' }, { unit_price_cents: 24_500 })],
      solve: [
        ['catalog_items_list', { query: 'camera inspection' }],
        ['catalog_items_update', { id: '$0.rows.0.id', unit_price_cents: 24_500 }],
        'It’s $245 now.',
      ],
    },
    {
      id: 'raise-price-es',
      role: 'owner',
      level: 'easy',
      language: 'es',
      prompt: 'Sube el cargo por visita a 65 dólares.',
      expect: [expectChange('catalog_items', { name: 'Trip charge' }, { unit_price_cents: 6_500 })],
      solve: [
        ['catalog_items_list', { query: 'trip charge' }],
        ['catalog_items_update', { id: '$0.rows.0.id', unit_price_cents: 6_500 }],
        'Listo.',
      ],
    },
    {
      id: 'add-service',
      role: 'owner',
      level: 'medium',
      prompt: 'Add a service to Plumbing: sump pump check, 45 minutes, $119.',
      expect: [
        expectNew('catalog_items', {
          kind: 'service',
          name: /^sump pump check$/i,
          unit_price_cents: 11_900,
          duration_minutes: 45,
          category_id: plumbing,
        }),
      ],
      solve: [
        ['catalog_categories_list', {}],
        [
          'catalog_items_create',
          {
            kind: 'service',
            name: 'Sump pump check',
            unit_price_cents: 11_900,
            duration_minutes: 45,
            category_id: '$0.rows.0.id',
          },
        ],
        'Added.',
      ],
    },
    {
      id: 'retire-item',
      role: 'owner',
      level: 'medium',
      prompt: 'We don’t sell R-410A anymore. Take it off the price list.',
      expect: [expectChange('catalog_items', { sku: 'R410A' }, { archived_at: present })],
      solve: [
        ['catalog_items_list', { query: 'R-410A' }],
        'Should I archive it?',
        ['catalog_items_archive', { id: '$0.rows.0.id' }],
        'It’s off the list.',
      ],
    },
    {
      id: 'add-category',
      role: 'owner',
      level: 'easy',
      prompt: 'Add a category called Water treatment under Plumbing.',
      expect: [expectNew('catalog_categories', { name: 'Water treatment', parent_id: plumbing })],
      solve: [
        ['catalog_categories_list', {}],
        ['catalog_categories_create', { name: 'Water treatment', parent_id: '$0.rows.0.id' }],
        'Added.',
      ],
    },
    {
      id: 'add-tax-rate',
      role: 'owner',
      level: 'easy',
      prompt: 'Add a tax rate called "County tax" at 7.25%. Keep the default one we have.',
      expect: [expectNew('tax_rates', { name: 'County tax', rate_decimal: 0.0725, is_default: false })],
      solve: [['tax_rates_create', { name: 'County tax', rate_percentage: 7.25 }], 'Added.'],
    },
    {
      id: 'look-up-price',
      role: 'office',
      level: 'easy',
      prompt: 'What do we charge to pump a grease trap?',
      expect: [],
      answer: [/\b320\b/],
      solve: [['catalog_items_list', { query: 'grease trap' }], '$320.'],
    },
    {
      id: 'look-up-cost',
      role: 'owner',
      level: 'medium',
      prompt: 'What does the 50-gallon gas heater cost us, not the customer?',
      expect: [],
      answer: [/\b835\b/],
      solve: [
        ['catalog_items_list', { query: 'gas water heater' }],
        ['catalog_items_get', { id: '$0.rows.0.id' }],
        '$835.',
      ],
    },
  ],
}
