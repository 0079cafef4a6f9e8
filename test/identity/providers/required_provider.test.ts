import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import {
  setCompanyProviderRequired,
  setCompanyProviderOn,
} from '../../../src/identity/providers/company/company_provider.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import {
  LOOPBACK_NETWORK,
  continueUrl,
  providedCompany,
  startCompanyProvider,
  signInThrough,
  type CompanyProviderServer,
} from '../../harness/identity/company_provider.ts'
import { addPasskey, forgetSteps, setUpApp } from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import { askConsent, createCompany, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

const CALLBACK = 'https://assistant.example/callback'

type FoundCompany = Awaited<ReturnType<typeof createCompany>>

let provider: CompanyProviderServer
let here: TestService
let company: FoundCompany
let other: FoundCompany
let owner: Browser
before(async () => {
  provider = await startCompanyProvider()
  here = await startSite({}, { network: LOOPBACK_NETWORK })
  company = await providedCompany(here, provider, 'Alder Plumbing')
  other = await createCompany(here, 'Birch Cleaning')
  owner = await signInAs(company.owner.email)
  await addPasskey(here, owner)
  await setCompanyProviderRequired(here.database, company.id, true, { user: company.owner.user_id })
})
after(async () => {
  await here.stop()
  await provider.stop()
})
beforeEach(() => here.database.send([sql`delete from attempts`]))

async function signInAs(email: string): Promise<Browser> {
  const browser = newBrowser(here)
  await browser.signIn(email)
  return browser
}

const signInTo = (path: string): string => `/${company.id}/sign-in?${new URLSearchParams({ to: path }).toString()}`

describe('a required provider', () => {
  it('is where every member must sign in, and it leads back to their page', async () => {
    const tech = await company.hire('tech')
    const browser = await signInAs(tech.email)
    for (const path of [`/${company.id}`, `/${company.id}/jobs?page=2`, `/${company.id}/settings`])
      assert.equal((await browser.get(path)).location, signInTo(path))
    const { location } = await browser.post(`/${company.id}/settings/you`, { name: 'Mallory' })
    assert.equal(location, signInTo(`/${company.id}`))
    const away = continueUrl(await browser.post(`/${company.id}/sign-in`, { to: `/${company.id}/jobs?page=2` }))
    const back = await browser.get(provider.approve(away, { sub: 't', email: tech.email, email_verified: true }))
    assert.equal(back.location, `/${company.id}/jobs?page=2`)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
  })

  it("doesn't affect the members' other companies", async () => {
    const both = await company.hire('tech')
    await other.join('tech', { email: both.email })
    const browser = await signInAs(both.email)
    assert.equal((await browser.get(`/${other.id}`)).status, 200)
    assert.equal((await browser.get(`/${company.id}`)).location, signInTo(`/${company.id}`))
  })

  it('makes the field app get 401 with the error provider', async () => {
    const tech = await company.hire('tech')
    const browser = await signInAs(tech.email)
    const told = await browser.get(`/field/${company.id}/day.json`)
    assert.deepEqual([told.status, JSON.parse(told.text)['error']], [401, 'provider'])
    await signInThrough(provider, browser, company.id, { sub: 'p', email: tech.email, email_verified: true })
    assert.equal((await browser.get(`/field/${company.id}/day.json`)).status, 200)
  })

  it('lets an owner with a second factor in without it, and no owner without one', async () => {
    assert.equal((await owner.get(`/${company.id}`)).status, 200)
    const without = await company.hire('owner')
    const browser = await signInAs(without.email)
    assert.equal((await browser.get(`/${company.id}`)).location, signInTo(`/${company.id}`))
    const app = await setUpApp(browser)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
    const later = newBrowser(here)
    await here.database.send([sql`delete from pending_sign_ins`])
    await later.signIn(without.email)
    await forgetSteps(here)
    await later.post('/sign-in/second', { code: app.code(), to: '/' })
    assert.equal((await later.get(`/${company.id}`)).status, 200)
  })

  it('asks an owner with a password-only session for the passkey', async () => {
    const one = await signInAs(company.owner.email)
    const path = `/${company.id}`
    assert.equal(
      (await one.get(path)).location,
      `/confirm?${new URLSearchParams({ to: path, second: 'yes' }).toString()}`,
    )
  })

  it('is required to connect an app and not for existing keys', async () => {
    const tech = await company.hire('tech')
    const browser = await signInAs(tech.email)
    const client = (await registerClient(here.database, { name: 'Fieldhand', redirect_uris: [CALLBACK], about: {} })).id
    const { path } = await askConsent(here, browser, client, CALLBACK)
    assert.equal((await browser.get(path)).location, signInTo(path))
    const away = continueUrl(await browser.post(`/${company.id}/sign-in`, { to: path }))
    const back = await browser.get(provider.approve(away, { sub: 'c', email: tech.email, email_verified: true }))
    assert.equal(back.location, path)
    assert.match((await browser.get(path)).text, /to Alder Plumbing\?/)
    const given = { user: tech.user_id, name: 'Script', scopes: ['read:jobs'], expires_at: null }
    const { key } = await createKey(here.database, { tenant: company.id }, given)
    const called = await fetch(here.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    assert.equal(called.status, 200)
  })

  it('can be turned off by the operator, and members sign in as before', async () => {
    const tech = await company.hire('tech')
    const browser = await signInAs(tech.email)
    assert.equal((await browser.get(`/${company.id}`)).status, 303)
    await setCompanyProviderOn(here.database, company.id, false, null)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
  })
})
