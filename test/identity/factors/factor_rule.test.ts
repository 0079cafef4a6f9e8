import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { addOperator } from '../../../src/identity/people/operators.ts'
import { addMember } from '../../../src/identity/people/people.ts'
import { sql } from '../../../src/platform/db/database.ts'
import {
  addPasskey,
  afterMinutes,
  eventsOf,
  forgetSteps,
  setUpApp,
  signInByPasskey,
} from '../../harness/identity/factors.ts'
import { openSettings } from '../../harness/identity/settings.ts'
import {
  PASSWORD,
  askConsent,
  createCompany,
  pressConsent,
  hiddenFieldsOf,
  newBrowser,
  type Browser,
} from '../../harness/web_client.ts'

const CALLBACK = 'https://assistant.example/callback'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let owner: Settings['owner']
let at: Settings['at']
let readAudit: Settings['readAudit']
before(async () => {
  ;({ service, company, owner, at, readAudit } = await openSettings())
})
after(() => service.stop())
beforeEach(() =>
  service.database.send([sql`delete from attempts`, sql`delete from totp_secrets`, sql`delete from passkeys`]),
)

const signInAs = async (email: string): Promise<Browser> => {
  const browser = newBrowser(service)
  await browser.signIn(email)
  return browser
}

/** Sets the rule directly. Its guards have their own tests. */
const rule = (isOn: boolean) =>
  service.database.send([
    sql`select enter_tenant(${company.id}, null, 0)`,
    sql`update tenants set asks_second_factor = ${isOn} where id = ${company.id}`,
  ])

const works = async (key: string): Promise<number> =>
  (
    await fetch(service.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  ).status

describe('the second-factor rule of a company', () => {
  it('can be changed only by an owner with a second factor, is audited and lists members without one', async () => {
    const { email } = await company.hire('tech')
    const refused = await owner.post(at('second-factor'), { asked: 'yes' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /You have no second factor yourself/)
    await addPasskey(service, owner)
    assert.equal((await owner.post(at('second-factor'), { asked: 'yes' })).status, 303)
    const page = await owner.get(at('members'))
    assert.match(
      page.text,
      /Required[^]*One member has one\.[^]*connected apps keep working; new ones need it[^]*Without one: Leo Park/,
    )
    assert.equal((await owner.post(at('second-factor'), { asked: 'no' })).status, 303)
    assert.match((await owner.get(at('members'))).text, /Optional/)
    const rows = await readAudit('companies.set')
    assert.deepEqual(
      rows.map(({ changed }) => changed),
      [{ asks_second_factor: [false, true] }, { asks_second_factor: [true, false] }],
    )
    assert.equal((await (await signInAs(email)).post(at('second-factor'), { asked: 'yes' })).status, 404)
    await afterMinutes(service, 16)
    assert.equal((await owner.post(at('second-factor'), { asked: 'no' })).status, 401)
    await service.database.send([sql`update sessions set confirmed_at = moment()`])
  })
})

describe('a refused change of the second-factor rule', () => {
  const setLanguage = (language: string) =>
    service.database.send([sql`update users set language = ${language} where id = ${company.owner.user_id}`])
  after(() => setLanguage('en'))

  it("is shown on a page whose title is in the person's language", async () => {
    await setLanguage('es')
    const refused = await owner.post(at('second-factor'), { asked: 'yes' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /<title>Miembros/)
  })
})

describe('a member of a company that requires a second factor', () => {
  before(() => rule(true))
  after(() => rule(false))

  it('is redirected to set one up before anything else in that company only', async () => {
    const { email } = await company.hire('office')
    const elsewhere = await createCompany(service, 'Elsewhere')
    await elsewhere.join('office', { email })
    const browser = await signInAs(email)
    for (const path of [`/${company.id}`, `/${company.id}/customers`, at(), at('keys')]) {
      const { status, location } = await browser.get(path)
      assert.deepEqual([status, location], [303, `/factors?company=${company.id}&to=${encodeURIComponent(path)}`])
    }
    assert.equal((await browser.post(at('keys'), { name: 'Past it', jobs: 'view' })).status, 303)
    assert.equal((await browser.get(`/${elsewhere.id}`)).status, 200)
    const page = await browser.get(`/factors?company=${company.id}&to=${encodeURIComponent(at())}`)
    assert.match(page.text, /Alder Plumbing requires a second factor/)
    assert.ok(page.text.includes(`name="to" value="${at()}"`))
    await addPasskey(service, browser)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
    assert.doesNotMatch((await browser.get(at('keys'))).text, /Past it/)
  })

  it('gets in with an authenticator app and with a passkey sign-in', async () => {
    const { email } = await company.hire('office')
    const browser = await signInAs(email)
    await setUpApp(browser)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
    const { authenticator } = await addPasskey(service, browser)
    const other = newBrowser(service)
    await signInByPasskey(service, other, authenticator)
    assert.equal((await other.get(`/${company.id}`)).status, 200)
  })

  it("must use their existing passkey after a password sign-in and can't add another instead", async () => {
    const { email } = await company.hire('office')
    const { authenticator } = await addPasskey(service, await signInAs(email))
    const browser = await signInAs(email)
    const path = `/${company.id}/customers`
    const led = await browser.get(path)
    assert.deepEqual([led.status, led.location], [303, `/confirm?to=${encodeURIComponent(path)}&second=yes`])
    const page = await browser.get(led.location!)
    assert.match(page.text, /One more step[^]*data-passkey="confirm"/)
    assert.doesNotMatch(page.text, /type="password"/)
    assert.equal((await browser.post('/confirm', { password: PASSWORD, to: path, second: 'yes' })).status, 303)
    assert.equal((await browser.get(path)).status, 303, 'the password is no second factor')
    const { seen } = await addPasskey(service, browser)
    assert.equal(seen.status, 401, 'a thief of the password has no passkey')
    assert.equal((await browser.post(`/factors/passkeys/${authenticator.id}`, { act: 'remove', to: '/' })).status, 401)
    const { status } = await browser.post(at('keys'), { name: 'No', jobs: 'view' })
    assert.equal(status, 401)
  })

  it('keeps existing keys and apps, and a new app needs the second factor', async () => {
    await rule(false)
    const { email, user_id } = await company.hire('office')
    const { key } = await createKey(
      service.database,
      { tenant: company.id },
      { user: user_id, name: 'Before', scopes: ['read:jobs'], expires_at: null },
    )
    const browser = await signInAs(email)
    const client = (await registerClient(service.database, { name: 'App', redirect_uris: [CALLBACK], about: {} })).id
    const first = await askConsent(service, browser, client, CALLBACK)
    assert.equal((await pressConsent(browser, first.path, 'view')).status, 303)
    await rule(true)
    assert.equal(await works(key), 200)
    const again = await askConsent(service, browser, client, CALLBACK)
    assert.match((await browser.get(again.path)).text, /Going back to/, 'what was approved goes on')

    const another = (await registerClient(service.database, { name: 'New', redirect_uris: [CALLBACK], about: {} })).id
    const { path, id } = await askConsent(service, browser, another, CALLBACK)
    const led = await browser.get(path)
    assert.equal(led.location, `/factors?company=${company.id}&to=${encodeURIComponent(path)}`)
    const pressed = await browser.post('/oauth/consent', {
      ...hiddenFieldsOf(''),
      authorization_id: id,
      company: company.id,
      decision: 'view',
    })
    assert.equal(pressed.status, 303)
    assert.equal(await findGrant(service.database.send, another, user_id), undefined)
    await addPasskey(service, browser)
    assert.equal((await pressConsent(browser, path, 'view')).status, 303)
    assert.ok(await findGrant(service.database.send, another, user_id))

    const weak = await signInAs(email)
    const third = (await registerClient(service.database, { name: 'Third', redirect_uris: [CALLBACK], about: {} })).id
    const asked = await askConsent(service, weak, third, CALLBACK)
    assert.match((await weak.get(asked.path)).location ?? '', /^\/confirm\?second=yes&to=/)
  })
})

describe('an owner signing out a member with a lost device', () => {
  it('ends all their sessions, keeps password, factors and keys, and is audited', async () => {
    const { email, user_id } = await company.hire('tech')
    const [phone, laptop] = [await signInAs(email), await signInAs(email)]
    const { authenticator } = await addPasskey(service, laptop)
    const page = await owner.get(at('members', user_id))
    assert.match(page.text, /Lost device[^]*Sign out everywhere/)
    const done = await owner.post(at('members', user_id, 'sign-out'), {})
    assert.deepEqual([done.status, done.location], [303, at('members')])
    assert.match((await owner.get(at('members'))).text, /They were signed out of 2 browsers\./)
    for (const browser of [phone, laptop])
      assert.match((await browser.get(`/${company.id}`)).location ?? '', /^\/sign-in/)
    assert.equal((await (await signInAs(email)).get(`/${company.id}`)).status, 200)
    assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 303)
    const [row] = (await readAudit('members.sign_out')).filter(({ record_id }) => record_id === user_id)
    assert.deepEqual([row!['user_id'], row!['changed']], [company.owner.user_id, { sessions: [2, 0] }])
    assert.ok((await eventsOf(service, user_id)).includes('sessions_ended'))
  })

  it("isn't offered for the owner themselves", async () => {
    assert.doesNotMatch((await owner.get(at('members', company.owner.user_id))).text, /Lost device/)
  })
})

describe("an owner resetting a member's second factors", () => {
  it('removes passkeys, app and codes, ends sessions and is audited', async () => {
    const { email, user_id } = await company.hire('tech')
    const browser = await signInAs(email)
    const { codes } = await setUpApp(browser)
    const { authenticator } = await addPasskey(service, browser)
    await forgetSteps(service)
    const reset = await owner.post(at('members', user_id, 'reset-factors'), {})
    assert.deepEqual([reset.status, reset.location], [303, at('members')])
    assert.match((await browser.get(`/${company.id}`)).location ?? '', /^\/sign-in/)
    assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 422)
    const again = newBrowser(service)
    assert.equal((await again.signIn(email)).location, '/')
    const [left] = await service.database.send([
      sql`select count(*) as n from recovery_codes where user_id = ${user_id}`,
    ])
    assert.deepEqual([left!.rows[0]!['n'], codes.length], [0, 10])
    const [row] = (await readAudit('members.reset_factors')).filter(({ record_id }) => record_id === user_id)
    assert.equal(row!['user_id'], company.owner.user_id)
    assert.ok((await eventsOf(service, user_id)).includes('factors_reset'))
  })

  it('is refused for a member of other companies, an operator, or a person outside the company', async () => {
    const elsewhere = await createCompany(service, 'Elsewhere')
    const shared = await elsewhere.hire('tech')
    await addMember(service.database, { tenant: company.id }, { email: shared.email, role: 'tech', password: 'none' })
    const operator = await elsewhere.hire('tech')
    const here = await company.hire('tech')
    await service.database.send([sql`update users set proved_at = moment() where id = ${here.user_id}`])
    await addOperator(service.database, { id: here.user_id, email: here.email, name: here.name })
    const passkeys = new Map<string, Awaited<ReturnType<typeof addPasskey>>>()
    for (const { email } of [shared, operator, here])
      passkeys.set(email, await addPasskey(service, await signInAs(email)))
    for (const [user, status] of [
      [shared.user_id, 409],
      [here.user_id, 409],
      [operator.user_id, 404],
    ] as const)
      for (const what of ['reset-factors', 'sign-out'])
        assert.equal((await owner.post(at('members', user, what), {})).status, status)
    for (const { authenticator } of passkeys.values())
      assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 303)
  })

  it("is refused for a member who isn't an owner", async () => {
    const { user_id } = await company.hire('tech')
    const { email } = await company.hire('office')
    for (const what of ['reset-factors', 'sign-out'])
      assert.equal((await (await signInAs(email)).post(at('members', user_id, what), {})).status, 404)
  })
})
