import { facts, type Fact } from '../../platform/html/parts/facts.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { table } from '../../platform/html/parts/table.ts'
import { say } from '../../platform/i18n/say.ts'
import { formFields } from '../declare/form_fields.ts'
import { pathOptions, wordOptions } from '../fields/choices.ts'
import { customFacts } from '../page/custom_facts.ts'
import { duration, money } from '../format/formats.ts'
import { quantity, formatUnit } from '../format/units.ts'
import { sheetFacts } from '../page/sheet_facts.ts'
import { recordLink } from '../page/links.ts'
import { part, multilineText } from '../page/parts.ts'
import { wordFor } from '../page/states.ts'
import { screen, type Choice } from '../page/screen.ts'
import type { ListPage, PageContext } from '../page/page_context.ts'
import { allCategories, categoryNames } from '../catalog_categories/index.ts'
import type { Results } from '../../tools/declare/results.ts'
import type { Component } from './components.ts'
import { componentsField } from './components_field.ts'
import { CATALOG_ITEM, KINDS, ofKinds } from './fields.ts'
import { nextPricePart, priceActions } from '../price_changes/index.ts'
import { findItemSkills } from './catalog_item.ts'
import { seesCost } from './costs/cost.ts'
import { lacksPicture } from './pictures/pictures.ts'
import { skillsActions } from './skills_action.ts'
import { catalogItems } from './tools.ts'

/** An item without the fields that its kind lacks or that this person may not see. */
type ItemResult = Results['catalog_items_get']
type Row = Results['catalog_items_list']['rows'][number] & { category_name?: string }

const kindChoice = (): Choice => ({
  name: 'kind',
  get title() {
    return say`What kind of item is it?`
  },
  options: [
    { value: 'service', label: say`Service`, description: say`Work at a price, such as a tune-up` },
    { value: 'product', label: say`Product`, description: say`A part or a machine that is sold` },
    { value: 'labor', label: say`Labor`, description: say`Work by the hour` },
    { value: 'fee', label: say`Fee`, description: say`A trip charge, a permit, a disposal` },
    { value: 'bundle', label: say`Bundle`, description: say`Several of these, sold as one` },
    { value: 'discount', label: say`Discount`, description: say`A percentage or an amount off` },
  ],
})

export const itemScreen = screen<ItemResult, Row>({
  entity: catalogItems,
  get title() {
    return say`Catalog`
  },
  get singular() {
    return say`item`
  },
  menu: { group: 'catalog', position: 1 },
  get startsFrom() {
    return kindChoice()
  },
  listing: {
    filters: () => [
      { kind: 'search', name: 'query', label: say`Name or SKU` },
      { kind: 'choice', name: 'kind', label: say`Kind`, options: wordOptions(...KINDS) },
      {
        kind: 'choice',
        name: 'category_id',
        label: say`Category`,
        options: async (context) => pathOptions(await context.read(allCategories)),
      },
    ],
    find: findWithCategoryNames,
    columns: (context) => [
      { name: 'item', label: say`Item`, cell: ({ id, name }) => recordLink(context, 'catalog_items', id, name) },
      { name: 'kind', label: say`Kind`, cell: ({ kind }) => wordFor(kind) },
      { name: 'sku', label: say`SKU`, cell: ({ sku }) => sku ?? '' },
      {
        name: 'category',
        label: say`Category`,
        cell: ({ category_id, category_name }) =>
          category_id == null
            ? ''
            : recordLink(context, 'catalog_categories', category_id, category_name ?? say`Category`),
      },
      {
        name: 'price',
        label: say`Price`,
        cell: (row) => priceOf(row, context.company.currency),
        isNumber: true,
        onPhone: 'side',
      },
      ...(seesCost(context.caller)
        ? [
            {
              name: 'cost',
              label: say`Cost`,
              cell: ({ cost_cents }: Row) => (cost_cents == null ? '' : money(cost_cents, context.company.currency)),
              isNumber: true,
              onPhone: 'labeled' as const,
            },
          ]
        : []),
    ],
    get empty() {
      return say`No items yet. Items fill in the lines of quotes, jobs and invoices.`
    },
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
  stateOf: ({ kind }) => html`<span class="status plain">${wordFor(kind)}</span>`,
  get fields() {
    return formFields(CATALOG_ITEM, [
      'kind',
      'name',
      'description',
      'pricing',
      'unit_price_cents',
      'discount_type',
      'discount_value',
      'unit',
      componentsField(ofKinds('bundle')),
      'category_id',
      'taxable',
      'cost_cents',
      'tax_rate_id',
      'sku',
      'duration_minutes',
      'manufacturer',
      'model',
      'barcode',
      'image_url',
      'supplier_name',
      'supplier_sku',
      'supplier_url',
      'fields',
    ])
  },
  actions: (_, item) => [
    ...priceActions(item),
    ...skillsActions(item),
    {
      wire: 'catalog_items_archive',
      label: say`Archive item`,
      kind: 'danger',
      warning: say`It can't be used on anything new. Quotes, jobs and invoices keep what they copied from it. This can't be undone.`,
    },
  ],
  sheet: async (context, item) => html`
${facts([
  ...priceFacts(context, item),
  ...(await detailFacts(context, item)),
  ...sheetFacts(context, CATALOG_ITEM, item),
  ...costFacts(context, item),
])}
${await nextPricePart(context, item)}
${item.description == null ? '' : part(say`Description`, multilineText(item.description))}
${item.components === undefined ? '' : part(say`Components`, componentsTable(context, item.components))}
${customFacts(item.fields)}`,
})

async function findWithCategoryNames(
  context: PageContext,
  query: Readonly<Record<string, unknown>>,
): Promise<ListPage> {
  const page = await context.call('catalog_items_list', query)
  const ids = [...new Set(page.rows.flatMap(({ category_id }) => category_id ?? []))]
  const names = ids.length === 0 ? new Map<string, string>() : await context.read((db) => categoryNames(db, ids))
  return { ...page, rows: page.rows.map((row) => ({ ...row, category_name: names.get(row.category_id ?? '') })) }
}

type PriceFields = Partial<Pick<ItemResult, 'unit' | 'unit_price_cents' | 'discount_type' | 'discount_value'>>

function priceOf(
  { unit = 'each', unit_price_cents, discount_type, discount_value }: PriceFields,
  currency: string,
): string {
  if (discount_type === 'percent') return say`${discount_value ?? ''}% off`
  if (discount_type === 'amount') return say`${money(discount_value ?? 0, currency)} off`
  return `${money(unit_price_cents ?? 0, currency)}${unit === 'each' ? '' : ` / ${formatUnit(unit)}`}`
}

const priceFacts = ({ company }: PageContext, item: ItemResult): Fact[] => [
  {
    label: item.kind === 'discount' ? say`Discount` : say`Price`,
    value: priceOf(item, company.currency),
    says: item.pricing === 'sum' ? say`The sum of its components` : undefined,
  },
]

async function detailFacts(
  context: PageContext,
  { id, kind, taxable, tax_rate_id, category_id, duration_minutes, image_url }: ItemResult,
): Promise<Fact[]> {
  const [skills, categories, rate, isMissing] = await Promise.all([
    context.read((db) => findItemSkills(db, id)),
    category_id == null ? new Map<string, string>() : context.read((db) => categoryNames(db, [category_id])),
    tax_rate_id == null || !context.may('read:tax_rates') ? undefined : rateLink(context, tax_rate_id),
    image_url != null && context.read((db) => lacksPicture(db, { id, image_url })),
  ])
  const rows: [string, Html | string | null | undefined, says?: string | undefined][] = [
    [say`Tax`, kind === 'discount' ? null : taxable ? say`Taxed` : say`Not taxed`],
    [say`Its own tax rate`, rate],
    [
      say`Category`,
      category_id == null
        ? null
        : recordLink(context, 'catalog_categories', category_id, categories.get(category_id) ?? say`Category`),
    ],
    [say`Skills`, skills.length === 0 ? null : skills.join(', ')],
    [say`Duration`, duration_minutes == null ? null : duration(duration_minutes)],
    [
      say`Picture`,
      image_url == null ? null : externalLink(image_url),
      isMissing ? say`Phones and quotes can’t show it. Use a PNG or JPEG up to 512 KB.` : undefined,
    ],
  ]
  return rows.flatMap(([label, value, says]) => (value == null ? [] : [{ label, value, says }]))
}

/** Returns a link to a live rate; an archived one has no page. */
async function rateLink(context: PageContext, id: string): Promise<Html | string> {
  const { rows } = await context.call('tax_rates_list', { limit: 100 })
  const rate = rows.find((one) => one.id === id)
  return rate === undefined
    ? say`Archived`
    : recordLink(context, 'tax_rates', id, `${rate.name} ${rate.rate_percentage}%`)
}

function costFacts(
  context: PageContext,
  { cost_cents, supplier_name, supplier_sku, supplier_url }: ItemResult,
): Fact[] {
  if (!seesCost(context.caller)) return []
  const rows: [string, Html | string | null | undefined][] = [
    [say`Cost`, cost_cents == null ? null : money(cost_cents, context.company.currency)],
    [say`Supplier`, supplier_name],
    [say`Supplier's SKU`, supplier_sku],
    [say`Supplier's page`, supplier_url == null ? null : externalLink(supplier_url)],
  ]
  return rows.flatMap(([label, value]) =>
    value == null ? [] : [{ label, value, says: label === say`Cost` ? say`Owners only` : undefined }],
  )
}

const externalLink = (address: string): Html => html`<a href="${address}" rel="noreferrer noopener">${address}</a>`

const componentsTable = (context: PageContext, rows: readonly Component[]): Html =>
  table({
    caption: say`Components`,
    isCaptionHidden: true,
    get empty() {
      return say`No components.`
    },
    rows,
    columns: [
      {
        label: say`Item`,
        cell: ({ catalog_item_id, name }) => recordLink(context, 'catalog_items', catalog_item_id, name),
      },
      { label: say`Kind`, cell: ({ kind }) => wordFor(kind) },
      { label: say`Quantity`, cell: (one) => quantity(one.quantity, one.unit), isNumber: true },
      {
        label: say`Price of one`,
        cell: ({ unit_price_cents }) => money(unit_price_cents, context.company.currency),
        isNumber: true,
      },
      ...(seesCost(context.caller)
        ? [
            {
              label: say`Cost of one`,
              cell: ({ cost_cents }: Component) =>
                cost_cents == null ? '' : money(cost_cents, context.company.currency),
              isNumber: true,
            },
          ]
        : []),
    ],
  })
