import { hidden, type Option } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { itemChoices } from '../catalog.ts'
import { taxRates } from '../choices.ts'
import type { FormField, FormValues } from '../form_field.ts'
import {
  ITEM_PREFIX,
  LINES_FIELD,
  RATE_PREFIX,
  inputOf,
  lineRows,
  readLines,
  lineEntries,
  type LineView,
  type LineRow,
} from './line.ts'
import { arrangeRows } from '../rows.ts'
import type { PageContext } from '../../page/page_context.ts'

type GridOptions = {
  values: FormValues
  options: readonly Option[]
  hasTax: boolean
  label: string
  error: string | undefined
}

/** Builds the line items field of a document, one row per line. Rows without a name are ignored. */
export const linesField = ({ hasTax, label = say`Lines` }: { hasTax: boolean; label?: string }): FormField => ({
  name: LINES_FIELD,
  label,
  parts: {
    name: say`Name`,
    description: say`Description`,
    quantity: say`Qty`,
    unit: say`Unit`,
    unit_price_cents: say`Price`,
    discount_value: say`% off`,
    tax_rate_id: say`Tax`,
    taxable: say`Tax`,
  },
  options: (context, values) => choicesOf(context, values, hasTax),
  toEntries: (value, { currency }) =>
    ((value ?? []) as readonly LineView[]).flatMap((line, row) => lineEntries(row, line, currency)),
  read: readLines,
  html: (values, { options, error }) => grid({ values, options, hasTax, label, error }),
})

async function choicesOf(context: PageContext, values: FormValues, hasTax: boolean): Promise<Option[]> {
  const rows = lineRows(values)
  const valuesOf = (part: 'name' | 'item'): string[] => rows.map((row) => row.get(part))
  const [items, rates] = await Promise.all([
    itemChoices(context, { names: valuesOf('name'), ids: valuesOf('item') }),
    hasTax ? taxRates(context, values) : [],
  ])
  return [...prefixValues(ITEM_PREFIX, items), ...prefixValues(RATE_PREFIX, rates)]
}

const prefixValues = (prefix: string, options: readonly Option[]): Option[] =>
  options.map(({ value, label }) => ({ value: prefix + value, label }))

const grid = ({ values, options, hasTax, label, error }: GridOptions): Html => html`
<h2>${label}</h2>${when(
  error,
  (error) => html`
<p class="error" id="${LINES_FIELD}-error">${error}</p>`,
)}
<datalist id="catalog">${options
  .filter(({ value }) => value.startsWith(ITEM_PREFIX))
  .map(({ label }) => html`<option value="${label}"></option>`)}</datalist>
<line-items class="lines${hasTax ? ' with-tax' : ''}" id="${LINES_FIELD}" tabindex="-1">${arrangeRows(
  lineRows(values),
  LINES_FIELD,
  values,
).map((row, i) => lineHtml(row, i, hasTax, options))}
  <p class="actions"><button class="button plain" name="more" value="${LINES_FIELD}.add" formnovalidate
    formaction="#${LINES_FIELD}">${say`Add line`}</button></p>
</line-items>`

const lineHtml = (row: LineRow, i: number, hasTax: boolean, options: readonly Option[]): Html => html`
  <div class="line" role="group" aria-label="${say`Line ${i + 1}`}">
    ${cell(say`Name`, inputOf(i, 'name'), row.get('name'), html` list="catalog"`)}
    ${cell(say`Qty`, inputOf(i, 'quantity'), row.get('quantity'), DECIMAL)}
    ${cell(say`Unit`, inputOf(i, 'unit'), row.get('unit'), html``)}
    ${cell(
      say`Price`,
      inputOf(i, 'price'),
      row.get('price'),
      DECIMAL,
    )}${hasTax ? taxCell(row, i, options) : hiddenCell(row, i, 'tax')}
    <span class="line-steps">${stepButton('up', i, say`Move up`)}${stepButton('down', i, say`Move down`)}${stepButton(
      'remove',
      i,
      say`Remove line`,
    )}</span>
    <details class="line-more"${attribute('open', row.get('description') !== '' || row.get('percent') !== '')}
      ><summary>${say`Details`}</summary>
      <div class="line-details"><label class="cell"><span>${say`Description`}</span><textarea
        name="${inputOf(i, 'description')}" rows="1">
${row.get('description')}</textarea></label>
      ${cell(say`% off`, inputOf(i, 'percent'), row.get('percent'), DECIMAL)}</div></details>
    ${hiddenCell(row, i, 'kind')}${hiddenCell(row, i, 'item')}${hiddenCell(row, i, 'was')}
  </div>`

/** Renders a button that moves or removes a line. Without JavaScript, the form reloads at its lines. */
const stepButton = (name: 'up' | 'down' | 'remove', i: number, label: string): Html =>
  html`<button class="line-step ${name}" name="more" value="${LINES_FIELD}.${name}.${i}" aria-label="${label}" formnovalidate
    formaction="#${LINES_FIELD}"></button>`

const DECIMAL = html` inputmode="decimal"`

export const cell = (label: string, name: string, value: string, attributes: Html): Html => html`
    <label class="cell"><span>${label}</span><input name="${name}" value="${value}" autocomplete="off"${attributes}></label>`

const taxCell = (row: LineRow, i: number, options: readonly Option[]): Html => {
  const chosen = row.get('tax')
  const choices = [
    { value: '', label: say`Default` },
    { value: 'yes', label: say`Taxed` },
    { value: 'no', label: say`Not taxed` },
    ...options.filter(({ value }) => value.startsWith(RATE_PREFIX)),
  ]
  const listedChoices = choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: say`As it was` }]
  return html`
    <label class="cell"><span>${say`Tax`}</span><select name="${inputOf(i, 'tax')}">${listedChoices.map(
      ({ value, label }) => html`<option value="${value}"${attribute('selected', value === chosen)}>${label}</option>`,
    )}</select></label>`
}

const hiddenCell = (row: LineRow, i: number, part: 'kind' | 'item' | 'was' | 'tax'): Html | '' =>
  when(row.get(part) !== '', () => hidden(inputOf(i, part), row.get(part)))
