import type { PdfDocumentData, PdfRow } from '../document.ts'
import type { StructElement } from './pdf_document.ts'
import { INK, INSET, MARGIN, RULE, MUTED, TABLE_FILL, type TextStyle, type PdfSheet } from './sheet.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

const HEAD: TextStyle = { size: 8, bold: true, color: MUTED }
const NAME: TextStyle = { size: 9.5 }
const DESCRIPTION: TextStyle = { size: 8.5, color: MUTED }
const GAP = 12
const PAD = 5

/** Maximum lines of a row that is kept on one page. */
const MAX_UNBROKEN_LINES = 8

type Columns = { nameWide: number; cells: readonly { x: number; wide: number }[] }

/** Draws the table of a document. Its heads repeat on each page. */
export function drawTable(sheet: PdfSheet, { table }: PdfDocumentData): void {
  if (table.rows.length === 0) {
    sheet.drawText(sheet.element('P'), table.empty, { ...NAME, color: MUTED })
    return
  }
  const columns = columnsOf(sheet, table)
  const element = sheet.element('Table', sheet.root, { alt: table.caption })
  sheet.ensureSpace(70)
  drawHeads(sheet, table, columns, element)
  sheet.setPageHeader(() => drawHeads(sheet, table, columns))
  for (const row of table.rows) drawRow(sheet, row, columns, element)
  sheet.setPageHeader(() => {})
}

/** Gives each number column the width of its widest value, and the remaining width to the name. */
function columnsOf(sheet: PdfSheet, { headers, rows }: PdfDocumentData['table']): Columns {
  const maxWidth = (sheet.contentWidth * 0.6) / Math.max(1, headers.length - 1)
  const widths = headers.slice(1).map((head, i) => {
    const widest = rows.reduce((wide, { cells }) => Math.max(wide, sheet.widthOf(cells[i] ?? '', NAME)), 44)
    return Math.min(maxWidth, Math.max(widest, sheet.widthOf(head, HEAD)) + 1)
  })
  let x = sheet.right - INSET
  const cells = widths
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
  { headers }: PdfDocumentData['table'],
  columns: Columns,
  table?: StructElement,
): void {
  const top = sheet.y
  sheet.decorate((pen) => {
    pen.rect(MARGIN, top, sheet.contentWidth, 20).fill(TABLE_FILL)
    pen
      .moveTo(MARGIN, top + 20)
      .lineTo(sheet.right, top + 20)
      .lineWidth(1)
      .stroke(INK)
  })
  const row = table && sheet.element('TR', table)
  for (const [i, head] of headers.entries()) {
    const at =
      i === 0
        ? { x: MARGIN + INSET, top: top + 4.5 }
        : { ...columnAt(columns, i - 1), top: top + 4.5, align: 'right' as const }
    if (row === undefined) sheet.drawArtifact(head, HEAD, at)
    else sheet.drawLine(sheet.element('TH', row, { scope: 'Column' }), head, HEAD, at)
  }
  sheet.y = top + 20 + PAD
}

const columnAt = ({ cells }: Columns, i: number): Columns['cells'][number] =>
  requireValue(cells[i], 'The column of a cell')

function drawRow(sheet: PdfSheet, { name, description, cells }: PdfRow, columns: Columns, table: StructElement): void {
  const wide = columns.nameWide - INSET
  const lines = [
    ...sheet.linesOf(name, wide, NAME).map((line) => ({ line, look: NAME })),
    ...(description === null
      ? []
      : sheet.linesOf(description, wide, DESCRIPTION).map((line) => ({ line, look: DESCRIPTION }))),
  ]
  const figures = cells.map((cell, i) => sheet.linesOf(cell, columnAt(columns, i).wide, NAME))
  const lineCount = Math.max(lines.length, ...figures.map(({ length }) => length))
  sheet.ensureSpace(Math.min(lineCount, MAX_UNBROKEN_LINES) * sheet.heightOf(NAME) + PAD)
  const row = sheet.element('TR', table)
  const startY = sheet.y
  const nameCell = sheet.element('TD', row)
  const fittingCount = countFittingLines(sheet, lines)
  writeLines(sheet, nameCell, lines.slice(0, fittingCount), wide)
  for (const [i, figure] of figures.entries()) {
    const cell = sheet.element('TD', row)
    for (const [at, line] of figure.slice(0, MAX_UNBROKEN_LINES).entries())
      sheet.drawLine(cell, line, NAME, {
        ...columnAt(columns, i),
        align: 'right',
        top: startY + at * sheet.heightOf(NAME),
      })
  }
  if (fittingCount < lines.length) writeLines(sheet, nameCell, lines.slice(fittingCount), wide)
  else sheet.y = Math.max(sheet.y, startY + Math.min(lineCount, MAX_UNBROKEN_LINES) * sheet.heightOf(NAME))
  const end = sheet.y + PAD
  sheet.decorate((pen) => pen.moveTo(MARGIN, end).lineTo(sheet.right, end).lineWidth(0.5).stroke(RULE))
  sheet.y = end + PAD
}

type StyledLine = { line: string; look: TextStyle }

/** Returns how many lines fit on the current page. */
function countFittingLines(sheet: PdfSheet, lines: readonly StyledLine[]): number {
  let remaining = sheet.remainingHeight
  const first = lines.findIndex(({ look }) => (remaining -= sheet.heightOf(look)) < 0)
  return first === -1 ? lines.length : first
}

function writeLines(sheet: PdfSheet, element: StructElement, lines: readonly StyledLine[], wide: number): void {
  for (const { line, look } of lines) {
    if (sheet.heightOf(look) > sheet.remainingHeight) sheet.startPage()
    sheet.drawLine(element, line, look, { x: MARGIN + INSET, top: sheet.y, wide })
    sheet.y += sheet.heightOf(look)
  }
}
