import { createRequire } from 'node:module'
import PdfDocument from 'pdfkit'
import type { PdfDocumentData } from '../document.ts'
import { toDrawableText } from './clean.ts'
import { toVisualOrder } from './directions.ts'
import { wrapText } from './wrap.ts'

/** Part of the structure tree, such as a heading or a cell. */
export type StructElement = { type: string; struct: PDFKit.PDFStructureElement }

type Position = { x: number; top: number; wide?: number; align?: 'left' | 'right' }

/** Style of a text. Sizes are in points. */
export type TextStyle = { size: number; bold?: boolean; color?: string; leading?: number }

export const INK = '#17211f'
export const SOFT = '#4a5753'
export const RULE = '#c9cdc3'
export const WELL = '#f3f5f1'
export const ACCENT = '#0f5452'

/** Height of the font's capitals, as a share of the font size. */
const CAPITAL = 0.73
const FAINT = 0.5

export const MARGIN = 48
/** Space between a table's cells and its sides, in points. */
export const INSET = 8
const FOOT = 20

const require = createRequire(import.meta.url)
const fontFile = (name: string): string => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** Draws on pages from the top, tagged for those who have them read aloud; what isn't tagged is decoration. */
export type PdfSheet = ReturnType<typeof openSheet>

export function openSheet(paper: PdfDocumentData) {
  const document = new TaggedDocument({
    size: paper.format,
    margin: MARGIN,
    bufferPages: true,
    pdfVersion: '1.7',
    // The types know those of archiving only.
    subset: 'PDF/UA' as PDFKit.Mixins.PDFSubsets,
    tagged: true,
    displayTitle: true,
    lang: paper.locale,
    info: {
      Title: flat(`${paper.name} ${paper.number}`),
      Author: flat(paper.from.name),
      Creator: 'Callout',
      Producer: 'Callout',
      CreationDate: new Date(paper.at),
      ModDate: new Date(paper.at),
    },
  })
  document
    .registerFont('regular', fontFile('DejaVuSansCondensed'))
    .registerFont('bold', fontFile('DejaVuSansCondensed-Bold'))
  document.font('bold').font('regular')
  const root: StructElement = { type: 'Document', struct: document.struct('Document') }
  document.addStructure(root.struct)
  const { width, height } = document.page
  const bottom = height - MARGIN - FOOT
  let y = MARGIN
  let pageBegun: () => void = () => {}

  const use = ({ size, bold = false, color = INK }: TextStyle): void => {
    document
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color)
  }
  const has = (codePoint: number): boolean => fontOf(document).font.hasGlyphForCodePoint(codePoint)
  const measure = (text: string): number => document.widthOfString(text)
  const heightOf = ({ size, leading = 1.4 }: TextStyle): number => size * leading

  /** Returns the lines that a text takes in a width. */
  const linesOf = (text: string, wide: number, look: TextStyle): string[] => {
    use(look)
    return wrapText(toDrawableText(text, has), wide, measure)
  }

  /** Returns a text as one line that can be drawn. */
  const toDrawableLine = (text: string, look: TextStyle): string => {
    use(look)
    return toDrawableText(text, has).replaceAll('\n', ' ')
  }

  const widthOf = (text: string, look: TextStyle): number => measure(toDrawableLine(text, look))

  /** Draws one line that can be drawn, in the middle of its height. */
  function ink(line: string, look: TextStyle, { x, top, wide = 0, align = 'left' }: Position): void {
    use(look)
    const words = toVisualOrder(line)
    let left = align === 'right' || (words.isRightToLeft && wide > 0) ? x + wide - measure(line) : x
    const baseline = top + (heightOf(look) + look.size * CAPITAL) / 2
    for (const part of words.parts) {
      document.text(part, left, baseline, { lineBreak: false, baseline: 'alphabetic' })
      left += measure(part)
    }
  }

  /** Draws one line, as content of an element. */
  function drawLine(element: StructElement, line: string, look: TextStyle, at: Position): void {
    const clean = toDrawableLine(line, look)
    if (clean.trim() === '') return
    element.struct.add(document.markStructureContent(element.type))
    ink(clean, look, at)
    document.endMarkedContent()
  }

  /** Draws content without its own meaning, which screen readers skip: rules, fills, repeated text. */
  function decorate(work: (pen: PDFKit.PDFDocument) => void): void {
    document.markContent('Artifact', { type: 'Layout' })
    document.save()
    work(document)
    document.restore()
    document.endMarkedContent()
  }

  function turn(): void {
    document.addPage()
    y = MARGIN
    pageBegun()
  }

  return {
    root,
    left: MARGIN,
    right: width - MARGIN,
    wide: width - 2 * MARGIN,
    width,
    height,
    bottom,
    /** Vertical position of the next element. */
    get y() {
      return y
    },
    set y(to: number) {
      y = to
    },
    get room() {
      return bottom - y
    },
    /** Begins a page when less than this is left. */
    need: (much: number): void => {
      if (y + much > bottom && y > MARGIN) turn()
    },
    turn,
    /** Sets what to draw at the top of each page from now on. */
    atEachPage: (work: () => void): void => {
      pageBegun = work
    },
    element: (
      type: string,
      parent: StructElement = root,
      options: { scope?: 'Column' | 'Row'; alt?: string } = {},
    ): StructElement => {
      const struct = document.struct(type, options)
      parent.struct.add(struct)
      return { type, struct }
    },
    linesOf,
    widthOf,
    heightOf,
    put: drawLine,
    decorate,
    /** Draws a picture within a rectangle. */
    picture: (
      element: StructElement,
      bytes: Uint8Array,
      at: { x: number; top: number; wide: number; high: number },
    ): void => {
      element.struct.add(document.markStructureContent(element.type))
      document.image(Buffer.from(bytes), at.x, at.top, { width: at.wide, height: at.high })
      document.endMarkedContent()
    },
    /** Draws path data as strokes, at a share of its size. */
    strokes: (
      element: StructElement,
      path: string,
      { x, top, share }: { x: number; top: number; share: number },
    ): void => {
      element.struct.add(document.markStructureContent(element.type))
      document.save()
      document.translate(x, top).scale(share).path(path).lineWidth(4).lineCap('round').lineJoin('round').stroke(INK)
      document.restore()
      document.endMarkedContent()
    },
    /** Draws one line that screen readers skip: repeated text, or text across the page. */
    note: (line: string, look: TextStyle, { turned, ...at }: Position & { turned?: number }): void =>
      decorate((pen) => {
        if (turned !== undefined) pen.rotate(turned, { origin: [width / 2, height / 2] }).fillOpacity(FAINT)
        ink(toDrawableLine(line, look), look, at)
      }),
    /** Draws a text over as many lines and pages as it takes, from where the sheet is now. */
    write: (
      element: StructElement,
      text: string,
      look: TextStyle,
      at: { x?: number; wide?: number; align?: 'left' | 'right' } = {},
    ): void => {
      const { x = MARGIN, wide = width - 2 * MARGIN, align = 'left' } = at
      for (const line of linesOf(text, wide, look)) {
        if (y + heightOf(look) > bottom) turn()
        drawLine(element, line, look, { x, top: y, wide, align })
        y += heightOf(look)
      }
    },
    /** Draws something on every page once all of them are there. */
    onEveryPage: (work: (page: number, pages: number) => void): void => {
      const { start, count } = document.bufferedPageRange()
      for (let page = 0; page < count; page++) {
        document.switchToPage(start + page)
        work(page + 1, count)
      }
    },
    /** Ends the document and returns its bytes. */
    finish: async (): Promise<Buffer> => {
      const chunks: Buffer[] = []
      document.end()
      for await (const chunk of document) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
  }
}

/** pdfkit document that escapes the title in its XML metadata. */
class TaggedDocument extends PdfDocument {
  override endMetadata(): void {
    const { info } = this
    const escapeXml = (text = ''): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    this.info = { ...info, Title: escapeXml(info.Title), Author: escapeXml(info.Author) }
    super.endMetadata()
  }
}

type Embedded = { font: { hasGlyphForCodePoint(codePoint: number): boolean } }

/** Returns the font in use. pdfkit tells in no other way which characters it has. */
function fontOf(document: PDFKit.PDFDocument): Embedded {
  // oxlint-disable-next-line no-underscore-dangle -- the only place of the font in use
  const font = '_font' in document ? document._font : undefined
  if (!isEmbedded(font)) throw new Error('No font is in use')
  return font
}

const isEmbedded = (font: unknown): font is Embedded =>
  typeof font === 'object' && font !== null && 'font' in font && typeof font.font === 'object'

/** Returns a name for a title bar: in one line, nothing hidden. */
const flat = (text: string): string => toDrawableText(text, () => true).replaceAll('\n', ' ')
