import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { onSignIn, type SignInOutcome } from '../../../src/identity/sign_in/outcomes.ts'
import { invitePerson } from '../../../src/identity/people/invitations/invitations.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { eraseMember } from '../../../src/privacy/erase/erase_member.ts'
import { continueUrl } from '../../harness/identity/company_provider.ts'
import {
  isIn,
  newEmail,
  openProvidedCompanies,
  claimsOf,
  type ProvidedCompanies,
} from '../../harness/identity/company_sign_in.ts'
import { eventsOf, setUpApp, forgetSteps } from '../../harness/identity/factors.ts'
import { newBrowser, type createCompany } from '../../harness/web_client.ts'

type FoundCompany = Awaited<ReturnType<typeof createCompany>>

let provider: ProvidedCompanies['provider']
let here: ProvidedCompanies['here']
let alder: ProvidedCompanies['alder']
let birch: ProvidedCompanies['birch']
let rowOf: ProvidedCompanies['rowOf']
let signInWith: ProvidedCompanies['signInWith']
let stop: ProvidedCompanies['stop']
before(async () => {
  ;({ provider, here, alder, birch, rowOf, signInWith, stop } = await openProvidedCompanies())
})
after(() => stop())
beforeEach(() => here.database.send([sql`delete from attempts`]))

describe("signing in through a company's provider", () => {
  it('is offered to anyone who opens the company, by a same-origin form with PKCE and its own callback', async () => {
    const browser = newBrowser(here)
    const path = `/${alder.id}/jobs?view=week`
    const { location } = await browser.get(path)
    assert.equal(location, `/${alder.id}/sign-in?${new URLSearchParams({ to: path }).toString()}`)
    assert.match((await browser.get(location!)).text, /Sign in to Alder Plumbing[^]*Continue with Alder Plumbing Login/)
    const toSignIn = `/sign-in?${new URLSearchParams({ to: path }).toString()}`
    assert.match((await browser.get(toSignIn)).text, /Continue with Alder Plumbing Login/)
    const away = new URL(continueUrl(await browser.post(`/${alder.id}/sign-in`, { to: path })))
    assert.equal(away.origin, provider.issuer)
    assert.deepEqual(
      ['response_type', 'code_challenge_method', 'redirect_uri'].map((name) => away.searchParams.get(name)),
      ['code', 'S256', `${here.config.baseUrl}/${alder.id}/sign-in/callback`],
    )
    assert.equal(
      (await newBrowser(here).post(`/${alder.id}/sign-in`, {}, { origin: 'https://evil.example' })).status,
      403,
    )
  })

  it('finds an existing member by the verified address, and later only by subject', async () => {
    const [email, colleague] = [newEmail(), newEmail()]
    const member = await alder.join('tech', { email })
    await alder.join('office', { email: colleague })
    const { browser, seen } = await signInWith(alder.id, claimsOf(email))
    assert.deepEqual([seen.status, seen.location], [303, `/${alder.id}`])
    assert.equal(await isIn(browser, alder.id), true)
    assert.deepEqual(await eventsOf(here, member.user_id), ['company_provider_linked', 'signed_in'])
    const moved = await signInWith(alder.id, { ...claimsOf(colleague), sub: `s-${email}` })
    const { text } = await moved.browser.get(`/${alder.id}/settings`)
    assert.match(text, /Leo Park[^]*Technician/)
    assert.doesNotMatch(text, /Office/)
  })

  it('proves no address, changes nothing in the account and remembers no browser', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    await here.database.send([sql`update users set proved_at = null, vouched_at = null where email = ${email}`])
    const before = await rowOf(email)
    const { browser, seen } = await signInWith(alder.id, claimsOf(email, { name: 'Somebody Else' }))
    assert.equal(seen.status, 303)
    assert.deepEqual(await rowOf(email), before)
    assert.deepEqual([...browser.jar.keys()], ['callout_session'])
    const [kept] = await here.database.send([
      sql`select (select count(*)::int from known_browsers where user_id = ${before!['id']}) as known,
        (select count(*)::int from identities where user_id = ${before!['id']}) as linked`,
    ])
    assert.deepEqual(kept!.rows[0], { known: 0, linked: 0 })
  })

  it('rejects an unverified address, an unknown one and one of another company', async () => {
    const [unverified, nobody] = [newEmail(), newEmail()]
    await alder.join('tech', { email: unverified })
    const cases = [
      [{ sub: 'u-1', email: unverified }, /isn&#39;t verified there/],
      [{ sub: 'u-2', email: unverified, email_verified: false }, /isn&#39;t verified there/],
      [{ sub: 'u-3' }, /isn&#39;t verified there/],
      [{ sub: 'u-4', email: unverified, email_verified: 'true' }, /isn&#39;t verified there/],
      [{ sub: 'u-5', email: unverified, email_verified: 1 }, /isn&#39;t verified there/],
      [{ sub: 'u-6', email: unverified, email_verified: null }, /isn&#39;t verified there/],
      [claimsOf(nobody), /Nobody in this company has/],
      [claimsOf(birch.owner.email), /Nobody in this company has/],
    ] as const
    const outcomes: SignInOutcome[] = []
    const stop = onSignIn((outcome) => outcomes.push(outcome))
    for (const [claims, words] of cases) {
      const { browser, seen } = await signInWith(alder.id, claims)
      assert.equal(seen.status, 422)
      assert.match(seen.text, words)
      assert.deepEqual([...browser.jar.keys()], [])
    }
    stop()
    assert.deepEqual(
      outcomes,
      cases.map(() => ({ outcome: 'failed', methods: ['company'] })),
    )
    assert.equal(await rowOf(nobody), undefined)
  })

  it('rejects a removed member who signed in before', async () => {
    const email = newEmail()
    const member = await alder.join('tech', { email })
    const { browser } = await signInWith(alder.id, claimsOf(email))
    await removeMember(here.database, { tenant: alder.id }, member.user_id)
    assert.equal(await isIn(browser, alder.id), false)
    assert.equal((await signInWith(alder.id, claimsOf(email))).seen.status, 422)
  })

  it('forgets the linked account and the test result when the member is erased', async () => {
    const email = newEmail()
    const { user_id } = await birch.join('owner', { email })
    await signInWith(birch.id, claimsOf(email))
    await here.database.send([
      sql`select enter_tenant(${birch.id}, null, 0)`,
      sql`update company_providers set tried = jsonb_build_object('user', ${user_id}::text, 'subject', 'me', 'email', ${email}::text, 'is_verified', true, 'methods', '[]'::jsonb, 'at', moment())`,
    ])
    await removeMember(here.database, { tenant: birch.id }, user_id)
    await writeTenant(here.database, { tenant: birch.id }, (db) => eraseMember(db, user_id, { by: null }))
    const [, left] = await here.database.send([
      sql`select enter_tenant(${birch.id}, null, 0)`,
      sql`select tried ->> 'email' as email, tried ->> 'subject' as subject,
        (select count(*)::int from company_identities where email = ${email}) as identities from company_providers`,
    ])
    assert.deepEqual(left!.rows, [{ email: null, subject: '', identities: 0 }])
  })

  it('asks for the authenticator code even when amr has mfa', async () => {
    const member = await alder.hire('tech')
    const own = newBrowser(here)
    await own.signIn(member.email)
    const app = await setUpApp(own)
    const { browser, seen } = await signInWith(alder.id, claimsOf(member.email, { amr: ['mfa'] }))
    assert.match(seen.location!, /^\/sign-in\/second\?/)
    assert.equal(await isIn(browser, alder.id), false)
    await forgetSteps(here)
    const done = await browser.post('/sign-in/second', { code: app.code(), to: `/${alder.id}` })
    assert.deepEqual([done.status, done.location], [303, `/${alder.id}`])
    assert.equal(await isIn(browser, alder.id), true)
    assert.equal((await browser.get(`/${birch.id}`)).status, 303)
    assert.deepEqual([...browser.jar.keys()], ['callout_session'])
  })

  it('confirms the person again through the provider and returns to the page', async () => {
    const { browser } = await signInWith(alder.id, claimsOf(alder.owner.email))
    await here.database.send([sql`update sessions set confirmed_at = moment() - interval '16 minutes'`])
    const asked = await browser.post(`/${alder.id}/settings/keys`, { name: 'Key' })
    const again = new URLSearchParams({ to: `/${alder.id}/settings`, again: 'yes' }).toString()
    assert.deepEqual([asked.status, asked.location], [303, `/${alder.id}/sign-in?${again}`])
    assert.match((await browser.get(asked.location!)).text, /Confirm who you are to continue/)
    const away = continueUrl(await browser.post(`/${alder.id}/sign-in`, { to: `/${alder.id}/settings`, again: 'yes' }))
    assert.equal(new URL(away).searchParams.get('prompt'), 'login')
    const back = await browser.get(provider.approve(away, claimsOf(alder.owner.email)))
    assert.equal(back.location, `/${alder.id}/settings`)
    assert.doesNotMatch((await browser.post(`/${alder.id}/settings/keys`, { name: 'Key' })).location ?? '', /sign-in/)
  })
})

describe('an invitation', () => {
  const inviteTo = (company: FoundCompany, email: string) =>
    invitePerson(
      here.database,
      company.id,
      { email, name: 'Asked Person', role: 'office' },
      { user: company.owner.user_id },
    )

  it("is accepted through the company's provider, which creates an account of that company", async () => {
    const email = newEmail()
    await inviteTo(alder, email)
    const { browser, seen } = await signInWith(alder.id, claimsOf(email, { name: 'Kim Lee' }))
    assert.equal(seen.status, 303)
    assert.equal(await isIn(browser, alder.id), true)
    const { hash, proved, name, through: made } = (await rowOf(email))!
    assert.deepEqual({ hash, proved, name, made }, { hash: null, proved: null, name: 'Kim Lee', made: alder.id })
    assert.match((await browser.get(`/${alder.id}/settings`)).text, /Office/)
  })

  it("isn't accepted for an existing account outside the company until the person joins themselves", async () => {
    const email = birch.owner.email
    const { secret } = await inviteTo(alder, email)
    const { browser, seen } = await signInWith(alder.id, claimsOf(email))
    assert.equal(seen.status, 422)
    assert.match(seen.text, /has an account here already/)
    assert.deepEqual([...browser.jar.keys()], [])
    const own = newBrowser(here)
    await own.signIn(email)
    assert.equal((await own.post('/join', { invitation: secret })).location, `/${alder.id}`)
    const after = await signInWith(alder.id, claimsOf(email))
    assert.equal(await isIn(after.browser, alder.id), true)
    assert.equal((await after.browser.get(`/${birch.id}`)).status, 303)
  })

  it("isn't accepted when it has expired", async () => {
    const email = newEmail()
    const { id } = await inviteTo(alder, email)
    await here.database.send([
      sql`select enter_tenant(${alder.id}, null, 0)`,
      sql`update invitations set expires_at = moment() - interval '1 minute' where tenant_id = ${alder.id} and id = ${id}`,
    ])
    assert.equal((await signInWith(alder.id, claimsOf(email))).seen.status, 422)
    assert.equal(await rowOf(email), undefined)
  })
})
