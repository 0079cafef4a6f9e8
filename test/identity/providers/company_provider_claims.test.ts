import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { addOperator } from '../../../src/identity/people/operators.ts'
import { openDataKeys } from '../../../src/identity/data_keys.ts'
import { saveCompanyProvider, setCompanyProviderOn } from '../../../src/identity/providers/company/company_provider.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { continueUrl, providedCompany, type CompanyProviderServer } from '../../harness/identity/company_provider.ts'
import {
  isIn,
  newEmail,
  openProvidedCompanies,
  claimsOf,
  type ProvidedCompanies,
} from '../../harness/identity/company_sign_in.ts'
import { setUpApp, forgetSteps } from '../../harness/identity/factors.ts'
import { newBrowser } from '../../harness/web_client.ts'

let provider: ProvidedCompanies['provider']
let here: ProvidedCompanies['here']
let alder: ProvidedCompanies['alder']
let birch: ProvidedCompanies['birch']
let signInWith: ProvidedCompanies['signInWith']
let stop: ProvidedCompanies['stop']
before(async () => {
  ;({ provider, here, alder, birch, signInWith, stop } = await openProvidedCompanies())
})
after(() => stop())
beforeEach(() => here.database.send([sql`delete from attempts`]))

describe("signing in through a company's provider", () => {
  it("accepts Entra's xms_edov as a verified address, unless email_verified is present and not true", async () => {
    const entra = (email: string, more: object) => ({
      sub: `entra-${email}`,
      email,
      name: 'Leo Park',
      tid: 'x',
      ver: '2.0',
      ...more,
    })
    for (const xms_edov of [true, 1, '1', 'true']) {
      const email = newEmail()
      await alder.join('tech', { email })
      const { browser, seen } = await signInWith(alder.id, entra(email, { xms_edov }))
      assert.deepEqual([seen.status, await isIn(browser, alder.id)], [303, true], String(xms_edov))
    }
    const email = newEmail()
    await alder.join('tech', { email })
    for (const more of [
      {},
      { xms_edov: false },
      { xms_edov: '0' },
      { xms_edov: 2 },
      { xms_edov: [true] },
      { xms_edov: true, email_verified: false },
      { xms_edov: true, email_verified: null },
    ]) {
      const { browser, seen } = await signInWith(alder.id, entra(email, more))
      assert.match(seen.text, /isn&#39;t verified there/, JSON.stringify(more))
      assert.equal(await isIn(browser, alder.id), false)
    }
  })

  it("trusts an address of the owner's trusted domains when the provider says nothing about it", async () => {
    const settings = {
      issuer: provider.issuer,
      clientId: 'callout-Domains',
      clientSecret: 'secret',
      name: 'Domains Login',
    }
    const own = await providedCompany(here, provider, 'Domains')
    const trust = (trustedDomains: string): Promise<void> =>
      saveCompanyProvider(
        here.database,
        openDataKeys(here.config.dataKey),
        own.id,
        { ...settings, trustedDomains },
        { user: own.owner.user_id },
      )
    const comes = async (email: string, more: object): Promise<boolean> => {
      const { browser } = await signInWith(own.id, { sub: `domain-${email}`, email, ...more })
      return isIn(browser, own.id)
    }
    for (const email of ['leo@domains.example', 'leo@sub.domains.example', 'leo@domains.example.evil.example'])
      await own.join('tech', { email })
    assert.equal(await comes('leo@domains.example', {}), false)
    await trust('@Domains.example, other.example')
    assert.equal(await comes('leo@domains.example', { email_verified: false }), false)
    assert.equal(await comes('leo@domains.example', { email_verified: 'true' }), false)
    assert.equal(await comes('leo@sub.domains.example', {}), false)
    assert.equal(await comes('leo@domains.example.evil.example', {}), false)
    assert.equal(await comes('leo@domains.example', {}), true)
    await own.join('office', { email: 'kim@domains.example' })
    await trust('')
    assert.equal(await comes('kim@domains.example', {}), false)
  })

  it('counts as two factors only when amr has mfa', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    const rule = (isOn: boolean) =>
      here.database.send([
        sql`select enter_tenant(${alder.id}, null, 0)`,
        sql`update tenants set asks_second_factor = ${isOn} where id = ${alder.id}`,
      ])
    await rule(true)
    const one = await signInWith(alder.id, claimsOf(email, { amr: ['pwd'] }))
    const refused = await one.browser.get(`/${alder.id}`)
    assert.equal(refused.status, 403)
    assert.match(refused.text, /its provider asked you for one/)
    const two = await signInWith(alder.id, claimsOf(email, { amr: ['pwd', 'otp', 'mfa'] }))
    assert.equal(await isIn(two.browser, alder.id), true)
    await rule(false)
  })

  it('asks again when auth_time is an hour old', async () => {
    const owner = await alder.join('owner', { email: newEmail() })
    const now = Math.floor(Date.now() / 1_000)
    const asks = async (auth_time: number | undefined): Promise<boolean> => {
      const more = auth_time === undefined ? {} : { auth_time }
      const { browser, seen } = await signInWith(alder.id, claimsOf(owner.email, more))
      assert.equal(seen.status, 303)
      const { location } = await browser.post(`/${alder.id}/settings/members`, { email: newEmail(), role: 'tech' })
      return location?.includes('again=yes') === true
    }
    assert.deepEqual(
      [await asks(undefined), await asks(now), await asks(now + 3_600), await asks(now - 3_600), await asks(1e300)],
      [false, false, false, true, false],
    )
  })

  it('asks again for an old auth_time even after an authenticator code', async () => {
    const owner = await alder.hire('owner')
    const own = newBrowser(here)
    await own.signIn(owner.email)
    const app = await setUpApp(own)
    await forgetSteps(here)
    const { browser, seen } = await signInWith(
      alder.id,
      claimsOf(owner.email, { auth_time: Math.floor(Date.now() / 1_000) - 3_600 }),
    )
    assert.match(seen.location!, /^\/sign-in\/second/)
    assert.equal((await browser.post('/sign-in/second', { code: app.code(), to: `/${alder.id}` })).status, 303)
    assert.equal(await isIn(browser, alder.id), true)
    const { location } = await browser.post(`/${alder.id}/settings/members`, { email: newEmail(), role: 'tech' })
    assert.match(location!, /again=yes/)
  })
})

describe('a malicious company provider', () => {
  it("that names an operator gives only a member's rights", async () => {
    const operator = await alder.hire('office')
    await addOperator(here.database, { id: operator.user_id, email: operator.email, name: 'Leo Park' })
    const { browser } = await signInWith(alder.id, claimsOf(operator.email))
    assert.equal(await isIn(browser, alder.id), true)
    assert.match((await browser.get('/operator')).location!, /^\/sign-in/)
  })

  it("can't sign anyone in with a token for another client, issuer or request", async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    for (const wrong of [{ aud: 'another' }, { iss: 'https://other.test' }, { nonce: 'n0nce' }]) {
      const { browser, seen } = await signInWith(alder.id, claimsOf(email, wrong))
      assert.equal(seen.status, 422)
      assert.deepEqual([...browser.jar.keys()], [])
    }
  })

  it("can't use the state or callback of another company, or another issuer", async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    await birch.join('tech', { email })
    const browser = newBrowser(here)
    const away = continueUrl(await browser.post(`/${alder.id}/sign-in`, {}))
    const back = provider.approve(away, claimsOf(email))
    const swapped = await browser.get(back.replace(alder.id, birch.id))
    assert.equal(swapped.status, 400)
    assert.equal(
      (await browser.get(back.replace(`/${alder.id}`, '').replace('callback', 'provider/callback'))).status,
      404,
    )
    const other = newBrowser(here)
    await other.post(`/${alder.id}/sign-in`, {})
    assert.equal((await other.get(back)).status, 422)
    const issued = newBrowser(here)
    const leaving = continueUrl(await issued.post(`/${alder.id}/sign-in`, {}))
    assert.equal(
      (await issued.get(provider.approve(leaving, claimsOf(email), { iss: 'https://other.test' }))).status,
      422,
    )
  })

  it("can't use a callback twice, with HEAD, or after 15 minutes", async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    const browser = newBrowser(here)
    const back = provider.approve(continueUrl(await browser.post(`/${alder.id}/sign-in`, {})), claimsOf(email))
    assert.equal((await browser.send(back, { method: 'HEAD' })).status, 405)
    assert.equal((await browser.get(back)).status, 303)
    assert.equal((await browser.get(back)).status, 400)
    const late = newBrowser(here)
    const lateBack = provider.approve(continueUrl(await late.post(`/${alder.id}/sign-in`, {})), claimsOf(email))
    await here.database.send([sql`update provider_requests set created_at = moment() - interval '16 minutes'`])
    assert.equal((await late.get(lateBack)).status, 400)
  })

  it("can't be started more than 60 times from one address", async () => {
    for (let i = 0; i < 60; i++) assert.equal((await newBrowser(here).post(`/${alder.id}/sign-in`, {})).status, 200)
    assert.equal((await newBrowser(here).post(`/${alder.id}/sign-in`, {})).status, 429)
  })

  it('gets an error page for a redirect, an oversized answer, invalid JSON or a closed connection', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    const hostile: Parameters<CompanyProviderServer['answering']>[0][] = [
      (req, res) => req.url === '/token' && Boolean(res.writeHead(302, { location: 'https://other.test/' }).end()),
      (req, res) => req.url === '/token' && Boolean(res.writeHead(200).end('x'.repeat(300 * 1024))),
      (req, res) => req.url === '/token' && Boolean(res.writeHead(200).end('{"id_token": 1}')),
      (req, res) => req.url === '/token' && Boolean(res.socket?.destroy()),
    ]
    for (const how of hostile) {
      provider.answering(how)
      const { browser, seen } = await signInWith(alder.id, claimsOf(email))
      assert.match(seen.text, /did not sign you in|does not answer/)
      assert.deepEqual([...browser.jar.keys()], [])
    }
    provider.answering(null)
  })

  it("can't redirect to an address that isn't https", async () => {
    const own = await providedCompany(here, provider, 'Cedar Lawns')
    for (const authorization_endpoint of ['javascript:alert(1)', 'http://login.example.com/', 'data:text/html,x']) {
      provider.answering((_req, res) => {
        const { issuer } = provider
        const named = { issuer, authorization_endpoint, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
        return Boolean(res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(named)))
      })
      await here.database.send([
        sql`select enter_tenant(${own.id}, null, 0)`,
        sql`update company_providers set version = ${randomUUID()}`,
      ])
      const seen = await newBrowser(here).post(`/${own.id}/sign-in`, {})
      assert.equal(seen.status, 503, authorization_endpoint)
      assert.equal(seen.text.includes(authorization_endpoint), false)
    }
    provider.answering(null)
  })

  it('loses its sessions when turned off, and they stay ended when it is turned on again', async () => {
    const email = newEmail()
    await birch.join('tech', { email })
    const { browser } = await signInWith(birch.id, claimsOf(email))
    const waiting = newBrowser(here)
    const back = provider.approve(continueUrl(await waiting.post(`/${birch.id}/sign-in`, {})), claimsOf(email))
    await setCompanyProviderOn(here.database, birch.id, false, null)
    assert.equal((await browser.get(`/${birch.id}`)).location, `/sign-in?to=%2F${birch.id}`)
    assert.equal((await waiting.get(back)).status, 400)
    await setCompanyProviderOn(here.database, birch.id, true, null)
    assert.equal(await isIn(browser, birch.id), false)
  })
})
