import { html, when, type Html } from '../../../platform/html/html.ts'
import { classOfColumn, type Column } from '../../../platform/html/parts/table.ts'
import { visibleColumns } from '../../../records/list/columns.ts'
import { isDescending } from '../../../records/list/filters.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { money } from '../../../records/format/formats.ts'
import type { PageContext, RecordView } from '../../../records/page/page_context.ts'
import type { Screen, Sums } from '../../../records/page/screen.ts'

type Rows = {
  context: PageContext
  screen: Screen
  params: URLSearchParams
  rows: readonly RecordView[]
  sums: Sums | undefined
  /** Names of the columns this person chose. */
  columns: readonly string[]
  empty: Html | string
}

/** Draws the rows of a list, one line each, with the actions for selected rows. On a phone each row is a card. */
export function rowsHtml({ context, screen, params, rows, sums, columns: chosen, empty }: Rows): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const columns = visibleColumns(screen.listing.columns(context), chosen)
  const declared = screen.listing.bulk?.(context)
  const bulk = declared === undefined ? [] : [...declared, { name: 'export', label: say`Export CSV` }]
  const table = html`
<table class="table list">
  <caption class="unseen">${screen.title}</caption>
  <thead>
    <tr>${when(
      bulk.length > 0,
      () =>
        html`<th class="mark tick"><label><input type="checkbox" class="mark-all" aria-label="${say`Select all`}"></label></th>`,
    )}${columns.map((column) => headHtml(context, screen, params, column))}</tr>
  </thead>
  <tbody>${rows.map(
    (row) => html`
    <tr>${when(
      bulk.length > 0,
      () =>
        html`<td class="mark tick"><label><input type="checkbox" name="ids" value="${row.id}" aria-label="${say`Select ${screen.listing.rowLabel?.(row) ?? ''}`}"></label></td>`,
    )}${columns.map(
      (column) => html`<td data-label="${column.label}"${classOfColumn(column)}>${blankIfDash(column.cell(row))}</td>`,
    )}</tr>`,
  )}
  </tbody>${when(sums, (sums) => sumsHtml(context, columns, sums, bulk.length > 0))}
</table>`
  return bulk.length === 0
    ? table
    : html`
<form class="bulk" method="post" action="${context.path(screen.entity.name, 'bulk')}">
  <input type="hidden" name="asked" value="${params.toString()}">${table}
  <div class="bulk-bar" role="group" aria-label="${say`Apply to all selected`}"><span class="bulk-count">${say`Selected:`}</span>${bulk.map(
    ({ name, label }) => html`<button class="button plain" name="act" value="${name}">${label}</button>`,
  )}</div>
</form>`
}

/** Draws a column head. A sortable one sorts the list; a second click reverses the order. */
function headHtml(
  { path }: PageContext,
  { entity, listing }: Screen,
  params: URLSearchParams,
  column: Column<RecordView>,
): Html {
  const values = listing.sorts?.()[column.label] ?? []
  if (values.length === 0) return html`<th scope="col"${classOfColumn(column)}>${column.label}</th>`
  const now = values.indexOf(params.get('sort') ?? '')
  const next = values[now + 1] ?? (values.length > 1 ? values[0] : undefined)
  const query = new URLSearchParams([...params].filter(([name]) => !['sort', 'page', 'cursor'].includes(name)))
  if (next !== undefined) query.set('sort', next)
  const ariaSort = when(now >= 0, () => html` aria-sort="${isDescending(values[now]!) ? 'descending' : 'ascending'}"`)
  return html`<th scope="col"${classOfColumn(
    column,
  )}${ariaSort}><a href="${path(entity.name)}?${query.toString()}">${column.label}</a></th>`
}

/** Draws the totals over all pages below their columns. */
function sumsHtml(
  { company }: PageContext,
  columns: readonly Column<RecordView>[],
  { count, cents }: Sums,
  hasCheckboxes: boolean,
): Html | '' {
  const first = columns.findIndex(({ label }) => cents[label] !== undefined)
  if (first < 0) return ''
  return html`
  <tfoot>
    <tr>
      <th scope="row" colspan="${first + (hasCheckboxes ? 1 : 0)}">${sayCount(
        count,
        'Total of one',
        'Total of all {0}',
      )}</th>${columns
        .slice(first)
        .map(
          ({ label }) =>
            html`<td class="number" data-label="${label}">${
              cents[label] === undefined ? '' : money(cents[label], company.currency)
            }</td>`,
        )}</tr></tfoot>`
}

/** Empties a cell without a value, so that it takes no line on a phone. On wide screens the styles draw a dash. */
const blankIfDash = (cell: Html | string): Html | string => (String(cell) === '–' ? '' : cell)
