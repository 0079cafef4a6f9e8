import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Batch } from '../../src/platform/db/connections/batch.ts'
import { readPaymentEvent } from '../../src/payments/events/payment_event.ts'
import { insertEvent } from '../../src/payments/events/record_event.ts'
import { report } from './report.ts'

// The floor: node:http, the same insert as a superuser; no signature, no limits, no deadline, no log.
const { owner } = JSON.parse(process.argv[2]!) as { owner: pg.ClientConfig }
const pool = new pg.Pool({ ...owner, max: 10, options: '-c timezone=UTC -c jit=off' })

async function ingest(body: Buffer): Promise<string> {
  const client = await pool.connect()
  try {
    const [recorded] = await client.query(new Batch([insertEvent('connect', readPaymentEvent(body)!, true, body)]))
      .answers
    return recorded!.count === 1 ? '{"received":true,"ingested":1}' : '{"received":true,"deduped":true}'
  } finally {
    client.release()
  }
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on(
    'end',
    () =>
      void ingest(Buffer.concat(chunks)).then((text) =>
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text),
      ),
  )
})
server.listen(0, '127.0.0.1', () => report((server.address() as AddressInfo).port))
