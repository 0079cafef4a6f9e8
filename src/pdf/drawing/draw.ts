import type { PdfDocumentData, PdfSignature } from '../document.ts'
import type { FallbackFont } from './fallback_font.ts'
import { drawHead } from './head.ts'
import { ACCENT, INK, INSET, MARGIN, RULE, MUTED, TABLE_FILL, PdfSheet, type TextStyle } from './sheet.ts'
import { drawTable } from './table.ts'

const TEXT: TextStyle = { size: 9.5 }
const LABEL: TextStyle = { size: 8, bold: true, color: MUTED }

/** Draws a document as a PDF. The same document with the same fonts gives the same bytes. */
export async function drawDocument(data: PdfDocumentData, fallback: FallbackFont | null = null): Promise<Buffer> {
  const sheet = new PdfSheet(data, fallback)
  drawHead(sheet, data)
  drawTable(sheet, data)
  drawSums(sheet, data)
  for (const part of data.parts) drawPart(sheet, part)
  drawSignature(sheet, data)
  drawFooter(sheet, data)
  drawPageFeet(sheet, data)
  return sheet.finish()
}

const SUMS_WIDTH = 272

/** Draws the sums down to the total, kept on one page. */
function drawSums(sheet: PdfSheet, { sums, sumsNote }: PdfDocumentData): void {
  if (sums.length === 0) return
  const { right, widthOf, linesOf, drawLine, decorate } = sheet
  const rows = sums.map(({ label, amount, look }) => {
    const type: TextStyle = look === 'plain' ? TEXT : { size: look === 'due' ? 11.5 : 10, bold: true }
    const lines = linesOf(label, Math.max(60, SUMS_WIDTH - 2 * INSET - 14 - widthOf(amount, type)), type)
    return { lines, amount, look, type, height: lines.length * sheet.heightOf(type) + (look === 'plain' ? 6 : 11) }
  })
  sheet.ensureSpace(rows.reduce((sum, { height }) => sum + height, 0) + 10)
  sheet.y += 8
  const list = sheet.element('Table')
  const left = right - SUMS_WIDTH
  for (const { lines, amount, look, type, height } of rows) {
    const top = sheet.y
    decorate((pen) => {
      if (look === 'due') pen.roundedRect(left, top, SUMS_WIDTH, height, 3).fill(ACCENT)
      else if (look === 'sum') pen.moveTo(left, top).lineTo(right, top).lineWidth(1).stroke(INK)
    })
    const inked = { ...type, color: look === 'due' ? '#ffffff' : look === 'plain' ? MUTED : INK }
    const row = sheet.element('TR', list)
    const head = sheet.element('TH', row, { scope: 'Row' })
    const pad = (height - lines.length * sheet.heightOf(type)) / 2
    for (const [i, line] of lines.entries())
      drawLine(head, line, inked, { x: left + INSET, top: top + pad + i * sheet.heightOf(type) })
    drawLine(
      sheet.element('TD', row),
      amount,
      { ...inked, color: look === 'plain' ? INK : inked.color },
      { x: left, top: top + pad, wide: SUMS_WIDTH - INSET, align: 'right' },
    )
    sheet.y += height
  }
  if (sumsNote !== undefined) {
    sheet.y += 6
    sheet.drawText(
      sheet.element('P'),
      sumsNote,
      { size: 8.5, color: MUTED },
      { x: left, wide: SUMS_WIDTH - INSET, align: 'right' },
    )
  }
}

/** Draws a text under its heading. A heading is never alone at the bottom of a page. */
function drawPart(sheet: PdfSheet, { title, text }: { title: string; text: string }): void {
  sheet.ensureSpace(60)
  sheet.y += 18
  sheet.drawText(sheet.element('H2'), title, LABEL)
  sheet.y += 2
  sheet.drawText(sheet.element('P'), text, TEXT)
}

function drawSignature(sheet: PdfSheet, { signature }: PdfDocumentData): void {
  if (signature === undefined) return
  const { statement, blanks, signed } = signature
  sheet.ensureSpace(signed?.drawing == null ? 92 : 116)
  sheet.y += 18
  sheet.drawText(sheet.element('P'), statement, TEXT)
  sheet.y += signed?.drawing == null ? 34 : 58
  const gap = 18
  const wide = (sheet.contentWidth - gap * (blanks.length - 1)) / (blanks.length + 1)
  const top = sheet.y
  const values = signed === undefined ? [] : ['', signed.name, signed.date]
  let x = MARGIN
  for (const [i, blank] of blanks.entries()) {
    const blankWidth = i === 0 ? wide * 2 : wide
    const from = x
    sheet.decorate((pen) =>
      pen
        .moveTo(from, top)
        .lineTo(from + blankWidth, top)
        .lineWidth(0.75)
        .stroke(INK),
    )
    sheet.drawLine(sheet.element('P'), blank, { size: 8, color: MUTED }, { x, top: top + 3 })
    const [value = ''] = sheet.linesOf(values[i] ?? '', blankWidth, TEXT)
    if (value !== '') sheet.drawLine(sheet.element('P'), value, TEXT, { x, top: top - sheet.heightOf(TEXT) - 1 })
    x += blankWidth + gap
  }
  if (signed?.drawing != null) drawStrokes(sheet, signed, top)
  sheet.y = top + 20
}

/** Height of a drawn signature above its line, in points. Customers draw on a 600 by 200 canvas. */
const SIGNATURE_HEIGHT = 52

/** Draws a signature over its line, with the name as alternative text for screen readers. */
function drawStrokes(sheet: PdfSheet, { drawing, name }: PdfSignature, line: number): void {
  const figure = sheet.element('Figure', sheet.root, { alt: name })
  sheet.drawPath(figure, drawing ?? '', { x: MARGIN, top: line - SIGNATURE_HEIGHT + 4, scale: SIGNATURE_HEIGHT / 200 })
}

/** Draws the company's footer at the end of the document. */
function drawFooter(sheet: PdfSheet, { footer }: PdfDocumentData): void {
  if (footer === null) return
  const look: TextStyle = { size: 8.5, color: MUTED }
  const height = sheet.linesOf(footer, sheet.contentWidth, look).length * sheet.heightOf(look)
  sheet.ensureSpace(Math.min(height + 22, 200))
  sheet.y = height + 22 <= sheet.remainingHeight ? Math.max(sheet.y + 22, sheet.bottom - height) : sheet.y + 22
  const top = sheet.y - 8
  sheet.decorate((pen) => pen.moveTo(MARGIN, top).lineTo(sheet.right, top).lineWidth(0.5).stroke(RULE))
  sheet.drawText(sheet.element('P'), footer, look)
}

/** Draws the company, document and page number at the bottom of each page, so that loose sheets can be sorted. */
function drawPageFeet(sheet: PdfSheet, { from, name, number, pages: pagesTemplate, status }: PdfDocumentData): void {
  const top = sheet.height - MARGIN
  const small: TextStyle = { size: 7.5, color: MUTED }
  sheet.onEveryPage((page, pages) => {
    const [line = ''] = sheet.linesOf(`${from.name} · ${name} ${number}`, sheet.contentWidth - 120, small)
    const pageText = pagesTemplate.replace('{page}', String(page)).replace('{pages}', String(pages))
    sheet.drawArtifact(line, small, { x: MARGIN, top })
    sheet.drawArtifact(pageText, small, { x: MARGIN, top, wide: sheet.contentWidth, align: 'right' })
    if (status?.look === 'ended') drawWatermark(sheet, status.text)
  })
}

/** Draws a watermark across the page, for a document that is no longer in force. */
function drawWatermark(sheet: PdfSheet, word: string): void {
  const size = Math.min(110, 620 / Math.max(4, word.length))
  const look: TextStyle = { size, bold: true, color: TABLE_FILL }
  const wide = sheet.widthOf(word.toUpperCase(), look)
  sheet.drawArtifact(
    word.toUpperCase(),
    { ...look, color: '#d9dcd4' },
    { x: (sheet.width - wide) / 2, top: sheet.height / 2 - size / 2, rotation: -32 },
  )
}
