import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/tenant.ts'
import {
  LOOPBACK_NETWORK,
  continueUrl,
  startCompanyProvider,
  signInThrough,
  type CompanyProviderServer,
} from '../../harness/identity/company_provider.ts'
import { addPasskey } from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

type FoundCompany = Awaited<ReturnType<typeof createCompany>>

let provider: CompanyProviderServer
let here: TestService
let company: FoundCompany
let owner: Browser
let page: string
before(async () => {
  provider = await startCompanyProvider()
  here = await startSite({}, { network: LOOPBACK_NETWORK })
  company = await createCompany(here, 'Alder Plumbing')
  page = `/${company.id}/settings/provider`
  owner = newBrowser(here)
  await owner.signIn(company.owner.email)
})
after(async () => {
  await here.stop()
  await provider.stop()
})
beforeEach(() => here.database.send([sql`delete from attempts`]))

const within = async (query: ReturnType<typeof sql>) =>
  (await here.database.send([sql`select enter_tenant(${company.id}, null, 0)`, query]))[1]!.rows

const makeProviderForm = (more: Record<string, string> = {}) => ({
  act: 'save',
  issuer: provider.issuer,
  client_id: 'callout',
  client_secret: 'top secret of ours',
  name: 'Alder Login',
  ...more,
})

/** Tests the provider, which returns these claims about the owner. */
async function testProvider(claims: Parameters<CompanyProviderServer['approve']>[1]) {
  const away = await owner.post(`${page}/try`, {})
  return owner.get(provider.approve(continueUrl(away), claims))
}

describe('the sign-in provider in the company settings', () => {
  it('is only for owners and needs a confirmation after 15 minutes', async () => {
    const tech = await company.hire('tech')
    const browser = newBrowser(here)
    await browser.signIn(tech.email)
    for (const seen of [
      await browser.get(page),
      await browser.post(page, makeProviderForm()),
      await browser.post(`${page}/try`, {}),
    ])
      assert.equal(seen.status, 404)
    await here.database.send([sql`update sessions set confirmed_at = moment() - interval '16 minutes'`])
    assert.equal((await owner.post(page, makeProviderForm())).status, 401)
    await here.database.send([sql`update sessions set confirmed_at = moment()`])
  })

  it('rejects an invalid issuer, trusted domains, client ID or secret', async () => {
    for (const issuer of [
      'http://login.example.com',
      'login',
      'https://a:b@login.example.com',
      'https://login.example.com/?x',
    ])
      assert.match(
        (await owner.post(page, makeProviderForm({ issuer }))).text,
        /Enter the issuer’s https address, such as/,
      )
    for (const trusted_domains of ['example', 'https://example.com', '-a.example', 'a..example', '10.0.0.1'])
      assert.match(
        (await owner.post(page, makeProviderForm({ trusted_domains }))).text,
        /Enter domains such as example\.com, separated by commas/,
      )
    const many = Array.from({ length: 21 }, (_, i) => `d${i}.example`).join(' ')
    assert.match((await owner.post(page, makeProviderForm({ trusted_domains: many }))).text, /Enter at most 20 domains/)
    assert.equal((await owner.post(page, makeProviderForm({ client_id: '' }))).status, 422)
    assert.equal((await owner.post(page, makeProviderForm({ client_secret: 'x'.repeat(1001) }))).status, 422)
    assert.equal((await owner.post(page, { act: 'on' })).status, 404)
  })

  it('is saved with an encrypted secret that is never shown again', async () => {
    assert.equal(
      (await owner.post(page, makeProviderForm({ trusted_domains: '@Example.com example.com' }))).status,
      303,
    )
    assert.match((await owner.get(page)).text, /name="trusted_domains"[^>]*value="example\.com"/)
    const [row] = await within(sql`select client_secret, on_since from company_providers`)
    assert.equal((row!['client_secret'] as Buffer)[0], 1)
    assert.equal((row!['client_secret'] as Buffer).includes('top secret'), false)
    const { text } = await owner.get(page)
    assert.match(text, new RegExp(`${here.config.baseUrl}/${company.id}/sign-in/callback`))
    assert.match(text, /One is saved and never shown/)
    assert.equal(text.includes('top secret'), false)
    const [noted] = await within(
      sql`select changed from audit where tool = 'members.set_provider' order by at desc limit 1`,
    )
    assert.equal(JSON.stringify(noted).includes('top secret'), false)
    assert.match((await owner.get(`/${company.id}/settings/log`)).text, /Changed the company&#39;s sign-in provider/)
  })

  it("can't be turned on or used before it was tested", async () => {
    const refused = await owner.post(page, { act: 'on' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Try the provider first/)
    assert.equal((await newBrowser(here).get(`/${company.id}/sign-in`)).status, 404)
    assert.equal((await newBrowser(here).post(`/${company.id}/sign-in`, {})).status, 404)
  })

  it('can be tested in a round trip that shows its claims and signs nobody in', async () => {
    const back = await testProvider({
      sub: 's-1',
      email: 'Someone@Else.example',
      email_verified: true,
      amr: ['pwd', 'mfa'],
    })
    assert.deepEqual([back.status, back.location], [303, page])
    const { text } = await owner.get(page)
    assert.match(text, /s-1[^]*someone@else\.example[^]*is verified[^]*pwd, mfa[^]*two factors/)
    assert.deepEqual(await within(sql`select from company_identities`), [])
    assert.equal(provider.seen.at(-1)!.path === '/jwks' || provider.seen.at(-1)!.path === '/token', true)
    const token = provider.seen.findLast(({ path }) => path === '/token')!
    assert.equal(Buffer.from(token.authorization!.slice(6), 'base64').toString(), 'callout:top+secret+of+ours')
    await testProvider({ sub: 's-1' })
    assert.match((await owner.get(page)).text, /doesn&#39;t say that this address is verified/)
  })

  it('keeps its secret when the form has none, and turns off for another client ID', async () => {
    assert.equal((await owner.post(page, { act: 'on' })).status, 303)
    assert.equal((await owner.post(page, makeProviderForm({ client_secret: '', name: 'Alder ID' }))).status, 303)
    assert.match((await newBrowser(here).get(`/${company.id}/sign-in`)).text, /Continue with Alder ID/)
    const [same] = await within(
      sql`select client_secret is not null as kept, on_since is not null as "isOn" from company_providers`,
    )
    assert.deepEqual(same, { kept: true, isOn: true })
    assert.equal((await owner.post(page, makeProviderForm({ client_id: 'other', client_secret: '' }))).status, 303)
    const [other] = await within(sql`select client_secret, on_since, tried from company_providers`)
    assert.deepEqual(other, { client_secret: null, on_since: null, tried: null })
  })

  it('can be required only by an owner who could sign in without it, and made optional again', async () => {
    await owner.post(page, makeProviderForm())
    await testProvider({ sub: 's-1' })
    assert.match((await owner.post(page, { act: 'require' })).text, /Turn the provider on first/)
    await owner.post(page, { act: 'on' })
    const refused = await owner.post(page, { act: 'require' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /could not sign in if the provider stopped working/)
    await addPasskey(here, owner)
    assert.equal((await owner.post(page, { act: 'require' })).status, 303)
    assert.match((await owner.get(page)).text, /Make it optional/)
    assert.equal((await owner.post(page, { act: 'allow' })).status, 303)
  })

  it('is removed after a preview and a checked confirmation, which ends its sessions', async () => {
    const tech = await company.hire('tech')
    const browser = newBrowser(here)
    await signInThrough(provider, browser, company.id, { sub: 't-1', email: tech.email, email_verified: true })
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
    assert.match(
      (await owner.get(page)).text,
      /One browser is signed out[^]*one member[^]*One account there is forgotten/,
    )
    assert.equal((await owner.post(page, { act: 'remove' })).status, 409)
    assert.equal((await owner.post(page, { act: 'remove', sure: 'yes' })).status, 303)
    assert.equal((await browser.get(`/${company.id}`)).location, `/sign-in?to=%2F${company.id}`)
    assert.deepEqual(await within(sql`select from sessions where bound_to is not null`), [])
    assert.equal((await owner.get(`/${company.id}`)).status, 200)
  })
})
