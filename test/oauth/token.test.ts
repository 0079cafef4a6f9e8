import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import pino from 'pino'
import { createClient } from '../../src/identity/credentials/clients/clients.ts'
import { changeMember } from '../../src/identity/people/people.ts'
import { sql } from '../../src/platform/db/database.ts'
import { startService } from '../../src/start/service.ts'
import {
  requestTokens,
  obtainTokens,
  BASE,
  callTool,
  CALLBACK,
  basic,
  obtainCode,
  ALL_AREAS,
  allAreas,
  ISSUER,
  outcome,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  verifierOf,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany, type Company } from '../harness/harness.ts'

let service: AuthorizingService
let company: Company
let client: string
let owner: Deciding
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
  client = await registerPublicClient(service)
  owner = { user: company.owner.id, tenant: company.tenant }
})
after(() => service.stop())

describe('an access token', () => {
  it('has the claims of docs/spec/oauth.md#access-tokens and no others', async () => {
    const { given } = await obtainCode(
      service,
      client,
      { ...owner, areas: { Notes: 'view', 'Jobs & scheduling': 'edit' } },
      { scope: 'openid email' },
    )
    const { status, body, headers } = await requestTokens(service, given)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual([body.token_type, body.expires_in], ['bearer', 3600])
    assert.equal(body.scope, 'openid email read:jobs read:notes write:jobs')
    const header = decodeProtectedHeader(body.access_token)
    assert.deepEqual([header.alg, header.typ], ['ES256', 'at+jwt'])
    const { jti, sid, iat, exp, ...claims } = decodeJwt(body.access_token)
    assert.deepEqual(claims, {
      iss: ISSUER,
      sub: owner.user,
      aud: RESOURCE,
      client_id: client,
      tenant_id: owner.tenant,
      scopes: ['read:jobs', 'read:notes', 'write:jobs'],
      role: 'owner',
    })
    assert.equal(exp! - iat!, 3600)
    assert.ok(typeof jti === 'string' && typeof sid === 'string')
    const id = decodeJwt(body.id_token!)
    assert.deepEqual([id.iss, id.aud, id.sub, id['email']], [ISSUER, client, owner.user, company.owner.email])
  })

  it("never exceeds the member's rights or the client's allow-list", async () => {
    const tech = await company.member('tech')
    const narrow = await createClient(service.database, {
      name: 'Narrow',
      redirect_uris: [CALLBACK],
      allow_list: ['read:jobs', 'write:jobs', 'read:invoices', 'read:estimates'],
    })
    const { given } = await obtainCode(service, narrow.id, { user: tech.id, tenant: company.tenant, areas: ALL_AREAS })
    const { body } = await requestTokens(service, { ...given, client_id: undefined }, basic(narrow.id, narrow.secret))
    assert.deepEqual(
      [decodeJwt(body.access_token)['scopes'], decodeJwt(body.access_token)['role']],
      [['read:jobs', 'read:quotes', 'write:jobs'], 'tech'],
    )
  })

  it('of a consent without scopes gets 403 insufficient_scope', async () => {
    const { access_token } = await obtainTokens(service, client, { ...owner, areas: allAreas('none') })
    const { status, body, headers } = await callTool(service, access_token)
    assert.deepEqual([status, body['error']], [403, 'insufficient_scope'])
    assert.match(headers.get('www-authenticate')!, /scope="[^"]*read:customers/)
    await obtainTokens(service, client, owner)
  })
})

describe('an authorization code', () => {
  it('works once, and a second use ends the authorization of the first', async () => {
    const { given } = await obtainCode(service, client, owner)
    const first = await requestTokens(service, given)
    assert.equal((await callTool(service, first.body.access_token)).status, 200)
    assert.deepEqual(await outcome(service, given), [400, 'invalid_grant'])
    const after = await callTool(service, first.body.access_token)
    assert.deepEqual([after.status, after.body['error']], [401, 'invalid_token'])
    assert.deepEqual(
      await outcome(service, {
        grant_type: 'refresh_token',
        refresh_token: first.body.refresh_token,
        client_id: client,
      }),
      [401, 'invalid_token'],
    )
  })

  it('is redeemed by exactly one of 50 concurrent requests', async () => {
    const { given } = await obtainCode(service, client, owner)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => requestTokens<{ error?: string }>(service, given)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(49).fill(400)])
    assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'))
  })

  it('is redeemed by exactly one of many concurrent requests to two processes', async () => {
    const second = await startService(service.config, service.database, pino({ level: 'silent' }), null)
    try {
      const { given } = await obtainCode(service, client, owner)
      const there = {
        ...service,
        fetch: (url: string | URL | Request, init?: RequestInit) =>
          fetch(
            (url instanceof Request ? url.url : url.toString()).replace(BASE, `http://127.0.0.1:${second.port}`),
            init,
          ),
      }
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => requestTokens<object>(i % 2 === 0 ? service : there, given)),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(19).fill(400)])
    } finally {
      await second.stop(0)
    }
  })

  it('ends its authorization when reused, whatever the Accept header', async () => {
    const { given } = await obtainCode(service, client, owner)
    const { body } = await requestTokens(service, given)
    const { status, body: refused } = await requestTokens<{ error: string }>(service, given, { accept: 'text/html' })
    assert.deepEqual([status, refused.error], [400, 'invalid_grant'])
    assert.equal((await callTool(service, body.access_token)).status, 401)
  })

  it("doesn't affect another authorization when it is reused", async () => {
    const kept = await obtainTokens(service, client, owner)
    const { given } = await obtainCode(service, client, owner)
    await requestTokens(service, given)
    await requestTokens(service, given)
    assert.equal((await callTool(service, kept.access_token)).status, 200)
  })

  it("works only with its client, verifier and redirect URI, and a wrong attempt doesn't spend it", async () => {
    const other = await registerPublicClient(service)
    const { given } = await obtainCode(service, client, owner)
    assert.deepEqual(await outcome(service, { ...given, client_id: other }), [400, 'invalid_grant'])
    assert.deepEqual(await outcome(service, { ...given, code_verifier: verifierOf() }), [400, 'invalid_grant'])
    assert.deepEqual(await outcome(service, { ...given, redirect_uri: 'http://127.0.0.1:33419/callback' }), [
      400,
      'invalid_grant',
    ])
    assert.equal((await outcome(service, { ...given, code_verifier: undefined }))[0], 400)
    assert.equal((await outcome(service, { ...given, redirect_uri: undefined }))[1], 'invalid_request')
    assert.deepEqual(await outcome(service, { ...given, resource: 'https://other.test' }), [400, 'invalid_target'])
    assert.equal((await outcome(service, given))[0], 200)
  })

  it('expires after a minute', async () => {
    const { given } = await obtainCode(service, client, owner)
    await service.database.send([
      sql`update oauth_records set expires_at = moment() - interval '1 second' where kind = 'AuthorizationCode' and consumed_at is null`,
    ])
    assert.deepEqual(await outcome(service, given), [400, 'invalid_grant'])
    const [answer] = await service.database.send([
      sql`select extract(epoch from expires_at - created_at)::float8 as seconds from oauth_records where kind = 'AuthorizationCode' order by created_at limit 1`,
    ])
    assert.ok(Number(answer!.rows[0]!['seconds']) <= 60)
  })

  it('accepts a resource only when the authorize request named it', async () => {
    const { given } = await obtainCode(service, client, owner, { resource: undefined })
    assert.deepEqual(await outcome(service, given), [400, 'invalid_target'])
    const { status, body } = await requestTokens(service, { ...given, resource: undefined })
    assert.equal(status, 200)
    assert.equal(decodeJwt(body.access_token).aud, RESOURCE)
    assert.deepEqual(
      await outcome(service, {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        client_id: client,
        resource: RESOURCE,
      }),
      [400, 'invalid_target'],
    )
  })

  it('of a loopback client works only with the port it was requested with', async () => {
    const own = await registerPublicClient(service, { redirect_uris: ['http://localhost/cb'] })
    const { given } = await obtainCode(service, own, owner, { redirect_uri: 'http://localhost:4711/cb' })
    assert.deepEqual(await outcome(service, { ...given, redirect_uri: 'http://localhost/cb' }), [400, 'invalid_grant'])
    assert.equal((await outcome(service, { ...given, redirect_uri: 'http://localhost:4711/cb' }))[0], 200)
  })
})

describe('POST /oauth/token', () => {
  it('rejects repeated parameters, other media types, large bodies and other grant types', async () => {
    const { given } = await obtainCode(service, client, owner)
    const doubled = new URLSearchParams(Object.entries(given))
    doubled.append('code', 'x')
    const post = async (body: string | URLSearchParams, headers: Record<string, string> = {}) => {
      const response = await service.fetch(`${ISSUER}/oauth/token`, { method: 'POST', body, headers })
      return [response.status, ((await response.json()) as { error: string }).error]
    }
    assert.deepEqual(await post(doubled), [400, 'invalid_request'])
    assert.deepEqual(await post(JSON.stringify(given), { 'content-type': 'application/json' }), [
      400,
      'invalid_request',
    ])
    assert.deepEqual(await post(new URLSearchParams({ ...given, padding: 'x'.repeat(100_000) })), [
      400,
      'invalid_request',
    ])
    for (const grant_type of [
      'password',
      'client_credentials',
      'implicit',
      'urn:ietf:params:oauth:grant-type:device_code',
    ]) {
      assert.deepEqual(await outcome(service, { grant_type, client_id: client }), [400, 'unsupported_grant_type'])
    }
    assert.deepEqual(await outcome(service, { grant_type: 'refresh_token', client_id: 'nobody', refresh_token: 'x' }), [
      401,
      'invalid_client',
    ])
    assert.deepEqual(await outcome(service, { grant_type: 'refresh_token', client_id: client, refresh_token: 'x' }), [
      400,
      'invalid_grant',
    ])
    assert.equal((await outcome(service, given))[0], 200)
  })

  it('allows CORS from any origin without credentials', async () => {
    const response = await service.fetch(`${ISSUER}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://inspector.example', 'access-control-request-method': 'POST' },
    })
    assert.deepEqual(
      [
        response.status,
        response.headers.get('access-control-allow-origin'),
        response.headers.get('access-control-allow-credentials'),
      ],
      [204, '*', null],
    )
  })
})

describe('token claims', () => {
  it('follow the grant record and the member', async () => {
    const office = await company.member('office')
    await obtainTokens(service, client, { user: office.id, tenant: company.tenant, areas: { Notes: 'view' } })
    assert.deepEqual(await service.port.claims(client, office.id), {
      tenant_id: company.tenant,
      scopes: ['read:notes'],
      role: 'office',
    })
    await changeMember(service.database, { tenant: company.tenant }, office.id, { role: 'tech' })
    assert.equal((await service.port.claims(client, office.id))?.role, 'tech')
    assert.equal(await service.port.claims('nobody', office.id), null)
  })
})
