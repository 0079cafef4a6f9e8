import { hidden, type Option } from '../../html/field.ts'
import { html, when, type Html } from '../../html/html.ts'
import { itemChoices } from './catalog.ts'
import { taxRates } from './choices.ts'
import type { FormField, Typed } from './form_field.ts'
import { ITEM, LINES, RATE, inputOf, lineRows, readLines, typedLine, type ShownLine, type LineRow } from './line.ts'
import { spareRows } from './rows.ts'
import type { PageContext } from '../page_context.ts'

const SPARE_ROWS = 3

type Grid = { typed: Typed; options: readonly Option[]; hasTax: boolean; error: string | undefined }

/** Makes the field of a document's line items, a row each; a row without a name is no line. */
export const linesField = ({ hasTax, label = 'Lines' }: { hasTax: boolean; label?: string }): FormField => ({
  name: LINES,
  label,
  group: label,
  options: (context, typed) => choicesOf(context, typed, hasTax),
  typed: (value, { currency }) =>
    ((value ?? []) as readonly ShownLine[]).flatMap((line, row) => typedLine(row, line, currency)),
  read: readLines,
  html: (typed, { options, error }) => grid({ typed, options, hasTax, error }),
})

async function choicesOf(context: PageContext, typed: Typed, hasTax: boolean): Promise<Option[]> {
  const rows = lineRows(typed)
  const all = (part: 'name' | 'item'): string[] => rows.map((row) => row.of(part))
  const [items, rates] = await Promise.all([
    itemChoices(context, { names: all('name'), ids: all('item') }),
    hasTax ? taxRates(context, typed) : [],
  ])
  return [...prefixed(ITEM, items), ...prefixed(RATE, rates)]
}

const prefixed = (prefix: string, options: readonly Option[]): Option[] =>
  options.map(({ value, label }) => ({ value: prefix + value, label }))

const grid = ({ typed, options, hasTax, error }: Grid): Html => html`
<p class="help" id="${LINES}-help">Type the name of a catalogue item to take its price, or anything else with a price of your own. A percentage makes the line a discount. Empty a name to drop its line.</p>${when(
  error,
  (error) => html`
<p class="error" id="${LINES}-error">${error}</p>`,
)}
<datalist id="catalogue">${options.filter(({ value }) => value.startsWith(ITEM)).map(({ label }) => html`<option value="${label}"></option>`)}</datalist>
<add-rows class="lines${hasTax ? ' with-tax' : ''}" id="${LINES}" tabindex="-1">${rowsOn(typed).map(
  (row, i) => html`
  <div class="line" role="group" aria-label="Line ${i + 1}">
    ${cell('Name', inputOf(row.number, 'name'), row.of('name'), html` list="catalogue"`)}
    ${cell('Quantity', inputOf(row.number, 'quantity'), row.of('quantity'), DECIMAL)}
    ${cell('Unit', inputOf(row.number, 'unit'), row.of('unit'), html``)}
    ${cell('Price', inputOf(row.number, 'price'), row.of('price'), DECIMAL)}
    ${cell('% off', inputOf(row.number, 'percent'), row.of('percent'), DECIMAL)}${hasTax ? taxCell(row, options) : carried(row, 'tax')}
    <label class="cell"><span>Details</span><textarea name="${inputOf(row.number, 'description')}" rows="1">
${row.of('description')}</textarea></label>
    ${carried(row, 'kind')}${carried(row, 'item')}${carried(row, 'was')}
  </div>`,
)}
</add-rows>
<p class="actions"><button class="button plain" name="more" value="lines" formnovalidate>More lines</button></p>`

/** Returns rows with content, and some empty ones; asking for more rows keeps the empty ones too. */
function rowsOn(typed: Typed): LineRow[] {
  const rows = lineRows(typed)
  const shown = typed.has('more')
    ? rows
    : rows.filter((row) =>
        (['name', 'quantity', 'unit', 'price', 'percent', 'description'] as const).some((part) => row.of(part) !== ''),
      )
  return [...shown, ...spareRows(rows, SPARE_ROWS)]
}

const DECIMAL = html` inputmode="decimal"`

const cell = (label: string, name: string, value: string, more: Html): Html => html`
    <label class="cell"><span>${label}</span><input name="${name}" value="${value}" autocomplete="off"${more}></label>`

const taxCell = (row: LineRow, options: readonly Option[]): Html => {
  const chosen = row.of('tax')
  const choices = [
    { value: '', label: 'Usual' },
    { value: 'yes', label: 'Taxed' },
    { value: 'no', label: 'Not taxed' },
    ...options.filter(({ value }) => value.startsWith(RATE)),
  ]
  const known = choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: 'As it was' }]
  return html`
    <label class="cell"><span>Tax</span><select name="${inputOf(row.number, 'tax')}">${known.map(
      ({ value, label }) =>
        html`<option value="${value}"${when(value === chosen, () => html` selected`)}>${label}</option>`,
    )}</select></label>`
}

const carried = (row: LineRow, part: 'kind' | 'item' | 'was' | 'tax'): Html | '' =>
  when(row.of(part) !== '', () => hidden(inputOf(row.number, part), row.of(part)))
