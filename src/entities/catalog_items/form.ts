import { html } from '../../html/html.ts'
import { pathOptions, taxRates } from '../../screens/fields/choices.ts'
import { customField } from '../../screens/fields/custom_field.ts'
import { eitherField } from '../../screens/fields/either_field.ts'
import { choiceField, hiddenField, longField, moneyField, numberField, textField } from '../../screens/fields/fields.ts'
import { words } from '../../screens/formats.ts'
import type { FormField } from '../../screens/fields/form_field.ts'
import type { PageContext } from '../../screens/page_context.ts'
import { allCategories } from '../catalog_categories/index.ts'
import type { ItemKind } from './catalog_item.ts'
import { componentsField } from './components_field.ts'
import { discountValueField } from './discount_value_field.ts'

type IsFor = NonNullable<FormField['isFor']>

/** Limits fields to some kinds. */
const of =
  (...kinds: readonly ItemKind[]): IsFor =>
  (_, typed) =>
    (kinds as readonly (string | null)[]).includes(typed.get('kind'))

const sold = of('service', 'product', 'labor', 'fee')
const taxed = of('service', 'product', 'labor', 'fee', 'bundle')

/** Limits a field of cost to owners, who see and set it. */
const ownersOf =
  (those: IsFor): IsFor =>
  (context, typed) =>
    context.caller.role === 'owner' && those(context, typed)

const COST = 'Cost and supplier'

/** Lists the fields of an item's form; its kind says which of them it has. */
export const itemFields: readonly FormField[] = [
  kindField(),
  textField({ name: 'name', label: 'Name', isRequired: true }),
  longField({ name: 'description', label: 'Description', help: 'It is copied to the lines of quotes and invoices' }),
  choiceField({
    name: 'pricing',
    label: 'Price',
    isFor: of('bundle'),
    options: [
      { value: 'sum', label: 'The sum of its components' },
      { value: 'fixed', label: 'A fixed price' },
    ],
  }),
  moneyField({ name: 'unit_price_cents', label: 'Price', isFor: sold, isRequired: true }),
  { ...fixedPriceField(), isFor: of('bundle') },
  choiceField({
    name: 'discount_type',
    label: 'Takes off',
    isFor: of('discount'),
    options: [
      { value: 'percent', label: 'A percentage' },
      { value: 'amount', label: 'An amount' },
    ],
  }),
  discountValueField({ label: 'How much', isFor: of('discount') }),
  textField({ name: 'unit', label: 'Unit', isFor: taxed, help: 'Each, or hour for labor, when left empty' }),
  componentsField(of('bundle')),
  eitherField({ name: 'taxable', label: 'Tax', group: 'Tax', isFor: taxed, yes: 'Taxed', no: 'Not taxed' }),
  choiceField({
    name: 'tax_rate_id',
    label: 'Tax rate of its own',
    group: 'Tax',
    isFor: taxed,
    options: taxRates,
    none: 'None: that of the document',
  }),
  choiceField({
    name: 'category_id',
    label: 'Category',
    group: 'About it',
    options: async (context) => pathOptions(await context.read(allCategories)),
    none: 'None',
  }),
  textField({
    name: 'sku',
    label: 'SKU',
    group: 'About it',
    help: 'Your own number for it; no two items have the same',
  }),
  numberField({ name: 'duration_minutes', label: 'Minutes it takes', group: 'About it', isFor: of('service') }),
  textField({ name: 'manufacturer', label: 'Manufacturer', group: 'About it', isFor: of('product') }),
  textField({ name: 'model', label: 'Model', group: 'About it', isFor: of('product') }),
  textField({ name: 'barcode', label: 'Barcode', group: 'About it', isFor: of('product') }),
  textField(
    { name: 'image_url', label: 'Address of a picture', group: 'About it', help: 'Begins with https://' },
    'url',
  ),
  moneyField({
    name: 'cost_cents',
    label: 'What it costs you',
    group: COST,
    help: 'Owners alone see this',
    isFor: ownersOf(sold),
  }),
  textField({ name: 'supplier_name', label: 'Supplier', group: COST, isFor: ownersOf(sold) }),
  textField({ name: 'supplier_sku', label: 'SKU of the supplier', group: COST, isFor: ownersOf(sold) }),
  textField(
    { name: 'supplier_url', label: "Address of the supplier's page", group: COST, isFor: ownersOf(sold) },
    'url',
  ),
  customField(),
]

/** Makes the field of the kind chosen before the form, with the link back. */
function kindField(): FormField {
  const plain = hiddenField('kind', 'create')
  return {
    ...plain,
    html: (typed, context) =>
      html`${plain.html(typed, context)}<p class="lead">${words(typed.get('kind') ?? '')}. <a href="?">Another kind</a></p>`,
  }
}

/** Makes the field of a bundle's fixed price; that of another bundle is computed, and isn't typed. */
function fixedPriceField(): FormField {
  const plain = moneyField({ name: 'unit_price_cents', label: 'Fixed price', help: 'Left empty when it is the sum' })
  return {
    ...plain,
    typed: (value, locale, record) => (record['pricing'] === 'fixed' ? plain.typed(value, locale, record) : []),
    read: (typed, context) => (typed.get('pricing') === 'fixed' ? plain.read(typed, context) : undefined),
  }
}

/** Tells whether columns and facts of cost are shown: to owners alone. */
export const seesCost = ({ caller }: Pick<PageContext, 'caller'>): boolean => caller.role === 'owner'
