import { newPacer } from '../../platform/db/pacer.ts'
import { csvOf, type CsvRow } from '../../platform/validation/csv.ts'
import type { ExportRow } from './rows.ts'

/** Writes pages of rows as one JSON array, one row per line. */
export async function* toJson(pages: AsyncIterable<ExportRow[]>): AsyncGenerator<Buffer> {
  let before = '[\n'
  yield* textsOf(pages, (row) => {
    const text = before + JSON.stringify(row)
    before = ',\n'
    return text
  })
  yield Buffer.from(before === '[\n' ? '[]\n' : '\n]\n')
}

/** Writes pages of rows as CSV (RFC 4180) with a header. Values that aren't scalar are JSON in their cell. */
export async function* toCsv(columns: readonly string[], pages: AsyncIterable<ExportRow[]>): AsyncGenerator<Buffer> {
  yield Buffer.from(`\uFEFF${csvOf([columns])}`)
  yield* textsOf(pages, (row) => csvOf([columns.map((column) => cell(row[column]))]))
}

/** Characters of small rows to write at once. */
const CHUNK_LENGTH = 64 * 1024

/** Writes rows one at a time, since a row may have half a mebibyte, and yields to the event loop between them. */
async function* textsOf(pages: AsyncIterable<ExportRow[]>, textOf: (row: ExportRow) => string): AsyncGenerator<Buffer> {
  const pace = newPacer()
  for await (const rows of pages) {
    let text = ''
    for (const row of rows) {
      text += textOf(row)
      if (text.length >= CHUNK_LENGTH) {
        yield Buffer.from(text)
        text = ''
      }
      await pace()
    }
    yield Buffer.from(text)
  }
}

const cell = (value: unknown): CsvRow[number] => {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : `${value as boolean | bigint}`
}
