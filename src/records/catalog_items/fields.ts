import { html } from '../../platform/html/html.ts'
import { sql } from '../../platform/db/database.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { refuse } from '../../platform/errors/rule_text.ts'
import { choice, customFields, flag, id, optional, wholeNumber } from '../../platform/validation/fields.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { longText, nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { allCategories } from '../catalog_categories/index.ts'
import { archivedAt, field, idField, internalField, auditFields, valueType } from '../declare/field.ts'
import { record, type InputOf, type RowOf } from '../declare/record.ts'
import { pathOptions, taxRates } from '../fields/choices.ts'
import { customField } from '../fields/custom_field.ts'
import { yesNoField } from '../fields/yes_no_field.ts'
import { choiceField, hiddenField, textAreaField, moneyField, numberField, textField } from '../fields/fields.ts'
import type { FormField } from '../fields/form_field.ts'
import { cents, discountType, discountValue } from '../line_items/inputs.ts'
import { wordFor } from '../page/states.ts'
import { seesCost } from './costs/cost.ts'
import { discountValueField } from './discount_value_field.ts'
import { refusals } from './refusals.ts'

export const KINDS = ['service', 'product', 'labor', 'fee', 'bundle', 'discount'] as const
export type ItemKind = (typeof KINDS)[number]

const componentsOfItem = sql`catalog_components c join catalog_items p on p.tenant_id = c.tenant_id and p.id = c.item_id
    where c.tenant_id = i.tenant_id and c.bundle_id = i.id`

/** Unit price of an item `i`: its own, or the sum of its components, each rounded like a line. */
export const price = sql`case when i.pricing = 'sum' then (
    select coalesce(sum(round(c.quantity * p.unit_price_cents)), 0)::bigint from ${componentsOfItem})
      else i.unit_price_cents end`

/** Unit cost of an item `i` to the company; null if a component's cost is unknown. */
export const cost = sql`case when i.kind = 'bundle' then (
    select case when bool_and(p.cost_cents is not null) then sum(round(c.quantity * p.cost_cents))::bigint end
    from ${componentsOfItem})
  else i.cost_cents end`

type IsFor = NonNullable<FormField['isFor']>

/** Limits a form field to some kinds. */
export const ofKinds =
  (...kinds: readonly ItemKind[]): IsFor =>
  (_, form) =>
    (kinds as readonly (string | null)[]).includes(form.get('kind'))

const isSold = ofKinds('service', 'product', 'labor', 'fee')
const isTaxed = ofKinds('service', 'product', 'labor', 'fee', 'bundle')

/** Limits a cost field to owners, who see and set it. */
const showsCost: IsFor = (context, form) => seesCost(context.caller) && isSold(context, form)

/** Fields of all kinds of items; null if the kind doesn't have them. */
export const CATALOG_ITEM = record({
  table: 'catalog_items',
  derive: ({ kind, name, sku, pricing, unit_price_cents, cost_cents }) => ({
    name_folded: fold(name),
    search_text: `${fold(name)}\n${fold(sku ?? '')}`,
    unit_price_cents: pricing === 'sum' ? null : unit_price_cents,
    cost_cents: kind === 'bundle' ? null : cost_cents,
  }),
  parts: { components: { name: 'company', kind: 'company', unit: 'company' } },
  fields: {
    id: idField,
    kind: field(choice(...KINDS).describe('Variant'), { label: () => say`Kind`, text: 'company', form: kindField }),
    name: field(nonEmptyText(200).describe('Name'), {
      label: () => say`Name`,
      text: 'company',
      form: (about) => textField({ ...about, isRequired: true }),
    }),
    description: field(longText(5000).describe('Details'), {
      label: () => say`Description`,
      text: 'company',
      form: (about) => textAreaField({ ...about, rows: 2, help: say`Copied to lines of quotes and invoices` }),
    }),
    sku: field(text(64).describe('Unique'), {
      label: () => say`SKU`,
      onSheet: true,
      text: 'company',
      form: (about) => textField({ ...about, fold: 'open', help: say`Your own number for it; no two items share one` }),
    }),
    category_id: field(optional(id()).describe('Category'), {
      label: () => say`Category`,
      form: (about) =>
        choiceField({
          ...about,
          isHalf: true,
          options: async (context) => pathOptions(await context.read(allCategories)),
          none: sayFor('category')`None`,
        }),
    }),
    unit: field(text(20).describe('Unit'), {
      label: () => say`Unit`,
      text: 'company',
      ...valueType<string>(),
      form: (about) =>
        textField({ ...about, isHalf: true, isFor: isTaxed, help: say`If left empty: each, or hour for labor` }),
    }),
    /** Computed from the components for a bundle with `sum` pricing. */
    unit_price_cents: field(optional(cents()).describe('Price'), {
      label: () => say`Price`,
      reads: () => price,
      form: (about) => [
        moneyField({ ...about, isHalf: true, isFor: isSold, isRequired: true }),
        { ...bundlePriceField(), isFor: ofKinds('bundle') },
      ],
    }),
    taxable: field(flag().optional().describe('Tax'), {
      label: () => say`Tax`,
      form: (about) => yesNoField({ ...about, isHalf: true, isFor: isTaxed, yes: say`Taxed`, no: say`Not taxed` }),
    }),
    tax_rate_id: field(optional(id()).describe('Rate'), {
      label: () => say`Its own tax rate`,
      form: (about) =>
        choiceField({ ...about, fold: 'open', isFor: isTaxed, options: taxRates, none: say`None: the document's` }),
    }),
    next_price: internalField({ text: 'company' }),
    /** Skills required for the work (docs/spec/scheduling.md#skills). */
    skills: internalField({ label: () => say`Skills`, text: 'company' }),
    image_url: field(urlInput(/^https:\/\//i, refusals.badPictureAddress()).describe('Picture'), {
      label: () => say`Picture address`,
      text: 'company',
      form: (about) => textField({ ...about, fold: 'open', help: say`Begins with https://` }, 'url'),
    }),
    fields: field(customFields().optional().describe('Custom fields'), {
      label: () => say`Custom fields`,
      text: 'company',
      default: {},
      form: customField,
    }),
    duration_minutes: field(optional(wholeNumber(5, 20_160)).describe('For services'), {
      label: () => say`Duration in minutes`,
      form: (about) => numberField({ ...about, fold: 'open', isFor: ofKinds('service') }),
    }),
    manufacturer: productField(text(100), () => say`Manufacturer`, true),
    model: productField(text(100), () => say`Model`, true),
    barcode: productField(text(64), () => say`Barcode`, false),
    pricing: field(choice('sum', 'fixed').optional().describe('For bundles'), {
      label: () => say`Price`,
      text: 'company',
      ...valueType<'sum' | 'fixed' | null>(),
      form: (about) =>
        choiceField({
          ...about,
          isFor: ofKinds('bundle'),
          options: [
            { value: 'sum', label: say`The sum of its components` },
            { value: 'fixed', label: say`A fixed price` },
          ],
        }),
    }),
    discount_type: field(optional(discountType()).describe('Discount'), {
      label: () => say`Discount in`,
      text: 'company',
      form: (about) =>
        choiceField({
          ...about,
          isHalf: true,
          isFor: ofKinds('discount'),
          options: [
            { value: 'percent', label: say`Percent` },
            { value: 'amount', label: say`Amount` },
          ],
        }),
    }),
    /** A percentage, or cents. */
    discount_value: field(optional(discountValue()).describe('Percent or cents'), {
      label: () => say`How much`,
      reads: (column) => sql`${column}::float8`,
      form: ({ label }) => discountValueField({ label, isHalf: true, isFor: ofKinds('discount') }),
    }),
    /** Computed from the components for a bundle; null if one of their costs is unknown. */
    cost_cents: field(optional(cents()).describe('For owners'), {
      label: () => say`Cost`,
      reads: () => cost,
      form: (about) => moneyField({ ...about, help: say`Owners only`, isFor: showsCost }),
    }),
    supplier_name: field(text(200).describe('For owners'), {
      label: () => say`Supplier`,
      text: 'company',
      form: (about) => textField({ ...about, fold: 'open', isHalf: true, isFor: showsCost }),
    }),
    supplier_sku: field(text(64).describe('For owners'), {
      label: () => say`Supplier's SKU`,
      text: 'company',
      form: (about) => textField({ ...about, fold: 'open', isHalf: true, isFor: showsCost }),
    }),
    supplier_url: field(urlInput(/^https?:\/\//i, refusals.badSupplierAddress()).describe('For owners'), {
      label: () => say`Supplier's page`,
      text: 'company',
      form: (about) => textField({ ...about, fold: 'open', isFor: showsCost }, 'url'),
    }),
    ...auditFields,
    archived_at: archivedAt,
    name_folded: internalField({ text: 'company', isDerived: true }),
    /** Folded name and SKU, for search. */
    search_text: internalField({ text: 'company', isDerived: true }),
  },
})

export type CatalogItem = RowOf<typeof CATALOG_ITEM>
/** All fields of an item that a caller sets; the kind only on create. */
export type ItemInput = InputOf<typeof CATALOG_ITEM>

function urlInput(pattern: RegExp, refusal: RefusalDetail) {
  return text(500).refine((url) => url == null || (pattern.test(url) && URL.canParse(url)), refuse(refusal))
}

function productField(schema: ReturnType<typeof text>, label: () => string, isHalf: boolean) {
  return field(schema.describe('For products'), {
    label,
    onSheet: true,
    text: 'company',
    form: (about) => textField({ ...about, fold: 'open', isFor: ofKinds('product'), ...(isHalf ? { isHalf } : {}) }),
  })
}

/** Returns the form field for the kind chosen before the form, with a link back. */
function kindField(): FormField {
  const plain = hiddenField('kind', 'create')
  return {
    ...plain,
    html: (form, context) =>
      html`${plain.html(form, context)}<p class="lead">${wordFor(form.get('kind') ?? '')}. <a
        href="?">${say`Change type`}</a></p>`,
  }
}

/** Returns the form field for a bundle's fixed price. Other bundles have a computed price that can't be entered. */
function bundlePriceField(): FormField {
  const plain = moneyField({ name: 'unit_price_cents', label: say`Fixed price`, help: say`Leave empty to use the sum` })
  return {
    ...plain,
    toEntries: (value, locale, row) => (row['pricing'] === 'fixed' ? plain.toEntries(value, locale, row) : []),
    read: (form, context) => (form.get('pricing') === 'fixed' ? plain.read(form, context) : undefined),
  }
}
