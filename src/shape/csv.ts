import { stringify as newStringifier, type Stringifier } from 'csv-stringify'
import { stringify } from 'csv-stringify/sync'

/** One line of a file by its columns. */
export type CsvRow = readonly (string | number | null)[]

/**
 * Lines of RFC 4180. A cell is quoted where it holds what separates cells in any country, since a program may take another
 * separator than the comma.
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

/** Matches a part of a cell that would begin a formula where another sign than the comma separates cells. */
const INNER = /(?<=([;\t|\r\n]))[=+\-@＝＋－＠](?=([^\r\n]*))/g
const SEPARATORS = [';', '\t', '|']

/**
 * Returns a cell that no spreadsheet runs as a formula, whichever separator it takes: an apostrophe stands before what
 * would begin one. Quotes alone don't keep a cell together there, as they count at the beginning of a cell only.
 */
export const safeCell = (cell: string | number | null): string | number | null => {
  if (typeof cell !== 'string') return cell
  const text = cell.replaceAll(INNER, (sign: string, before: string, rest: string) =>
    endsOf(before).every((end) => isHarmless(sign + rest.split(end)[0]!)) ? sign : `'${sign}`,
  )
  return BEGINS.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** Returns what may end a part: the separator that it stands behind, or any of them at the beginning of a line. */
const endsOf = (before: string): readonly string[] => (SEPARATORS.includes(before) ? [before] : SEPARATORS)

/** Tells whether a part is a number with its sign, a telephone number, or words behind a dash, as in a list. */
const isHarmless = (part: string): boolean => /^[+-]\s?\d[\d.,\s()]*$/.test(part) || /^-\s[^(!=]*$/.test(part)
