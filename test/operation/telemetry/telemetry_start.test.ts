import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../harness/harness.ts'

let database: TestDatabase
let taken: Server
let port: string
before(async () => {
  database = await makeDatabase()
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  port = String((taken.address() as AddressInfo).port)
})
after(async () => {
  taken.close()
  await database.drop()
})

/** Runs a start that fails, and returns its exit code and output. */
function start(env: Record<string, string>): Promise<{ code: unknown; out: string; err: string }> {
  const { user = '', password = '', host = '', port: at = 0, database: name = '' } = database.owner
  const url = new URL(`postgres://${user}:${encodeURIComponent(String(password))}@localhost:${at}/${name}`)
  url.searchParams.set('host', host)
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '..', '..', '..', 'bin', 'callout'), 'serve'],
      { env: { PATH: process.env['PATH'], NODE_ENV: 'production', DATABASE_URL: url.href, ...env } },
      (error, out, err) => resolve({ code: error?.code, out, err }),
    )
  })
}

describe('starting with telemetry', () => {
  it('exits with 2 and names an invalid setting', async () => {
    const { code, out, err } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /^callout: OTEL_EXPORTER_OTLP_ENDPOINT must be [^\n]*\(got 'collector:4318'\)\n$/)
  })

  it('exits with 1 and names METRICS_PORT if that port is in use', async () => {
    assert.deepEqual(await start({ PORT: '0', METRICS_PORT: port }), {
      code: 1,
      out: '',
      err: `callout: Port ${port} on 127.0.0.1 is in use; set METRICS_PORT to another one\n`,
    })
  })

  it("exits with 1 and names PORT if the service's own port is in use", async () => {
    assert.deepEqual(await start({ PORT: port, METRICS_PORT: '0' }), {
      code: 1,
      out: '',
      err: `callout: Port ${port} on 127.0.0.1 is in use; set PORT to another one\n`,
    })
  })
})
