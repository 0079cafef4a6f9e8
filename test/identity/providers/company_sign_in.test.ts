import { randomUUID } from 'node:crypto'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { onSignIn, type SignInOutcome } from '../../../src/identity/sign_in/outcomes.ts'
import { invitePerson } from '../../../src/identity/people/invitations/invitations.ts'
import { addOperator } from '../../../src/identity/people/operators.ts'
import { removeMember } from '../../../src/identity/people/people.ts'
import { openDataKeys } from '../../../src/identity/data_keys.ts'
import { saveCompanyProvider, turnCompanyProvider } from '../../../src/identity/providers/company/company_provider.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { eraseMember } from '../../../src/privacy/erase/erase_member.ts'
import {
  nearby,
  onwardIn,
  providedCompany,
  startCompanyProvider,
  through,
  type CompanyProviderServer,
} from '../../harness/identity/company_provider.ts'
import { eventsOf, setUpApp, forgetSteps } from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import { startSite, visitor, type Browser, type foundCompany } from '../../harness/visiting.ts'

type FoundCompany = Awaited<ReturnType<typeof foundCompany>>

let provider: CompanyProviderServer
let here: TestService
let alder: FoundCompany
let birch: FoundCompany
let serial = 0
before(async () => {
  provider = await startCompanyProvider()
  here = await startSite({}, { network: nearby })
  alder = await providedCompany(here, provider, 'Alder Plumbing')
  birch = await providedCompany(here, provider, 'Birch Cleaning')
})
after(async () => {
  await here.stop()
  await provider.stop()
})
beforeEach(() => here.database.send([sql`delete from attempts`]))

const newEmail = (): string => `member-${++serial}@example.com`
const verified = (email: string, more: object = {}) => ({ sub: `s-${email}`, email, email_verified: true, ...more })
const rowOf = async (email: string) =>
  (
    await here.database.send([
      sql`select id, password_hash as hash, proved_at as proved, name, made_through as through from users where email = ${email}`,
    ])
  )[0]!.rows[0]
const comesTo = async (tenant: string, saying: Parameters<typeof through>[3]) => {
  const browser = visitor(here)
  return { browser, seen: await through(provider, browser, tenant, saying) }
}
const isIn = async (browser: Browser, tenant: string): Promise<boolean> =>
  (await browser.get(`/${tenant}`)).status === 200

describe("signing in by a company's own provider", () => {
  it('is offered to whoever opens the company, by a form of ours, with PKCE and an address of its own', async () => {
    const browser = visitor(here)
    const path = `/${alder.id}/jobs?view=week`
    const { location } = await browser.get(path)
    assert.equal(location, `/${alder.id}/sign-in?${new URLSearchParams({ to: path }).toString()}`)
    assert.match((await browser.get(location!)).text, /Sign in to Alder Plumbing[^]*Continue with Alder Plumbing Login/)
    const toSignIn = `/sign-in?${new URLSearchParams({ to: path }).toString()}`
    assert.match((await browser.get(toSignIn)).text, /Continue with Alder Plumbing Login/)
    const away = new URL(onwardIn(await browser.post(`/${alder.id}/sign-in`, { to: path })))
    assert.equal(away.origin, provider.issuer)
    assert.deepEqual(
      ['response_type', 'code_challenge_method', 'redirect_uri'].map((name) => away.searchParams.get(name)),
      ['code', 'S256', `${here.config.baseUrl}/${alder.id}/sign-in/callback`],
    )
    assert.equal((await visitor(here).post(`/${alder.id}/sign-in`, {}, { origin: 'https://evil.example' })).status, 403)
  })

  it('recognizes a present member by the verified address, and then by its name there alone', async () => {
    const [email, colleague] = [newEmail(), newEmail()]
    const member = await alder.join('tech', { email })
    await alder.join('office', { email: colleague })
    const { browser, seen } = await comesTo(alder.id, verified(email))
    assert.deepEqual([seen.status, seen.location], [303, `/${alder.id}`])
    assert.equal(await isIn(browser, alder.id), true)
    assert.deepEqual(await eventsOf(here, member.user_id), ['company_provider_linked', 'signed_in'])
    const moved = await comesTo(alder.id, { ...verified(colleague), sub: `s-${email}` })
    const { text } = await moved.browser.get(`/${alder.id}/settings`)
    assert.match(text, /Leo Park[^]*Technician/)
    assert.doesNotMatch(text, /Office/)
  })

  it('takes the word of Microsoft Entra for an address of its own domains, unless it says that it is unverified', async () => {
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
      const { browser, seen } = await comesTo(alder.id, entra(email, { xms_edov }))
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
      const { browser, seen } = await comesTo(alder.id, entra(email, more))
      assert.match(seen.text, /isn&#39;t verified there/, JSON.stringify(more))
      assert.equal(await isIn(browser, alder.id), false)
    }
  })

  it('is trusted for the domains that an owner named where it says nothing of the address, and never where it says no', async () => {
    const given = {
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
        { ...given, trustedDomains },
        { user: own.owner.user_id },
      )
    const comes = async (email: string, more: object): Promise<boolean> => {
      const { browser } = await comesTo(own.id, { sub: `domain-${email}`, email, ...more })
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

  it('proves nothing, sets nothing, and remembers no browser', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    await here.database.send([sql`update users set proved_at = null, vouched_at = null where email = ${email}`])
    const before = await rowOf(email)
    const { browser, seen } = await comesTo(alder.id, verified(email, { name: 'Somebody Else' }))
    assert.equal(seen.status, 303)
    assert.deepEqual(await rowOf(email), before)
    assert.deepEqual([...browser.jar.keys()], ['callout_session'])
    const [kept] = await here.database.send([
      sql`select (select count(*)::int from known_browsers where user_id = ${before!['id']}) as known,
        (select count(*)::int from identities where user_id = ${before!['id']}) as linked`,
    ])
    assert.deepEqual(kept!.rows[0], { known: 0, linked: 0 })
  })

  it('refuses an unverified address, one that nobody of the company has, and one of another company', async () => {
    const [unverified, nobody] = [newEmail(), newEmail()]
    await alder.join('tech', { email: unverified })
    const cases = [
      [{ sub: 'u-1', email: unverified }, /isn&#39;t verified there/],
      [{ sub: 'u-2', email: unverified, email_verified: false }, /isn&#39;t verified there/],
      [{ sub: 'u-3' }, /isn&#39;t verified there/],
      [{ sub: 'u-4', email: unverified, email_verified: 'true' }, /isn&#39;t verified there/],
      [{ sub: 'u-5', email: unverified, email_verified: 1 }, /isn&#39;t verified there/],
      [{ sub: 'u-6', email: unverified, email_verified: null }, /isn&#39;t verified there/],
      [verified(nobody), /Nobody in this company has/],
      [verified(birch.owner.email), /Nobody in this company has/],
    ] as const
    const outcomes: SignInOutcome[] = []
    const stop = onSignIn((outcome) => outcomes.push(outcome))
    for (const [saying, words] of cases) {
      const { browser, seen } = await comesTo(alder.id, saying)
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

  it('lets nobody in who has left, though they came before', async () => {
    const email = newEmail()
    const member = await alder.join('tech', { email })
    const { browser } = await comesTo(alder.id, verified(email))
    await removeMember(here.database, { tenant: alder.id }, member.user_id)
    assert.equal(await isIn(browser, alder.id), false)
    assert.equal((await comesTo(alder.id, verified(email))).seen.status, 422)
  })

  it('is forgotten with the member, and with what was tried as them', async () => {
    const email = newEmail()
    const { user_id } = await birch.join('owner', { email })
    await comesTo(birch.id, verified(email))
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

  it('asks for the code of an app, whatever the provider says of factors', async () => {
    const member = await alder.hire('tech')
    const own = visitor(here)
    await own.signIn(member.email)
    const app = await setUpApp(own)
    const { browser, seen } = await comesTo(alder.id, verified(member.email, { amr: ['mfa'] }))
    assert.match(seen.location!, /^\/sign-in\/second\?/)
    assert.equal(await isIn(browser, alder.id), false)
    await forgetSteps(here)
    const done = await browser.post('/sign-in/second', { code: app.code(), to: `/${alder.id}` })
    assert.deepEqual([done.status, done.location], [303, `/${alder.id}`])
    assert.equal(await isIn(browser, alder.id), true)
    assert.equal((await browser.get(`/${birch.id}`)).status, 303)
    assert.deepEqual([...browser.jar.keys()], ['callout_session'])
  })

  it("counts as two factors where it says mfa, and as one where it doesn't", async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    const rule = (isOn: boolean) =>
      here.database.send([
        sql`select enter_tenant(${alder.id}, null, 0)`,
        sql`update tenants set asks_second_factor = ${isOn} where id = ${alder.id}`,
      ])
    await rule(true)
    const one = await comesTo(alder.id, verified(email, { amr: ['pwd'] }))
    const refused = await one.browser.get(`/${alder.id}`)
    assert.equal(refused.status, 403)
    assert.match(refused.text, /its provider asked you for one/)
    const two = await comesTo(alder.id, verified(email, { amr: ['pwd', 'otp', 'mfa'] }))
    assert.equal(await isIn(two.browser, alder.id), true)
    await rule(false)
  })

  it('believes what the provider says of when it recognized them: an hour ago is asked again', async () => {
    const owner = await alder.join('owner', { email: newEmail() })
    const now = Math.floor(Date.now() / 1_000)
    const asks = async (auth_time: number | undefined): Promise<boolean> => {
      const more = auth_time === undefined ? {} : { auth_time }
      const { browser, seen } = await comesTo(alder.id, verified(owner.email, more))
      assert.equal(seen.status, 303)
      const { location } = await browser.post(`/${alder.id}/settings/members`, { email: newEmail(), role: 'tech' })
      return location?.includes('again=yes') === true
    }
    assert.deepEqual(
      [await asks(undefined), await asks(now), await asks(now + 3_600), await asks(now - 3_600), await asks(1e300)],
      [false, false, false, true, false],
    )
  })

  it('believes it also where a code of an app came beside it', async () => {
    const owner = await alder.hire('owner')
    const own = visitor(here)
    await own.signIn(owner.email)
    const app = await setUpApp(own)
    await forgetSteps(here)
    const { browser, seen } = await comesTo(
      alder.id,
      verified(owner.email, { auth_time: Math.floor(Date.now() / 1_000) - 3_600 }),
    )
    assert.match(seen.location!, /^\/sign-in\/second/)
    assert.equal((await browser.post('/sign-in/second', { code: app.code(), to: `/${alder.id}` })).status, 303)
    assert.equal(await isIn(browser, alder.id), true)
    const { location } = await browser.post(`/${alder.id}/settings/members`, { email: newEmail(), role: 'tech' })
    assert.match(location!, /again=yes/)
  })

  it('asks again who they are by the provider, and goes on', async () => {
    const { browser } = await comesTo(alder.id, verified(alder.owner.email))
    await here.database.send([sql`update sessions set confirmed_at = moment() - interval '16 minutes'`])
    const asked = await browser.post(`/${alder.id}/settings/keys`, { name: 'Key' })
    const again = new URLSearchParams({ to: `/${alder.id}/settings`, again: 'yes' }).toString()
    assert.deepEqual([asked.status, asked.location], [303, `/${alder.id}/sign-in?${again}`])
    assert.match((await browser.get(asked.location!)).text, /Confirm who you are to continue/)
    const away = onwardIn(await browser.post(`/${alder.id}/sign-in`, { to: `/${alder.id}/settings`, again: 'yes' }))
    assert.equal(new URL(away).searchParams.get('prompt'), 'login')
    const back = await browser.get(provider.approve(away, verified(alder.owner.email)))
    assert.equal(back.location, `/${alder.id}/settings`)
    assert.doesNotMatch((await browser.post(`/${alder.id}/settings/keys`, { name: 'Key' })).location ?? '', /sign-in/)
  })
})

describe('an invitation', () => {
  const invited = (company: FoundCompany, email: string) =>
    invitePerson(
      here.database,
      company.id,
      { email, name: 'Asked Person', role: 'office' },
      { user: company.owner.user_id },
    )

  it("is accepted by whoever the company's provider vouches for, as an account of that company", async () => {
    const email = newEmail()
    await invited(alder, email)
    const { browser, seen } = await comesTo(alder.id, verified(email, { name: 'Kim Lee' }))
    assert.equal(seen.status, 303)
    assert.equal(await isIn(browser, alder.id), true)
    const { hash, proved, name, through: made } = (await rowOf(email))!
    assert.deepEqual({ hash, proved, name, made }, { hash: null, proved: null, name: 'Kim Lee', made: alder.id })
    assert.match((await browser.get(`/${alder.id}/settings`)).text, /Office/)
  })

  it("adds no account that isn't the company's own without its person", async () => {
    const email = birch.owner.email
    const { secret } = await invited(alder, email)
    const { browser, seen } = await comesTo(alder.id, verified(email))
    assert.equal(seen.status, 422)
    assert.match(seen.text, /has an account here already/)
    assert.deepEqual([...browser.jar.keys()], [])
    const own = visitor(here)
    await own.signIn(email)
    assert.equal((await own.post('/join', { invitation: secret })).location, `/${alder.id}`)
    const after = await comesTo(alder.id, verified(email))
    assert.equal(await isIn(after.browser, alder.id), true)
    assert.equal((await after.browser.get(`/${birch.id}`)).status, 303)
  })

  it('is not accepted when it was withdrawn, or has expired', async () => {
    const email = newEmail()
    const { id } = await invited(alder, email)
    await here.database.send([
      sql`select enter_tenant(${alder.id}, null, 0)`,
      sql`update invitations set expires_at = moment() - interval '1 minute' where tenant_id = ${alder.id} and id = ${id}`,
    ])
    assert.equal((await comesTo(alder.id, verified(email))).seen.status, 422)
    assert.equal(await rowOf(email), undefined)
  })
})

describe('a provider that lies', () => {
  it('names an operator, and gets what a member of the company has', async () => {
    const operator = await alder.hire('office')
    await addOperator(here.database, { id: operator.user_id, email: operator.email, name: 'Leo Park' })
    const { browser } = await comesTo(alder.id, verified(operator.email))
    assert.equal(await isIn(browser, alder.id), true)
    assert.match((await browser.get('/operator')).location!, /^\/sign-in/)
  })

  it('signs nobody in with a token for another client, issuer or request', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    for (const wrong of [{ aud: 'another' }, { iss: 'https://other.test' }, { nonce: 'n0nce' }]) {
      const { browser, seen } = await comesTo(alder.id, verified(email, wrong))
      assert.equal(seen.status, 422)
      assert.deepEqual([...browser.jar.keys()], [])
    }
  })

  it('is believed neither with the state nor the address of another company, nor another issuer', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    await birch.join('tech', { email })
    const browser = visitor(here)
    const away = onwardIn(await browser.post(`/${alder.id}/sign-in`, {}))
    const back = provider.approve(away, verified(email))
    const swapped = await browser.get(back.replace(alder.id, birch.id))
    assert.equal(swapped.status, 400)
    assert.equal(
      (await browser.get(back.replace(`/${alder.id}`, '').replace('callback', 'provider/callback'))).status,
      404,
    )
    const other = visitor(here)
    await other.post(`/${alder.id}/sign-in`, {})
    assert.equal((await other.get(back)).status, 422)
    const issued = visitor(here)
    const leaving = onwardIn(await issued.post(`/${alder.id}/sign-in`, {}))
    assert.equal(
      (await issued.get(provider.approve(leaving, verified(email), { iss: 'https://other.test' }))).status,
      422,
    )
  })

  it('comes back once, not by HEAD, and not after a quarter of an hour', async () => {
    const email = newEmail()
    await alder.join('tech', { email })
    const browser = visitor(here)
    const back = provider.approve(onwardIn(await browser.post(`/${alder.id}/sign-in`, {})), verified(email))
    assert.equal((await browser.send(back, { method: 'HEAD' })).status, 405)
    assert.equal((await browser.get(back)).status, 303)
    assert.equal((await browser.get(back)).status, 400)
    const late = visitor(here)
    const lateBack = provider.approve(onwardIn(await late.post(`/${alder.id}/sign-in`, {})), verified(email))
    await here.database.send([sql`update provider_requests set created_at = moment() - interval '16 minutes'`])
    assert.equal((await late.get(lateBack)).status, 400)
  })

  it('is limited in departures from one address', async () => {
    for (let i = 0; i < 60; i++) assert.equal((await visitor(here).post(`/${alder.id}/sign-in`, {})).status, 200)
    assert.equal((await visitor(here).post(`/${alder.id}/sign-in`, {})).status, 429)
  })

  it('redirects nowhere, sends no endless answer, and fails in words', async () => {
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
      const { browser, seen } = await comesTo(alder.id, verified(email))
      assert.match(seen.text, /did not sign you in|does not answer/)
      assert.deepEqual([...browser.jar.keys()], [])
    }
    provider.answering(null)
  })

  it('sends nobody to an address that is not https', async () => {
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
      const seen = await visitor(here).post(`/${own.id}/sign-in`, {})
      assert.equal(seen.status, 503, authorization_endpoint)
      assert.equal(seen.text.includes(authorization_endpoint), false)
    }
    provider.answering(null)
  })

  it('ends every session of its own when it is turned off, and they stay ended when it is on again', async () => {
    const email = newEmail()
    await birch.join('tech', { email })
    const { browser } = await comesTo(birch.id, verified(email))
    const waiting = visitor(here)
    const back = provider.approve(onwardIn(await waiting.post(`/${birch.id}/sign-in`, {})), verified(email))
    await turnCompanyProvider(here.database, birch.id, false, null)
    assert.equal((await browser.get(`/${birch.id}`)).location, `/sign-in?to=%2F${birch.id}`)
    assert.equal((await waiting.get(back)).status, 400)
    await turnCompanyProvider(here.database, birch.id, true, null)
    assert.equal(await isIn(browser, birch.id), false)
  })
})
