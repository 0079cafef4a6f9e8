import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable, pipeline } from 'node:stream'
import { decimalText, digitsOf } from '../records/format/formats.ts'
import { newCsvStream, safeCell, type CsvRow } from '../platform/validation/csv.ts'
import { newId } from '../platform/validation/id.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import type { Site } from './site.ts'

export type SheetRow = CsvRow

/** CSV file: column headings, unless the first row has them, and rows as they are produced. */
export type Sheet = {
  name: string
  columns?: readonly string[]
  rows: AsyncIterable<SheetRow> | Iterable<SheetRow>
  /** True if another program imports it and would read the byte order mark as part of the first heading. */
  isForImport?: boolean
}

/** Streams rows as CSV (RFC 4180); a text that a spreadsheet would run as a formula gets a leading apostrophe. */
export async function sendSheet(
  site: Site,
  request: PageRequest,
  { name, columns, rows, isForImport = false }: Sheet,
): Promise<Response> {
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="${name}"`,
  }
  if (request.req.method === 'HEAD') return new Response(null, { headers })
  const iterator = isAsync(rows) ? rows[Symbol.asyncIterator]() : Iterator.from(rows)
  const runInContext = AsyncLocalStorage.snapshot()
  const nextRow = (): Promise<IteratorResult<SheetRow>> => runInContext(async () => iterator.next())
  const first = await nextRow()
  const csvStream = newCsvStream(!isForImport)
  pipeline(Readable.from(rowsAfterHeadings(columns, first, nextRow)), csvStream, (error) => {
    if (error != null && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') site.report(newId(), error)
  })
  return new Response(ReadableStream.from(csvStream) as ReadableStream<Uint8Array>, { headers })
}

const isAsync = (rows: Sheet['rows']): rows is AsyncIterable<SheetRow> => Symbol.asyncIterator in rows

/**
 * Yields the rows after the headings. The first row was read before, so that an early error becomes an error page. All
 * rows use the requester's language, regardless of the consumer.
 */
async function* rowsAfterHeadings(
  columns: readonly string[] | undefined,
  first: IteratorResult<SheetRow>,
  nextRow: () => Promise<IteratorResult<SheetRow>>,
): AsyncGenerator<SheetRow, void> {
  if (columns !== undefined) yield columns.map(safeCell)
  for (let line = first; line.done !== true; line = await nextRow()) yield line.value.map(safeCell)
}

/** Returns an amount in the currency's major unit, as CSV files contain it. */
export const amountOf = (cents: number, currency: string): string => decimalText(cents, digitsOf(currency))
