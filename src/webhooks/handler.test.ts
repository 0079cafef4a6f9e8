import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { rawRequest } from '../../test/harness/clients/webhook_calls.ts'
import { senderReader } from '../identity/addresses.ts'
import { HttpRefusal, jsonAnswer } from '../platform/errors/http_refusal.ts'
import { EMPTY } from './answer.ts'
import { newWebhookHandlers, type Endpoint } from './handler.ts'
import type { SignatureCheck } from './signatures/signature.ts'

const MB = 2 ** 20
const seen: string[] = []
let release: (() => void)[] = []

function checkOfLastByte(): SignatureCheck {
  let last: number | undefined
  const update = (chunk: Buffer): void => {
    seen.push(String(chunk.length))
    last = chunk.at(-1)
  }
  return { update, accepts: () => last === 1 }
}

/** Accepts a body whose last byte is 1 under the signature `good`, and waits with it on command. */
const endpoint: Endpoint = {
  name: 'test',
  contentType: 'application/json',
  maxBytes: 3 * MB,
  deadlineMs: 20_000,
  scheme: {
    isConfigured: true,
    open: ({ headers }) => (headers['signature'] === undefined ? undefined : checkOfLastByte()),
  },
  unsigned: jsonAnswer(401, { error: 'unsigned' }),
  handle: async (body) => {
    if (body[0] === 7) await new Promise<void>((resolve) => release.push(resolve))
    if (body[0] === 8) throw new Error('fault')
    if (body[0] === 9) throw new HttpRefusal(jsonAnswer(418, {}))
    return EMPTY
  },
  failed: jsonAnswer(500, { error: 'failed' }),
}

let url: string
let port: number
const lines: string[] = []
const receive = newWebhookHandlers(
  pino({}, { write: (line: string) => void lines.push(line) }),
  senderReader(['127.0.0.1']),
)
const handler = receive(endpoint)
const unconfigured = receive({
  ...endpoint,
  scheme: { isConfigured: false, open: () => assert.fail('the header was looked at') },
})
const impatient = receive({ ...endpoint, deadlineMs: 200 })
const server = createServer(
  (req, res) =>
    void (req.url === '/unconfigured' ? unconfigured : req.url === '/impatient' ? impatient : handler)(req, res),
)
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  url = `http://127.0.0.1:${port}/`
})
after(() => server.close())

const HEADERS = { 'content-type': 'application/json', signature: 'good' }
const bytes = (length: number, first = 0, last = 1): Buffer => {
  const made = Buffer.alloc(length)
  made[0] = first
  made[length - 1] = last
  return made
}
const send = (body: Buffer, headers: Record<string, string> = HEADERS, path = '') =>
  rawRequest(url + path, { ...headers, 'content-length': String(body.length) }, (write, end) => {
    write(body)
    end()
  })
const sendChunks = (pieces: Buffer[], headers: Record<string, string> = HEADERS) =>
  rawRequest(url, headers, (write, end) => {
    pieces.forEach((piece) => write(piece))
    end()
  })

describe('an accepted webhook', () => {
  it('is read whole or in chunks, and each chunk is inspected on arrival', async () => {
    seen.length = 0
    assert.equal((await send(bytes(10, 2))).status, 200)
    assert.deepEqual(seen, ['10'])
    assert.equal((await sendChunks([bytes(MB, 2, 0), bytes(MB, 0, 0), bytes(MB)])).status, 200)
  })

  it('may have content type parameters in any case and the identity encoding', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
      assert.equal((await send(bytes(2), { ...HEADERS, 'content-type': type })).status, 200)
    assert.equal((await send(bytes(2), { ...HEADERS, 'content-encoding': 'identity' })).status, 200)
  })

  it('is logged in one line without its content', () => {
    const { endpoint: name, status, msg } = JSON.parse(lines.at(-1)!)
    assert.deepEqual([name, status, msg], ['test', 200, 'webhook'])
  })
})

describe('a webhook refused before its body is read', () => {
  const refusals: [name: string, headers: Record<string, string>, status: number][] = [
    ['another content type', { ...HEADERS, 'content-type': 'text/plain' }, 415],
    ['no content type', { signature: 'good' }, 415],
    ['a content encoding', { ...HEADERS, 'content-encoding': 'gzip' }, 415],
    ['a length past the cap', { ...HEADERS, 'content-length': String(3 * MB + 1) }, 413],
    ['no signature', { 'content-type': 'application/json' }, 401],
  ]
  for (const [name, headers, status] of refusals) {
    it(name, async () => {
      const answer = await rawRequest(url, headers, (write) => write(bytes(10)))
      assert.equal(answer.status, status)
      assert.equal(answer.headers.get('connection'), 'close')
    })
  }

  it('gets 405 for another method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await rawRequest(url, HEADERS, (_, end) => end(), method)
      assert.deepEqual([status, headers.get('allow')], [405, 'POST'])
    }
  })

  it('gets 500 without a configured secret', async () => {
    const { status, text } = await send(bytes(2), HEADERS, 'unconfigured')
    assert.deepEqual([status, text], [500, '{"error":"misconfigured"}'])
  })

  it('gets the status of the first failed check: 405, 415, then 413', async () => {
    const wrong = { 'content-type': 'text/plain', 'content-length': String(9 * MB) }
    assert.equal((await rawRequest(url, wrong, (_, end) => end(), 'PUT')).status, 405)
    assert.equal((await rawRequest(url, wrong, (write) => write(bytes(1)))).status, 415)
    assert.equal(
      (
        await rawRequest(`${url}unconfigured`, { ...wrong, 'content-type': 'application/json' }, (write) =>
          write(bytes(1)),
        )
      ).status,
      413,
    )
  })
})

describe('a webhook with a bad body', () => {
  it('gets 401 for a wrong signature', async () => {
    const { status, text } = await send(bytes(10, 2, 0))
    assert.deepEqual([status, text], [401, '{"error":"unsigned"}'])
  })

  it('gets 413 while it is sent when it grows past the limit', async () => {
    const { status, text } = await sendChunks([bytes(2 * MB), bytes(MB + 1)])
    assert.deepEqual([status, text], [413, '{"error":"payload_too_large"}'])
  })

  it('gets 200 at exactly the limit', async () => assert.equal((await send(bytes(3 * MB, 2))).status, 200))

  it('gets 408 after the deadline', async () => {
    const { status, headers } = await rawRequest(`${url}impatient`, HEADERS, (write) => write(bytes(10)))
    assert.deepEqual([status, headers.get('connection')], [408, 'close'])
  })

  it('gets the status that the handler throws', async () => assert.equal((await send(bytes(2, 9))).status, 418))
})

describe('a webhook fault', () => {
  it("gets the endpoint's answer and is logged under a reference", async () => {
    const { status, text } = await send(bytes(2, 8))
    assert.deepEqual([status, text], [500, '{"error":"failed"}'])
    const [fault, line] = lines.slice(-2).map((line) => JSON.parse(line))
    assert.equal(fault.err.message, 'fault')
    assert.equal(fault.reference, line.reference)
  })
})

describe('large webhook bodies', () => {
  const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 30))
  const until = async (held: number): Promise<void> => {
    while (release.length < held) await settle()
  }

  const from = (address: string): Record<string, string> => ({ ...HEADERS, 'x-forwarded-for': address })

  it('are limited to four at once; a fifth gets 503 and small ones pass', async () => {
    const four = Array.from({ length: 4 }, (_, i) => send(bytes(MB + 1, 7), from(`203.0.113.${i}`)))
    await until(4)
    for (const fifth of [await send(bytes(MB + 1)), await sendChunks([bytes(MB), bytes(1)])]) {
      assert.deepEqual([fifth.status, fifth.headers.get('retry-after')], [503, '5'])
    }
    assert.equal((await send(bytes(MB))).status, 200)
    release.forEach((go) => go())
    release = []
    assert.deepEqual(
      (await Promise.all(four)).map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal((await send(bytes(MB + 1))).status, 200)
  })

  /** Begins a large body and sends its end on `finish`. */
  function beginLarge() {
    let finish = (): void => {}
    const headers = { ...from('203.0.113.9'), 'content-length': String(3 * MB) }
    const answer = rawRequest(url, headers, (write) => {
      write(bytes(2 * MB))
      finish = () => write(bytes(MB))
    })
    const begun = { answer, isOver: false, finish: () => finish() }
    void answer.finally(() => (begun.isOver = true))
    return begun
  }

  it('are limited to one per address until the signature is verified', async () => {
    let begun = beginLarge()
    const deadline = performance.now() + 30_000
    while ((await sendChunks([bytes(MB), bytes(1)], from('203.0.113.9'))).status !== 503) {
      assert.ok(performance.now() < deadline, 'the first never had its place')
      // The other body had the slot when the first asked for it.
      if (begun.isOver) begun = beginLarge()
    }
    assert.equal((await send(bytes(MB + 1), from('203.0.113.9'))).status, 503)
    assert.equal((await send(bytes(MB), from('203.0.113.9'))).status, 200)
    assert.equal((await send(bytes(MB + 1), from('203.0.113.10'))).status, 200)
    begun.finish()
    assert.equal((await begun.answer).status, 200)
    const held = send(bytes(MB + 1, 7), from('203.0.113.9'))
    await until(1)
    assert.equal((await send(bytes(MB + 1), from('203.0.113.9'))).status, 200)
    release.forEach((go) => go())
    release = []
    assert.equal((await held).status, 200)
  })

  it('release their slot when aborted, too large or wrongly signed', async () => {
    for (let i = 0; i < 5; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(
            `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nSignature: good\r\nContent-Length: ${3 * MB}\r\n\r\n`,
          )
          socket.write(bytes(2 * MB), () => {
            socket.destroy()
            resolve()
          })
        })
      })
      assert.equal((await rawRequest(`${url}impatient`, HEADERS, (write) => write(bytes(MB)))).status, 408)
      // The server sees a moment later that the first sender left.
      let wrong = await send(bytes(2 * MB, 0, 0))
      for (let tries = 0; wrong.status === 503 && tries < 100; tries++) {
        await settle()
        wrong = await send(bytes(2 * MB, 0, 0))
      }
      assert.equal(wrong.status, 401)
      assert.equal((await send(bytes(2 * MB, 8))).status, 500)
      assert.equal((await sendChunks([bytes(3 * MB), bytes(1)])).status, 413)
    }
    await settle()
    assert.equal((await send(bytes(2 * MB))).status, 200)
  })
})
