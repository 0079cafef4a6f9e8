import type { PdfDocumentData, PdfLogo } from '../document.ts'
import { ACCENT, INK, MARGIN, RULE, MUTED, type TextStyle, type PdfSheet } from './sheet.ts'

const SMALL: TextStyle = { size: 8.5, color: MUTED }
const LABEL: TextStyle = { size: 8, bold: true, color: MUTED }
const TEXT: TextStyle = { size: 9.5 }
const GAP = 24

/** Draws the sender, the document's name, the recipient, and the headline. */
export function drawHead(sheet: PdfSheet, data: PdfDocumentData): void {
  sheet.decorate((pen) => pen.rect(0, 0, sheet.width, 6).fill(ACCENT))
  const [senderEnd, titleEnd] = [drawSender(sheet, data), drawTitleBlock(sheet, data)]
  sheet.y = Math.max(senderEnd, titleEnd) + 18
  drawHeadline(sheet, data)
  drawAddressBlocks(sheet, data)
  if (data.title !== null) {
    sheet.y += 16
    sheet.drawText(sheet.element('H2'), data.title, { size: 12, bold: true })
  }
  if (data.message !== null) {
    sheet.y += data.title === null ? 16 : 4
    sheet.drawText(sheet.element('P'), data.message, TEXT)
  }
  sheet.y += 18
}

const MAX_LOGO_WIDTH = 190
const MAX_LOGO_HEIGHT = 60

/** Draws the letterhead on the left. Returns where it ends. */
function drawSender(sheet: PdfSheet, { from }: PdfDocumentData): number {
  const wide = sheet.contentWidth * 0.55
  let top = MARGIN
  const startY = sheet.y
  if (from.logo !== null) top += drawLogo(sheet, from.logo, from.name) + 10
  sheet.y = top
  sheet.drawText(sheet.element('P'), from.name, { size: from.logo === null ? 15 : 11, bold: true }, { wide })
  sheet.y += 2
  const lines = sheet.element('P')
  for (const line of from.lines) sheet.drawText(lines, line, SMALL, { wide })
  const endY = sheet.y
  sheet.y = startY
  return endY
}

function drawLogo(sheet: PdfSheet, { width, height, bytes }: PdfLogo, name: string): number {
  const scale = Math.min(MAX_LOGO_WIDTH / width, MAX_LOGO_HEIGHT / height, 1)
  const figure = sheet.element('Figure', sheet.root, { alt: name })
  sheet.drawImage(figure, bytes, { x: MARGIN, top: MARGIN, wide: width * scale, high: height * scale })
  return height * scale
}

/** Draws the document type, number and status on the right. Returns where they end. */
function drawTitleBlock(sheet: PdfSheet, { name, number, status }: PdfDocumentData): number {
  const x = MARGIN + sheet.contentWidth * 0.6
  const wide = sheet.contentWidth * 0.4
  const startY = sheet.y
  sheet.y = MARGIN - 4
  const head = sheet.element('H1')
  sheet.drawText(head, name, { size: 22, bold: true, color: ACCENT, leading: 1.2 }, { x, wide, align: 'right' })
  sheet.drawText(head, number, { size: 12, bold: true }, { x, wide, align: 'right' })
  if (status !== undefined) {
    const look: TextStyle = { size: 9, bold: true, color: COLORS[status.look] }
    const word = status.text.toUpperCase()
    const badgeWidth = Math.min(wide, sheet.widthOf(word, look) + 18)
    const top = sheet.y + 6
    sheet.decorate((pen) =>
      pen
        .roundedRect(sheet.right - badgeWidth, top, badgeWidth, 19, 3)
        .lineWidth(1.25)
        .stroke(COLORS[status.look]),
    )
    sheet.drawLine(sheet.element('P'), word, look, { x: sheet.right - badgeWidth + 9, top: top + 3.2 })
    sheet.y = top + 19
  }
  const endY = sheet.y
  sheet.y = startY
  return endY
}

const COLORS = { done: '#1d6b3f', open: '#8a5a00', ended: '#8c2f26' } as const

function drawHeadline(sheet: PdfSheet, { headline }: PdfDocumentData): void {
  if (headline === undefined) return
  const line = sheet.element('P')
  const amountStyle: TextStyle = { size: 17, bold: true, leading: 1.25 }
  const top = sheet.y
  const wide = sheet.widthOf(headline.amount, amountStyle)
  sheet.drawLine(line, headline.amount, amountStyle, { x: MARGIN, top })
  const detailStyle: TextStyle = { size: 10.5, color: MUTED }
  if (wide + 10 + sheet.widthOf(headline.detail, detailStyle) <= sheet.contentWidth) {
    sheet.drawLine(line, headline.detail, detailStyle, { x: MARGIN + wide + 9, top: top + 5.4 })
    sheet.y = top + 22
  } else {
    sheet.y = top + 22
    sheet.drawText(line, headline.detail, detailStyle)
  }
  sheet.y += 10
}

/** Draws the recipient, the work site and the dates side by side. */
function drawAddressBlocks(sheet: PdfSheet, { addressBlocks, facts }: PdfDocumentData): void {
  const top = sheet.y
  sheet.decorate((pen) => pen.moveTo(MARGIN, top).lineTo(sheet.right, top).lineWidth(0.75).stroke(RULE))
  const factsWide = 200
  const blockWidth = (sheet.contentWidth - factsWide - GAP * addressBlocks.length) / addressBlocks.length
  const ends = addressBlocks.map(({ label, name, lines }, i) => {
    const at = { x: MARGIN + i * (blockWidth + GAP), wide: blockWidth }
    sheet.y = top + 12
    sheet.drawText(sheet.element('H2'), label, LABEL, at)
    sheet.y += 2
    if (name !== undefined) sheet.drawText(sheet.element('P'), name, { ...TEXT, bold: true }, at)
    const rest = sheet.element('P')
    for (const line of lines) sheet.drawText(rest, line, TEXT, at)
    return sheet.y
  })
  sheet.y = top + 12
  drawFacts(sheet, facts, factsWide)
  sheet.y = Math.max(sheet.y, ...ends)
}

function drawFacts(sheet: PdfSheet, facts: PdfDocumentData['facts'], wide: number): void {
  const x = sheet.right - wide
  const table = sheet.element('Table')
  for (const { label, value } of facts) {
    const row = sheet.element('TR', table)
    const labels = sheet.linesOf(label, wide * 0.48, { ...TEXT, color: MUTED })
    const values = sheet.linesOf(value, wide * 0.5, { ...TEXT, color: INK })
    const [head, cell] = [sheet.element('TH', row, { scope: 'Row' }), sheet.element('TD', row)]
    const high = sheet.heightOf(TEXT)
    for (const [i, line] of labels.entries())
      sheet.drawLine(head, line, { ...TEXT, color: MUTED }, { x, top: sheet.y + i * high })
    for (const [i, line] of values.entries())
      sheet.drawLine(cell, line, TEXT, { x, top: sheet.y + i * high, wide, align: 'right' })
    sheet.y += Math.max(labels.length, values.length) * high + 1.5
  }
}
