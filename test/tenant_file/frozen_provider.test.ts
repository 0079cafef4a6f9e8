import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freezeCompany, thawCompany } from '../../src/identity/companies/freeze.ts'
import { invitePerson } from '../../src/identity/people/invitations/invitations.ts'
import { removeMember } from '../../src/identity/people/people.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import {
  LOOPBACK_NETWORK,
  providedCompany,
  startCompanyProvider,
  signInThrough,
  type CompanyProviderServer,
} from '../harness/identity/company_provider.ts'
import type { TestService } from '../harness/harness.ts'
import { startSite, newBrowser } from '../harness/web_client.ts'

let provider: CompanyProviderServer
let here: TestService
let company: Awaited<ReturnType<typeof providedCompany>>
before(async () => {
  provider = await startCompanyProvider()
  here = await startSite({}, { network: LOOPBACK_NETWORK })
  company = await providedCompany(here, provider, 'Alder Plumbing')
})
after(async () => {
  await here.stop()
  await provider.stop()
})

const claimsOf = (sub: string, email: string) => ({ sub, email, email_verified: true })
const listIdentities = async (): Promise<unknown[]> =>
  (
    await here.database.send([
      sql`select enter_tenant(${company.id}, null, 0)`,
      sql`select subject from company_identities order by subject`,
    ])
  )[1]!.rows

describe("a frozen company's own identity provider", () => {
  it('signs in existing members and shows them why writes are refused', async () => {
    const [before, first] = [await company.join('office'), await company.join('office')]
    await signInThrough(provider, newBrowser(here), company.id, claimsOf('before', before.email))
    const names = await listIdentities()
    await freezeCompany(here.owner, company.id)
    for (const who of [claimsOf('before', 'elsewhere@example.com'), claimsOf('first', first.email)]) {
      const browser = newBrowser(here)
      assert.equal((await signInThrough(provider, browser, company.id, who)).status, 303, who.sub)
      assert.equal((await browser.get(`/${company.id}/customers`)).status, 200)
      const refused = await browser.post(`/${company.id}/notes/new`, { body: 'Lost' })
      assert.equal(refused.status, 503)
      assert.match(refused.text, /Your company is being moved/)
    }
    assert.deepEqual(await listIdentities(), names)
    await thawCompany(here.owner, company.id)
    await signInThrough(provider, newBrowser(here), company.id, claimsOf('first', first.email))
    assert.equal((await listIdentities()).length, names.length + 1)
  })

  it('lets nobody new join, and says that the company is being moved', async () => {
    const email = 'invited@example.com'
    await invitePerson(here.database, company.id, { email, name: null, role: 'tech' }, { user: company.owner.user_id })
    await freezeCompany(here.owner, company.id)
    const browser = newBrowser(here)
    const waiting = await signInThrough(provider, browser, company.id, claimsOf('invited', email))
    assert.equal(waiting.status, 503)
    assert.match(
      waiting.text,
      /Your company is being moved[^]*nobody new can join[^]*Continue with Alder Plumbing Login/,
    )
    assert.notEqual((await browser.get(`/${company.id}`)).status, 200)
    await thawCompany(here.owner, company.id)
    assert.equal((await signInThrough(provider, browser, company.id, claimsOf('invited', email))).status, 303)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
  })

  it('still rejects unverified emails, strangers and removed members', async () => {
    const gone = await company.join('office')
    await signInThrough(provider, newBrowser(here), company.id, claimsOf('gone', gone.email))
    await removeMember(here.database, { tenant: company.id }, gone.user_id, { user: company.owner.user_id })
    const present = await company.join('office')
    await freezeCompany(here.owner, company.id)
    const readNotice = async (who: Parameters<typeof signInThrough>[3]): Promise<[number, string]> => {
      const { status, text } = await signInThrough(provider, newBrowser(here), company.id, who)
      return [status, /class="notice-title">([^<]+)/.exec(text)?.[1] ?? text]
    }
    assert.deepEqual(await readNotice({ sub: 'new', email: present.email, email_verified: false }), [
      422,
      'Your email address isn&#39;t verified there',
    ])
    assert.deepEqual(await readNotice(claimsOf('nobody', 'nobody@example.com')), [
      422,
      'Nobody in this company has nobody@example.com',
    ])
    assert.deepEqual(await readNotice(claimsOf('gone', gone.email)), [422, `Nobody in this company has ${gone.email}`])
    await thawCompany(here.owner, company.id)
  })

  it("can't be turned off by an owner, who gets a 503 with Retry-After", async () => {
    const owner = newBrowser(here)
    await owner.signIn(company.owner.email)
    await freezeCompany(here.owner, company.id)
    const refused = await owner.post(`/${company.id}/settings/provider`, { act: 'off' })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '30')
    assert.equal((await newBrowser(here).get(`/${company.id}/sign-in`)).status, 200)
    await thawCompany(here.owner, company.id)
  })
})
