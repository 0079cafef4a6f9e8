import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { fromBufferPromise } from 'yauzl'
import type { TestService } from '../harness/harness.ts'
import type { Browser } from '../harness/web_client.ts'

export type Download = { status: number; headers: Headers; bytes: Buffer }

/** Downloads a file as bytes, as a browser would. */
export async function download(
  service: TestService,
  browser: Browser,
  path: string,
  method = 'GET',
): Promise<Download> {
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(new URL(path, service.config.baseUrl), {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html', cookie, origin: service.config.baseUrl, 'sec-fetch-site': 'same-origin' },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Reads every file of a ZIP archive and checks its checksum. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const stream = await zip.openReadStreamPromise(entry)
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(piece as Buffer)
    files.set(entry.fileName, Buffer.concat(pieces))
  }
  return files
}

/** Returns the rows of one JSON file in an archive. */
export const rowsIn = (files: Map<string, Buffer>, name: string): Record<string, unknown>[] =>
  JSON.parse(files.get(`${name}.json`)!.toString('utf8')) as Record<string, unknown>[]

/** Returns an archive as one latin1 text. */
export const textOf = (files: Map<string, Buffer>): string =>
  [...files].map(([name, bytes]) => `${name}\n${bytes.toString('latin1')}`).join('\n')

/**
 * Asserts that the CSV and JSON of each file have the same columns and values. Apostrophes don't count, because the CSV
 * has one before what a spreadsheet would take for a formula.
 */
export function requireTwins(files: Map<string, Buffer>): void {
  for (const name of [...files.keys()].filter((name) => name.endsWith('.csv'))) {
    const rows = rowsIn(files, name.slice(0, -'.csv'.length))
    const [header, ...lines] = parse(files.get(name)!, { bom: true }) as [string[], ...string[][]]
    const expected = rows.map((row) => header.map((column) => withoutApostrophes(csvText(row[column]))))
    assert.deepEqual(
      lines.map((line) => line.map(withoutApostrophes)),
      expected,
      name,
    )
    for (const row of rows) assert.deepEqual(new Set(Object.keys(row)), new Set(header), name)
  }
}

const withoutApostrophes = (text: string): string => text.replaceAll("'", '')

/** Returns a JSON value as the text of its cell. */
function csvText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
