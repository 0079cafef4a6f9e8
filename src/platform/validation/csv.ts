import { stringify as newStringifier, type Stringifier } from 'csv-stringify'
import { stringify } from 'csv-stringify/sync'

/** Row of a file, one value per column. */
export type CsvRow = readonly (string | number | null)[]

/**
 * Options for RFC 4180. A cell with a separator of any locale is quoted, since a program may use another one than the
 * comma.
 */
const OPTIONS = { record_delimiter: 'windows', quoted_match: /[,;\t|\r\n]/ } as const

/** Returns a stream that writes rows of safe cells as CSV, with or without a UTF-8 byte order mark. */
export const newCsvStream = (hasBom: boolean): Stringifier => newStringifier({ ...OPTIONS, bom: hasBom })

/** Returns rows as CSV with safe cells. */
export const csvOf = (rows: readonly CsvRow[]): string =>
  stringify(
    rows.map((row) => row.map(safeCell)),
    OPTIONS,
  )

/** Returns a row as CSV that only we read again: cells stay unchanged, each quoted. */
export const rawCsvOf = (row: CsvRow): string => stringify([[...row]], { quoted: true })

/** Matches the start of a spreadsheet formula, including full-width signs. */
const FORMULA_START = /^[=+\-@\t\r＝＋－＠]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

const SEPARATORS = [';', '\t', '|'] as const
/** Matches the start of a formula after a separator other than the comma. */
const INNER_FORMULA = /(?<=[;\t|])[=+\-@＝＋－＠]/g
const LINE_FORMULA = /^[=+\-@＝＋－＠]/

/**
 * Returns a cell that no spreadsheet runs as a formula, with any separator: an apostrophe goes before the start of one.
 * Quotes aren't enough, because they count only at the beginning of a cell. It takes linear time: nothing is read
 * beyond its own part.
 */
export const safeCell = (cell: string | number | null): string | number | null => {
  if (typeof cell !== 'string') return cell
  const text = cell.replace(/[^\r\n]+/g, (line, at: number) => safeLine(line, at > 0))
  return FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

/** Returns a safe line of a cell. A line after the first can also start a formula, up to any separator. */
function safeLine(line: string, isBelow: boolean): string {
  const isHarmlessAt = (at: number, end: string): boolean => {
    if (line[at] !== '+' && line[at] !== '-') return false
    const next = line.indexOf(end, at)
    return isHarmless(line.slice(at, next < 0 ? undefined : next))
  }
  const isFormula = isBelow && LINE_FORMULA.test(line) && !SEPARATORS.every((end) => isHarmlessAt(0, end))
  const text = line.replaceAll(INNER_FORMULA, (sign, at: number) =>
    isHarmlessAt(at, line.charAt(at - 1)) ? sign : `'${sign}`,
  )
  return isFormula ? `'${text}` : text
}

/** Checks whether a part is a signed number, a phone number, or text after a dash, as in a list. */
const isHarmless = (part: string): boolean => /^[+-]\s?\d[\d.,\s()]*$/.test(part) || /^-\s[^(!=]*$/.test(part)
