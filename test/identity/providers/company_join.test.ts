import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { invitePerson } from '../../../src/identity/people/invitations/invitations.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { continueUrl, type ProviderClaims } from '../../harness/identity/company_provider.ts'
import { isIn, openProvidedCompanies, type ProvidedCompanies } from '../../harness/identity/company_sign_in.ts'
import { newBrowser, type Browser } from '../../harness/web_client.ts'

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

/** Default claims of Microsoft Entra, without any about a verified address. */
const entra = (email: string, more: object = {}): ProviderClaims => ({
  sub: `entra-${email}`,
  email,
  name: 'Leo Park',
  tid: '72f988bf-86f1-41af-91ab-2d7cd011db47',
  ver: '2.0',
  ...more,
})

const listLinkedEmails = async (tenant: string, subject: string): Promise<unknown[]> => {
  const [, found] = await here.database.send([
    sql`select enter_tenant(${tenant}, null, 0)`,
    sql`select u.email from company_identities i join users u on u.id = i.user_id where i.subject = ${subject}`,
  ])
  return found!.rows.map(({ email }) => email)
}

/** Invites a Birch member to Alder who is signed in and has opened the link. */
async function openInvitation() {
  const { email } = await birch.hire('tech')
  const by = { user: alder.owner.user_id }
  const { secret } = await invitePerson(here.database, alder.id, { email, name: null, role: 'office' }, by)
  const browser = newBrowser(here)
  await browser.signIn(email)
  const { text } = await browser.get(`/join?invitation=${secret}`)
  assert.match(text, /Join with Alder Plumbing Login/)
  return { email, secret, browser }
}

/** Presses "Join with …" and returns from the provider with these claims. */
async function joins(browser: Browser, secret: string, claims: ProviderClaims, tenant = alder.id) {
  const away = await browser.post(`/${tenant}/sign-in`, { invitation: secret })
  return browser.get(provider.approve(continueUrl(away), claims))
}

describe("accepting an invitation through the company's provider while signed in", () => {
  it("links the subject even when the provider doesn't say whether the address is verified", async () => {
    const { email, secret, browser } = await openInvitation()
    const before = await signInWith(alder.id, entra(email))
    assert.match(before.seen.text, /isn&#39;t verified there/)
    const joined = await joins(browser, secret, entra(email))
    assert.deepEqual([joined.status, joined.location], [303, `/${alder.id}`], joined.text)
    assert.deepEqual([await isIn(browser, alder.id), await isIn(browser, birch.id)], [true, true])
    assert.deepEqual(await listLinkedEmails(alder.id, `entra-${email}`), [email])
    const next = await signInWith(alder.id, entra(email))
    assert.deepEqual([await isIn(next.browser, alder.id), await isIn(next.browser, birch.id)], [true, false])
  })

  it("is refused when the provider says that the address isn't verified", async () => {
    for (const email_verified of [false, 'true', null, 0]) {
      const { email, secret, browser } = await openInvitation()
      const seen = await joins(browser, secret, entra(email, { email_verified, xms_edov: true }))
      assert.equal(seen.status, 422)
      assert.match(seen.text, /isn&#39;t verified there/, JSON.stringify(email_verified))
      assert.equal(await isIn(browser, alder.id), false)
      assert.deepEqual(await listLinkedEmails(alder.id, `entra-${email}`), [])
    }
  })

  it("is refused for another address, another member's subject and another company's invitation", async () => {
    const { email, secret, browser } = await openInvitation()
    const other = await joins(browser, secret, entra('someone-else@example.com'))
    assert.deepEqual([other.status, await isIn(browser, alder.id)], [409, false])
    assert.match(other.text, /This invitation is for .*Use that account/)
    const { sub } = entra(alder.owner.email)
    await signInWith(alder.id, { ...entra(alder.owner.email), email_verified: true })
    const duplicate = await joins(browser, secret, { ...entra(email), sub })
    assert.match(duplicate.text, /already linked to another member/)
    assert.deepEqual([duplicate.status, await isIn(browser, alder.id)], [409, false])
    assert.deepEqual(await listLinkedEmails(alder.id, sub), [alder.owner.email])
    const elsewhere = await joins(browser, secret, entra(email), birch.id)
    assert.deepEqual([elsewhere.status, await isIn(browser, alder.id)], [409, false])
    assert.match(elsewhere.text, /from another company/)
  })

  it('is refused with a hint when an owner turned the provider off meanwhile', async () => {
    const { email, secret, browser } = await openInvitation()
    const away = await browser.post(`/${alder.id}/sign-in`, { invitation: secret })
    const setOn = (isOn: boolean) =>
      here.database.send([
        sql`select enter_tenant(${alder.id}, null, 0)`,
        sql`update company_providers set on_since = case when ${isOn} then moment() end where tenant_id = ${alder.id}`,
      ])
    await setOn(false)
    const seen = await browser.get(provider.approve(continueUrl(away), entra(email)))
    await setOn(true)
    assert.deepEqual([seen.status, await isIn(browser, alder.id)], [409, false])
    assert.match(seen.text, /Your company turned this sign-in off\. Accept the invitation without it/)
  })

  it("isn't offered without a session and does nothing there", async () => {
    const { email, secret } = await openInvitation()
    const browser = newBrowser(here)
    assert.doesNotMatch((await browser.get(`/join?invitation=${secret}`)).text, /Join with Alder/)
    assert.equal((await joins(browser, secret, entra(email))).status, 400)
    assert.deepEqual(await listLinkedEmails(alder.id, `entra-${email}`), [])
  })

  it('works only from the page of the invitation', async () => {
    const { email, secret, browser } = await openInvitation()
    const away = await browser.post(`/${alder.id}/sign-in`, { to: `/join?invitation=${secret}` })
    await browser.get(provider.approve(continueUrl(away), entra(email)))
    assert.equal(await isIn(browser, alder.id), false)
  })
})

describe("a signed-in member who uses the company's provider", () => {
  const signInNewMember = async () => {
    const { email } = await alder.hire('tech')
    const browser = newBrowser(here)
    await browser.signIn(email)
    const goes = async (claims: ProviderClaims) =>
      browser.get(provider.approve(continueUrl(await browser.post(`/${alder.id}/sign-in`, {})), claims))
    return { email, goes }
  }

  it("is linked by their own address when the provider doesn't say whether it is verified", async () => {
    const { email, goes } = await signInNewMember()
    assert.equal((await goes(entra(email))).status, 303)
    assert.equal(await isIn((await signInWith(alder.id, entra(email))).browser, alder.id), true)
  })

  it("isn't linked by another address or one that the provider calls unverified", async () => {
    const { email, goes } = await signInNewMember()
    for (const claims of [entra((await alder.hire('office')).email), entra(email, { email_verified: false })])
      assert.equal((await goes(claims)).status, 422)
    assert.deepEqual(await listLinkedEmails(alder.id, `entra-${email}`), [])
  })

  it("isn't linked while the account is unclaimed", async () => {
    const { email, goes } = await signInNewMember()
    await here.database.send([sql`update users set unclaimed_since = moment() where email = ${email}`])
    assert.equal((await goes(entra(email))).status, 422)
  })
})
