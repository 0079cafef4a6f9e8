import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { Refusal, invalid, invalidField } from '../refusal.ts'
import { fold } from '../shape/fold.ts'

export const MAX_ROWS = 5_000
/** Limits lines, including empty ones and those within cells. */
const MAX_LINES = 4 * MAX_ROWS
const MAX_COLUMNS = 200
const LONGEST_CELL = 20_000
const LONGEST_HEADER = 64 * 1024

/** Is how much of a file is read before other work gets the event loop. */
const PIECE = 8 * 1024

/** Returns what a column is known by: its name without case, accents and marks; nothing for one that is no name. */
export const headerKey = (name: string): string =>
  name.length > 100
    ? ''
    : fold(name)
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()

/** Heads the column that says, in a file of rows that were left out, why; it is passed over when the file comes back. */
export const PROBLEM = 'Problem'

/** Returns some rows of a file as they stand in it, by their numbers, the header first as number 1. */
export async function* cellsOf(
  content: Buffer,
  numbers: ReadonlySet<number>,
): AsyncGenerator<{ number: number; cells: string[] }, void> {
  const { header, rows } = await tableIn(content)
  yield { number: 1, cells: [...header] }
  for await (const row of rows) if (numbers.has(row.number)) yield row
}

/** Holds a file's header and its rows, each with its number as people count lines of a table. */
export type ImportedTable = {
  header: readonly string[]
  rows: AsyncGenerator<{ number: number; cells: string[] }, void>
}

/** Limits how far down the header of a report is looked for. */
const MOST_ABOVE = 8

/**
 * Returns the table of a file. Reports have lines above it, the first of which has one cell: the company, the title, the
 * days. The header is then the fullest of the first lines.
 */
export async function tableIn(content: Buffer): Promise<ImportedTable> {
  const records = recordsIn(content)
  const first: string[][] = []
  for (let one = await records.next(); !one.done; one = await records.next()) {
    first.push(one.value)
    if (filled(first[0]!) !== 1 || first.length === MOST_ABOVE) break
  }
  const most = Math.max(0, ...first.map(filled))
  const at = most < 3 ? 0 : first.findIndex((cells) => filled(cells) === most)
  return { header: first[at] ?? [], rows: numbered(first.slice(at + 1), records, at + 2) }
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length

async function* numbered(
  first: readonly string[][],
  records: AsyncGenerator<string[], void>,
  from: number,
): AsyncGenerator<{ number: number; cells: string[] }, void> {
  let number = from
  for (const cells of first) yield { number: number++, cells }
  for await (const cells of records) yield { number: number++, cells }
}

/** Returns a cell without the marks that keep a table from computing it: `'=1` and `="0042"`; `-` says nothing. */
export const plain = (cell: string): string => {
  const text = cell.trim()
  const [, inner] = /^="([^"]*)"$/.exec(text) ?? []
  return text === '-' ? '' : (inner ?? text.replace(/^'(?=[=+\-@])/, ''))
}

/** Tells whether a row of a report sums up those above it: its first cell says Total, or whose total it is. */
export const isSum = (cells: readonly string[]): boolean =>
  /^(?:grand )?totals?(?: for .*)?:?$/i.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '')

function requireFewLines(content: Buffer): void {
  for (const end of ['\n', '\r']) {
    let lines = 0
    for (let at = content.indexOf(end); at >= 0; at = content.indexOf(end, at + 1)) lines++
    if (lines > MAX_LINES)
      throw invalidField('file', `must have at most ${MAX_ROWS} rows (got ${lines} lines); split it`)
  }
}

/** Returns the delimiter, of three, that the header has most of. */
function delimiterOf(content: Buffer): string {
  const begin = content.toString('utf8', 0, LONGEST_HEADER)
  const end = begin.search(/[\r\n]/)
  if (end < 0 && content.length > LONGEST_HEADER)
    throw invalidField('file', `must have a header of at most ${LONGEST_HEADER / 1024} kB in its first line`)
  const head = begin.slice(0, end < 0 ? undefined : end)
  return [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!
}

/**
 * Returns the cells of each record, a piece of the file at a time: UTF-8 with commas, semicolons or tabs, within bounds
 * that hold before the work.
 */
async function* recordsIn(content: Buffer): AsyncGenerator<string[], void> {
  if (!isUtf8(content)) throw invalidField('file', 'must be UTF-8 text; save it as CSV UTF-8')
  requireFewLines(content)
  const reading = parse({
    delimiter: delimiterOf(content),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  let number = 0
  try {
    for await (const cells of Readable.from(piecesOf(content)).compose(reading) as AsyncIterable<string[]>) {
      number++
      requireBounded(cells, number)
      yield cells
    }
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : invalidField('file', `can't be read as CSV: ${error instanceof Error ? error.message : 'it is broken'}`)
  }
}

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < content.length; at += PIECE) {
    yield content.subarray(at, at + PIECE)
    await setImmediate()
  }
}

function requireBounded(cells: readonly string[], number: number): void {
  if (cells.length > MAX_COLUMNS)
    throw invalid(`row ${number} must have at most ${MAX_COLUMNS} columns (got ${cells.length})`)
  const long = cells.findIndex(({ length }) => length > LONGEST_CELL)
  if (long >= 0)
    throw invalid(
      `row ${number} must have at most ${LONGEST_CELL} characters in a cell (got ${cells[long]!.length} in column ${long + 1})`,
    )
}
