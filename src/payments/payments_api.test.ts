import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Stripe } from 'stripe'
import { openPaymentsApi, PaymentsApiError, type PaymentsForm } from './payments_api.ts'

type Seen = { line: string; headers: IncomingMessage['headers']; body: string }

let seen: Seen[] = []
let answer = (_: number, res: ServerResponse): void => void res.end('{}')
const server = createServer(async (req, res) => {
  const pieces: Buffer[] = []
  for await (const piece of req) pieces.push(piece as Buffer)
  seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body: Buffer.concat(pieces).toString() })
  answer(seen.length, res)
})
let apiUrl = ''
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const api = () => openPaymentsApi({ key: 'sk_test_key', apiUrl })

/** Returns the requests and the outcome of some work, with responses by request number. */
async function recordRequests(
  work: () => Promise<unknown>,
  answering: typeof answer = (_, res) => void res.end('{}'),
): Promise<{ seen: Seen[]; outcome: unknown }> {
  seen = []
  answer = answering
  const outcome = await work().catch((error: unknown) => error)
  return { seen, outcome }
}

const refusing =
  (...statuses: number[]): typeof answer =>
  (number, res) =>
    void res
      .writeHead(statuses[number - 1] ?? 200, { 'content-type': 'application/json' })
      .end('{"ok":true,"error":{"message":"No such key"}}')

const FORM = {
  mode: 'payment',
  line_items: [
    { quantity: 1, price_data: { currency: 'usd', unit_amount: 123_45, product_data: { name: 'Ñ & [1]' } } },
  ],
  adaptive_pricing: { enabled: false },
  metadata: { invoice_id: 'i+1', tenant_id: 't' },
  success_url: 'https://x.example/a?b=c&d={E}',
} satisfies PaymentsForm

describe('the payments API client', () => {
  it("sends the same requests as the provider's own package", async () => {
    const { port } = server.address() as AddressInfo
    const stripe = new Stripe('sk_test_key', {
      apiVersion: '2026-10-28.endive',
      protocol: 'http',
      host: '127.0.0.1',
      port,
      telemetry: false,
    })
    const theirs = await recordRequests(() =>
      stripe.checkout.sessions.create(FORM, { stripeAccount: 'acct_1', idempotencyKey: 'one' }),
    )
    const ours = await recordRequests(() =>
      api().post('/v1/checkout/sessions', FORM, { account: 'acct_1', idempotencyKey: 'one' }),
    )
    const essence = ({ line, headers, body }: Seen) => ({
      line,
      body: [...new URLSearchParams(body)],
      headers: ['authorization', 'stripe-version', 'stripe-account', 'idempotency-key'].map((name) => headers[name]),
      type: headers['content-type']?.split(';')[0],
    })
    assert.deepEqual(ours.seen.map(essence), theirs.seen.map(essence))
    const theirRead = await recordRequests(() =>
      stripe.checkout.sessions.retrieve('cs_1', {}, { stripeAccount: 'acct_1' }),
    )
    const ourRead = await recordRequests(() => api().get('/v1/checkout/sessions/cs_1', { account: 'acct_1' }))
    assert.deepEqual(
      ourRead.seen.map(({ line, headers }) => [line, headers['stripe-account'], headers['idempotency-key']]),
      theirRead.seen.map(({ line, headers }) => [line, headers['stripe-account'], headers['idempotency-key']]),
    )
  })

  it('retries once with the same idempotency key after no response, a conflict or a server error', async () => {
    for (const status of [409, 500, 503]) {
      const { seen, outcome } = await recordRequests(() => api().post('/v1/x', {}), refusing(status))
      assert.deepEqual(outcome, { ok: true, error: { message: 'No such key' } })
      assert.equal(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1)
      assert.equal(seen.length, 2)
    }
    const cut = await recordRequests(
      () => api().get('/v1/x'),
      (number, res) => void (number === 1 ? res.destroy() : res.end('{"ok":1}')),
    )
    assert.deepEqual(cut.outcome, { ok: 1 })
    const failed = await recordRequests(() => api().get('/v1/x'), refusing(500, 500, 200))
    assert.equal((failed.outcome as PaymentsApiError).status, 500)
    assert.equal(failed.seen.length, 2)
  })

  it("throws the provider's message for other errors, without a retry", async () => {
    for (const status of [400, 401, 403, 404, 429]) {
      const { seen, outcome } = await recordRequests(() => api().get('/v1/x'), refusing(status))
      assert.ok(outcome instanceof PaymentsApiError)
      assert.deepEqual([outcome.status, outcome.message, seen.length], [status, 'No such key', 1])
    }
  })

  it('reports status 0 for a response without JSON, a redirect or a refused connection', async () => {
    const answers: (typeof answer)[] = [
      (_, res) => void res.end('<html>'),
      (_, res) => void res.writeHead(302, { location: '/elsewhere' }).end(),
    ]
    for (const one of answers) {
      const { outcome, seen } = await recordRequests(() => api().get('/v1/x'), one)
      assert.equal((outcome as PaymentsApiError).status, 0)
      assert.ok(seen.every(({ line }) => line === 'GET /v1/x'))
    }
    const nobody = openPaymentsApi({ key: 'sk_test_key', apiUrl: 'http://127.0.0.1:1' })
    await assert.rejects(nobody.get('/v1/x'), { name: 'PaymentsApiError', status: 0 })
  })
})
