import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable, pipeline } from 'node:stream'
import { decimalText, digitsOf } from '../records/format/formats.ts'
import { newCsvStream, safeCell, type CsvRow } from '../platform/validation/csv.ts'
import { newId } from '../platform/validation/id.ts'
import type { PageRequest } from '../platform/http/page_request.ts'
import type { Site } from './site.ts'

export type SheetRow = CsvRow

/** A file: the heads of its columns, where the first line hasn't got them, and its lines as they come. */
export type Sheet = {
  name: string
  columns?: readonly string[]
  rows: AsyncIterable<SheetRow> | Iterable<SheetRow>
  /** True where another program reads it, which takes the mark of its encoding for a part of the first head. */
  isForImport?: boolean
}

/**
 * Sends a file as CSV (RFC 4180) as its lines come; a text that a spreadsheet would run as a formula begins with an
 * apostrophe.
 */
export async function sendSheet(
  site: Site,
  visit: PageRequest,
  { name, columns, rows, isForImport = false }: Sheet,
): Promise<Response> {
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Disposition': `attachment; filename="${name}"`,
  }
  if (visit.req.method === 'HEAD') return new Response(null, { headers })
  const lines = isAsync(rows) ? rows[Symbol.asyncIterator]() : Iterator.from(rows)
  const inContext = AsyncLocalStorage.snapshot()
  const next = (): Promise<IteratorResult<SheetRow>> => inContext(async () => lines.next())
  const first = await next()
  const sheet = newCsvStream(!isForImport)
  pipeline(Readable.from(afterHead(columns, first, next)), sheet, (error) => {
    if (error != null && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') site.report(newId(), error)
  })
  return new Response(ReadableStream.from(sheet) as ReadableStream<Uint8Array>, { headers })
}

const isAsync = (rows: Sheet['rows']): rows is AsyncIterable<SheetRow> => Symbol.asyncIterator in rows

/**
 * Returns the lines behind the heads; the first was read before, so that what fails at once is answered as a page. All
 * are made in the language of who asked, whoever takes them.
 */
async function* afterHead(
  columns: readonly string[] | undefined,
  first: IteratorResult<SheetRow>,
  next: () => Promise<IteratorResult<SheetRow>>,
): AsyncGenerator<SheetRow, void> {
  if (columns !== undefined) yield columns.map(safeCell)
  for (let line = first; line.done !== true; line = await next()) yield line.value.map(safeCell)
}

/** Returns an amount as a number of the currency's major unit, as files hold it. */
export const amountOf = (cents: number, currency: string): string => decimalText(cents, digitsOf(currency))
