import { invalidField } from '../../platform/errors/refusal.ts'
import { MAX_CELL_LENGTH } from '../reading/limits.ts'
import { findNumberFormat, type NumberFormat } from './number_formats.ts'
import type { XmlHandler } from './xml.ts'
import { refusals } from './refusals.ts'

/** Maximum number of shared strings. */
const MAX_STRINGS = 1_000_000
/** Maximum number of styles. Spreadsheets write at most 65,490. */
const MAX_STYLES = 70_000

/** Collects the text of one cell without its phonetic hints, up to one character more than a cell may have. */
export class CellText {
  #text = ''
  #isText = false
  #spoken = 0

  open(name: string): void {
    if (name === 'rPh') this.#spoken++
    this.#isText = name === 't' || name === 'v'
  }

  add(text: string): void {
    if (this.#isText && this.#spoken === 0 && this.#text.length <= MAX_CELL_LENGTH) this.#text += text
  }

  close(name: string): void {
    if (name === 'rPh') this.#spoken--
    this.#isText = false
  }

  /** Returns the text and begins the next one. */
  take(): string {
    const text = this.#text.slice(0, MAX_CELL_LENGTH + 1)
    this.#text = ''
    return text
  }
}

/** Decodes `_xHHHH_` escapes of characters that XML can't contain (ECMA-376 part 1, 22.9.2.19). */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Reads the shared strings, without the formatting of rich text. */
export function readSharedStrings(): XmlHandler & { texts: string[] } {
  const texts: string[] = []
  const text = new CellText()
  return {
    texts,
    open: (name) => text.open(name),
    text: (part) => text.add(part),
    close: (name) => {
      text.close(name)
      if (name !== 'si') return
      if (texts.length === MAX_STRINGS) throw invalidField('file', refusals.tooManyTexts({ max: MAX_STRINGS }))
      texts.push(unescapeText(text.take()))
    },
  }
}

/** Reads the number format of each style, by style index. */
export function readNumberStyles(): XmlHandler & { styles: NumberFormat[] } {
  const codes = new Map<number, string>()
  const formats = new Map<number, NumberFormat>()
  const styles: NumberFormat[] = []
  let isInCells = false
  return {
    styles,
    open: (name, attributes) => {
      if (name === 'cellXfs') isInCells = true
      if (name === 'numFmt' && codes.size < MAX_STYLES)
        codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '')
      if (name !== 'xf' || !isInCells) return
      if (styles.length === MAX_STYLES) throw invalidField('file', refusals.tooManyStyles({ max: MAX_STYLES }))
      const id = Number(attributes.get('numFmtId') ?? 0)
      const format = formats.get(id) ?? findNumberFormat(id, codes.get(id))
      formats.set(id, format)
      styles.push(format)
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false
    },
  }
}
