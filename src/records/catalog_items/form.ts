import { html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { pathOptions, taxRates } from '../fields/choices.ts'
import { customField } from '../fields/custom_field.ts'
import { eitherField } from '../fields/either_field.ts'
import { choiceField, hiddenField, longField, moneyField, numberField, textField } from '../fields/fields.ts'

import { wordFor } from '../page/states.ts'
import type { FormField } from '../fields/form_field.ts'
import type { PageContext } from '../page/page_context.ts'
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

/** Lists the fields of an item's form; its kind says which of them it has. */
export const itemFields = (): readonly FormField[] => [
  kindField(),
  textField({ name: 'name', label: say`Name`, isRequired: true }),
  longField({
    name: 'description',
    label: say`Description`,
    rows: 2,
    help: say`Copied to lines of quotes and invoices`,
  }),
  choiceField({
    name: 'pricing',
    label: say`Price`,
    isFor: of('bundle'),
    options: [
      { value: 'sum', label: say`The sum of its components` },
      { value: 'fixed', label: say`A fixed price` },
    ],
  }),
  moneyField({ name: 'unit_price_cents', label: say`Price`, isHalf: true, isFor: sold, isRequired: true }),
  { ...bundlePriceField(), isFor: of('bundle') },
  choiceField({
    name: 'discount_type',
    label: say`Discount in`,
    isHalf: true,
    isFor: of('discount'),
    options: [
      { value: 'percent', label: say`Percent` },
      { value: 'amount', label: say`Amount` },
    ],
  }),
  discountValueField({ label: say`How much`, isHalf: true, isFor: of('discount') }),
  textField({
    name: 'unit',
    label: say`Unit`,
    isHalf: true,
    isFor: taxed,
    help: say`Each, or hour for labor, when left empty`,
  }),
  componentsField(of('bundle')),
  choiceField({
    name: 'category_id',
    label: say`Category`,
    isHalf: true,
    options: async (context) => pathOptions(await context.read(allCategories)),
    none: sayFor('category')`None`,
  }),
  eitherField({ name: 'taxable', label: say`Tax`, isHalf: true, isFor: taxed, yes: say`Taxed`, no: say`Not taxed` }),
  moneyField({ name: 'cost_cents', label: say`Cost`, help: say`Owners only`, isFor: ownersOf(sold) }),
  choiceField({
    name: 'tax_rate_id',
    label: say`Its own tax rate`,
    fold: 'open',
    isFor: taxed,
    options: taxRates,
    none: say`None: the document's`,
  }),
  textField({ name: 'sku', label: say`SKU`, fold: 'open', help: say`Your own number for it; no two items share one` }),
  numberField({ name: 'duration_minutes', label: say`Duration in minutes`, fold: 'open', isFor: of('service') }),
  textField({ name: 'manufacturer', label: say`Manufacturer`, fold: 'open', isHalf: true, isFor: of('product') }),
  textField({ name: 'model', label: say`Model`, fold: 'open', isHalf: true, isFor: of('product') }),
  textField({ name: 'barcode', label: say`Barcode`, fold: 'open', isFor: of('product') }),
  textField({ name: 'image_url', label: say`Picture address`, fold: 'open', help: say`Begins with https://` }, 'url'),
  textField({ name: 'supplier_name', label: say`Supplier`, fold: 'open', isHalf: true, isFor: ownersOf(sold) }),
  textField({ name: 'supplier_sku', label: say`Supplier's SKU`, fold: 'open', isHalf: true, isFor: ownersOf(sold) }),
  textField({ name: 'supplier_url', label: say`Supplier's page`, fold: 'open', isFor: ownersOf(sold) }, 'url'),
  customField(),
]

/** Makes the field of the kind chosen before the form, with the link back. */
function kindField(): FormField {
  const plain = hiddenField('kind', 'create')
  return {
    ...plain,
    html: (typed, context) =>
      html`${plain.html(typed, context)}<p class="lead">${wordFor(typed.get('kind') ?? '')}. <a href="?">${say`Change type`}</a></p>`,
  }
}

/** Makes the field of a bundle's fixed price; that of another bundle is computed, and isn't typed. */
function bundlePriceField(): FormField {
  const plain = moneyField({ name: 'unit_price_cents', label: say`Fixed price`, help: say`Leave empty to use the sum` })
  return {
    ...plain,
    toEntries: (value, locale, record) => (record['pricing'] === 'fixed' ? plain.toEntries(value, locale, record) : []),
    read: (typed, context) => (typed.get('pricing') === 'fixed' ? plain.read(typed, context) : undefined),
  }
}

/** Checks whether costs are shown: only to owners. */
export const seesCost = ({ caller }: Pick<PageContext, 'caller'>): boolean => caller.role === 'owner'
