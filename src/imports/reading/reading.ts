import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { Refusal, invalid, invalidField } from '../../platform/errors/refusal.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { MAX_CELL, MAX_COLUMNS, MAX_LINES, MAX_ROW, MAX_ROWS } from './bounds.ts'
import { toUtf8 } from './text.ts'
import { refusals } from './refusals.ts'

const MAX_HEADER = 64 * 1024

/** Bytes of a file that are read before other work gets the event loop. */
const PIECE = 8 * 1024

/** Returns what a column is known by: its name without case, accents and marks; nothing for one that is no name. */
export const headerKey = (name: string): string =>
  name.length > 100
    ? ''
    : fold(name)
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()

/**
 * Heads the column that says, in a file of rows that were left out, why; it is passed over when the file comes back.
 */
export const PROBLEM_COLUMN = 'Problem'

/** Returns some rows of a file as they stand in it, by their numbers, the header first as number 1. */
export async function* readCells(
  content: Buffer,
  numbers: ReadonlySet<number>,
): AsyncGenerator<{ number: number; cells: string[] }, void> {
  const { header, rows } = await readTable(content)
  yield { number: 1, cells: [...header] }
  for await (const row of rows) if (numbers.has(row.number)) yield row
}

/** A file's header and its rows, each with its number as people count lines of a table. */
type ImportedTable = { header: readonly string[]; rows: AsyncGenerator<NumberedRow, void> }

/** Limits how far down the header of a report is looked for. */
const MAX_LINES_ABOVE = 8

/**
 * Returns the table of a file. Reports have lines above it, the first of which has one cell: the company, the title,
 * the days. The header is then the fullest of the first lines.
 */
export async function readTable(content: Buffer): Promise<ImportedTable> {
  const records = readRecords(toUtf8(content))
  const first: NumberedRow[] = []
  for (let one = await records.next(); !one.done; one = await records.next()) {
    first.push(one.value)
    if (countFilled(first[0] ?? one.value) !== 1 || first.length === MAX_LINES_ABOVE) break
  }
  const most = Math.max(0, ...first.map(countFilled))
  const at = most < 3 ? 0 : first.findIndex((row) => countFilled(row) === most)
  return { header: first[at]?.cells ?? [], rows: dropFooter(first.slice(at + 1), records) }
}

type NumberedRow = { number: number; cells: string[] }

const countFilled = ({ cells }: NumberedRow): number => cells.filter((cell) => cell.trim() !== '').length

/** Returns the rows of a table without the line by which a report ends: when it was made. */
async function* dropFooter(
  first: readonly NumberedRow[],
  records: AsyncGenerator<NumberedRow, void>,
): AsyncGenerator<NumberedRow, void> {
  const isOf = (row: NumberedRow): boolean => countFilled(row) > 1 || !row.cells.some(isWhenMade)
  for (const row of first) if (isOf(row)) yield row
  for await (const row of records) if (isOf(row)) yield row
}

/** Checks whether a cell is a report's timestamp: `Thursday, Mar 05, 2026 08:12 AM GMT-08:00 - Cash Basis`. */
const isWhenMade = (cell: string): boolean =>
  /^\s*[a-z]{3,9}, [a-z]{3,9}\.? \d{1,2}, \d{4} \d{1,2}:\d{2}(?::\d{2})? ?[ap]m GMT/i.test(cell.slice(0, 100))

/** Returns a cell without the marks that keep a table from computing it: `'=1` and `="0042"`; `-` says nothing. */
export const cleanCell = (cell: string): string => {
  const text = cell.trim()
  const [, inner] = /^="([^"]*)"$/.exec(text) ?? []
  return text === '-' ? '' : (inner ?? text.replace(/^'(?=[=+\-@])/, ''))
}

/** Checks whether a row of a report is a total of those above: its first cell says Total, or whose total it is. */
export const isTotalRow = (cells: readonly string[]): boolean =>
  /^(?:grand )?totals?(?: for .*)?:?$/i.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '')

function requireFewLines(content: Buffer): void {
  for (const end of ['\n', '\r']) {
    let lines = 0
    for (let at = content.indexOf(end); at >= 0; at = content.indexOf(end, at + 1))
      if (++lines > MAX_LINES) throw invalidField('file', refusals.tooManyLines({ max: MAX_ROWS, lines: MAX_LINES }))
  }
}

/** Line that names the delimiter for spreadsheets: `sep=;`. */
const DELIMITER_LINE = /^(?:\ufeff)?sep=([,;\t])\r?\n/i

/**
 * Returns the delimiter that the file says, else of three that which its first line with any has most of; what stands
 * in quotes doesn't count.
 */
function delimiterOf(content: Buffer): string {
  const begin = content.toString('utf8', 0, MAX_HEADER)
  const [, said] = DELIMITER_LINE.exec(begin) ?? []
  if (said !== undefined) return said
  if (!/[\r\n]/.test(begin) && content.length > MAX_HEADER)
    throw invalidField('file', refusals.longHeader({ max: MAX_HEADER / 1024 }))
  const lines = begin.replaceAll(/"[^"]*"/g, '').split(/[\r\n]+/, MAX_LINES_ABOVE)
  const head = lines.find((line) => /[,;\t]/.test(line)) ?? ''
  const [separator = ','] = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)
  return separator
}

/**
 * Returns each record that says something, a piece of the file at a time: UTF-8 with commas, semicolons or tabs, within
 * bounds that hold before the work. Its number is that of its row in a spreadsheet, empty ones counted.
 */
async function* readRecords(content: Buffer): AsyncGenerator<NumberedRow, void> {
  requireFewLines(content)
  let number = 0
  const reading = parse({
    delimiter: delimiterOf(content),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW,
    // A row of commas alone has no size, so its cells are counted as they come.
    cast: (cell, { index, records }) => {
      if (index >= MAX_COLUMNS) throw tooManyColumns(records + 1)
      return cell
    },
  })
  try {
    for await (const cells of Readable.from(piecesOf(content)).compose(reading) as AsyncIterable<string[]>) {
      number++
      const row = { number, cells }
      if (countFilled(row) === 0 || (number === 1 && isDelimiter(cells))) continue
      requireBounded(cells, number)
      yield row
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE')
      throw invalid(refusals.longRow({ number: number + 1, max: MAX_ROW / 1024 }))
    throw invalidField('file', refusals.unreadable({ why: error instanceof Error ? error.message : 'it is broken' }))
  }
}

/** Checks whether a record is the line that names the delimiter, which was split by it. */
const isDelimiter = ([first = '', ...more]: readonly string[]): boolean => /^sep=$/i.test(first) && more.length === 1

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < content.length; at += PIECE) {
    yield content.subarray(at, at + PIECE)
    await setImmediate()
  }
}

const tooManyColumns = (number: number): Refusal => invalid(refusals.tooManyColumns({ number, max: MAX_COLUMNS }))

function requireBounded(cells: readonly string[], number: number): void {
  const long = cells.findIndex(({ length }) => length > MAX_CELL)
  if (long >= 0) throw invalid(refusals.longCell({ number, max: MAX_CELL, column: long + 1 }))
}
