import { csvOf, type CsvRow } from '../../shape/csv.ts'
import type { ExportRow } from './rows.ts'

/** Writes pages of rows as one JSON array, a row a line. */
export async function* asJson(pages: AsyncIterable<ExportRow[]>): AsyncGenerator<Buffer> {
  let before = '[\n'
  for await (const rows of pages) {
    yield Buffer.from(before + rows.map((row) => JSON.stringify(row)).join(',\n'))
    before = ',\n'
  }
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}

/** Writes pages of rows as CSV (RFC 4180) with a header; what isn't a plain value is JSON in its cell. */
export async function* asCsv(columns: readonly string[], pages: AsyncIterable<ExportRow[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${csvOf([columns])}`)
  for await (const rows of pages)
    yield Buffer.from(csvOf(rows.map((row) => columns.map((column) => cell(row[column])))))
}

const cell = (value: unknown): CsvRow[number] => {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : `${value as boolean | bigint}`
}
