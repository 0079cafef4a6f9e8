import { hidden } from '../html/field.ts'
import type { Option } from '../html/field.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { itemChoices } from './catalogue.ts'
import { taxRates } from './choices.ts'
import type { FormField, Typed } from './form_field.ts'
import { ITEM, LINES, RATE, inputOf, partOf, readLine, rowsOf, typedLine } from './line.ts'
import type { Line } from './line.ts'
import type { Desk } from './screen.ts'

const SPARE_ROWS = 3

type Grid = { typed: Typed; options: readonly Option[]; hasTax: boolean; error: string | undefined }

/** The line items of a document, a row each; a row without a name is no line. */
export const linesField = ({ hasTax, label = 'Lines' }: { hasTax: boolean; label?: string }): FormField => ({
  name: LINES, label, group: label,
  options: (desk, typed) => choicesOf(desk, typed, hasTax),
  typed: (value, { currency }) => ((value ?? []) as readonly Line[]).flatMap((line, row) => typedLine(row, line, currency)),
  read: (typed, posed) => rowsOf(typed).filter((row) => partOf(typed, row, 'name') !== '').map((row, i) => readLine(typed, row, `${LINES}[${i}]`, posed)),
  html: (typed, { options, error }) => grid({ typed, options, hasTax, error }),
})

async function choicesOf(desk: Desk, typed: Typed, hasTax: boolean): Promise<Option[]> {
  const all = (part: 'name' | 'item'): string[] => rowsOf(typed).map((row) => partOf(typed, row, part))
  const [items, rates] = await Promise.all([itemChoices(desk, { names: all('name'), ids: all('item') }), hasTax ? taxRates(desk, typed) : []])
  return [...prefixed(ITEM, items), ...prefixed(RATE, rates)]
}

const prefixed = (prefix: string, options: readonly Option[]): Option[] => options.map(({ value, label }) => ({ value: prefix + value, label }))

const grid = ({ typed, options, hasTax, error }: Grid): Html => html`
<p class="help" id="${LINES}-help">Type the name of a catalogue item to take its price, or anything else with a price of your own. A percentage makes the line a discount. Empty a name to drop its line.</p>${error === undefined ? '' : html`
<p class="error" id="${LINES}-error">${error}</p>`}
<datalist id="catalogue">${options.filter(({ value }) => value.startsWith(ITEM)).map(({ label }) => html`<option value="${label}"></option>`)}</datalist>
<add-rows class="lines${hasTax ? ' with-tax' : ''}" id="${LINES}" tabindex="-1">${[...shownRows(typed), ...spare(typed)].map((row, i) => html`
  <div class="line" role="group" aria-label="Line ${i + 1}">
    ${cell('Name', inputOf(row, 'name'), partOf(typed, row, 'name'), html` list="catalogue"`)}
    ${cell('Quantity', inputOf(row, 'quantity'), partOf(typed, row, 'quantity'), DECIMAL)}
    ${cell('Unit', inputOf(row, 'unit'), partOf(typed, row, 'unit'), html``)}
    ${cell('Price', inputOf(row, 'price'), partOf(typed, row, 'price'), DECIMAL)}
    ${cell('% off', inputOf(row, 'percent'), partOf(typed, row, 'percent'), DECIMAL)}${hasTax ? taxCell(typed, row, options) : carried(typed, row, 'tax')}
    <label class="cell"><span>Details</span><textarea name="${inputOf(row, 'description')}" rows="1">
${partOf(typed, row, 'description')}</textarea></label>
    ${carried(typed, row, 'kind')}${carried(typed, row, 'item')}${carried(typed, row, 'was')}
  </div>`)}
</add-rows>
<p class="actions"><button class="button plain" name="more" value="lines" formnovalidate>More lines</button></p>`

/** Rows that hold something; who asks for more rows keeps the empty ones too. */
const shownRows = (typed: Typed): number[] => (typed.has('more') ? rowsOf(typed)
  : rowsOf(typed).filter((row) => (['name', 'quantity', 'unit', 'price', 'percent', 'description'] as const).some((part) => partOf(typed, row, part) !== '')))

const spare = (typed: Typed): number[] => {
  const next = (rowsOf(typed).at(-1) ?? -1) + 1
  return Array.from({ length: SPARE_ROWS }, (_, i) => next + i)
}

const DECIMAL = html` inputmode="decimal"`

const cell = (label: string, name: string, value: string, more: Html): Html => html`
    <label class="cell"><span>${label}</span><input name="${name}" value="${value}" autocomplete="off"${more}></label>`

const taxCell = (typed: Typed, row: number, options: readonly Option[]): Html => {
  const chosen = partOf(typed, row, 'tax')
  const choices = [
    { value: '', label: 'Usual' }, { value: 'yes', label: 'Taxed' }, { value: 'no', label: 'Not taxed' },
    ...options.filter(({ value }) => value.startsWith(RATE)),
  ]
  const known = choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, label: 'As it was' }]
  return html`
    <label class="cell"><span>Tax</span><select name="${inputOf(row, 'tax')}">${known.map(({ value, label }) =>
    html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`)}</select></label>`
}

const carried = (typed: Typed, row: number, part: 'kind' | 'item' | 'was' | 'tax'): Html | '' =>
  (partOf(typed, row, part) === '' ? '' : hidden(inputOf(row, part), partOf(typed, row, part)))
