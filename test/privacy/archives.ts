import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { fromBufferPromise } from 'yauzl'
import type { TestService } from '../harness/harness.ts'
import type { Browser } from '../harness/visiting.ts'

export type Got = { status: number; headers: Headers; bytes: Buffer }

/** Downloads a file as bytes, as a browser would. */
export async function got(service: TestService, browser: Browser, path: string, method = 'GET'): Promise<Got> {
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

/** Asserts that the CSV and JSON of each file have as many rows and columns. */
export function requireTwins(files: Map<string, Buffer>): void {
  for (const name of [...files.keys()].filter((name) => name.endsWith('.csv'))) {
    const file = name.slice(0, -'.csv'.length)
    const rows = rowsIn(files, file)
    const lines = parse(files.get(name)!, { bom: true }) as string[][]
    assert.equal(lines.length, rows.length + 1, name)
    for (const [i, row] of rows.entries()) assert.deepEqual(lines[0]!.length, Object.keys(row).length, `${name} ${i}`)
  }
}
