import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { NO_AREAS } from '../../harness/identity/ceilings.ts'
import { makeCompany, type Company } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { PASSWORD, createCompany } from '../../harness/web_client.ts'
import { startMonitoredService, type Line } from '../../harness/monitored_service.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'

let service: Awaited<ReturnType<typeof startMonitoredService>>
let company: Company
let who: { credential: string; tenant: string }
before(async () => {
  service = await startMonitoredService({ ...WEBHOOK_ENV, OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  company = await makeCompany(service)
  who = { credential: company.owner.credential, tenant: company.tenant }
})
after(() => service.stop())

const without = (line: object, ...names: string[]): object =>
  Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name)))

/** Returns the log lines of some work, without fields that differ between runs. */
async function linesOf(work: () => Promise<unknown>): Promise<object[]> {
  const earlier = service.lines.length
  await work()
  return service.lines.slice(earlier).map((line) => {
    assert.ok(typeof line['ms'] === 'number' && line['ms'] >= 0)
    assert.match(String(line['level']), /^(?:info|warn|error)$/)
    assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return without(line, 'level', 'time', 'pid', 'hostname', 'ms')
  })
}

const post = async (body: string, headers: Record<string, string> = {}): Promise<{ bytes: number }> => {
  const response = await fetch(service.url, {
    method: 'POST',
    headers: { ...toolHeaders(company.owner.key), ...headers },
    body,
  })
  return { bytes: (await response.arrayBuffer()).byteLength }
}

/** Returns the only log line of a request to the tool endpoint, after checking its byte count. */
async function lineOf(body: string, headers: Record<string, string> = {}): Promise<object> {
  let answered = { bytes: -1 }
  const [line, ...more] = (await linesOf(async () => void (answered = await post(body, headers)))) as [Line]
  assert.deepEqual([line['bytes'], more], [answered.bytes, []])
  return without(line, 'bytes')
}

describe('a request to the tool endpoint', () => {
  const called = {
    method: 'tools/call',
    tool: 'tags_list',
    era: 'handshake',
    client: null,
    status: 200,
    errorCode: null,
    msg: 'mcp',
  }

  it('is logged in one line with caller, tool and outcome', async () => {
    assert.deepEqual(await lineOf(rpc('tools/call', { name: 'tags_list' })), { ...who, ...called })
    assert.deepEqual(await lineOf(rpc('tools/call', { name: 'tags_get', arguments: { id: 'x' } })), {
      ...who,
      ...called,
      tool: 'tags_get',
      errorCode: 'invalid_input',
    })
    assert.deepEqual(await lineOf(rpc('no/such')), {
      ...who,
      ...called,
      method: 'no/such',
      tool: null,
      errorCode: -32601,
    })
  })

  it("is logged with the client's name if the request has one", async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'desk-agent', version: '2' },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'tags_list' }
    assert.deepEqual(await lineOf(rpc('tools/call', { name: 'tags_list', _meta: meta }), headers), {
      ...who,
      ...called,
      era: 'stateless',
      client: 'desk-agent',
    })
  })

  it("is logged without the caller's trace", async () => {
    const meta = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
    assert.deepEqual(await lineOf(rpc('tools/call', { name: 'tags_list', _meta: meta })), { ...who, ...called })
  })

  it('that is rejected is logged with its credential and tenant if known', async () => {
    const away = { msg: 'mcp' }
    assert.deepEqual(await lineOf(rpc('ping'), { authorization: 'Bearer svc_uk_nobody' }), {
      ...away,
      status: 401,
      errorCode: 'invalid_token',
    })
    assert.deepEqual(await lineOf(rpc('ping'), { 'x-tenant-id': 'another' }), {
      ...who,
      ...away,
      status: 403,
      errorCode: 'wrong_tenant',
    })
    const poor = await company.member('tech', { ceiling: NO_AREAS })
    const [line] = (await linesOf(() => post(rpc('ping'), { authorization: `Bearer ${poor.key}` }))) as [Line]
    assert.deepEqual(
      [line['credential'], line['tenant'], line['errorCode'], line['status']],
      [poor.credential, company.tenant, 'insufficient_scope', 403],
    )
  })
})

describe('the other entry points', () => {
  it('log a webhook with its endpoint and status', async () => {
    const provider = providerOf(service)
    assert.deepEqual(await linesOf(() => provider.event({ id: 'evt_logged' })), [
      { endpoint: 'payments/connect', status: 200, msg: 'webhook' },
    ])
    assert.deepEqual(await linesOf(() => provider.payments('platform', '{}', 'none')), [
      { endpoint: 'payments/platform', status: 400, msg: 'webhook' },
    ])
  })

  it('log requests to the authorization server without queries and ids', async () => {
    const get = (path: string) => linesOf(() => fetch(service.origin + path, { redirect: 'manual' }))
    const line = { method: 'GET', msg: 'oauth' }
    assert.deepEqual(await get('/.well-known/oauth-protected-resource?x=1'), [
      { ...line, path: '/.well-known/oauth-protected-resource', status: 200 },
    ])
    assert.deepEqual(await get('/auth/v1/oauth/authorize?client_id=nobody&state=s3cret'), [
      { ...line, path: '/auth/v1/oauth/authorize', status: 400 },
    ])
    assert.deepEqual(await get('/auth/v1/oauth/authorize/s3cret?resume=s3cret'), [
      { ...line, path: '/auth/v1/oauth/authorize/…', status: 410 },
    ])
    assert.deepEqual(
      await linesOf(() =>
        fetch(`${service.origin}/auth/v1/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams({ code: 's3cret' }),
        }),
      ),
      [{ method: 'POST', path: '/auth/v1/oauth/token', status: 400, msg: 'oauth' }],
    )
  })

  it('log a page without its query', async () => {
    assert.deepEqual(await linesOf(() => fetch(`${service.origin}/sign-in?to=/s3cret`)), [
      { method: 'GET', path: '/sign-in', status: 200, msg: 'page' },
    ])
  })

  it("log a sign-in's outcome and method without the person", async () => {
    const { owner } = await createCompany(service, 'Alder Plumbing')
    const tries = async (password: string): Promise<object[]> => {
      const earlier = service.lines.length
      await fetch(`${service.origin}/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ email: owner.email, password }),
        headers: { host: 'callout.test', origin: service.config.baseUrl, accept: 'text/html' },
      })
      const lines = service.lines.slice(earlier)
      assert.doesNotMatch(JSON.stringify(lines), new RegExp(`${owner.email}|${owner.user_id}|${password}`))
      return lines
        .filter(({ msg }) => msg === 'sign_in')
        .map((line) => without(line, 'level', 'time', 'pid', 'hostname'))
    }
    assert.deepEqual(await tries('not the password'), [{ outcome: 'failed', methods: ['password'], msg: 'sign_in' }])
    assert.deepEqual(await tries(PASSWORD), [{ outcome: 'signed_in', methods: ['password'], msg: 'sign_in' }])
  })

  it('log nothing for health checks', async () => {
    assert.deepEqual(await linesOf(() => fetch(`${service.origin}/health/live`)), [])
  })
})

describe('a client that disconnects', () => {
  it('is logged with status 499', async () => {
    const earlier = service.lines.length
    const sent = request(service.url, {
      method: 'POST',
      headers: { ...toolHeaders(company.owner.key), 'content-length': '100' },
    })
    sent.on('error', () => {})
    sent.write('{', () => sent.destroy())
    while (service.lines.length === earlier)
      await new Promise((resolve) => {
        setTimeout(resolve, 10)
      })
    assert.deepEqual(
      service.lines.slice(earlier).map(({ status }) => status),
      [499],
    )
  })
})
