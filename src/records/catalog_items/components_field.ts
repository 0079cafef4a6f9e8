import { hidden, type Option } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { itemChoices } from '../fields/catalog.ts'
import type { FormField, FormValues } from '../fields/form_field.ts'
import { cell } from '../fields/lines/lines_field.ts'
import { arrangeRows, rowsIn, type FormRow } from '../fields/rows.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import type { Component } from './components.ts'
import { refusals } from './refusals.ts'

const NAME = 'components'
const KINDS = ['service', 'product', 'labor', 'fee'] as const

type Part = 'item' | 'was' | 'name' | 'quantity'

const inputName = (row: number, part: Part): string => `${NAME}.${row}.${part}`
const rowsOf = (values: FormValues): FormRow<Part>[] => rowsIn(values, NAME)

/**
 * Returns the form field for a bundle's components: a catalog item and its quantity per row. A row without a name is
 * ignored.
 */
export const componentsField = (isFor: NonNullable<FormField['isFor']>): FormField => ({
  name: NAME,
  label: say`Components`,
  group: say`Components`,
  isFor,
  options: (context, values) =>
    itemChoices(context, {
      names: rowsOf(values).map((row) => row.get('name')),
      ids: rowsOf(values).map((row) => row.get('item')),
      kinds: KINDS,
    }),
  toEntries: (value) =>
    ((value ?? []) as readonly Component[]).flatMap(({ catalog_item_id, name, quantity }, row): [string, string][] => [
      [inputName(row, 'item'), catalog_item_id],
      [inputName(row, 'was'), name],
      [inputName(row, 'name'), name],
      [inputName(row, 'quantity'), String(quantity)],
    ]),
  read: (values, { options }) => {
    const rows = rowsOf(values).filter((row) => row.get('name') !== '')
    const items = new Map(options.toReversed().map(({ value, label }) => [fold(label), value]))
    return rows.map((row, i) => ({ catalog_item_id: itemOf(row, i, items), quantity: row.get('quantity') || '1' }))
  },
  html: (values, { options, error }) => grid(values, options, error),
})

function itemOf(row: FormRow<Part>, i: number, items: ReadonlyMap<string, string>): string {
  const [name, was, item] = [row.get('name'), row.get('was'), row.get('item')]
  if (item !== '' && name === was) return item
  const itemId = items.get(fold(name))
  if (itemId === undefined) throw invalidField(`${NAME}[${i}].name`, refusals.unknownName({ name: name.slice(0, 60) }))
  return itemId
}

const grid = (values: FormValues, options: readonly Option[], error: string | undefined): Html => html`
<p class="help" id="${NAME}-help">${say`Items of the catalog, and how many of each.`}</p>${when(
  error,
  (error) => html`
<p class="error" id="${NAME}-error">${error}</p>`,
)}
<datalist id="items">${options.map(({ label }) => html`<option value="${label}"></option>`)}</datalist>
<line-items class="lines components" id="${NAME}" tabindex="-1">${arrangeRows(rowsOf(values), NAME, values).map(
  (row, i) => html`
  <div class="line" role="group" aria-label="${say`Component ${i + 1}`}">
    ${cell(say`Name`, inputName(i, 'name'), row.get('name'), html` list="items"`)}
    ${cell(say`Quantity`, inputName(i, 'quantity'), row.get('quantity'), html` inputmode="decimal"`)}
    <span class="line-steps"><button class="line-step remove" name="more" value="${NAME}.remove.${i}"
      aria-label="${say`Remove line`}" formnovalidate formaction="#${NAME}"></button></span>
    ${hidden(inputName(i, 'item'), row.get('item'))}${hidden(inputName(i, 'was'), row.get('was'))}
  </div>`,
)}
  <p class="actions"><button class="button plain" name="more" value="${NAME}.add" formnovalidate
    formaction="#${NAME}">${say`Add component`}</button></p>
</line-items>`
