import type { PdfDocumentData, PdfLogo } from '../document.ts'
import { ACCENT, INK, MARGIN, RULE, SOFT, type TextStyle, type PdfSheet } from './sheet.ts'

const SMALL: TextStyle = { size: 8.5, color: SOFT }
const LABEL: TextStyle = { size: 8, bold: true, color: SOFT }
const TEXT: TextStyle = { size: 9.5 }
const GAP = 24

/** Draws the sender, the document's name, the recipient, and the headline. */
export function drawHead(sheet: PdfSheet, paper: PdfDocumentData): void {
  sheet.decorate((pen) => pen.rect(0, 0, sheet.width, 6).fill(ACCENT))
  const [from, what] = [drawFrom(sheet, paper), drawWhat(sheet, paper)]
  sheet.y = Math.max(from, what) + 18
  drawHeadline(sheet, paper)
  drawAbout(sheet, paper)
  if (paper.title !== null) {
    sheet.y += 16
    sheet.write(sheet.element('H2'), paper.title, { size: 12, bold: true })
  }
  if (paper.message !== null) {
    sheet.y += paper.title === null ? 16 : 4
    sheet.write(sheet.element('P'), paper.message, TEXT)
  }
  sheet.y += 18
}

const LOGO_WIDE = 190
const LOGO_HIGH = 60

/** Draws the letterhead on the left. Returns where it ends. */
function drawFrom(sheet: PdfSheet, { from }: PdfDocumentData): number {
  const wide = sheet.wide * 0.55
  let top = MARGIN
  const begun = sheet.y
  if (from.logo !== null) top += drawLogo(sheet, from.logo, from.name) + 10
  sheet.y = top
  sheet.write(sheet.element('P'), from.name, { size: from.logo === null ? 15 : 11, bold: true }, { wide })
  sheet.y += 2
  const lines = sheet.element('P')
  for (const line of from.lines) sheet.write(lines, line, SMALL, { wide })
  const ended = sheet.y
  sheet.y = begun
  return ended
}

function drawLogo(sheet: PdfSheet, { width, height, bytes }: PdfLogo, name: string): number {
  const scale = Math.min(LOGO_WIDE / width, LOGO_HIGH / height, 1)
  const figure = sheet.element('Figure', sheet.root, { alt: name })
  sheet.picture(figure, bytes, { x: MARGIN, top: MARGIN, wide: width * scale, high: height * scale })
  return height * scale
}

/** Draws the document type, number and status on the right. Returns where they end. */
function drawWhat(sheet: PdfSheet, { name, number, mark }: PdfDocumentData): number {
  const x = MARGIN + sheet.wide * 0.6
  const wide = sheet.wide * 0.4
  const begun = sheet.y
  sheet.y = MARGIN - 4
  const head = sheet.element('H1')
  sheet.write(head, name, { size: 22, bold: true, color: ACCENT, leading: 1.2 }, { x, wide, align: 'right' })
  sheet.write(head, number, { size: 12, bold: true }, { x, wide, align: 'right' })
  if (mark !== undefined) {
    const look: TextStyle = { size: 9, bold: true, color: COLORS[mark.look] }
    const word = mark.says.toUpperCase()
    const long = Math.min(wide, sheet.widthOf(word, look) + 18)
    const top = sheet.y + 6
    sheet.decorate((pen) =>
      pen
        .roundedRect(sheet.right - long, top, long, 19, 3)
        .lineWidth(1.25)
        .stroke(COLORS[mark.look]),
    )
    sheet.put(sheet.element('P'), word, look, { x: sheet.right - long + 9, top: top + 3.2 })
    sheet.y = top + 19
  }
  const ended = sheet.y
  sheet.y = begun
  return ended
}

const COLORS = { done: '#1d6b3f', open: '#8a5a00', ended: '#8c2f26' } as const

function drawHeadline(sheet: PdfSheet, { headline }: PdfDocumentData): void {
  if (headline === undefined) return
  const line = sheet.element('P')
  const amount: TextStyle = { size: 17, bold: true, leading: 1.25 }
  const top = sheet.y
  const wide = sheet.widthOf(headline.amount, amount)
  sheet.put(line, headline.amount, amount, { x: MARGIN, top })
  const says: TextStyle = { size: 10.5, color: SOFT }
  if (wide + 10 + sheet.widthOf(headline.says, says) <= sheet.wide) {
    sheet.put(line, headline.says, says, { x: MARGIN + wide + 9, top: top + 5.4 })
    sheet.y = top + 22
  } else {
    sheet.y = top + 22
    sheet.write(line, headline.says, says)
  }
  sheet.y += 10
}

/** Draws the recipient, the work site and the dates side by side. */
function drawAbout(sheet: PdfSheet, { parties, facts }: PdfDocumentData): void {
  const top = sheet.y
  sheet.decorate((pen) => pen.moveTo(MARGIN, top).lineTo(sheet.right, top).lineWidth(0.75).stroke(RULE))
  const factsWide = 200
  const partyWide = (sheet.wide - factsWide - GAP * parties.length) / parties.length
  const ends = parties.map(({ label, name, lines }, i) => {
    const at = { x: MARGIN + i * (partyWide + GAP), wide: partyWide }
    sheet.y = top + 12
    sheet.write(sheet.element('H2'), label, LABEL, at)
    sheet.y += 2
    if (name !== undefined) sheet.write(sheet.element('P'), name, { ...TEXT, bold: true }, at)
    const rest = sheet.element('P')
    for (const line of lines) sheet.write(rest, line, TEXT, at)
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
    const labels = sheet.linesOf(label, wide * 0.48, { ...TEXT, color: SOFT })
    const values = sheet.linesOf(value, wide * 0.5, { ...TEXT, color: INK })
    const [head, cell] = [sheet.element('TH', row, { scope: 'Row' }), sheet.element('TD', row)]
    const high = sheet.heightOf(TEXT)
    for (const [i, line] of labels.entries())
      sheet.put(head, line, { ...TEXT, color: SOFT }, { x, top: sheet.y + i * high })
    for (const [i, line] of values.entries())
      sheet.put(cell, line, TEXT, { x, top: sheet.y + i * high, wide, align: 'right' })
    sheet.y += Math.max(labels.length, values.length) * high + 1.5
  }
}
