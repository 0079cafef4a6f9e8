import { createRequire } from 'node:module'
import PdfDocument from 'pdfkit'
import type { PdfDocumentData } from '../document.ts'
import { toDrawableText } from './clean.ts'
import type { FallbackFont } from './fallback_font.ts'

/** Part of the structure tree, such as a heading or a cell. */
export type StructElement = { type: string; struct: PDFKit.PDFStructureElement }

const require = createRequire(import.meta.url)
const fontFile = (name: string): string => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** Creates an empty document with its metadata, its fonts and the root of its structure tree. */
export function newDocument(data: PdfDocumentData, margin: number): { document: TaggedDocument; root: StructElement } {
  const document = new TaggedDocument({
    size: data.format,
    margin,
    bufferPages: true,
    pdfVersion: '1.7',
    // The types list only the PDF/A subsets.
    subset: 'PDF/UA' as PDFKit.Mixins.PDFSubsets,
    tagged: true,
    displayTitle: true,
    lang: data.locale,
    info: {
      Title: toSingleLine(`${data.name} ${data.number}`),
      Author: toSingleLine(data.from.name),
      Creator: 'Callout',
      Producer: 'Callout',
      CreationDate: new Date(data.at),
      ModDate: new Date(data.at),
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

/** pdfkit document that escapes the title in its XML metadata. */
export class TaggedDocument extends PdfDocument {
  override endMetadata(): void {
    const { info } = this
    const escapeXml = (text = ''): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    this.info = { ...info, Title: escapeXml(info.Title), Author: escapeXml(info.Author) }
    super.endMetadata()
  }
}

export const FALLBACK = 'fallback'

/** Checks whether a font has a character. */
export type HasGlyph = (codePoint: number) => boolean
type Embedded = { font: { hasGlyphForCodePoint: HasGlyph } }

/** Registers a fallback font in a document. Returns a check for its characters; null if the font is unusable. */
export function registerFallback(document: PDFKit.PDFDocument, font: FallbackFont | null): HasGlyph | null {
  try {
    if (font === null) return null
    document.registerFont(FALLBACK, font.bytes, font.name ?? undefined).font(FALLBACK)
    return glyphsOf(document)
  } catch {
    return null
  }
}

/** Returns why a font is unusable in documents; null if it works. */
export const fontProblem = (font: FallbackFont): string | null =>
  registerFallback(new PdfDocument(), font) === null
    ? `it isn't a TrueType or OpenType font${font.name === null ? '' : `, or has no font named ${font.name}`}`
    : null

/** Returns a check for the characters of the current font. pdfkit has no public method for this. */
export function glyphsOf(document: PDFKit.PDFDocument): HasGlyph {
  // oxlint-disable-next-line no-underscore-dangle -- the only place of the font in use
  const font = '_font' in document ? document._font : undefined
  if (!isEmbedded(font)) throw new Error('No font is selected')
  return (codePoint) => font.font.hasGlyphForCodePoint(codePoint)
}

const isEmbedded = (font: unknown): font is Embedded =>
  typeof font === 'object' && font !== null && 'font' in font && typeof font.font === 'object'

/** Returns a name for a title bar: one line, no invisible characters. */
const toSingleLine = (text: string): string => toDrawableText(text, () => true).replaceAll('\n', ' ')
