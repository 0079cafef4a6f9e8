import { attribute, html, when, type Html } from '../html.ts'

/**
 * Column of a table. In a list, columns without a set width share the rest. On a phone a row is a card, and its first
 * column is the name.
 */
export type Column<T> = {
  label: string
  cell(row: T): Html | string
  isNumber?: boolean
  isOneLine?: boolean
  /** Whether the column is wider than the others, including the first. For addresses. */
  isWide?: boolean
  /** Position in a list row on a phone: at the right side, below its label, or hidden. By default, below the name. */
  onPhone?: 'side' | 'labeled' | 'none'
}

type Table<T> = {
  caption: string
  /** Whether to hide the caption, because the heading above the table is enough. */
  isCaptionHidden?: boolean
  /** Whether rows look like those of record lists, on pages with `records.css`. */
  isList?: boolean
  columns: readonly Column<T>[]
  rows: readonly T[]
  /** Shown if the table has no rows. */
  empty: Html | string
}

/** Draws rows of records; on a phone each row is a card whose cells carry their column's label. */
export const table = <T>({ caption, isCaptionHidden = false, isList = false, columns, rows, empty }: Table<T>): Html =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`
<table class="${isList ? 'table list' : 'table'}">
  <caption${attribute('class', isCaptionHidden, 'unseen')}>${caption}</caption>
  <thead><tr>${columns.map((column) => html`<th scope="col"${classOfColumn(column)}>${column.label}</th>`)}</tr></thead>
  <tbody>${rows.map(
    (row) => html`
    <tr>${columns.map(
      (column) => html`<td data-label="${column.label}"${classOfColumn(column)}>${column.cell(row)}</td>`,
    )}</tr>`,
  )}
  </tbody>
</table>`

/** Returns the classes of a column's cells, as an attribute. */
export const classOfColumn = ({
  isNumber = false,
  isOneLine = false,
  isWide = false,
  onPhone,
}: Omit<Column<unknown>, 'cell'>): Html | '' => {
  const names = [
    isNumber ? 'number' : isOneLine ? 'one-line' : isWide ? 'wide-cell' : '',
    onPhone === undefined ? '' : `phone-${onPhone}`,
  ]
  const all = names.filter((name) => name !== '').join(' ')
  return when(all !== '', () => html` class="${all}"`)
}
