import { hidden, type Option } from '../../../platform/html/parts/field.ts'
import { attribute, html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { itemChoices } from '../catalog.ts'
import { taxRates } from '../choices.ts'
import type { FormField, FormValues } from '../form_field.ts'
import { ITEM, LINES, RATE, inputOf, lineRows, readLines, lineEntries, type LineView, type LineRow } from './line.ts'
import { arrangeRows } from '../rows.ts'
import type { PageContext } from '../../page/page_context.ts'

type Grid = {
  values: FormValues
  options: readonly Option[]
  hasTax: boolean
  label: string
  error: string | undefined
}

/** Builds the line items field of a document, one row per line. Rows without a name are ignored. */
export const linesField = ({ hasTax, label = say`Lines` }: { hasTax: boolean; label?: string }): FormField => ({
  name: LINES,
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
  const all = (part: 'name' | 'item'): string[] => rows.map((row) => row.of(part))
  const [items, rates] = await Promise.all([
    itemChoices(context, { names: all('name'), ids: all('item') }),
    hasTax ? taxRates(context, values) : [],
  ])
  return [...prefixValues(ITEM, items), ...prefixValues(RATE, rates)]
}

const prefixValues = (prefix: string, options: readonly Option[]): Option[] =>
  options.map(({ value, label }) => ({ value: prefix + value, label }))

const grid = ({ values, options, hasTax, label, error }: Grid): Html => html`
<h2>${label}</h2>${when(
  error,
  (error) => html`
<p class="error" id="${LINES}-error">${error}</p>`,
)}
<datalist id="catalog">${options
  .filter(({ value }) => value.startsWith(ITEM))
  .map(({ label }) => html`<option value="${label}"></option>`)}</datalist>
<line-items class="lines${hasTax ? ' with-tax' : ''}" id="${LINES}" tabindex="-1">${arrangeRows(
  lineRows(values),
  LINES,
  values,
).map((row, i) => lineHtml(row, i, hasTax, options))}
  <p class="actions"><button class="button plain" name="more" value="${LINES}.add" formnovalidate
    formaction="#${LINES}">${say`Add line`}</button></p>
</line-items>`

const lineHtml = (row: LineRow, i: number, hasTax: boolean, options: readonly Option[]): Html => html`
  <div class="line" role="group" aria-label="${say`Line ${i + 1}`}">
    ${cell(say`Name`, inputOf(i, 'name'), row.of('name'), html` list="catalog"`)}
    ${cell(say`Qty`, inputOf(i, 'quantity'), row.of('quantity'), DECIMAL)}
    ${cell(say`Unit`, inputOf(i, 'unit'), row.of('unit'), html``)}
    ${cell(
      say`Price`,
      inputOf(i, 'price'),
      row.of('price'),
      DECIMAL,
    )}${hasTax ? taxCell(row, i, options) : hiddenCell(row, i, 'tax')}
    <span class="line-steps">${step('up', i, say`Move up`)}${step('down', i, say`Move down`)}${step(
      'remove',
      i,
      say`Remove line`,
    )}</span>
    <details class="line-more"${attribute('open', row.of('description') !== '' || row.of('percent') !== '')}
      ><summary>${say`Details`}</summary>
      <div class="line-details"><label class="cell"><span>${say`Description`}</span><textarea
        name="${inputOf(i, 'description')}" rows="1">
${row.of('description')}</textarea></label>
      ${cell(say`% off`, inputOf(i, 'percent'), row.of('percent'), DECIMAL)}</div></details>
    ${hiddenCell(row, i, 'kind')}${hiddenCell(row, i, 'item')}${hiddenCell(row, i, 'was')}
  </div>`

/** Renders a button that moves or removes a line. Without JavaScript, the form reloads at its lines. */
const step = (name: 'up' | 'down' | 'remove', i: number, label: string): Html =>
  html`<button class="line-step ${name}" name="more" value="${LINES}.${name}.${i}" aria-label="${label}" formnovalidate
    formaction="#${LINES}"></button>`

const DECIMAL = html` inputmode="decimal"`

export const cell = (label: string, name: string, value: string, more: Html): Html => html`
    <label class="cell"><span>${label}</span><input name="${name}" value="${value}" autocomplete="off"${more}></label>`

const taxCell = (row: LineRow, i: number, options: readonly Option[]): Html => {
  const chosen = row.of('tax')
  const choices = [
    { value: '', label: say`Default` },
    { value: 'yes', label: say`Taxed` },
    { value: 'no', label: say`Not taxed` },
    ...options.filter(({ value }) => value.startsWith(RATE)),
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
  when(row.of(part) !== '', () => hidden(inputOf(i, part), row.of(part)))
