import { stringify as newStringifier, type Stringifier } from 'csv-stringify'
import { stringify } from 'csv-stringify/sync'

/** One line of a file by its columns. */
export type CsvRow = readonly (string | number | null)[]

/**
 * Lines of RFC 4180. A cell is quoted where it holds what separates cells in any country, since a program may take
 * another separator than the comma.
 */
const OPTIONS = { record_delimiter: 'windows', quoted_match: /[,;\t|\r\n]/ } as const

/** Returns a stream that writes rows of safe cells as CSV, with the mark of UTF-8 before them or without. */
export const newCsvStream = (hasMark: boolean): Stringifier => newStringifier({ ...OPTIONS, bom: hasMark })

/** Returns rows as CSV. */
export const csvOf = (rows: readonly CsvRow[]): string =>
  stringify(
    rows.map((row) => row.map(safeCell)),
    OPTIONS,
  )

/** Returns a row as CSV that only we read again: its cells stay as they are, each quoted. */
export const rawCsvOf = (row: CsvRow): string => stringify([[...row]], { quoted: true })

/** Matches what a spreadsheet begins a formula with, full-width signs too. */
const BEGINS = /^[=+\-@\t\r＝＋－＠]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

const SEPARATORS = [';', '\t', '|'] as const
/** Matches what would begin a formula where another sign than the comma separates cells. */
const INNER = /(?<=[;\t|])[=+\-@＝＋－＠]/g
const FIRST = /^[=+\-@＝＋－＠]/

/**
 * Returns a cell that no spreadsheet runs as a formula, whichever separator it takes: an apostrophe stands before what
 * would begin one. Quotes alone don't keep a cell together there, as they count at the beginning of a cell only. Its
 * time grows with the length alone: nothing is read further than its own part.
 */
export const safeCell = (cell: string | number | null): string | number | null => {
  if (typeof cell !== 'string') return cell
  const text = cell.replace(/[^\r\n]+/g, (line, at: number) => safeLine(line, at > 0))
  return BEGINS.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** Returns a line of a cell; one below another may begin a formula too, where any of the separators ends it. */
function safeLine(line: string, isBelow: boolean): string {
  const isHarmlessAt = (at: number, end: string): boolean => {
    if (line[at] !== '+' && line[at] !== '-') return false
    const next = line.indexOf(end, at)
    return isHarmless(line.slice(at, next < 0 ? undefined : next))
  }
  const begins = isBelow && FIRST.test(line) && !SEPARATORS.every((end) => isHarmlessAt(0, end))
  const text = line.replaceAll(INNER, (sign, at: number) => (isHarmlessAt(at, line.charAt(at - 1)) ? sign : `'${sign}`))
  return begins ? `'${text}` : text
}

/** Checks whether a part is a number with its sign, a telephone number, or words behind a dash, as in a list. */
const isHarmless = (part: string): boolean => /^[+-]\s?\d[\d.,\s()]*$/.test(part) || /^-\s[^(!=]*$/.test(part)
