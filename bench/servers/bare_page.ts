import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, constants } from 'node:zlib'
import pg from 'pg'
import { Sql } from 'sql-template-tag'
import { Batch } from '../../src/platform/db/connections/batch.ts'
import { QUALITY, WINDOW_BITS } from '../../src/web/compress.ts'
import type { RecordedPage } from '../record_page.ts'

// The floor of a page: node:http, the statements of a load in the same round trips, and the same bytes, compressed
// for each answer as the service does.
let text = ''
for await (const chunk of process.stdin) text += String(chunk)
const { login, trips, headers, body } = JSON.parse(text, revive) as RecordedPage
const pool = new pg.Pool({ ...login, max: 10 })
const bytes = Buffer.from(body, 'base64')
const params = {
  [constants.BROTLI_PARAM_QUALITY]: QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
}
const steps = trips.map((batches) =>
  batches.map((statements) => statements.map(({ strings, values }) => new Sql(strings, values))),
)

async function send(statements: readonly Sql[]): Promise<unknown> {
  const client = await pool.connect()
  try {
    return await client.query(new Batch(statements)).answers
  } finally {
    client.release()
  }
}

/** Restores bytes in the values of a statement. */
function revive(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
  return isBytes && 'data' in value && Array.isArray(value.data) ? Buffer.from(value.data) : value
}

async function load(): Promise<void> {
  for (const batches of steps) await Promise.all(batches.map(send))
}

const server = createServer((_req, res) => {
  load().then(
    () => res.writeHead(200, headers).end(brotliCompressSync(bytes, { params })),
    () => res.writeHead(500).end(),
  )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
