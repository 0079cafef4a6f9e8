import { invalid, invalidField } from '../../platform/errors/refusal.ts'
import { MAX_COLUMNS, MAX_LINES } from '../reading/limits.ts'
import type { Epoch } from '../reading/day_numbers.ts'
import type { NumberFormat } from './number_formats.ts'
import { numberText } from './number_text.ts'
import { CellText, unescapeText } from './shared.ts'
import type { Attributes, XmlHandler } from './xml.ts'
import { refusals } from './refusals.ts'

/** Row of a sheet: its number, and its cells by column. */
type WorkbookRow = { number: number; cells: readonly string[] }

/** Strings, styles and calendar that the cells of a sheet refer to. */
export type SheetContext = { strings: readonly string[]; styles: readonly NumberFormat[]; epoch: Epoch }

type Cell = { column: number; type: string; format: NumberFormat | undefined }

/** Calls `onRow` with each non-empty row of a sheet. Never computes formulas: a cell has the value saved with it. */
export function sheetRows(context: SheetContext, onRow: (row: WorkbookRow) => void): XmlHandler {
  const text = new CellText()
  let number = 0
  let column = 0
  let cells: string[] = []
  let cell: Cell | undefined
  return {
    open: (name, attributes) => {
      text.open(name)
      if (name === 'row') {
        number = rowNumber(attributes.get('r'), number)
        column = 0
        cells = []
      } else if (name === 'c') {
        cell = parseCell(attributes, column, context.styles)
        column = cell.column + 1
      }
    },
    text: (part) => text.add(part),
    close: (name) => {
      text.close(name)
      if (name === 'c' && cell !== undefined) {
        setCell(cells, cell, valueOf(text.take(), cell, context), number)
        cell = undefined
      }
      if (name !== 'row' || cells.length === 0) return
      if (number > MAX_LINES) throw invalidField('file', refusals.tooManyRows({ max: MAX_LINES, number }))
      onRow({ number, cells })
      cells = []
    },
  }
}

/** Returns a row's declared number, or the next one. Throws unless it is above the previous one. */
function rowNumber(attribute: string | undefined, before: number): number {
  const number = attribute === undefined ? before + 1 : Number(attribute)
  if (!Number.isSafeInteger(number) || number <= before)
    throw invalidField('file', refusals.rowOrder({ number: before }))
  return number
}

function parseCell(attributes: Attributes, next: number, styles: readonly NumberFormat[]): Cell {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(attributes.get('r') ?? '')?.[0]
  const column = letters === undefined ? next : columnIndex(letters)
  return { column, type: attributes.get('t') ?? 'n', format: styles[Number(attributes.get('s') ?? 0)] }
}

/** Returns the index of a column by its letters: A is 0. */
const columnIndex = (letters: string): number =>
  letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

function setCell(cells: string[], { column }: Cell, value: string, number: number): void {
  if (value === '') return
  if (column >= MAX_COLUMNS) throw invalid(refusals.tooManyColumns({ number, max: MAX_COLUMNS, column: column + 1 }))
  while (cells.length < column) cells.push('')
  cells[column] = value
}

const PLAIN: NumberFormat = { kind: 'number' }

function valueOf(stored: string, { type, format = PLAIN }: Cell, { strings, epoch }: SheetContext): string {
  if (type === 's') return strings[Number(stored)] ?? ''
  if (type === 'inlineStr' || type === 'str') return unescapeText(stored)
  if (type === 'b') return stored === '1' ? 'TRUE' : stored === '0' ? 'FALSE' : stored
  if (type === 'd') return stored.replace(/^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?Z?$/, '$1')
  if (type === 'e') return stored
  return stored === '' ? '' : numberText(stored, format, epoch)
}
