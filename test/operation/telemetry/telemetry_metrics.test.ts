import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, type Company } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { PASSWORD, createCompany } from '../../harness/web_client.ts'
import { readSample, startMonitoredService } from '../../harness/monitored_service.ts'
import { WEBHOOK_ENV, providerOf, rawRequest } from '../../harness/clients/webhook_calls.ts'

type Watched = Awaited<ReturnType<typeof startMonitoredService>>

let service: Watched
let company: Company
before(async () => {
  const { EMAIL_WEBHOOK_SECRET: _, ...secrets } = WEBHOOK_ENV
  service = await startMonitoredService(secrets, { level: 'silent' })
  company = await makeCompany(service)
})
after(() => service.stop())

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url, { method: 'POST', headers: { ...toolHeaders(company.owner.key), ...headers }, body })
const requests = async (labels: Record<string, string>): Promise<number> =>
  readSample(await service.metrics(), 'callout_mcp_requests_total', labels)
const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'invented-client', version: '1' },
}

/** Returns how much a sample grows during some work. */
async function growth(name: string, labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> {
  const earlier = readSample(await service.metrics(), name, labels)
  await work()
  return readSample(await service.metrics(), name, labels) - earlier
}

describe('callout_mcp_requests_total', () => {
  it('counts by method, tool, era and outcome', async () => {
    await company.call('tags_create', { name: 'counted' })
    await company.call('tags_list')
    await company.call('tags_list')
    await company.refusal('tags_create', { name: 'counted' })
    await company.refusal('tags_create', {})
    await company.refusal('tags_get', { id: company.tenant })
    await post(rpc('tools/list'))
    await post(rpc('tools/list', { _meta: stateless }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    })
    const counted = await Promise.all(
      [
        { tool: 'tags_create', outcome: 'ok', method: 'tools/call', era: 'handshake' },
        { tool: 'tags_create', outcome: 'conflict' },
        { tool: 'tags_create', outcome: 'invalid_input' },
        { tool: 'tags_list', outcome: 'ok' },
        { tool: 'tags_get', outcome: 'not_found' },
        { method: 'tools/list', tool: '', era: 'handshake', outcome: 'ok' },
        { method: 'tools/list', tool: '', era: 'stateless', outcome: 'ok' },
      ].map(requests),
    )
    assert.deepEqual(counted, [1, 1, 1, 2, 1, 1, 1])
  })

  it('counts rejected requests by error code', async () => {
    const outcomes = ['invalid_token', 'wrong_tenant', 'wrong_origin', '-32700', '-32601', '-32000'].map((outcome) => ({
      outcome,
    }))
    const before = await Promise.all(outcomes.map(requests))
    await post(rpc('ping'), { authorization: 'Bearer svc_uk_nobody' })
    await post(rpc('ping'), { 'x-tenant-id': 'another' })
    await post(rpc('ping'), { origin: 'https://elsewhere.example' })
    await post('{')
    await post(rpc('tags/invent'))
    await post(rpc('ping'), { 'content-type': 'text/plain' })
    assert.deepEqual(
      await Promise.all(outcomes.map(requests)),
      before.map((count) => count + 1),
    )
  })

  it('has a duration for each request', async () => {
    const text = await service.metrics()
    const all = readSample(text, 'callout_mcp_requests_total')
    assert.ok(all > 0)
    assert.equal(readSample(text, 'callout_mcp_request_duration_seconds_count'), all)
    assert.equal(readSample(text, 'callout_mcp_request_duration_seconds_bucket', { le: '+Inf' }), all)
    assert.ok(readSample(text, 'callout_mcp_request_duration_seconds_sum', { tool: 'tags_list' }) > 0)
  })

  it('counts a request as in flight until it is answered', async () => {
    const { promise: body, resolve: send } = Promise.withResolvers<void>()
    const answered = rawRequest(service.url, toolHeaders(company.owner.key), (write, end) => {
      write(Buffer.from('{'))
      void body.then(end)
    })
    while (readSample(await service.metrics(), 'callout_mcp_requests_in_flight') !== 1);
    send()
    await answered
    assert.equal(readSample(await service.metrics(), 'callout_mcp_requests_in_flight'), 0)
  })
})

describe('a metric label', () => {
  it('contains no name that a client made up', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `invented_${i}`)
    for (const name of names) {
      await post(rpc('tools/call', { name, arguments: { [name]: name } }))
      await post(rpc(name))
      await post(rpc('tools/list', { _meta: stateless }), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        'user-agent': name,
      })
      await fetch(`${service.origin}/${name}`)
      await fetch(`${service.origin}/.well-known/${name}`)
    }
    const text = await service.metrics()
    assert.ok(!text.includes('invented'))
    assert.ok((await requests({ method: 'tools/call', tool: 'other', outcome: '-32602' })) >= 20)
    assert.ok((await requests({ method: 'other', tool: '', outcome: '-32601' })) >= 20)
  })

  it('contains the name of every served tool and method', async () => {
    const { result } = (await (await post(rpc('tools/list'))).json()) as { result: { tools: { name: string }[] } }
    for (const { name } of result.tools) await post(rpc('tools/call', { name, arguments: { no_such: 1 } }))
    const text = await service.metrics()
    for (const { name } of result.tools)
      assert.equal(
        readSample(text, 'callout_mcp_requests_total', { tool: name, outcome: 'invalid_input' }) > 0,
        true,
        name,
      )
    await post(rpc('prompts/get', { name: 'plan-my-day' }))
    assert.equal(await requests({ method: 'prompts/get', tool: 'plan-my-day' }), 1)
    for (const method of [
      'initialize',
      'ping',
      'notifications/initialized',
      'server/discover',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'completion/complete',
    ]) {
      assert.equal(
        await growth('callout_mcp_requests_total', { method }, () =>
          post(method.startsWith('notifications') ? JSON.stringify({ jsonrpc: '2.0', method }) : rpc(method)),
        ),
        1,
        method,
      )
    }
  })
})

describe('the other entry points', () => {
  it('count webhooks by endpoint and outcome', async () => {
    const provider = providerOf(service)
    const deliveries = (labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> =>
      growth('callout_webhook_deliveries_total', labels, work)
    assert.equal(
      await deliveries({ endpoint: 'payments/platform', outcome: 'accepted' }, () =>
        provider.event({ id: 'evt_1' }, 'platform'),
      ),
      1,
    )
    assert.equal(
      await deliveries({ endpoint: 'payments/connect', outcome: 'refused' }, () =>
        provider.payments('connect', '{}', 'no signature'),
      ),
      1,
    )
    assert.equal(
      await deliveries({ endpoint: 'sms/sms-status', outcome: 'refused' }, () =>
        provider.sms('/api/webhooks/sms/sms-status', {}, 'no signature'),
      ),
      1,
    )
    assert.equal(
      await deliveries({ endpoint: 'email/inbound', outcome: 'failed' }, () =>
        provider.email('/api/webhooks/email/inbound', {}),
      ),
      1,
    )
  })

  it('count responses by status', async () => {
    const requests = (edge: string, status: string, path: string): Promise<number> =>
      growth('callout_requests_total', { edge, status }, () => fetch(service.origin + path))
    assert.equal(await requests('oauth', '200', '/.well-known/oauth-protected-resource'), 1)
    assert.equal(await requests('oauth', '405', '/auth/v1/oauth/token'), 1)
    assert.equal(await requests('oauth', '404', '/.well-known/nothing'), 1)
    assert.equal(await requests('page', '200', '/sign-in'), 1)
    assert.equal(await requests('mcp', '401', '/api/mcp'), 1)
    assert.equal(await requests('webhook', '405', '/api/webhooks/payments/platform'), 1)
  })
})

describe('signing in', () => {
  it('counts attempts by outcome', async () => {
    const { owner } = await createCompany(service, 'Alder Plumbing')
    const tries = (outcome: string, fields: Record<string, string>): Promise<number> =>
      growth('callout_sign_ins_total', { outcome }, () =>
        fetch(`${service.origin}/sign-in`, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams(fields),
          headers: { origin: service.config.baseUrl, accept: 'text/html' },
        }),
      )
    assert.equal(await tries('failed', { email: 'nobody@example.com', password: 'not the password at all' }), 1)
    assert.equal(await tries('signed_in', { email: 'nobody@example.com', password: 'not the password at all' }), 0)
    assert.equal(await tries('signed_in', { email: owner.email, password: PASSWORD }), 1)
  })
})

describe('a rate limit', () => {
  it('counts and logs the rejected requests', async () => {
    const limited = await startMonitoredService({ RATE_LIMIT_PER_CREDENTIAL: '1' })
    try {
      const { owner } = await makeCompany(limited)
      const statuses: number[] = []
      for (let i = 0; i < 5; i++)
        statuses.push(
          (await fetch(limited.url, { method: 'POST', headers: toolHeaders(owner.key), body: rpc('ping') })).status,
        )
      const turnedAway = statuses.filter((status) => status === 429).length
      assert.ok(turnedAway >= 3)
      const text = await limited.metrics()
      assert.equal(readSample(text, 'callout_rate_limited_total', { edge: 'mcp' }), turnedAway)
      assert.equal(readSample(text, 'callout_mcp_requests_total', { outcome: 'rate_limited' }), turnedAway)
      assert.equal(readSample(text, 'callout_requests_total', { edge: 'mcp', status: '429' }), turnedAway)
      const [line] = limited.lines.filter(({ errorCode }) => errorCode === 'rate_limited')
      assert.deepEqual([line!['credential'], line!['status']], [owner.credential, 429])
    } finally {
      await limited.stop()
    }
  })
})
