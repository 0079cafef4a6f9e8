import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { generateKeyPair, importJWK, SignJWT, UnsecuredJWT, type CryptoKey, type JWTPayload } from 'jose'
import { listSigningKeys, publicPart, signerOf } from '../../src/identity/credentials/tokens/signing_keys.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  requestTokens,
  obtainCode,
  obtainTokens,
  BASE,
  callTool,
  ISSUER,
  registerPublicClient,
  RESOURCE,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany } from '../harness/harness.ts'
import { openTokenScene } from './token_scene.ts'

let service: AuthorizingService
let client: string
let owner: Deciding
let claims: JWTPayload
before(async () => {
  ;({ service, client, owner, claims } = await openTokenScene())
})
after(() => service.stop())

type Forging = { claims?: JWTPayload; header?: object; key?: CryptoKey }

/** Returns a token signed with our own key, with some part changed. */
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

describe('a valid access token', () => {
  it('is accepted repeatedly', async () => {
    const token = await forgeToken()
    for (let i = 0; i < 3; i++) assert.deepEqual(await outcome(token), [200, undefined])
  })

  it("with an unknown role has only a tech's rights", async () => {
    const token = await forgeToken({ claims: { role: 'superuser' } })
    const { body } = await callTool(service, token, 'catalog_items_create', {
      kind: 'service',
      name: 'X',
      unit_price_cents: 9,
      cost_cents: 5,
    })
    assert.match(JSON.stringify(body), /cost/)
  })

  it('gives no more than the grant, even when its claims say more', async () => {
    const own = await registerPublicClient(service)
    await obtainTokens(service, own, { ...owner, areas: { Notes: 'view' } })
    const [answer] = await service.database.send([sql`select id from oauth_authorizations where client_id = ${own}`])
    const token = await forgeToken({ claims: { client_id: own, sid: String(answer!.rows[0]!['id']) } })
    assert.match(JSON.stringify((await callTool(service, token)).body), /insufficient_scope/)
    assert.ok(!JSON.stringify((await callTool(service, token, 'notes_list')).body).includes('insufficient_scope'))
  })
})

describe('401 invalid_token', () => {
  it('for a token with any wrong claim, header or key', async () => {
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

  it('for another algorithm or a changed signature', async () => {
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

  it('for a refresh token, an ID token or an authorization code', async () => {
    const { given } = await obtainCode(service, client, owner)
    assert.deepEqual(await outcome(given.code), [401, 'invalid_token'])
    const { status, body: tokens } = await requestTokens(service, given)
    assert.equal(status, 200)
    assert.deepEqual(await outcome(tokens.refresh_token), [401, 'invalid_token'])
    assert.deepEqual(await outcome(await forgeToken({ header: { typ: undefined }, claims: { aud: client } })), [
      401,
      'invalid_token',
    ])
  })
})

describe('401 expired', () => {
  it('for a token that was valid until it expired', async ({ mock }) => {
    const now = Math.floor(Date.now() / 1000)
    assert.deepEqual(await outcome(await forgeToken({ claims: { exp: now - 1 } })), [401, 'expired'])
    const token = await forgeToken({ claims: { exp: now + 600 } })
    assert.deepEqual(await outcome(token), [200, undefined])
    mock.timers.enable({ apis: ['Date'], now: (now + 601) * 1_000 })
    assert.deepEqual(await outcome(token), [401, 'expired'])
  })
})

describe('403 wrong_tenant', () => {
  it('when X-Tenant-Id names another tenant', async () => {
    const response = await service.fetch(RESOURCE, {
      method: 'POST',
      headers: { authorization: `Bearer ${await forgeToken()}`, 'x-tenant-id': '5c7b7b5e-0000-4000-8000-000000000000' },
    })
    assert.deepEqual([response.status, ((await response.json()) as { error: string }).error], [403, 'wrong_tenant'])
  })
})

describe('the authorization server', () => {
  it('can be found from the 401 response of the resource', async () => {
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
