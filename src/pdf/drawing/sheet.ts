import { buffer } from 'node:stream/consumers'
import type { PdfDocumentData } from '../document.ts'
import { toDrawableText } from './clean.ts'
import { toVisualOrder } from './directions.ts'
import type { FallbackFont } from './fallback_font.ts'
import {
  FALLBACK,
  glyphsOf,
  newDocument,
  registerFallback,
  type HasGlyph,
  type StructElement,
  type TaggedDocument,
} from './pdf_document.ts'
import { wrapText } from './wrap.ts'

type Position = { x: number; top: number; wide?: number; align?: 'left' | 'right' }

/** Text style. Sizes are in points. */
export type TextStyle = { size: number; bold?: boolean; color?: string; leading?: number }

export const INK = '#17211f'
export const MUTED = '#4a5753'
export const RULE = '#c9cdc3'
export const TABLE_FILL = '#f3f5f1'
export const ACCENT = '#0f5452'

/** Height of the font's capitals, as a fraction of the font size. */
const CAPITAL_HEIGHT = 0.73
const WATERMARK_OPACITY = 0.5

export const MARGIN = 48
/** Horizontal padding inside a table, in points. */
export const INSET = 8
const FOOTER_HEIGHT = 20

type ElementOptions = { scope?: 'Column' | 'Row'; alt?: string }

/** Draws on pages from the top, tagged for screen readers. Untagged content is decoration. */
export class PdfSheet {
  readonly root: StructElement
  readonly left = MARGIN
  readonly right: number
  readonly contentWidth: number
  readonly width: number
  readonly height: number
  readonly bottom: number
  /** Vertical position of the next element. */
  y = MARGIN
  readonly #document: TaggedDocument
  readonly #fallback: FallbackFont | null
  /** Characters of the fallback font, loaded on first use; null if there is no such font. */
  #hasFallback: HasGlyph | null | undefined
  #font: 'regular' | 'bold' = 'regular'
  #hasOwn: HasGlyph = () => false
  #drawPageHeader: () => void = () => {}

  constructor(data: PdfDocumentData, fallback: FallbackFont | null) {
    const { document, root } = newDocument(data, MARGIN)
    this.#document = document
    this.#fallback = fallback
    this.root = root
    this.width = document.page.width
    this.height = document.page.height
    this.right = this.width - MARGIN
    this.contentWidth = this.width - 2 * MARGIN
    this.bottom = this.height - MARGIN - FOOTER_HEIGHT
  }

  get remainingHeight(): number {
    return this.bottom - this.y
  }

  /** Starts a new page if less than this height is left. */
  readonly ensureSpace = (space: number): void => {
    if (this.y + space > this.bottom && this.y > MARGIN) this.startPage()
  }

  readonly startPage = (): void => {
    this.#document.addPage()
    this.y = MARGIN
    this.#drawPageHeader()
  }

  /** Sets what to draw at the top of each new page from now on. */
  readonly setPageHeader = (work: () => void): void => {
    this.#drawPageHeader = work
  }

  readonly element = (type: string, parent: StructElement = this.root, options: ElementOptions = {}): StructElement => {
    const struct = this.#document.struct(type, options)
    parent.struct.add(struct)
    return { type, struct }
  }

  readonly heightOf = ({ size, leading = 1.4 }: TextStyle): number => size * leading

  /** Wraps a text into lines of a width. */
  readonly linesOf = (text: string, wide: number, look: TextStyle): string[] => {
    this.#use(look)
    return wrapText(toDrawableText(text, this.#has), wide, this.#measure)
  }

  readonly widthOf = (text: string, look: TextStyle): number => this.#measure(this.#toDrawableLine(text, look))

  /** Draws one line as content of an element. */
  readonly drawLine = (element: StructElement, line: string, look: TextStyle, at: Position): void => {
    const clean = this.#toDrawableLine(line, look)
    if (clean.trim() === '') return
    element.struct.add(this.#document.markStructureContent(element.type))
    this.#drawRuns(clean, look, at)
    this.#document.endMarkedContent()
  }

  /** Draws content without meaning of its own, which screen readers skip: rules, fills, repeated text. */
  readonly decorate = (work: (pen: PDFKit.PDFDocument) => void): void => {
    this.#document.markContent('Artifact', { type: 'Layout' })
    this.#document.save()
    work(this.#document)
    this.#document.restore()
    this.#document.endMarkedContent()
  }

  /** Draws an image in a rectangle. */
  readonly drawImage = (
    element: StructElement,
    bytes: Uint8Array,
    at: { x: number; top: number; wide: number; high: number },
  ): void => {
    element.struct.add(this.#document.markStructureContent(element.type))
    this.#document.image(Buffer.from(bytes), at.x, at.top, { width: at.wide, height: at.high })
    this.#document.endMarkedContent()
  }

  /** Draws path data as strokes, scaled by `scale`. */
  readonly drawPath = (
    element: StructElement,
    path: string,
    { x, top, scale }: { x: number; top: number; scale: number },
  ): void => {
    const document = this.#document
    element.struct.add(document.markStructureContent(element.type))
    document.save()
    document.translate(x, top).scale(scale).path(path).lineWidth(4).lineCap('round').lineJoin('round').stroke(INK)
    document.restore()
    document.endMarkedContent()
  }

  /** Draws one line that screen readers skip: repeated text, or text across the page. */
  readonly drawArtifact = (
    line: string,
    look: TextStyle,
    { rotation, ...at }: Position & { rotation?: number },
  ): void =>
    this.decorate((pen) => {
      if (rotation !== undefined)
        pen.rotate(rotation, { origin: [this.width / 2, this.height / 2] }).fillOpacity(WATERMARK_OPACITY)
      this.#drawRuns(this.#toDrawableLine(line, look), look, at)
    })

  /** Draws a text from the current position, over as many lines and pages as it needs. */
  readonly drawText = (
    element: StructElement,
    text: string,
    look: TextStyle,
    {
      x = MARGIN,
      wide = this.contentWidth,
      align = 'left',
    }: { x?: number; wide?: number; align?: 'left' | 'right' } = {},
  ): void => {
    for (const line of this.linesOf(text, wide, look)) {
      if (this.y + this.heightOf(look) > this.bottom) this.startPage()
      this.drawLine(element, line, look, { x, top: this.y, wide, align })
      this.y += this.heightOf(look)
    }
  }

  /** Draws something on every page after all pages exist. */
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
    this.#font = bold ? 'bold' : 'regular'
    this.#document.font(this.#font).fontSize(size).fillColor(color)
    this.#hasOwn = glyphsOf(this.#document)
  }

  readonly #has = (codePoint: number): boolean => {
    if (this.#hasOwn(codePoint)) return true
    if (this.#hasFallback === undefined) {
      this.#hasFallback = registerFallback(this.#document, this.#fallback)
      this.#document.font(this.#font)
    }
    return this.#hasFallback?.(codePoint) === true
  }

  readonly #measure = (text: string): number =>
    this.#runsOf(text).reduce((wide, run) => wide + this.#inFont(run, () => this.#document.widthOfString(run.text)), 0)

  /** Splits a text where its font changes: characters missing from the current font use the fallback. */
  #runsOf(text: string): FontRun[] {
    if (!this.#hasFallback) return [{ text, isOwn: true }]
    const runs: FontRun[] = []
    for (const char of text) {
      const [run, isOwn] = [runs.at(-1), this.#hasOwn(char.codePointAt(0) ?? 0)]
      if (run?.isOwn === isOwn) run.text += char
      else runs.push({ text: char, isOwn })
    }
    return runs
  }

  #inFont<T>({ isOwn }: FontRun, work: () => T): T {
    if (isOwn) return work()
    this.#document.font(FALLBACK)
    const done = work()
    this.#document.font(this.#font)
    return done
  }

  /** Returns a text as one drawable line. */
  #toDrawableLine(text: string, look: TextStyle): string {
    this.#use(look)
    return toDrawableText(text, this.#has).replaceAll('\n', ' ')
  }

  /** Draws one drawable line, vertically centered. */
  #drawRuns(line: string, look: TextStyle, { x, top, wide = 0, align = 'left' }: Position): void {
    this.#use(look)
    const words = toVisualOrder(line)
    let at = align === 'right' || (words.isRightToLeft && wide > 0) ? x + wide - this.#measure(line) : x
    const baseline = top + (this.heightOf(look) + look.size * CAPITAL_HEIGHT) / 2
    for (const run of words.parts.flatMap((part) => this.#runsOf(part))) {
      this.#inFont(run, () => this.#document.text(run.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' }))
      at += this.#measure(run.text)
    }
  }
}

/** Part of a text in one font. */
type FontRun = { text: string; isOwn: boolean }
