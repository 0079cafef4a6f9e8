import { buffer } from 'node:stream/consumers'
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

type ElementOptions = { scope?: 'Column' | 'Row'; alt?: string }

/** Makes an empty document with its metadata, its fonts and the root of its structure. */
function newDocument(paper: PdfDocumentData): { document: TaggedDocument; root: StructElement } {
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
  return { document, root }
}

/** Draws on pages from the top, tagged for those who have them read aloud; what isn't tagged is decoration. */
export class PdfSheet {
  readonly root: StructElement
  readonly left = MARGIN
  readonly right: number
  readonly wide: number
  readonly width: number
  readonly height: number
  readonly bottom: number
  /** Vertical position of the next element. */
  y = MARGIN
  readonly #document: TaggedDocument
  #pageBegun: () => void = () => {}

  constructor(paper: PdfDocumentData) {
    const { document, root } = newDocument(paper)
    this.#document = document
    this.root = root
    this.width = document.page.width
    this.height = document.page.height
    this.right = this.width - MARGIN
    this.wide = this.width - 2 * MARGIN
    this.bottom = this.height - MARGIN - FOOT
  }

  get room(): number {
    return this.bottom - this.y
  }

  /** Begins a page when less than this is left. */
  readonly need = (much: number): void => {
    if (this.y + much > this.bottom && this.y > MARGIN) this.turn()
  }

  readonly turn = (): void => {
    this.#document.addPage()
    this.y = MARGIN
    this.#pageBegun()
  }

  /** Sets what to draw at the top of each page from now on. */
  readonly atEachPage = (work: () => void): void => {
    this.#pageBegun = work
  }

  readonly element = (type: string, parent: StructElement = this.root, options: ElementOptions = {}): StructElement => {
    const struct = this.#document.struct(type, options)
    parent.struct.add(struct)
    return { type, struct }
  }

  readonly heightOf = ({ size, leading = 1.4 }: TextStyle): number => size * leading

  /** Returns the lines that a text takes in a width. */
  readonly linesOf = (text: string, wide: number, look: TextStyle): string[] => {
    this.#use(look)
    return wrapText(toDrawableText(text, this.#has), wide, this.#measure)
  }

  readonly widthOf = (text: string, look: TextStyle): number => this.#measure(this.#toDrawableLine(text, look))

  /** Draws one line, as content of an element. */
  readonly put = (element: StructElement, line: string, look: TextStyle, at: Position): void => {
    const clean = this.#toDrawableLine(line, look)
    if (clean.trim() === '') return
    element.struct.add(this.#document.markStructureContent(element.type))
    this.#ink(clean, look, at)
    this.#document.endMarkedContent()
  }

  /** Draws content without its own meaning, which screen readers skip: rules, fills, repeated text. */
  readonly decorate = (work: (pen: PDFKit.PDFDocument) => void): void => {
    this.#document.markContent('Artifact', { type: 'Layout' })
    this.#document.save()
    work(this.#document)
    this.#document.restore()
    this.#document.endMarkedContent()
  }

  /** Draws a picture within a rectangle. */
  readonly picture = (
    element: StructElement,
    bytes: Uint8Array,
    at: { x: number; top: number; wide: number; high: number },
  ): void => {
    element.struct.add(this.#document.markStructureContent(element.type))
    this.#document.image(Buffer.from(bytes), at.x, at.top, { width: at.wide, height: at.high })
    this.#document.endMarkedContent()
  }

  /** Draws path data as strokes, at a share of its size. */
  readonly strokes = (
    element: StructElement,
    path: string,
    { x, top, share }: { x: number; top: number; share: number },
  ): void => {
    const document = this.#document
    element.struct.add(document.markStructureContent(element.type))
    document.save()
    document.translate(x, top).scale(share).path(path).lineWidth(4).lineCap('round').lineJoin('round').stroke(INK)
    document.restore()
    document.endMarkedContent()
  }

  /** Draws one line that screen readers skip: repeated text, or text across the page. */
  readonly note = (line: string, look: TextStyle, { turned, ...at }: Position & { turned?: number }): void =>
    this.decorate((pen) => {
      if (turned !== undefined) pen.rotate(turned, { origin: [this.width / 2, this.height / 2] }).fillOpacity(FAINT)
      this.#ink(this.#toDrawableLine(line, look), look, at)
    })

  /** Draws a text over as many lines and pages as it takes, from where the sheet is now. */
  readonly write = (
    element: StructElement,
    text: string,
    look: TextStyle,
    { x = MARGIN, wide = this.wide, align = 'left' }: { x?: number; wide?: number; align?: 'left' | 'right' } = {},
  ): void => {
    for (const line of this.linesOf(text, wide, look)) {
      if (this.y + this.heightOf(look) > this.bottom) this.turn()
      this.put(element, line, look, { x, top: this.y, wide, align })
      this.y += this.heightOf(look)
    }
  }

  /** Draws something on every page once all of them are there. */
  readonly onEveryPage = (work: (page: number, pages: number) => void): void => {
    const { start, count } = this.#document.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      this.#document.switchToPage(start + page)
      work(page + 1, count)
    }
  }

  /** Ends the document and returns its bytes. */
  readonly finish = (): Promise<Buffer<ArrayBuffer>> => {
    this.#document.end()
    return buffer(this.#document)
  }

  #use({ size, bold = false, color = INK }: TextStyle): void {
    this.#document
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(color)
  }

  readonly #has = (codePoint: number): boolean => fontOf(this.#document).font.hasGlyphForCodePoint(codePoint)
  readonly #measure = (text: string): number => this.#document.widthOfString(text)

  /** Returns a text as one line that can be drawn. */
  #toDrawableLine(text: string, look: TextStyle): string {
    this.#use(look)
    return toDrawableText(text, this.#has).replaceAll('\n', ' ')
  }

  /** Draws one line that can be drawn, in the middle of its height. */
  #ink(line: string, look: TextStyle, { x, top, wide = 0, align = 'left' }: Position): void {
    this.#use(look)
    const words = toVisualOrder(line)
    let left = align === 'right' || (words.isRightToLeft && wide > 0) ? x + wide - this.#measure(line) : x
    const baseline = top + (this.heightOf(look) + look.size * CAPITAL) / 2
    for (const part of words.parts) {
      this.#document.text(part, left, baseline, { lineBreak: false, baseline: 'alphabetic' })
      left += this.#measure(part)
    }
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
