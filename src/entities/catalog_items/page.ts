import { facts, type Fact } from '../../html/facts.ts'
import { html, type Html } from '../../html/html.ts'
import { table } from '../../html/table.ts'
import { pathOptions, worded } from '../../screens/fields/choices.ts'
import { customFacts } from '../../screens/custom_facts.ts'
import { duration, money, quantity, words } from '../../screens/formats.ts'
import { recordLink } from '../../screens/links.ts'
import { part, written } from '../../screens/parts.ts'
import { screen, type Choice } from '../../screens/screen.ts'
import type { ListPage, PageContext } from '../../screens/page_context.ts'
import { allCategories, categoryNames } from '../catalog_categories/index.ts'
import type { Results } from '../../tools/results.ts'
import type { Component } from './components.ts'
import { itemFields, seesCost } from './form.ts'
import { KINDS } from './kinds.ts'
import { catalogItems } from './tools.ts'

/** Describes an item without the fields that its kind lacks, or that this person may not see. */
type Full = Results['catalog_items_get']
type Row = Results['catalog_items_list']['rows'][number] & { category_name?: string }

const FIRST: Choice = {
  name: 'kind',
  title: 'What kind of item is it?',
  options: [
    { value: 'service', label: 'Service', description: 'Work at a price, such as a tune-up' },
    { value: 'product', label: 'Product', description: 'A part or a machine that is sold' },
    { value: 'labor', label: 'Labor', description: 'Work by the hour' },
    { value: 'fee', label: 'Fee', description: 'A trip charge, a permit, a disposal' },
    { value: 'bundle', label: 'Bundle', description: 'Several of these, sold as one' },
    { value: 'discount', label: 'Discount', description: 'A percentage or an amount off' },
  ],
}

export const itemScreen = screen<Full, Row>({
  entity: catalogItems,
  title: 'Catalogue',
  one: 'item',
  menu: { group: 'catalog', position: 1 },
  startsFrom: FIRST,
  listing: {
    filters: [
      { kind: 'search', name: 'query', label: 'Name or SKU' },
      { kind: 'choice', name: 'kind', label: 'Kind', options: worded(...KINDS) },
      {
        kind: 'choice',
        name: 'category_id',
        label: 'Category',
        options: async (context) => pathOptions(await context.read(allCategories)),
      },
    ],
    find: withCategories,
    columns: (context) => [
      { label: 'Item', cell: ({ id, name }) => recordLink(context, 'catalog_items', id, name) },
      { label: 'Kind', cell: ({ kind }) => words(kind) },
      { label: 'SKU', cell: ({ sku }) => sku ?? '' },
      {
        label: 'Category',
        cell: ({ category_id, category_name }) =>
          category_id == null
            ? ''
            : recordLink(context, 'catalog_categories', category_id, category_name ?? 'Category'),
      },
      { label: 'Price', cell: (row) => priceOf(row, context.company.currency), isNumber: true },
      ...(seesCost(context)
        ? [
            {
              label: 'Cost',
              cell: ({ cost_cents }: Row) => (cost_cents == null ? '' : money(cost_cents, context.company.currency)),
              isNumber: true,
            },
          ]
        : []),
    ],
    empty: 'Nothing in the catalogue yet. What is here fills in the lines of quotes, jobs and invoices.',
    exported: [
      'id',
      'kind',
      'name',
      'sku',
      'category_id',
      'unit',
      'unit_price_cents',
      'discount_type',
      'discount_value',
      'taxable',
      'cost_cents',
    ],
  },
  nameOf: ({ name }) => name,
  stateOf: ({ kind }) => html`<span class="status plain">${words(kind)}</span>`,
  fields: itemFields,
  actions: () => [
    {
      wire: 'catalog_items_archive',
      label: 'Archive the item',
      kind: 'danger',
      warns:
        "It can't be put on anything new. Quotes, jobs and invoices keep what they copied from it. This can't be undone.",
    },
  ],
  sheet: async (context, item) => html`
${facts([...priceFacts(context, item), ...(await aboutFacts(context, item)), ...costFacts(context, item)])}
${item.description == null ? '' : part('Description', written(item.description))}
${item.components === undefined ? '' : part('Components', components(context, item.components))}
${customFacts(item.fields)}`,
})

async function withCategories(context: PageContext, given: Readonly<Record<string, unknown>>): Promise<ListPage> {
  const found = await context.call('catalog_items_list', given)
  const ids = [...new Set(found.rows.flatMap(({ category_id }) => category_id ?? []))]
  const names = ids.length === 0 ? new Map<string, string>() : await context.read((db) => categoryNames(db, ids))
  return { ...found, rows: found.rows.map((row) => ({ ...row, category_name: names.get(row.category_id ?? '') })) }
}

type Priced = Partial<Pick<Full, 'unit' | 'unit_price_cents' | 'discount_type' | 'discount_value'>>

function priceOf({ unit = 'each', unit_price_cents, discount_type, discount_value }: Priced, currency: string): string {
  if (discount_type === 'percent') return `${discount_value}% off`
  if (discount_type === 'amount') return `${money(discount_value ?? 0, currency)} off`
  return `${money(unit_price_cents ?? 0, currency)}${unit === 'each' ? '' : ` / ${unit}`}`
}

const priceFacts = ({ company }: PageContext, item: Full): Fact[] => [
  {
    label: item.kind === 'discount' ? 'Takes off' : 'Price',
    value: priceOf(item, company.currency),
    says: item.pricing === 'sum' ? 'The sum of its components' : undefined,
  },
]

async function aboutFacts(
  context: PageContext,
  { kind, taxable, tax_rate_id, category_id, sku, duration_minutes, manufacturer, model, barcode, image_url }: Full,
): Promise<Fact[]> {
  const [categories, rate] = await Promise.all([
    category_id == null ? new Map<string, string>() : context.read((db) => categoryNames(db, [category_id])),
    tax_rate_id == null || !context.may('read:tax_rates') ? undefined : rateLink(context, tax_rate_id),
  ])
  const given: [string, Html | string | null | undefined][] = [
    ['Tax', kind === 'discount' ? null : taxable ? 'Taxed' : 'Not taxed'],
    ['Tax rate of its own', rate],
    [
      'Category',
      category_id == null
        ? null
        : recordLink(context, 'catalog_categories', category_id, categories.get(category_id) ?? 'Category'),
    ],
    ['SKU', sku],
    ['Takes', duration_minutes == null ? null : duration(duration_minutes)],
    ['Manufacturer', manufacturer],
    ['Model', model],
    ['Barcode', barcode],
    ['Picture', image_url == null ? null : outside(image_url)],
  ]
  return given.flatMap(([label, value]) => (value == null ? [] : [{ label, value }]))
}

/** Links to a live rate; one that was archived since has no page. */
async function rateLink(context: PageContext, id: string): Promise<Html | string> {
  const { rows } = await context.call('tax_rates_list', { limit: 100 })
  const rate = rows.find((one) => one.id === id)
  return rate === undefined ? 'Archived' : recordLink(context, 'tax_rates', id, `${rate.name} ${rate.rate_percentage}%`)
}

function costFacts(context: PageContext, { cost_cents, supplier_name, supplier_sku, supplier_url }: Full): Fact[] {
  if (!seesCost(context)) return []
  const given: [string, Html | string | null | undefined][] = [
    ['Cost', cost_cents == null ? null : money(cost_cents, context.company.currency)],
    ['Supplier', supplier_name],
    ['SKU of the supplier', supplier_sku],
    ['Page of the supplier', supplier_url == null ? null : outside(supplier_url)],
  ]
  return given.flatMap(([label, value]) =>
    value == null ? [] : [{ label, value, says: label === 'Cost' ? 'Owners alone see this' : undefined }],
  )
}

const outside = (address: string): Html => html`<a href="${address}" rel="noreferrer noopener">${address}</a>`

const components = (context: PageContext, rows: readonly Component[]): Html =>
  table({
    caption: 'Components',
    isCaptionHidden: true,
    empty: 'Nothing in it.',
    rows,
    columns: [
      {
        label: 'Item',
        cell: ({ catalog_item_id, name }) => recordLink(context, 'catalog_items', catalog_item_id, name),
      },
      { label: 'Kind', cell: ({ kind }) => words(kind) },
      { label: 'Quantity', cell: (one) => quantity(one.quantity, one.unit), isNumber: true },
      {
        label: 'Price of one',
        cell: ({ unit_price_cents }) => money(unit_price_cents, context.company.currency),
        isNumber: true,
      },
      ...(seesCost(context)
        ? [
            {
              label: 'Cost of one',
              cell: ({ cost_cents }: Component) =>
                cost_cents == null ? '' : money(cost_cents, context.company.currency),
              isNumber: true,
            },
          ]
        : []),
    ],
  })
