import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey, revokeKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { NO_AREAS } from '../harness/identity/ceilings.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openSocket, rpc, toolHeaders } from '../harness/http.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService({ ALLOWED_ORIGINS: 'https://app.example.com' })
  company = await makeCompany(service)
})
after(() => service.stop())

const discovery = 'Bearer resource_metadata="http://callout.test/.well-known/oauth-protected-resource"'
const list = rpc('tools/call', { name: 'tags_list', arguments: {} })

type Answer = { status: number; body: Result; challenge: string | null; retry: string | null; type: string | null }

async function ask(headers: Record<string, string>, body = list, address = service.url): Promise<Answer> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  return {
    status: response.status,
    body: (await response.json()) as Result,
    challenge: response.headers.get('www-authenticate'),
    retry: response.headers.get('retry-after'),
    type: response.headers.get('content-type'),
  }
}
const askWith = (key: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask({ authorization: `Bearer ${key}`, ...headers })

function isTurnedAway(answer: Answer, status: number, error: string, challenge: string | RegExp | null): void {
  assert.deepEqual(
    [answer.status, answer.body.error, answer.type],
    [status, error, 'application/json'],
    JSON.stringify(answer),
  )
  assert.deepEqual(Object.keys(answer.body), ['error', 'error_description'])
  assert.ok(answer.body.error_description.length > 10)
  if (challenge instanceof RegExp) assert.match(answer.challenge ?? '', challenge)
  else assert.equal(answer.challenge, challenge)
}

const makeKey = (given: { user?: string | null; scopes?: readonly string[]; expires_at?: string | null }) =>
  createKey(
    service.database,
    { tenant: company.tenant },
    { user: null, name: 'test', scopes: SCOPES, expires_at: null, ...given },
  )

describe('401', () => {
  it('invalid_token without a credential, with the discovery document in the challenge', async () => {
    isTurnedAway(await ask({}), 401, 'invalid_token', discovery)
  })

  it('invalid_token for a malformed Authorization header', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${btoa(`user:${company.owner.key}`)}`,
      company.owner.key,
      `Token ${company.owner.key}`,
      'Bearer a b',
      'Bearer svc_xk_abc',
      `Bearer ${company.owner.key} x`,
    ]) {
      const answer = await ask({ authorization })
      isTurnedAway(
        answer,
        401,
        'invalid_token',
        /^Bearer resource_metadata="[^"]+"(, error="invalid_token", error_description="[^"]+")?$/,
      )
      assert.ok(answer.challenge?.startsWith(discovery))
    }
  })

  it('invalid_token for an unknown key', async () => {
    for (const key of [
      'svc_uk_',
      'svc_tk_',
      `svc_uk_${'A'.repeat(43)}`,
      `${company.owner.key}x`,
      company.owner.key.slice(0, -1),
      company.owner.key.replace('svc_uk_', 'svc_tk_'),
      `svc_uk_${'x'.repeat(5_000)}`,
    ]) {
      const answer = await askWith(key)
      isTurnedAway(
        answer,
        401,
        'invalid_token',
        `${discovery}, error="invalid_token", error_description="The API key is unknown or was revoked"`,
      )
      assert.ok(!JSON.stringify(answer).includes(key.slice(7) || 'never'))
    }
  })

  it('invalid_token for a key outside the Authorization header', async () => {
    isTurnedAway(
      await ask(
        { cookie: `access_token=${company.owner.key}` },
        list,
        `${service.url}?access_token=${company.owner.key}`,
      ),
      401,
      'invalid_token',
      discovery,
    )
  })

  it('invalid_token for a revoked key', async () => {
    const made = await makeKey({ user: company.owner.id })
    assert.equal((await askWith(made.key)).status, 200)
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    isTurnedAway(await askWith(made.key), 401, 'invalid_token', /, error="invalid_token"/)
  })

  it('expired for an expired key', async ({ mock }) => {
    const expired = await makeKey({ expires_at: '2020-01-01T00:00:00Z' })
    isTurnedAway(
      await askWith(expired.key),
      401,
      'expired',
      `${discovery}, error="invalid_token", error_description="The API key has expired; ask for a new one"`,
    )
    const soon = Date.now() + 600_000
    const expiring = await makeKey({ expires_at: new Date(soon).toISOString() })
    assert.equal((await askWith(expiring.key)).status, 200)
    mock.timers.enable({ apis: ['Date'], now: soon + 1 })
    isTurnedAway(await askWith(expiring.key), 401, 'expired', /, error="invalid_token"/)
  })

  it('not for a Bearer scheme in another letter case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      assert.equal((await ask({ authorization: `${scheme} ${company.owner.key}` })).status, 200)
  })
})

describe('403 insufficient_scope', () => {
  const challenge =
    /^Bearer resource_metadata="[^"]+", error="insufficient_scope", scope="[a-z_: ]*\bread:customers\b[a-z_: ]*\bwrite:tax_rates\b[a-z_: ]*"$/

  it('for a credential without any scope, whatever the method', async () => {
    const { key } = await makeKey({ scopes: [] })
    for (const body of [
      list,
      rpc('tools/list'),
      rpc('initialize', { protocolVersion: '2025-11-25' }),
      rpc('ping'),
      rpc('nonsense'),
    ]) {
      isTurnedAway(await ask({ authorization: `Bearer ${key}` }, body), 403, 'insufficient_scope', challenge)
    }
  })

  it('for unknown scopes and for a member whose access levels are all none', async () => {
    isTurnedAway(
      await askWith((await makeKey({ scopes: ['read:everything', 'admin', ''] })).key),
      403,
      'insufficient_scope',
      challenge,
    )
    const member = await company.member('tech', { ceiling: NO_AREAS })
    isTurnedAway(await askWith(member.key), 403, 'insufficient_scope', challenge)
  })

  it('not for a tool call that lacks one scope, which gets a tool error', async () => {
    const { key } = await makeKey({ scopes: ['read:settings'] })
    const { status, body } = await askWith(key)
    assert.equal(status, 200)
    assert.deepEqual(body.result, {
      content: [{ type: 'text', text: 'insufficient_scope: tags.list needs read:customers' }],
      isError: true,
    })
  })
})

describe('403 wrong_tenant', () => {
  it('when X-Tenant-Id names another tenant, and not for the same one', async () => {
    for (const asked of [newId(), 'x', '', `${company.tenant}, ${company.tenant}`])
      isTurnedAway(await askWith(company.owner.key, { 'x-tenant-id': asked }), 403, 'wrong_tenant', null)
    for (const asked of [company.tenant, company.tenant.toUpperCase()])
      assert.equal((await askWith(company.owner.key, { 'x-tenant-id': asked })).status, 200)
  })

  it('not for a revoked key, which gets 401', async () => {
    const made = await makeKey({ user: company.owner.id })
    assert.equal((await askWith(made.key)).status, 200)
    await revokeKey(service.database, { tenant: company.tenant }, made.id)
    isTurnedAway(await askWith(made.key, { 'x-tenant-id': newId() }), 401, 'invalid_token', /, error="invalid_token"/)
  })
})

describe('403 wrong_origin', () => {
  it('for a foreign Origin, before the credential is checked', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://callout.test.evil.example',
      'https://callout.test',
      'http://callout.test:8080',
      'http://app.example.com',
      'http://localhost:3000',
    ]) {
      isTurnedAway(await askWith(company.owner.key, { origin }), 403, 'wrong_origin', null)
      isTurnedAway(await ask({ origin }), 403, 'wrong_origin', null)
    }
    for (const origin of ['http://callout.test', 'https://app.example.com'])
      assert.equal((await askWith(company.owner.key, { origin })).status, 200)
  })

  const headers = () => Object.entries(toolHeaders(company.owner.key)).map(([name, value]) => `${name}: ${value}`)

  async function askRaw(line: string, ...hosts: string[]): Promise<{ status: number; error: unknown }> {
    const socket = await openSocket(service.origin)
    const { status, body } = await socket.exchange(
      line,
      [...hosts.map((host) => `Host: ${host}`), ...headers(), 'Connection: close'],
      list,
    )
    socket.close()
    return { status, error: body.startsWith('{') ? (JSON.parse(body) as Result).error : undefined }
  }

  it('for a foreign Host header, as in DNS rebinding', async () => {
    for (const host of [
      'evil.example',
      'evil.example:3000',
      'callout.test.evil.example',
      'callout.test:81',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '0.0.0.0',
      '169.254.169.254',
      'x@callout.test',
      '',
    ]) {
      assert.deepEqual(await askRaw('POST /api/mcp', host), { status: 403, error: 'wrong_origin' }, host)
    }
    for (const host of [
      'callout.test',
      'Callout.TEST',
      'app.example.com',
      'localhost',
      'localhost:3000',
      '127.0.0.1:1',
      '[::1]:3000',
    ])
      assert.deepEqual(await askRaw('POST /api/mcp', host), { status: 200, error: undefined }, host)
  })

  it('for two Host headers, and 400 without one', async () => {
    assert.deepEqual(await askRaw('POST /api/mcp', 'callout.test', 'evil.example'), {
      status: 403,
      error: 'wrong_origin',
    })
    assert.deepEqual(await askRaw('POST /api/mcp', 'callout.test', 'callout.test'), {
      status: 403,
      error: 'wrong_origin',
    })
    assert.equal((await askRaw('POST /api/mcp')).status, 400)
  })

  it('or another 4xx status for an absolute or unusual request target', async () => {
    for (const target of [
      'http://callout.test/api/mcp',
      'http://evil.example/api/mcp',
      '//callout.test/api/mcp',
      'callout.test/api/mcp',
      '/api/mcp/',
      '/API/MCP',
      '/api//mcp',
      '/x/../api/mcp',
      '/%61pi/mcp',
      '*',
    ]) {
      const { status } = await askRaw(`POST ${target}`, 'callout.test')
      assert.ok(status >= 400 && status < 500, `${target}: ${status}`)
    }
    assert.equal((await askRaw('POST /api/mcp?x=1', 'callout.test')).status, 200)
  })
})

describe('429 rate_limited', () => {
  it('sends Retry-After in seconds', async () => {
    const limited = await startTestService({ RATE_LIMIT_PER_CREDENTIAL: '3' })
    const { owner } = await makeCompany(limited)
    const answers: Answer[] = []
    for (let i = 0; i < 8; i++) answers.push(await ask({ authorization: `Bearer ${owner.key}` }, list, limited.url))
    const last = answers.find(({ status }) => status === 429)
    assert.ok(last, 'two minutes at most take in six of eight')
    isTurnedAway(last, 429, 'rate_limited', null)
    assert.match(last.retry ?? '', /^([1-9]|[1-5]\d|60)$/)
    assert.equal(last.body.error_description, `Too many requests; try again in ${last.retry} s`)
    isTurnedAway(
      await ask({ authorization: `Bearer ${owner.key}`, origin: 'https://evil.example' }, list, limited.url),
      403,
      'wrong_origin',
      null,
    )
    isTurnedAway(await ask({ authorization: 'Bearer svc_uk_x' }, list, limited.url), 401, 'invalid_token', /./)
    await limited.stop()
  })
})

describe('503 unavailable', () => {
  it('with Retry-After when the database is down, never 401', async () => {
    const lonely = await startTestService()
    const { owner } = await makeCompany(lonely)
    assert.equal((await ask({ authorization: `Bearer ${owner.key}` }, list, lonely.url)).status, 200)
    const { hold, send } = lonely.database
    const away = () => Promise.reject(new Error('connect ECONNREFUSED'))
    Object.assign(lonely.database, { hold: away, send: away })
    for (const [key, body] of [
      [owner.key, rpc('tools/list')],
      [`svc_uk_${'A'.repeat(43)}`, list],
    ] as const) {
      const answer = await ask({ authorization: `Bearer ${key}` }, body, lonely.url)
      isTurnedAway(answer, 503, 'unavailable', null)
      assert.equal(answer.retry, '5')
      assert.ok(!answer.body.error_description.includes('ECONNREFUSED'))
    }
    Object.assign(lonely.database, { hold, send })
    assert.equal((await ask({ authorization: `Bearer ${owner.key}` }, list, lonely.url)).status, 200)
    await lonely.stop()
  })
})
