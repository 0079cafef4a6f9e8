import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '../../src/identity/credentials/clients/clients.ts'
import {
  requestTokens,
  authorizeUrl,
  BASE,
  Browser,
  CALLBACK,
  challengeOf,
  obtainCode,
  ISSUER,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  verifierOf,
  type Asking,
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

const challenge = challengeOf(verifierOf())
const browser = () => new Browser(service.fetch)
const url = (more: Asking = {}) => authorizeUrl(client, challenge, more)

/** Returns the parameters of the redirect to the client, or undefined when a page is shown. */
async function calledBack(
  target: string,
): Promise<{ status: number; params: Record<string, string> | undefined; text: string }> {
  const response = await browser().get(target)
  const location = response.headers.get('location')
  return {
    status: response.status,
    params: location === null ? undefined : Object.fromEntries(new URL(location).searchParams),
    text: await response.text(),
  }
}

describe('scope and resource at /oauth/authorize', () => {
  it('accepts a missing, empty or unknown scope', async () => {
    for (const scope of [
      undefined,
      '',
      'read:jobs write:everything',
      'openid offline_access',
      'profile',
      'callout',
      '"\\',
    ]) {
      const { given } = await obtainCode(service, client, owner, { scope })
      const { status, body } = await requestTokens(service, given)
      assert.equal(status, 200, String(scope))
      assert.equal('id_token' in body, scope?.includes('openid') ?? false)
    }
  })

  it('ignores OpenID parameters without the openid scope', async () => {
    const { given } = await obtainCode(service, client, owner, { nonce: 'n', max_age: '60', acr_values: 'x' })
    assert.equal((await requestTokens(service, given)).status, 200)
  })

  it('uses our resource by default and rejects another with invalid_target', async () => {
    assert.equal(
      (
        await requestTokens(service, {
          ...(await obtainCode(service, client, owner, { resource: undefined })).given,
          resource: undefined,
        })
      ).status,
      200,
    )
    for (const resource of ['https://other.test/api/mcp', `${RESOURCE}/`, BASE, 'not a uri', `${RESOURCE}#x`]) {
      const { params } = await calledBack(url({ resource }))
      assert.deepEqual([params?.['error'], params?.['iss']], ['invalid_target', ISSUER], resource)
    }
    assert.equal(
      (await calledBack(`${url()}&resource=${encodeURIComponent('https://other.test/')}`)).params?.['error'],
      'invalid_target',
    )
  })
})

describe('an error page at /oauth/authorize', () => {
  it('tells the person to remove and add the connector again for an unknown client_id', async () => {
    const { status, params, text } = await calledBack(authorizeUrl('5c7b7b5e-0000-4000-8000-000000000000', challenge))
    assert.deepEqual([status, params], [400, undefined])
    assert.match(text, /remove/i)
    assert.match(text, /add/i)
    const response = await service.fetch(authorizeUrl('gone', challenge), {
      redirect: 'manual',
      headers: { accept: 'application/json' },
    })
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_client')
  })

  it("is shown for any redirect_uri that wasn't registered exactly", async () => {
    for (const redirect_uri of [
      'https://evil.test/callback',
      `${CALLBACK}/`,
      `${CALLBACK}?x=1`,
      'http://127.0.0.1:33418/',
      'http://localhost:33418/callback',
      'https://127.0.0.1:33418/callback',
      'http://127.0.0.1:33418/Callback',
      'http://127.0.0.1:33418@evil.test/callback',
      'http://127.0.0.1:33418/callback/../callback',
      'http://127.0.0.1:99999/callback',
      'http://127.0.0.1.evil.test:33418/callback',
      'javascript:alert(1)',
      undefined,
      '',
    ]) {
      const { status, params } = await calledBack(url({ redirect_uri }))
      assert.deepEqual([status, params], [400, undefined], String(redirect_uri))
    }
  })
})

describe('a loopback redirect_uri', () => {
  it('may differ only in its port', async () => {
    const own = await registerPublicClient(service, {
      redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]:1/cb', 'http://localhost:3000/cb'],
    })
    for (const redirect_uri of [
      'http://127.0.0.1:5555/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:5555/cb',
      'http://localhost:9/cb',
    ]) {
      assert.ok(
        (await calledBack(authorizeUrl(own, challenge, { redirect_uri }))).params?.['authorization_id'],
        redirect_uri,
      )
    }
    const web = await registerPublicClient(service, { redirect_uris: ['https://a.example:8443/cb'] })
    assert.equal(
      (await calledBack(authorizeUrl(web, challenge, { redirect_uri: 'https://a.example:9443/cb' }))).params,
      undefined,
    )
  })
})

describe('an invalid authorize request', () => {
  it('without PKCE S256 gets invalid_request for every client', async () => {
    const confidential = await createClient(service.database, {
      name: 'Back office',
      redirect_uris: [CALLBACK],
      allow_list: null,
    })
    for (const own of [client, confidential.id]) {
      for (const more of [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge_method: 'plain' },
        { code_challenge_method: undefined },
        { code_challenge: 'short' },
        { code_challenge: undefined },
      ]) {
        const { params } = await calledBack(authorizeUrl(own, challenge, more))
        assert.deepEqual([params?.['error'], params?.['iss']], ['invalid_request', ISSUER], JSON.stringify(more))
      }
    }
  })

  it('with a repeated parameter gets invalid_request', async () => {
    for (const again of [
      'state=x',
      'scope=openid&scope=email',
      'code_challenge=x',
      'response_type=code',
      'prompt=login&prompt=login',
    ]) {
      assert.equal((await calledBack(`${url()}&${again}`)).params?.['error'], 'invalid_request', again)
    }
    for (const again of [`client_id=${client}`, `redirect_uri=${encodeURIComponent('https://evil.test')}`]) {
      assert.equal((await calledBack(`${url()}&${again}`)).params, undefined, again)
    }
  })

  it('with another response type or mode, a request object, or prompt=none or create is rejected', async () => {
    for (const [more, error] of [
      [{ response_type: 'none' }, 'unsupported_response_type'],
      [{ response_type: 'token' }, 'invalid_request'],
      [{ response_type: 'code id_token' }, 'invalid_request'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ response_mode: 'form_post' }, 'invalid_request'],
      [{ request: 'x.y.z' }, 'request_not_supported'],
      [{ request_uri: 'https://evil.test/r' }, 'request_uri_not_supported'],
      [{ prompt: 'none' }, 'interaction_required'],
      [{ prompt: 'create' }, 'invalid_request'],
    ] as [Asking, string][]) {
      const response = await browser().get(url(more))
      const location = response.headers.get('location') ?? (await response.text())
      assert.match(location, new RegExp(`error=${error}|${error}`), JSON.stringify(more))
      assert.ok(!location.includes('evil'))
    }
  })
})
