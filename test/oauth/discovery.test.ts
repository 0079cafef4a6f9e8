import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  BASE,
  CALLBACK,
  ISSUER,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  type AuthorizingService,
} from '../harness/identity/authorization.ts'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing()
})
after(() => service.stop())

async function get(url: string) {
  const response = await service.fetch(url)
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: response.headers,
  }
}

describe('discovery', () => {
  it('serves the protected resource metadata at both addresses', async () => {
    for (const path of ['', '/api/mcp']) {
      const { status, body, headers } = await get(`${BASE}/.well-known/oauth-protected-resource${path}`)
      assert.equal(status, 200)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.deepEqual(body, {
        resource: RESOURCE,
        authorization_servers: [ISSUER],
        bearer_methods_supported: ['header'],
        resource_documentation: `${BASE}/docs`,
      })
    }
  })

  it('serves the same issuer metadata at all four well-known URLs', async () => {
    const urls = [
      `${ISSUER}/.well-known/oauth-authorization-server`,
      `${BASE}/.well-known/oauth-authorization-server/auth/v1`,
      `${ISSUER}/.well-known/openid-configuration`,
      `${BASE}/.well-known/openid-configuration/auth/v1`,
    ]
    const answers = await Promise.all(urls.map((url) => get(url)))
    for (const { status, body } of answers) {
      assert.equal(status, 200)
      assert.deepEqual(body, answers[0]!.body)
    }
    const { body } = answers[0]!
    assert.equal(body['issuer'], ISSUER)
    assert.equal(body['authorization_endpoint'], `${ISSUER}/oauth/authorize`)
    assert.equal(body['token_endpoint'], `${ISSUER}/oauth/token`)
    assert.equal(body['registration_endpoint'], `${ISSUER}/oauth/register`)
    assert.equal(body['revocation_endpoint'], `${ISSUER}/oauth/revoke`)
    assert.equal(body['jwks_uri'], `${ISSUER}/.well-known/jwks.json`)
    assert.deepEqual(body['scopes_supported'], ['openid', 'email'])
    assert.deepEqual(body['code_challenge_methods_supported'], ['S256'])
    assert.equal(body['client_id_metadata_document_supported'], true)
    assert.equal(body['authorization_response_iss_parameter_supported'], true)
  })

  it('publishes ES256 keys without the private part', async () => {
    const { body } = await get(`${ISSUER}/.well-known/jwks.json`)
    const keys = body['keys'] as Record<string, unknown>[]
    assert.equal(keys.length, 1)
    assert.deepEqual(Object.keys(keys[0]!).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    assert.equal(keys[0]!['alg'], 'ES256')
  })

  it('returns 404 for unknown paths and 405 for a wrong method', async () => {
    for (const path of [
      'oauth-authorization-server',
      'openid-configuration',
      'oauth-protected-resource/elsewhere',
      'security.txt',
      '',
    ]) {
      const { status, body } = await get(`${BASE}/.well-known/${path}`)
      assert.deepEqual([status, body['error']], [404, 'not_found'], path)
    }
    assert.equal((await get(`${ISSUER}/.well-known/nothing`)).status, 404)
    assert.equal((await get(`${ISSUER}/oauth/nothing`)).status, 404)
    assert.equal((await get(`${ISSUER}/oauth/authorize/:id`)).status, 404)
    assert.equal((await get(`${ISSUER}/oauth/token`)).status, 405)
  })

  it("isn't affected by Host or forwarded headers", async () => {
    const { request } = await import('node:http')
    const { port } = new URL(service.origin)
    const sendSpoofed = (path: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = {
          host: 'evil.test',
          'x-forwarded-host': 'evil.test',
          'x-forwarded-proto': 'http',
          forwarded: 'host=evil.test',
        }
        request({ host: '127.0.0.1', port, path, headers }, async (res) => {
          let text = JSON.stringify(res.headers)
          for await (const chunk of res) text += String(chunk)
          resolve(text)
        })
          .on('error', reject)
          .end()
      })
    const client = await registerPublicClient(service)
    const query = new URLSearchParams({
      client_id: client,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const answers = await Promise.all(
      [
        '/.well-known/oauth-protected-resource',
        '/auth/v1/.well-known/oauth-authorization-server',
        `/auth/v1/oauth/authorize?${query.toString()}`,
        '/auth/v1/oauth/authorize?client_id=nobody',
        '/api/mcp',
      ].map(sendSpoofed),
    )
    for (const answer of answers) assert.ok(!answer.includes('evil'), answer)
    assert.match(answers[2]!, /https:\/\/callout\.test\/oauth\/consent\?authorization_id=/)
    assert.match(answers[2]!, /__Host-callout_browser=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure/)
  })
})
