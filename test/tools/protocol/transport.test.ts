import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../../src/platform/config/config.ts'
import { toolHeaders } from '../../harness/http.ts'
import {
  BASE,
  challengeOf,
  ISSUER,
  RESOURCE,
  authorizeUrl,
  registerPublicClient,
  startAuthorizing,
  verifierOf,
  type AuthorizingService,
} from '../../harness/identity/authorization.ts'
import { makeCompany } from '../../harness/harness.ts'
import { startSite } from '../../harness/web_client.ts'

let service: AuthorizingService
before(async () => {
  service = await startAuthorizing()
})
after(() => service.stop())

/** Returns all bytes of a server's response to an invalid request. */
async function sendBytes(origin: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(bytes)
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text
}

const strict = (response: Response): string | null => response.headers.get('strict-transport-security')

describe('Strict-Transport-Security', () => {
  it('is set on every response of an https service', async () => {
    const { owner } = await makeCompany(service)
    const json = { 'content-type': 'application/json' }
    const list = {
      method: 'POST',
      headers: toolHeaders(owner.key),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }
    const authorize = authorizeUrl(await registerPublicClient(service), challengeOf(verifierOf()))
    const asks: [string, number, RequestInit?][] = [
      [`${BASE}/sign-in`, 200],
      [`${BASE}/sign-in`, 200, { method: 'HEAD' }],
      [`${BASE}/`, 200],
      [`${BASE}/nothing`, 404],
      [`${BASE}/sign-in`, 403, { method: 'POST' }],
      [`${BASE}/oauth/consent?authorization_id=none`, 410],
      [RESOURCE, 401, { method: 'POST' }],
      [RESOURCE, 200, list],
      [`${BASE}/.well-known/oauth-protected-resource`, 200],
      [`${BASE}/.well-known/oauth-authorization-server/auth/v1`, 200],
      [`${BASE}/.well-known/nothing`, 404],
      [`${ISSUER}/.well-known/jwks.json`, 200],
      [`${ISSUER}/oauth/token`, 400, { method: 'POST', body: new URLSearchParams({ grant_type: 'x' }) }],
      [`${ISSUER}/oauth/token`, 405],
      [`${ISSUER}/oauth/token`, 204, { method: 'OPTIONS' }],
      [`${ISSUER}/oauth/nothing`, 404],
      [`${ISSUER}/oauth/register`, 400, { method: 'POST', headers: json, body: '{}' }],
      [authorize, 303],
      [`${ISSUER}/oauth/authorize?client_id=none`, 400],
      [`${ISSUER}/oauth/authorize/none?resume=none`, 410],
      [`${BASE}/api/webhooks/payments/platform`, 415, { method: 'POST', body: '{}' }],
      [`${BASE}/health`, 200],
      [`${BASE}/health/live`, 200],
      [`${BASE}/health/ready`, 200],
    ]
    const said = await Promise.all(
      asks.map(async ([url, , init]) => {
        const response = await service.fetch(url, { redirect: 'manual', ...init })
        await response.body?.cancel()
        return [url, response.status, strict(response)]
      }),
    )
    assert.deepEqual(
      said,
      asks.map(([url, status]) => [url, status, 'max-age=31536000']),
    )
  })

  it('is set on responses to requests that the HTTP parser rejects', async () => {
    const long = `x-long: ${'x'.repeat(20_000)}`
    for (const [sent, status] of [
      ['nonsense', 400],
      ['GET / HTTP/1.1\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: callout.test\r\nbroken header\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: callout.test\r\n${long}\r\n\r\n`, 431],
      ['POST / HTTP/1.1\r\nHost: callout.test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: callout.test\r\nExpect: a miracle\r\n\r\n', 417],
    ] as const) {
      const answer = await sendBytes(service.origin, `${sent}\r\n\r\n`)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), sent.slice(0, 60))
      assert.match(answer, /\r\nStrict-Transport-Security: max-age=31536000\r\n/i, sent.slice(0, 60))
    }
  })

  it('includes subdomains if HSTS_SUBDOMAINS is yes', async () => {
    const wide = await startAuthorizing({ HSTS_SUBDOMAINS: 'yes' })
    assert.equal(strict(await wide.fetch(`${BASE}/sign-in`)), 'max-age=31536000; includeSubDomains')
    await wide.stop()
    assert.throws(() => readConfig({ HSTS_SUBDOMAINS: 'true' }), /HSTS_SUBDOMAINS must be one of no, yes/)
  })

  it('is not set by an http service', async () => {
    const site = await startSite()
    for (const path of ['/sign-in', '/health/live', '/.well-known/oauth-protected-resource']) {
      assert.equal(strict(await fetch(new URL(path, site.config.baseUrl))), null, path)
    }
    assert.doesNotMatch(await sendBytes(site.config.baseUrl, 'nonsense\r\n\r\n'), /Strict-Transport/)
    await site.stop()
  })
})
