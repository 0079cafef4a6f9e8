import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { openOffice, type Office } from '../../bench/cost/office.ts'

let office: Office
before(async () => {
  office = await openOffice()
})
after(() => office.stop())

/** Request heads and bodies that no HTTP client sends. */
const OF_A_POST: Readonly<Record<string, readonly string[]>> = {
  'a length that is no number': ['Content-Length: 1e3', '', '{}'],
  'a negative length': ['Content-Length: -1', '', '{}'],
  'a length beyond any': ['Content-Length: 99999999999999999999', '', '{}'],
  'two lengths': ['Content-Length: 2', 'Content-Length: 3', '', '{}a'],
  'a length and chunks': ['Content-Length: 2', 'Transfer-Encoding: chunked', '', '2', '{}', '0', '', ''],
  'chunks of no size': ['Transfer-Encoding: chunked', '', 'zz', '{}', '0', '', ''],
  'a chunk shorter than it says': ['Transfer-Encoding: chunked', '', 'ff', '{}', '0', '', ''],
  'chunks of chunks': ['Transfer-Encoding: chunked, chunked', '', '2', '{}', '0', '', ''],
  'a header without a name': [': a', 'Content-Length: 2', '', '{}'],
  'a header with NUL': ['X-A: \0', 'Content-Length: 2', '', '{}'],
  'a folded header': ['X-A: a', ' b', 'Content-Length: 2', '', '{}'],
  'two hosts': ['Host: evil.example', 'Content-Length: 2', '', '{}'],
  'two types': ['Content-Type: text/plain', 'Content-Type: application/json', 'Content-Length: 2', '', '{}'],
  'two credentials': ['Authorization: Bearer a', 'Authorization: Bearer b', 'Content-Length: 2', '', '{}'],
  'too many headers': [...Array.from({ length: 3_000 }, (_, i) => `X-${i}: a`), 'Content-Length: 2', '', '{}'],
  'an upgrade': ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 2', '', '{}'],
  'an expectation': ['Expect: tea', 'Content-Length: 2', '', '{}'],
  'less than it says': ['Content-Length: 100', '', '{}'],
}

const PATHS = [
  '/api/mcp',
  '/api/webhooks/email/inbound',
  '/auth/v1/oauth/token',
  '/sign-in',
  '/%',
  '//',
  '*',
  '/\u00ff',
]

/** Sends bytes and ends the stream. Returns the statuses of the answers. */
const statusesOf = (bytes: string): Promise<number[]> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(office.service.config.baseUrl).port), '127.0.0.1')
      .on('data', (piece) => (answer += piece.toString('latin1')))
      .on('error', () => socket.destroy())
      .on('close', () => resolve([...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))))
    socket.end(Buffer.from(bytes, 'latin1'))
  })

describe('invalid HTTP', () => {
  for (const [what, lines] of Object.entries(OF_A_POST))
    it(`gets no 5xx and causes no fault: ${what}`, async () => {
      const { host } = new URL(office.service.config.baseUrl)
      for (const path of PATHS) {
        const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines]
        const statuses = await statusesOf(head.join('\r\n'))
        assert.ok(
          statuses.every((status) => status < 500),
          `${path}: ${statuses.join()}`,
        )
      }
      assert.deepEqual(office.faults(), [])
    })

  it('leaves the service ready', async () => {
    for (const bytes of [
      '\r\n\r\n',
      'GET',
      'GET / HTTP/9.9\r\n\r\n',
      '\u0016\u0003\u0001',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ])
      for (const status of await statusesOf(bytes)) assert.ok(status < 500, `${JSON.stringify(bytes)}: ${status}`)
    assert.equal((await fetch(new URL('/health/ready', office.service.config.baseUrl))).status, 200)
  })
})
