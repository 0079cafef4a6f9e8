import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import {
  BASE,
  CALLBACK,
  ISSUER,
  registered,
  RESOURCE,
  startAuthorizing,
  type AuthorizingService,
} from '../harness/identity/authorizing.ts'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing()
})
after(() => service.stop())

type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

async function got(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await service.fetch(url, init)
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: response.headers,
  }
}

const posted = (body: unknown, type = 'application/json'): Promise<Answer> =>
  got(`${ISSUER}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

describe('discovery', () => {
  it('describes the resource at both of its addresses', async () => {
    for (const path of ['', '/api/mcp']) {
      const { status, body, headers } = await got(`${BASE}/.well-known/oauth-protected-resource${path}`)
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

  it('describes the issuer under it, at the place of RFC 8414 and as OpenID Connect', async () => {
    const urls = [
      `${ISSUER}/.well-known/oauth-authorization-server`,
      `${BASE}/.well-known/oauth-authorization-server/auth/v1`,
      `${ISSUER}/.well-known/openid-configuration`,
      `${BASE}/.well-known/openid-configuration/auth/v1`,
    ]
    const answers = await Promise.all(urls.map((url) => got(url)))
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

  it('publishes ES256 keys without their private part', async () => {
    const { body } = await got(`${ISSUER}/.well-known/jwks.json`)
    const keys = body['keys'] as Record<string, unknown>[]
    assert.equal(keys.length, 1)
    assert.deepEqual(Object.keys(keys[0]!).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    assert.equal(keys[0]!['alg'], 'ES256')
  })

  it('answers JSON 404 for whatever else is asked of /.well-known/', async () => {
    for (const path of [
      'oauth-authorization-server',
      'openid-configuration',
      'oauth-protected-resource/elsewhere',
      'security.txt',
      '',
    ]) {
      const { status, body } = await got(`${BASE}/.well-known/${path}`)
      assert.deepEqual([status, body['error']], [404, 'not_found'], path)
    }
    assert.equal((await got(`${ISSUER}/.well-known/nothing`)).status, 404)
    assert.equal((await got(`${ISSUER}/oauth/nothing`)).status, 404)
    assert.equal((await got(`${ISSUER}/oauth/authorize/:id`)).status, 404)
    assert.equal((await got(`${ISSUER}/oauth/token`)).status, 405)
  })

  it('is not steered by Host or forwarding headers', async () => {
    const { request } = await import('node:http')
    const { port } = new URL(service.origin)
    const spoofed = (path: string) =>
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
    const client = await registered(service)
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
      ].map(spoofed),
    )
    for (const answer of answers) assert.ok(!answer.includes('evil'), answer)
    assert.match(answers[2]!, /https:\/\/callout\.test\/oauth\/consent\?authorization_id=/)
    assert.match(answers[2]!, /__Host-callout_browser=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure/)
  })
})

describe('registered', () => {
  it('is public, whatever it asks for', async () => {
    const { status, body } = await posted({
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

  it('gets its name without what could mislead', async () => {
    const { body } = await posted({
      client_name: `  Claude\u202e\n\u0000 (official)${'x'.repeat(300)}`,
      redirect_uris: [CALLBACK],
    })
    assert.match(body['client_name'] as string, /^Claude \(official\)x+$/)
    assert.equal((body['client_name'] as string).length, 100)
    assert.equal((await posted({ redirect_uris: [CALLBACK] })).body['client_name'], 'Unnamed client')
  })

  it('takes plain http on each spelling of loopback and ten addresses', async () => {
    for (const uri of [
      'http://localhost/cb',
      'http://127.0.0.1:8080/cb',
      'http://[::1]:9/cb',
      'https://localhost:8443/cb',
      'https://a.example/cb?x=1',
    ]) {
      assert.equal((await posted({ redirect_uris: [uri] })).status, 201, uri)
    }
    assert.equal(
      (await posted({ redirect_uris: Array.from({ length: 10 }, (_, i) => `https://a.example/${i}`) })).status,
      201,
    )
  })
})

describe('the scheme of an app', () => {
  const OF_APPS = [
    'com.example.fieldhand:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'vscode-insiders://callout.example/callback',
    'claude://oauth/callback',
    'msal0f3c:/auth',
    'msauth.com.example.app://auth',
    'msteams://auth',
    'zed://mcp/oauth',
    'x-fieldhand://callback',
    'chromeless:/cb',
    'searchlight:/cb',
    'edgewise://cb',
    'steam-helper:/cb',
    'org.smb.client:/cb',
  ]
  for (const uri of OF_APPS) {
    it(`is taken: ${uri}`, async () => {
      const { status, body } = await posted({ redirect_uris: [uri] })
      assert.deepEqual([status, body['redirect_uris']], [201, [uri]])
    })
  }
})

describe('invalid_redirect_uri', () => {
  const HOSTILE = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://a.example/1',
    'about:blank',
    'https://a.example/cb#fragment',
    'https://a.example/cb#',
    'https://user@a.example/cb',
    'https://user:pass@a.example/cb',
    'https://@a.example/cb',
    'https://*.example/cb',
    'https://*/cb',
    'urn:ietf:wg:oauth:2.0:oob',
    'urn:ietf:wg:oauth:2.0:oob:auto',
    'http://a.example/cb',
    'http://127.0.0.1.a.example/cb',
    'http://localhost.a.example/',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://[::ffff:127.0.0.1]/cb',
    '/relative',
    'relative',
    '',
    ' https://a.example/',
    'https://a.example/ ',
    'https://a.example/\ncb',
    'https://a.example\\@b.example/',
    'https://a.example/a/../b',
    'https://a.example/%2e%2e/b',
    'https:a.example',
    'https:///a.example/cb',
    'https://ä.example/',
    'ws://a.example',
    'mailto:a@b.example',
    `https://a.example/${'x'.repeat(2_000)}`,
    '//a.example/cb',
    'com.example.app://user@host/cb',
    'smb://a.example/share',
    'SMB://a.example/share',
    'ssh://a.example',
    'ldap://a.example/cn=x',
    'intent://a.example/',
    'ms-msdt:/id',
    'ms-settings:privacy',
    'ms-officecmd:x',
    'search-ms:query=x',
    'search:query=x',
    'shell:startup',
    'chrome://settings',
    'jar:https://a.example/x.jar!/',
    'market://details?id=x',
    'view-source:https://a.example/',
    'ftp://a.example/x',
    'sftp://a.example/x',
    'telnet://a.example',
    'tel:+15125550143',
    'sms:+15125550143',
    'geo:1,2',
    'rdp://a.example',
    'vnc://a.example',
    'afp://a.example/x',
    'itms-services://?action=download-manifest',
    'x-apple.systempreferences:com.apple.preference',
    'resource://x/y',
    'edge://settings',
  ]
  for (const uri of HOSTILE) {
    it(`refuses ${uri.slice(0, 60) || 'an empty one'}`, async () => {
      const { status, body } = await posted({ redirect_uris: [CALLBACK, uri] })
      assert.deepEqual([status, body['error']], [400, 'invalid_redirect_uri'])
    })
  }

  it('refuses none, more than ten and others than texts', async () => {
    for (const uris of [
      undefined,
      [],
      Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`),
      'https://a.example',
      [7],
      [null],
      { 0: CALLBACK },
    ]) {
      const { status, body } = await posted({ redirect_uris: uris })
      assert.deepEqual([status, body['error']], [400, 'invalid_redirect_uri'], JSON.stringify(uris))
    }
  })
})

describe('invalid_client_metadata', () => {
  it('refuses what is no JSON object, or larger than 16 kB', async () => {
    for (const body of ['', '[]', 'null', '{', '"text"'])
      assert.deepEqual(
        [(await posted(body)).status, (await posted(body)).body['error']],
        [400, 'invalid_client_metadata'],
        body,
      )
    assert.equal(
      (await posted('redirect_uris=x', 'application/x-www-form-urlencoded')).body['error'],
      'invalid_client_metadata',
    )
    assert.equal(
      (await posted({ redirect_uris: [CALLBACK], response_types: ['token'] })).body['error'],
      'invalid_client_metadata',
    )
    const large = await posted({ redirect_uris: [CALLBACK], client_name: 'x'.repeat(17_000) })
    assert.deepEqual([large.status, large.body['error']], [413, 'invalid_client_metadata'])
  })

  it('reads no further than 16 kB of a body without a length', async () => {
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

describe('rate_limited', () => {
  it('counts registrations by the address of the connection', async () => {
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
