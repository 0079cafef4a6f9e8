import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it, mock } from 'node:test'
import { exportJWK, generateKeyPair, importJWK, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose'
import { remoteKeys } from '../../src/identity/credentials/tokens/jwks.ts'
import {
  listSigningKeys,
  openKeyring,
  publicPart,
  rotateSigningKey,
  signerOf,
} from '../../src/identity/credentials/tokens/signing_keys.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  requestTokens,
  obtainTokens,
  BASE,
  callTool,
  ISSUER,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorizing.ts'
import { makeCompany, type Company } from '../harness/harness.ts'

let service: AuthorizingService
let company: Company
let client: string
let owner: Deciding
let claims: JWTPayload
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
  client = await registerPublicClient(service)
  owner = { user: company.owner.id, tenant: company.tenant }
  const { access_token } = await obtainTokens(service, client, owner)
  claims = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()) as JWTPayload
})
after(() => service.stop())

type Forging = { claims?: JWTPayload; header?: object; key?: CryptoKey }

/** Returns a token signed with our own key, with something about it changed. */
async function forgeToken({ claims: more = {}, header = {}, key }: Forging = {}): Promise<string> {
  const own = signerOf(await listSigningKeys(service.database, service.dataKeys))
  const payload = Object.fromEntries(Object.entries({ ...claims, ...more }).filter(([, value]) => value !== undefined))
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: own.kid, ...header })
    .sign(key ?? (await importJWK(own.jwk, 'ES256')))
}

async function outcome(token: string): Promise<[number, unknown]> {
  const { status, body, headers } = await callTool(service, token)
  if (status === 401) {
    assert.match(
      headers.get('www-authenticate')!,
      new RegExp(`^Bearer resource_metadata="${BASE}/\\.well-known/oauth-protected-resource", error="invalid_token"`),
    )
    assert.ok(typeof body['error_description'] === 'string')
  }
  return [status, body['error']]
}

describe('ok', () => {
  it('takes a token of ours, again and again', async () => {
    const token = await forgeToken()
    for (let i = 0; i < 3; i++) assert.deepEqual(await outcome(token), [200, undefined])
  })

  it('counts an unknown role as tech', async () => {
    const token = await forgeToken({ claims: { role: 'superuser' } })
    const { body } = await callTool(service, token, 'catalog_items_create', {
      kind: 'service',
      name: 'X',
      unit_price_cents: 9,
      cost_cents: 5,
    })
    assert.match(JSON.stringify(body), /cost/)
  })

  it('gives no more than the grant, whatever the token says', async () => {
    const own = await registerPublicClient(service)
    await obtainTokens(service, own, { ...owner, areas: { Notes: 'view' } })
    const [answer] = await service.database.send([sql`select id from oauth_authorizations where client_id = ${own}`])
    const token = await forgeToken({ claims: { client_id: own, sid: String(answer!.rows[0]!['id']) } })
    assert.match(JSON.stringify((await callTool(service, token)).body), /insufficient_scope/)
    assert.ok(!JSON.stringify((await callTool(service, token, 'notes_list')).body).includes('insufficient_scope'))
  })
})

describe('invalid_token', () => {
  it('turns away every token that is not exactly ours', async () => {
    const stranger = await generateKeyPair('ES256')
    const other = await makeCompany(service)
    const id = '5c7b7b5e-0000-4000-8000-000000000000'
    const cases: Record<string, Forging> = {
      issuer: { claims: { iss: 'https://evil.test' } },
      'issuer with a slash': { claims: { iss: `${ISSUER}/` } },
      audience: { claims: { aud: BASE } },
      'no audience': { claims: { aud: undefined as never } },
      'no expiry': { claims: { exp: undefined as never } },
      type: { header: { typ: 'JWT' } },
      'unknown kid': { header: { kid: 'nobody' } },
      'no kid': { header: { kid: undefined } },
      'another key': { key: stranger.privateKey },
      'another user': { claims: { sub: id } },
      'another session': { claims: { sid: id } },
      'no session': { claims: { sid: undefined } },
      'another client': { claims: { client_id: 'other' } },
      'another tenant': { claims: { tenant_id: other.tenant } },
      'scopes as text': { claims: { scopes: 'read:customers' } },
      'a tenant that is no id': { claims: { tenant_id: "' or 1=1" } },
      'not before': { claims: { nbf: Date.now() } },
    }
    for (const [name, forging] of Object.entries(cases))
      assert.deepEqual(await outcome(await forgeToken(forging)), [401, 'invalid_token'], name)
  })

  it('takes no other algorithm', async () => {
    const own = signerOf(await listSigningKeys(service.database, service.dataKeys))
    const publicText = JSON.stringify(publicPart(own))
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: own.kid })
      .sign(new TextEncoder().encode(publicText))
    const rsa = await generateKeyPair('RS256')
    const rs256 = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: own.kid })
      .sign(rsa.privateKey)
    const none = new UnsecuredJWT(claims).encode()
    const [header, payload, signature] = (await forgeToken()).split('.') as [string, string, string]
    const changed = Buffer.from(JSON.stringify({ ...claims, role: 'owner', scopes: [] })).toString('base64url')
    for (const token of [
      confused,
      rs256,
      none,
      `${none}x`,
      `${header}.${changed}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      'eyJ.x.y',
      'x',
    ]) {
      assert.deepEqual(await outcome(token), [401, 'invalid_token'], token.slice(0, 40))
    }
  })

  it('is no refresh token, code or id token', async () => {
    const tokens = await obtainTokens(service, client, owner)
    assert.deepEqual(await outcome(tokens.refresh_token), [401, 'invalid_token'])
    assert.deepEqual(await outcome(await forgeToken({ header: { typ: undefined }, claims: { aud: client } })), [
      401,
      'invalid_token',
    ])
  })
})

describe('expired', () => {
  it('is said of a token that was good until then', async ({ mock }) => {
    const now = Math.floor(Date.now() / 1000)
    assert.deepEqual(await outcome(await forgeToken({ claims: { exp: now - 1 } })), [401, 'expired'])
    const token = await forgeToken({ claims: { exp: now + 600 } })
    assert.deepEqual(await outcome(token), [200, undefined])
    mock.timers.enable({ apis: ['Date'], now: (now + 601) * 1_000 })
    assert.deepEqual(await outcome(token), [401, 'expired'])
  })
})

describe('wrong_tenant', () => {
  it('is said when X-Tenant-Id names another', async () => {
    const response = await service.fetch(RESOURCE, {
      method: 'POST',
      headers: { authorization: `Bearer ${await forgeToken()}`, 'x-tenant-id': '5c7b7b5e-0000-4000-8000-000000000000' },
    })
    assert.deepEqual([response.status, ((await response.json()) as { error: string }).error], [403, 'wrong_tenant'])
  })
})

describe('rotation of the signing key', () => {
  it('publishes a key before it signs, and old tokens stay valid', async () => {
    const before = await obtainTokens(service, client, owner)
    const added = await rotateSigningKey(service.database, service.dataKeys)
    assert.ok(Date.parse(added.signs_from) - Date.now() > 9 * 60_000)
    const fresh = openKeyring(service.database, service.dataKeys)
    assert.deepEqual((await fresh.keys()).map(({ kid }) => kid).includes(added.kid), true)
    assert.notEqual(signerOf(await fresh.keys()).kid, added.kid)
    await service.database.send([sql`update signing_keys set signs_from = moment() where kid = ${added.kid}`])
    const restarted = await startSecond()
    // The first process reads its keys again after a minute.
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
    const published = await service
      .fetch(`${ISSUER}/.well-known/jwks.json`)
      .then((answer) => answer.json() as Promise<{ keys: { kid: string }[] }>)
      .finally(() => mock.timers.reset())
    assert.ok(published.keys.some(({ kid }) => kid === added.kid))
    try {
      const { given } = await import('../harness/identity/authorizing.ts').then(({ obtainCode: coded }) =>
        coded(service, client, owner),
      )
      const answer = await restarted.fetch(`${ISSUER}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(given),
      })
      const { access_token } = (await answer.json()) as { access_token: string }
      assert.equal(JSON.parse(Buffer.from(access_token.split('.')[0]!, 'base64url').toString()).kid, added.kid)
      for (const token of [access_token, before.access_token]) {
        assert.equal((await callTool({ ...service, fetch: restarted.fetch }, token)).status, 200)
        assert.equal((await callTool(service, token)).status, 200)
      }
    } finally {
      await restarted.stop()
    }
  })

  /** Starts another process on the same database, which sees the keys as they are now. */
  async function startSecond() {
    const { startService } = await import('../../src/start/service.ts')
    const { default: pino } = await import('pino')
    const second = await startService(service.config, service.database, pino({ level: 'silent' }), null)
    const origin = `http://127.0.0.1:${second.port}`
    return {
      fetch: ((url: string, init?: RequestInit) =>
        fetch(url.replace(BASE, origin), init)) as AuthorizingService['fetch'],
      stop: () => second.stop(0),
    }
  }
})

describe('an issuer elsewhere', () => {
  let server: Server
  let state: 'up' | 'down' | 'endless' = 'up'
  let poured = 0
  let asks = 0
  let broken: unknown[] = []
  let pair: { publicKey: CryptoKey; privateKey: CryptoKey }
  let elsewhere: AuthorizingService
  let issuer: string
  before(async () => {
    pair = await generateKeyPair('ES256', { extractable: true })
    const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'far', use: 'sig', alg: 'ES256' }]
    server = createServer((_req, res) => {
      asks++
      if (state === 'down') res.writeHead(503).end()
      else if (state === 'endless') pour(res)
      else
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [...broken, ...keys] }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`
    elsewhere = await startAuthorizing({ AUTH_URL: issuer })
  })
  after(async () => {
    await elsewhere.stop()
    server.close()
  })

  /** Sends a key set until the client closes the connection. */
  function pour(res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'application/json' }).write('{"keys":[')
    const more = (): void => {
      if (res.destroyed) return
      poured += 2 ** 16
      if (res.write(' '.repeat(2 ** 16))) setImmediate(more)
      else res.once('drain', more)
    }
    more()
  }

  it('is named by the resource, and ours is gone', async () => {
    const response = await elsewhere.fetch(`${BASE}/.well-known/oauth-protected-resource`)
    assert.deepEqual(((await response.json()) as { authorization_servers: string[] }).authorization_servers, [issuer])
    assert.equal((await elsewhere.fetch(`${BASE}/.well-known/oauth-authorization-server/auth/v1`)).status, 404)
    assert.equal((await elsewhere.fetch(`${ISSUER}/.well-known/jwks.json`)).status, 404)
  })

  it("answers 503 with Retry-After, never 401, while its keys can't be read", async () => {
    state = 'down'
    const token = await new SignJWT({ ...claims, iss: issuer })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'far' })
      .sign(pair.privateKey)
    const { status, body, headers } = await callTool(elsewhere, token)
    assert.deepEqual([status, body['error']], [503, 'unavailable'])
    assert.ok(Number(headers.get('retry-after')) > 0)
    state = 'up'
  })

  it('has its keys read once, again for an unknown kid after a pause, and kept while it is away', async () => {
    let now = 0
    asks = 0
    const keys = remoteKeys(`${issuer}/jwks`, () => now)
    assert.deepEqual(
      (await Promise.all(Array.from({ length: 20 }, () => keys('far')))).map((key) => key !== undefined),
      Array<boolean>(20).fill(true),
    )
    assert.equal(asks, 1)
    for (let i = 0; i < 5; i++) assert.equal(await keys('new'), undefined)
    assert.equal(asks, 1)
    now += 31_000
    assert.equal(await keys('new'), undefined)
    assert.equal(asks, 2)
    state = 'down'
    now += 700_000
    assert.ok(await keys('far'))
    for (let i = 0; i < 20; i++) await assert.rejects(keys(`new${i}`))
    assert.ok(await keys('far'))
    assert.equal(asks, 3)
    state = 'up'
  })

  it('is not read from a set without end', async () => {
    state = 'endless'
    await assert.rejects(remoteKeys(`${issuer}/jwks`)('far'), /could not be read/)
    assert.ok(poured < 64 * 2 ** 20, String(poured))
    state = 'up'
  })

  it('is taken beside a broken key in its set, which is passed over', async () => {
    broken = [
      { kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' },
      { kty: 'EC', crv: 'P-256', kid: 'bare' },
      { kty: 'EC', crv: 'P-256', kid: 7, x: 'AA', y: 'AA' },
      null,
      'key',
      [],
    ]
    let now = 0
    asks = 0
    const keys = remoteKeys(`${issuer}/jwks`, () => now)
    assert.ok(await keys('far'))
    for (const kid of ['broken', 'bare', 'new']) assert.equal(await keys(kid), undefined, kid)
    assert.equal(asks, 1)
    now += 31_000
    assert.equal(await keys('broken'), undefined)
    assert.equal(asks, 2)
    broken = []
  })
})

describe('the surface', () => {
  it('is found from the 401', async () => {
    const response = await service.fetch(RESOURCE, { method: 'POST' })
    assert.equal(response.status, 401)
    assert.equal(
      response.headers.get('www-authenticate'),
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource"`,
    )
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_token')
    assert.equal(
      (await requestTokens(service, { grant_type: 'refresh_token', refresh_token: 'x', client_id: client })).status,
      400,
    )
  })
})
