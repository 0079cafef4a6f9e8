import { html, when, type Html } from '../../platform/html/html.ts'

export type ReportColumn<Row> = {
  label: string
  cell(row: Row): Html | string
  /** Column total in the footer. */
  foot?: Html | string
  isNumber?: boolean
}

/** Draws the rows of a report with totals in the footer. On a phone the table scrolls sideways. */
export const reportTable = <Row>({
  caption,
  columns,
  rows,
  empty,
}: {
  caption: string
  columns: readonly ReportColumn<Row>[]
  rows: readonly Row[]
  empty: string
}): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`
<div class="report" role="region" aria-label="${caption}" tabindex="0">
<table>
  <caption class="unseen">${caption}</caption>
  <thead><tr>${columns.map((column) => html`<th scope="col"${numberClass(column)}>${column.label}</th>`)}</tr></thead>
  <tbody>${rows.map(
    (row) => html`
    <tr>${columns.map((column, i) =>
      i === 0
        ? html`<th scope="row">${column.cell(row)}</th>`
        : html`<td${numberClass(column)}>${column.cell(row)}</td>`,
    )}</tr>`,
  )}
  </tbody>
  <tfoot>
    <tr>${columns.map((column, i) =>
      i === 0
        ? html`<th scope="row">${column.foot ?? ''}</th>`
        : html`<td${numberClass(column)}>${column.foot ?? ''}</td>`,
    )}</tr>
  </tfoot>
</table>
</div>`

const numberClass = ({ isNumber = false }: { isNumber?: boolean }): Html | '' =>
  when(isNumber, () => html` class="number"`)
