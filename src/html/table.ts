import { html, when, type Html } from './html.ts'

export type Column<T> = { label: string; cell(row: T): Html | string; isNumber?: boolean; isOneLine?: boolean }

export type Table<T> = {
  caption: string
  /** Says that the heading above the table is enough. */
  isCaptionHidden?: boolean
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** Is shown instead of a table without rows. */
  empty: Html | string
}

/** Draws rows of records; on a phone each row is a card whose cells carry their column's label. */
export const table = <T>({ caption, isCaptionHidden = false, columns, rows, empty }: Table<T>): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`
<table class="table">
  <caption${when(isCaptionHidden, () => html` class="unseen"`)}>${caption}</caption>
  <thead><tr>${columns.map((column) => html`<th scope="col"${classOf(column)}>${column.label}</th>`)}</tr></thead>
  <tbody>${rows.map(
    (row) => html`
    <tr>${columns.map((column) => html`<td data-label="${column.label}"${classOf(column)}>${column.cell(row)}</td>`)}</tr>`,
  )}
  </tbody>
</table>`

const classOf = ({ isNumber = false, isOneLine = false }: { isNumber?: boolean; isOneLine?: boolean }): Html | '' =>
  isNumber ? html` class="number"` : when(isOneLine, () => html` class="one-line"`)
