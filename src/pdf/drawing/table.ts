import type { PdfDocumentData, PdfRow } from '../document.ts'
import type { StructElement } from './pdf_document.ts'
import { INK, INSET, MARGIN, RULE, SOFT, WELL, type TextStyle, type PdfSheet } from './sheet.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

const HEAD: TextStyle = { size: 8, bold: true, color: SOFT }
const NAME: TextStyle = { size: 9.5 }
const MORE: TextStyle = { size: 8.5, color: SOFT }
const GAP = 12
const PAD = 5

/** Maximum lines of a row that is kept on one page. */
const TOGETHER = 8

type Columns = { nameWide: number; cells: readonly { x: number; wide: number }[] }

/** Draws the table of a document. Its heads repeat on each page. */
export function drawTable(sheet: PdfSheet, { table }: PdfDocumentData): void {
  if (table.rows.length === 0) {
    sheet.write(sheet.element('P'), table.empty, { ...NAME, color: SOFT })
    return
  }
  const columns = columnsOf(sheet, table)
  const element = sheet.element('Table', sheet.root, { alt: table.caption })
  sheet.need(70)
  drawHeads(sheet, table, columns, element)
  sheet.atEachPage(() => drawHeads(sheet, table, columns))
  for (const row of table.rows) drawRow(sheet, row, columns, element)
  sheet.atEachPage(() => {})
}

/** Gives each number column the width of its widest value, and the remaining width to the name. */
function columnsOf(sheet: PdfSheet, { heads, rows }: PdfDocumentData['table']): Columns {
  const most = (sheet.wide * 0.6) / Math.max(1, heads.length - 1)
  const wides = heads.slice(1).map((head, i) => {
    const widest = rows.reduce((wide, { cells }) => Math.max(wide, sheet.widthOf(cells[i] ?? '', NAME)), 44)
    return Math.min(most, Math.max(widest, sheet.widthOf(head, HEAD)) + 1)
  })
  let x = sheet.right - INSET
  const cells = wides
    .toReversed()
    .map((wide) => {
      x -= wide
      const at = { x, wide }
      x -= GAP
      return at
    })
    .toReversed()
  return { nameWide: x - MARGIN, cells }
}

/** Draws the heads: as part of the table the first time, as decoration on later pages. */
function drawHeads(
  sheet: PdfSheet,
  { heads }: PdfDocumentData['table'],
  columns: Columns,
  table?: StructElement,
): void {
  const top = sheet.y
  sheet.decorate((pen) => {
    pen.rect(MARGIN, top, sheet.wide, 20).fill(WELL)
    pen
      .moveTo(MARGIN, top + 20)
      .lineTo(sheet.right, top + 20)
      .lineWidth(1)
      .stroke(INK)
  })
  const row = table && sheet.element('TR', table)
  for (const [i, head] of heads.entries()) {
    const at =
      i === 0
        ? { x: MARGIN + INSET, top: top + 4.5 }
        : { ...columnAt(columns, i - 1), top: top + 4.5, align: 'right' as const }
    if (row === undefined) sheet.note(head, HEAD, at)
    else sheet.put(sheet.element('TH', row, { scope: 'Column' }), head, HEAD, at)
  }
  sheet.y = top + 20 + PAD
}

const columnAt = ({ cells }: Columns, i: number): Columns['cells'][number] =>
  requireValue(cells[i], 'The column of a cell')

function drawRow(sheet: PdfSheet, { name, description, cells }: PdfRow, columns: Columns, table: StructElement): void {
  const wide = columns.nameWide - INSET
  const lines = [
    ...sheet.linesOf(name, wide, NAME).map((line) => ({ line, look: NAME })),
    ...(description === null ? [] : sheet.linesOf(description, wide, MORE).map((line) => ({ line, look: MORE }))),
  ]
  const figures = cells.map((cell, i) => sheet.linesOf(cell, columnAt(columns, i).wide, NAME))
  const most = Math.max(lines.length, ...figures.map(({ length }) => length))
  sheet.need(Math.min(most, TOGETHER) * sheet.heightOf(NAME) + PAD)
  const row = sheet.element('TR', table)
  const begun = sheet.y
  const named = sheet.element('TD', row)
  const fitting = fittingIn(sheet, lines)
  write(sheet, named, lines.slice(0, fitting), wide)
  for (const [i, figure] of figures.entries()) {
    const cell = sheet.element('TD', row)
    for (const [at, line] of figure.slice(0, TOGETHER).entries())
      sheet.put(cell, line, NAME, { ...columnAt(columns, i), align: 'right', top: begun + at * sheet.heightOf(NAME) })
  }
  if (fitting < lines.length) write(sheet, named, lines.slice(fitting), wide)
  else sheet.y = Math.max(sheet.y, begun + Math.min(most, TOGETHER) * sheet.heightOf(NAME))
  const end = sheet.y + PAD
  sheet.decorate((pen) => pen.moveTo(MARGIN, end).lineTo(sheet.right, end).lineWidth(0.5).stroke(RULE))
  sheet.y = end + PAD
}

type StyledLine = { line: string; look: TextStyle }

/** Returns how many lines fit on the current page. */
function fittingIn(sheet: PdfSheet, lines: readonly StyledLine[]): number {
  let room = sheet.room
  const first = lines.findIndex(({ look }) => (room -= sheet.heightOf(look)) < 0)
  return first === -1 ? lines.length : first
}

function write(sheet: PdfSheet, element: StructElement, lines: readonly StyledLine[], wide: number): void {
  for (const { line, look } of lines) {
    if (sheet.heightOf(look) > sheet.room) sheet.turn()
    sheet.put(element, line, look, { x: MARGIN + INSET, top: sheet.y, wide })
    sheet.y += sheet.heightOf(look)
  }
}
