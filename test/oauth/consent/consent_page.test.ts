import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, removeClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { CALLBACK, startConsenting, type Consenting } from '../../harness/identity/consent.ts'
import { askConsent, newBrowser, type BrowserResponse } from '../../harness/web_client.ts'

let service: Consenting['service']
let north: Consenting['north']
let register: Consenting['register']
let openRequest: Consenting['openRequest']
let decide: Consenting['decide']
let follow: Consenting['follow']
before(async () => {
  ;({ service, north, register, openRequest, decide, follow } = await startConsenting())
})
after(() => service.stop())

describe('the client on the consent page', () => {
  it('is shown as escaped text, with its host and how it was registered', async () => {
    const client = await register('"><script>alert(1)</script>')
    const { browser, path } = await openRequest(undefined, { client })
    const { text } = await browser.get(path)
    assert.ok(text.includes('<bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>'))
    assert.ok(!text.includes('<script'))
    assert.match(text, /It registered itself\. Nobody has checked this name\.[^]*<dd>assistant\.example</)
    assert.doesNotMatch(text, /Did you start this yourself/)
  })

  it('is shown whatever odd parameters it sends', async () => {
    for (const odd of ['a\0b', '\ud800', 'a%00b'])
      for (const more of [
        { login_hint: odd, ui_locales: odd },
        { scope: 'openid', nonce: odd, claims_locales: odd },
      ]) {
        const { browser, path, id, client } = await openRequest(undefined, { more: { ...more, state: odd } })
        assert.equal((await browser.get(path)).status, 200)
        const answered = await follow(browser, await decide(browser, id, 'deny'))
        assert.deepEqual(
          [answered.searchParams.get('error'), answered.searchParams.get('state')],
          ['access_denied', odd.toWellFormed()],
          client,
        )
      }
  })

  it('is shown as added by the company that made it, not by the operator', async () => {
    const { id: client } = await createClient(service.database, {
      name: 'Microsoft 365',
      redirect_uris: [CALLBACK],
      allow_list: null,
      tenant: north.id,
    })
    const { browser, path } = await openRequest(undefined, { client })
    const { text } = await browser.get(path)
    assert.match(text, /<bdi>Microsoft 365<\/bdi><span class="help">An owner of Northside Heating added it\./)
    assert.doesNotMatch(text, /operator/i)
  })

  it('has a warning when any program or app on the device could be it', async () => {
    for (const [callback, says] of [
      ['http://127.0.0.1:33418/callback', 'A program on this device'],
      ['com.example.fieldhand:/callback', 'It opens com.example.fieldhand: links'],
    ] as const) {
      const { browser, path } = await openRequest(undefined, { callback })
      const { text } = await browser.get(path)
      assert.match(text, /Did you start this yourself, just now\?/)
      assert.ok(text.includes(says), says)
    }
  })
})

describe('a consent link returns 410', () => {
  const isEnded = ({ status, text }: BrowserResponse): void => {
    assert.equal(status, 410)
    assert.match(text, /This link has expired/)
  }

  it('in any browser but the one that started it, signed in or not', async () => {
    const { path, id, client } = await openRequest()
    const victim = newBrowser(service)
    isEnded(await victim.get(path))
    await victim.signIn(north.owner.email)
    isEnded(await victim.get(path))
    isEnded(await decide(victim, id, 'approve', { jobs: 'edit' }))
    await askConsent(service, victim, client, CALLBACK)
    isEnded(await victim.get(path))
    isEnded(await decide(victim, id, 'deny'))
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
  })

  it('when it was used, is unknown or has no id', async () => {
    const { browser, path, id } = await openRequest()
    await follow(browser, await decide(browser, id, 'approve', { jobs: 'view' }))
    isEnded(await browser.get(path))
    isEnded(await decide(browser, id, 'approve', { jobs: 'edit' }))
    for (const given of [
      '',
      '?authorization_id=',
      '?authorization_id=none',
      `?authorization_id=${'x'.repeat(3000)}`,
      '?authorization_id=%00',
    ])
      isEnded(await browser.get(`/oauth/consent${given}`))
  })

  it('on resume in another browser or a second time', async () => {
    const { browser, id } = await openRequest()
    const { location } = await decide(browser, id, 'approve', { jobs: 'view' })
    isEnded(await newBrowser(service).get(location!))
    assert.notEqual((await follow(browser, await browser.get(location!))).searchParams.get('code'), null)
    isEnded(await browser.get(location!))
  })

  it('when its client was removed, and a new request says to add the connector again', async () => {
    const client = await register()
    const { browser, path } = await openRequest(undefined, { client })
    await removeClient(service.database, client)
    isEnded(await browser.get(path))
    await assert.rejects(
      askConsent(service, browser, client, CALLBACK),
      /Add this connector again[^]*remove this connector[^]*Add it again/,
    )
    await assert.rejects(askConsent(service, browser, 'never-was', CALLBACK), /Add this connector again/)
  })
})

describe('the security of the consent page', () => {
  it('has the usual CSP without form-action, so that the redirect to the client works', async () => {
    const { browser, path, id } = await openRequest()
    for (const page of [await browser.get(path), await decide(browser, id, 'approve')]) {
      const policy = page.headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /form-action|unsafe/)
      assert.deepEqual([page.headers.get('cache-control'), page.headers.get('x-frame-options')], ['no-store', 'DENY'])
    }
    const signIn = await newBrowser(service).get('/sign-in')
    assert.match(signIn.headers.get('content-security-policy') ?? '', /form-action 'self'/)
  })

  it("doesn't let another site decide for the person", async () => {
    const { browser, id, client } = await openRequest()
    for (const headers of [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
      const { status } = await browser.post(
        '/oauth/consent',
        { authorization_id: id, company: north.id, decision: 'approve', jobs: 'edit' },
        headers,
      )
      assert.equal(status, 403)
    }
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
    const inQuery = await browser.get(`/oauth/consent?authorization_id=${id}&decision=approve&jobs=edit`)
    assert.equal(inQuery.status, 200)
    assert.equal(await findGrant(service.database.send, client, north.owner.user_id), undefined)
  })

  it('allows only GET, HEAD and POST', async () => {
    const { browser, path } = await openRequest()
    const { status, headers } = await browser.send(path, {
      method: 'DELETE',
      headers: { origin: service.config.baseUrl },
    })
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, POST'])
  })
})
