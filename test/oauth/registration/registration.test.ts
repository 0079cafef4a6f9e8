import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import { CALLBACK, ISSUER, startAuthorizing, type AuthorizingService } from '../../harness/identity/authorization.ts'
import { register } from './register.ts'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing()
})
after(() => service.stop())

describe('a registered client', () => {
  it('is public, whatever it asks for', async () => {
    const { status, body } = await register(service, {
      client_name: 'Assistant',
      redirect_uris: [
        CALLBACK,
        'https://assistant.example/cb',
        'com.example.app:/back',
        'cursor://anysphere.cursor-mcp/oauth/callback',
      ],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'read:jobs admin',
      client_uri: 'https://assistant.example',
      jwks_uri: 'http://169.254.169.254/',
      client_secret: 'mine',
      allow_list: ['write:jobs'],
    })
    assert.equal(status, 201)
    assert.equal(body['token_endpoint_auth_method'], 'none')
    assert.deepEqual(body['grant_types'], ['authorization_code', 'refresh_token'])
    assert.equal(body['client_uri'], 'https://assistant.example')
    assert.equal(typeof body['client_id_issued_at'], 'number')
    for (const name of ['client_secret', 'scope', 'jwks_uri', 'allow_list', 'registration_access_token'])
      assert.ok(!(name in body), name)
    const [answer] = await service.database.send([
      sql`select kind, allow_list, secret_hash from oauth_clients where id = ${body['client_id']}`,
    ])
    assert.deepEqual(answer!.rows, [{ kind: 'registered', allow_list: null, secret_hash: null }])
  })

  it('has misleading characters removed from its name, which is cut to 100', async () => {
    const { body } = await register(service, {
      client_name: `  Claude\u202e\n\u0000 (official)${'x'.repeat(300)}`,
      redirect_uris: [CALLBACK],
    })
    assert.match(body['client_name'] as string, /^Claude \(official\)x+$/)
    assert.equal((body['client_name'] as string).length, 100)
    assert.equal((await register(service, { redirect_uris: [CALLBACK] })).body['client_name'], 'Unnamed client')
  })

  it('may use http on loopback, and up to ten redirect URIs', async () => {
    for (const uri of [
      'http://localhost/cb',
      'http://127.0.0.1:8080/cb',
      'http://[::1]:9/cb',
      'https://localhost:8443/cb',
      'https://a.example/cb?x=1',
    ]) {
      assert.equal((await register(service, { redirect_uris: [uri] })).status, 201, uri)
    }
    assert.equal(
      (await register(service, { redirect_uris: Array.from({ length: 10 }, (_, i) => `https://a.example/${i}`) }))
        .status,
      201,
    )
  })
})

describe('invalid_client_metadata', () => {
  it('is returned for anything but a JSON object of at most 16 kB with response type code', async () => {
    for (const body of ['', '[]', 'null', '{', '"text"'])
      assert.deepEqual(
        [(await register(service, body)).status, (await register(service, body)).body['error']],
        [400, 'invalid_client_metadata'],
        body,
      )
    assert.equal(
      (await register(service, 'redirect_uris=x', 'application/x-www-form-urlencoded')).body['error'],
      'invalid_client_metadata',
    )
    assert.equal(
      (await register(service, { redirect_uris: [CALLBACK], response_types: ['token'] })).body['error'],
      'invalid_client_metadata',
    )
    const large = await register(service, { redirect_uris: [CALLBACK], client_name: 'x'.repeat(17_000) })
    assert.deepEqual([large.status, large.body['error']], [413, 'invalid_client_metadata'])
  })

  it('rejects an endless body without a length', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(8_192).fill(32)),
    })
    const answer = await service
      .fetch(`${ISSUER}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: endless,
        duplex: 'half',
      })
      .then(
        ({ status }) => status,
        () => 'cut off',
      )
    assert.ok(answer === 413 || answer === 'cut off', String(answer))
  })
})

describe('the OAuth rate limits', () => {
  it("count by the connection's address and ignore X-Forwarded-For of an untrusted proxy", async () => {
    const strict = await startAuthorizing(
      { TRUSTED_PROXIES: '192.0.2.1' },
      { limits: { registrations: 2, documents: 2, authorize: 2, tokens: 2 } },
    )
    try {
      const statuses: number[] = []
      for (let i = 0; i < 4; i++) {
        const response = await strict.fetch(`${ISSUER}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i}` },
          body: JSON.stringify({ redirect_uris: [CALLBACK] }),
        })
        statuses.push(response.status)
        if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) > 0)
      }
      assert.deepEqual(statuses, [201, 201, 429, 429])
      for (const path of ['/oauth/authorize?client_id=x', '/oauth/token']) {
        const seen: number[] = []
        for (let i = 0; i < 5; i++)
          seen.push((await strict.fetch(ISSUER + path, { method: path.endsWith('token') ? 'POST' : 'GET' })).status)
        assert.equal(seen.at(-1), 429, path)
      }
    } finally {
      await strict.stop()
    }
  })
})
