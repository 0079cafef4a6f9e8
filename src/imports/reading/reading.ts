import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { Refusal, invalid, invalidField } from '../../platform/errors/refusal.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { MAX_CELL_LENGTH, MAX_COLUMNS, MAX_LINES, MAX_ROW_LENGTH, MAX_ROWS } from './limits.ts'
import { toUtf8 } from './text.ts'
import { refusals } from './refusals.ts'

const MAX_HEADER = 64 * 1024

/** Bytes to read before other work gets the event loop. */
const CHUNK_BYTES = 8 * 1024

/** Normalizes a column name: lower case, without accents and punctuation. Empty if it is too long for a name. */
export const headerKey = (name: string): string =>
  name.length > 100
    ? ''
    : fold(name)
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()

/** Column of reasons in a file of skipped rows. It is ignored when that file is imported again. */
export const PROBLEM_COLUMN = 'Problem'

/** Returns the header as row 1, then the rows with the given numbers, as written in the file. */
export async function* readCells(
  content: Buffer,
  numbers: ReadonlySet<number>,
): AsyncGenerator<{ number: number; cells: string[] }, void> {
  const { header, rows } = await readTable(content)
  yield { number: 1, cells: [...header] }
  for await (const row of rows) if (numbers.has(row.number)) yield row
}

/** Header and rows of a file. `number` is the row number a spreadsheet shows. */
type ImportedTable = { header: readonly string[]; rows: AsyncGenerator<NumberedRow, void> }

/** Maximum number of lines to search for the header of a report. */
const MAX_LINES_ABOVE = 8

/**
 * Reads the table of a file. Reports have lines above it, the first of which has one cell: company, title, date range.
 * In that case the header is the first line with the most filled cells.
 */
export async function readTable(content: Buffer): Promise<ImportedTable> {
  const records = readRecords(toUtf8(content))
  const first: NumberedRow[] = []
  for (let one = await records.next(); !one.done; one = await records.next()) {
    first.push(one.value)
    if (countFilled(first[0] ?? one.value) !== 1 || first.length === MAX_LINES_ABOVE) break
  }
  const maxFilled = Math.max(0, ...first.map(countFilled))
  const at = maxFilled < 3 ? 0 : first.findIndex((row) => countFilled(row) === maxFilled)
  return { header: first[at]?.cells ?? [], rows: dropFooter(first.slice(at + 1), records) }
}

type NumberedRow = { number: number; cells: string[] }

const countFilled = ({ cells }: NumberedRow): number => cells.filter((cell) => cell.trim() !== '').length

/** Returns the rows of a table without a report's last line, its timestamp. */
async function* dropFooter(
  first: readonly NumberedRow[],
  records: AsyncGenerator<NumberedRow, void>,
): AsyncGenerator<NumberedRow, void> {
  const isTableRow = (row: NumberedRow): boolean => countFilled(row) > 1 || !row.cells.some(isTimestamp)
  for (const row of first) if (isTableRow(row)) yield row
  for await (const row of records) if (isTableRow(row)) yield row
}

/** Checks whether a cell is a report's timestamp: `Thursday, Mar 05, 2026 08:12 AM GMT-08:00 - Cash Basis`. */
const isTimestamp = (cell: string): boolean =>
  /^\s*[a-z]{3,9}, [a-z]{3,9}\.? \d{1,2}, \d{4} \d{1,2}:\d{2}(?::\d{2})? ?[ap]m GMT/i.test(cell.slice(0, 100))

/** Removes the marks that keep a spreadsheet from computing a cell: `'=1`, `="0042"`. A single `-` is empty. */
export const cleanCell = (cell: string): string => {
  const text = cell.trim()
  const [, inner] = /^="([^"]*)"$/.exec(text) ?? []
  return text === '-' ? '' : (inner ?? text.replace(/^'(?=[=+\-@])/, ''))
}

/** Checks for a report's total row: its first cell is `Total`, `Grand total` or `Total for …`. */
export const isTotalRow = (cells: readonly string[]): boolean =>
  /^(?:grand )?totals?(?: for .*)?:?$/i.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '')

function requireMaxLines(content: Buffer): void {
  for (const end of ['\n', '\r']) {
    let lines = 0
    for (let at = content.indexOf(end); at >= 0; at = content.indexOf(end, at + 1))
      if (++lines > MAX_LINES) throw invalidField('file', refusals.tooManyLines({ max: MAX_ROWS, lines: MAX_LINES }))
  }
}

/** Matches the line that declares the delimiter for spreadsheets: `sep=;`. */
const DELIMITER_LINE = /^(?:\ufeff)?sep=([,;\t])\r?\n/i

/**
 * Returns the declared delimiter, or else the most frequent one (comma, semicolon or tab) in the first line that has
 * any, outside quotes.
 */
function delimiterOf(content: Buffer): string {
  const begin = content.toString('utf8', 0, MAX_HEADER)
  const [, declared] = DELIMITER_LINE.exec(begin) ?? []
  if (declared !== undefined) return declared
  if (!/[\r\n]/.test(begin) && content.length > MAX_HEADER)
    throw invalidField('file', refusals.longHeader({ max: MAX_HEADER / 1024 }))
  const lines = begin.replaceAll(/"[^"]*"/g, '').split(/[\r\n]+/, MAX_LINES_ABOVE)
  const head = lines.find((line) => /[,;\t]/.test(line)) ?? ''
  const [separator = ','] = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)
  return separator
}

/**
 * Parses the non-empty records of a UTF-8 file, a piece at a time, with a comma, semicolon or tab as delimiter.
 * Enforces the limits before doing the work. `number` is the row number of a spreadsheet, including empty rows.
 */
async function* readRecords(content: Buffer): AsyncGenerator<NumberedRow, void> {
  requireMaxLines(content)
  let number = 0
  const parser = parse({
    delimiter: delimiterOf(content),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_LENGTH,
    // A row of commas alone has no size, so cells are counted during parsing.
    cast: (cell, { index, records }) => {
      if (index >= MAX_COLUMNS) throw tooManyColumns(records + 1)
      return cell
    },
  })
  try {
    for await (const cells of Readable.from(piecesOf(content)).compose(parser) as AsyncIterable<string[]>) {
      number++
      const row = { number, cells }
      if (countFilled(row) === 0 || (number === 1 && isDelimiter(cells))) continue
      requireBounded(cells, number)
      yield row
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE')
      throw invalid(refusals.longRow({ number: number + 1, max: MAX_ROW_LENGTH / 1024 }))
    throw invalidField('file', refusals.unreadable({ why: error instanceof Error ? error.message : 'it is malformed' }))
  }
}

/** Checks for the line that declares the delimiter, already split by it. */
const isDelimiter = ([first = '', ...more]: readonly string[]): boolean => /^sep=$/i.test(first) && more.length === 1

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) {
    yield content.subarray(at, at + CHUNK_BYTES)
    await setImmediate()
  }
}

const tooManyColumns = (number: number): Refusal => invalid(refusals.tooManyColumns({ number, max: MAX_COLUMNS }))

function requireBounded(cells: readonly string[], number: number): void {
  const long = cells.findIndex(({ length }) => length > MAX_CELL_LENGTH)
  if (long >= 0) throw invalid(refusals.longCell({ number, max: MAX_CELL_LENGTH, column: long + 1 }))
}
