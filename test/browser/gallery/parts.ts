import { barChart, stackChart } from '../../../src/platform/html/charts/bar_chart.ts'
import type { Chart } from '../../../src/platform/html/charts/chart.ts'
import { lineChart } from '../../../src/platform/html/charts/line_chart.ts'
import { rowChart } from '../../../src/platform/html/charts/row_chart.ts'
import { html, type Html } from '../../../src/platform/html/html.ts'
import { button, linkButton } from '../../../src/platform/html/parts/button.ts'
import { copyable } from '../../../src/platform/html/parts/copyable.ts'
import { facts } from '../../../src/platform/html/parts/facts.ts'
import { checkbox, checkboxes, field, select, textArea } from '../../../src/platform/html/parts/field.ts'
import { moreMenu } from '../../../src/platform/html/parts/more.ts'
import { notice } from '../../../src/platform/html/parts/notice.ts'
import { pager } from '../../../src/platform/html/parts/pager.ts'
import { radioGroup } from '../../../src/platform/html/parts/radio_group.ts'
import { status } from '../../../src/platform/html/parts/status.ts'
import { table } from '../../../src/platform/html/parts/table.ts'
import { currentReader } from '../../../src/platform/i18n/reader.ts'
import { say } from '../../../src/platform/i18n/say.ts'
import { money, compactMoney, shortMonth, formatMonth } from '../../../src/records/format/formats.ts'
import { part, statusTag } from '../../../src/records/page/parts.ts'

/** Returns a sample text in the reader's language. */
const text = (english: string, spanish: string): string => (currentReader().language === 'es' ? spanish : english)

const dollars = (cents: number): string => money(cents, 'USD')

const MONTHS = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10']
const SALES = [812_400, 1_041_050, 1_286_300, 1_190_000, 960_725, 1_402_210]
const BEFORE = [700_300, 988_000, 1_012_600, 1_204_900, 870_150, 1_100_400]

const chartOf = (title: string, series: readonly (readonly [string, readonly number[]])[]): Chart => ({
  title,
  head: text('Month', 'Mes'),
  series: series.map(([name]) => name),
  points: MONTHS.map((month, i) => ({
    label: formatMonth(month),
    short: shortMonth(month),
    values: series.map(([, values]) => values[i] ?? 0),
    href: `#${month}`,
  })),
  format: dollars,
  formatTick: (cents) => compactMoney(cents, 'USD'),
})

export const headPart = (): Html => html`
<header class="page-head record-head">
  <div><p class="eyebrow">${text('Customer', 'Cliente')}</p><h1>June Whitaker ${statusTag('active')}</h1></div>
  <div class="actions">${linkButton(text('New job', 'Nuevo trabajo'), '#', 'main')}${linkButton(
    text('New quote', 'Nuevo presupuesto'),
    '#',
  )}${linkButton(text('Edit', 'Editar'), '#')}${moreMenu(say`More`, [linkButton(text('Archive', 'Archivar'), '#')])}</div>
</header>`

const SIZES = ['t6', 't5', 't4', 't3', 't2', 't1']

/** Renders six lines of text, one in each size. */
export const typePart = (): Html =>
  part(
    text('Type', 'Letra'),
    html`<ul class="gallery-type">${SIZES.map(
      (size) =>
        html`<li class="${size}">${text('Water heater replaced, $2,090.00', 'Calentador reemplazado, $2,090.00')}</li>`,
    )}</ul>`,
  )

const COLORS = ['paper', 'sheet', 'well', 'rule', 'edge', 'soft', 'ink', 'act', 'signal', 'good', 'warning', 'error']

export const colorPart = (): Html =>
  part(
    text('Colors', 'Colores'),
    html`<ul class="gallery-colors">${COLORS.map((name) => html`<li class="${name}"><span>${name}</span></li>`)}</ul>`,
  )

export const buttonPart = (): Html =>
  part(
    text('Buttons', 'Botones'),
    html`<div class="actions">${button({ label: text('Send invoice', 'Enviar factura'), kind: 'main' })}${button({
      label: text('Save draft', 'Guardar borrador'),
    })}${button({ label: text('Skip', 'Omitir'), kind: 'quiet' })}${button({
      label: text('Void invoice', 'Anular factura'),
      kind: 'danger',
    })}</div><p>${copyable('svc_uk_example')}</p>
    ${pager({ label: text('Pages', 'Páginas'), previous: '#', next: '#' })}`,
    linkButton(text('All invoices', 'Todas las facturas'), '#'),
  )

export const statusPart = (): Html =>
  part(
    text('Statuses', 'Estados'),
    html`<p class="actions">${status(text('Draft', 'Borrador'))} ${status(text('Sent', 'Enviada'), 'active')} ${status(
      text('Paid', 'Pagada'),
      'good',
    )} ${status(text('Overdue', 'Vencida'), 'warning')} ${status(text('Void', 'Anulada'), 'ended')}</p>`,
  )

export const noticePart = (): Html =>
  html`${(['info', 'good', 'warning', 'error'] as const).map((kind) =>
    notice({
      kind,
      title: text('The customer has not confirmed', 'El cliente no ha confirmado'),
      body: text('Call before you drive.', 'Llame antes de salir.'),
    }),
  )}`

export const emptyPart = (): Html => html`
<div class="empty"><b>${text('No quotes yet', 'Aún no hay presupuestos')}</b>${text(
  'Quotes that you send stand here with their answers.',
  'Aquí verá los presupuestos que envíe y sus respuestas.',
)}<p class="actions">${linkButton(text('New quote', 'Nuevo presupuesto'), '#')}</p></div>`

type Row = { name: string; place: string; kind: 'active' | 'lead' | 'inactive'; cents: number }

const ROWS: readonly Row[] = Array.from({ length: 14 }, (_, i) => ({
  name: ['Copper Kettle Bakery', 'Cora Abernathy', 'St. Elmo Community Church', 'Hyde Park Rentals LLC'][i % 4] ?? '',
  place: ['7318 Burnet Rd, Austin, TX 78757', '611 W St Elmo Rd, Austin, TX 78745'][i % 2] ?? '',
  kind: (['active', 'lead', 'active', 'inactive'] as const)[i % 4] ?? 'active',
  cents: 19_500 * i,
}))

export const listPart = (): Html =>
  table({
    caption: text('Customers', 'Clientes'),
    isCaptionHidden: true,
    isList: true,
    empty: '',
    rows: ROWS,
    columns: [
      { label: text('Name', 'Nombre'), cell: ({ name }) => html`<a href="#list">${name}</a>` },
      { label: text('Address', 'Dirección'), cell: ({ place }) => place, isWide: true },
      { label: text('Status', 'Estado'), cell: ({ kind }) => statusTag(kind), isOneLine: true, onPhone: 'side' },
      { label: text('Balance', 'Saldo'), cell: ({ cents }) => dollars(cents), isNumber: true, onPhone: 'side' },
    ],
  })

export const factPart = (): Html =>
  facts([
    { label: text('Balance due', 'Saldo pendiente'), value: dollars(40_594), says: text('of $810.00', 'de $810.00') },
    { label: text('Due', 'Vence'), value: 'Thu, Dec 24' },
    { label: text('Customer', 'Cliente'), value: html`<a href="#facts">The Foundry Coworking</a>` },
    { label: text('Terms', 'Condiciones'), value: text('30 days', '30 días') },
  ])

export const formPart = (): Html => html`
<div class="ticket"><h2>${text('New contact', 'Nuevo contacto')}</h2>
<form class="form" action="#">
  ${field({ name: 'name', label: text('Name', 'Nombre'), value: 'Raymond Ortiz', isRequired: true })}
  <div class="pair">${field({
    name: 'phone',
    label: text('Phone', 'Teléfono'),
    type: 'tel',
    help: text('With area code', 'Con código de área'),
    error: text('Enter a phone number with its area code.', 'Escriba un teléfono con código de área.'),
    value: '555-01',
  })}${select({
    name: 'language',
    label: text('Language', 'Idioma'),
    options: [{ value: 'es', label: 'Español' }],
    chosen: 'es',
  })}</div>
  ${textArea({ name: 'note', label: text('Note', 'Nota'), rows: 2 })}
  ${checkbox({ name: 'primary', label: text('Main contact', 'Contacto principal'), isChecked: true })}
  ${checkboxes({
    name: 'days',
    label: text('Call on', 'Llamar los'),
    options: [
      { value: '1', label: text('Monday', 'lunes') },
      { value: '2', label: text('Tuesday', 'martes') },
    ],
    chosen: ['2'],
  })}
  ${radioGroup({
    name: 'level',
    label: text('Invoices', 'Facturas'),
    chosen: 'view',
    choices: [
      { value: 'none', label: text('None', 'Ninguno') },
      { value: 'view', label: text('View', 'Ver') },
      { value: 'edit', label: text('Edit', 'Editar') },
    ],
  })}
  <div class="actions">${button({ label: text('Save contact', 'Guardar contacto'), kind: 'main' })}${linkButton(
    text('Cancel', 'Cancelar'),
    '#',
    'quiet',
  )}</div>
</form></div>`

export const chartParts = (): Html => {
  const [now, before] = [text('This year', 'Este año'), text('Last year', 'El año pasado')]
  return html`<div class="parts">
${part(text('Sales', 'Ventas'), barChart({ ...chartOf(text('Sales', 'Ventas'), [[now, SALES]]), hasTotal: true }))}
${part(
  text('Sales compared', 'Ventas comparadas'),
  lineChart(
    chartOf(text('Sales compared', 'Ventas comparadas'), [
      [now, SALES],
      [before, BEFORE],
    ]),
  ),
)}
${part(
  text('Received', 'Cobrado'),
  stackChart(
    chartOf(text('Received', 'Cobrado'), [
      [text('Card', 'Tarjeta'), SALES],
      [text('Check', 'Cheque'), BEFORE.map((cents) => cents / 2)],
      [text('Refunds', 'Reembolsos'), BEFORE.map((cents) => -cents / 8)],
    ]),
  ),
)}
${part(
  text('Jobs by source', 'Trabajos por origen'),
  rowChart(text('Jobs by source', 'Trabajos por origen'), [
    { label: text('Referral', 'Recomendación'), value: 24, text: '24', href: '#r' },
    { label: 'Google', value: 17, text: '17' },
    { label: text('Repeat customer of a neighbor', 'Cliente de un vecino'), value: 3, text: '3' },
  ]),
)}
</div>`
}
