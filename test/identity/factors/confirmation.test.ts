import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { CALLBACK } from '../../harness/identity/consent.ts'
import {
  addPasskey,
  afterMinutes,
  askOptions,
  eventsOf,
  forgetSteps,
  setUpApp,
} from '../../harness/identity/factors.ts'
import { submitContinue, openStepUp, readTypedField, type StepUp } from '../../harness/identity/step_up.ts'
import { PASSWORD, askConsent, pressConsent, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: StepUp['service']
let company: StepUp['company']
let owner: StepUp['owner']
let signInAs: StepUp['signInAs']
let at: StepUp['at']
let proposedBy: StepUp['proposedBy']
let connectedApp: StepUp['connectedApp']
before(async () => {
  ;({ service, company, owner, signInAs, at, proposedBy, connectedApp } = await openStepUp())
})
after(() => service.stop())
beforeEach(() => service.database.send([sql`delete from attempts`, sql`update sessions set confirmed_at = moment()`]))

describe('confirming an identity', () => {
  it('works with a passkey and goes on with the submitted form', async () => {
    const { email } = await company.hire('office')
    const browser = await signInAs(email)
    const { authenticator } = await addPasskey(service, browser)
    await afterMinutes(service, 20)
    const question = await browser.post(at('keys'), { name: 'By passkey', jobs: 'view' })
    assert.match(question.text, /data-passkey="confirm"/)
    const { options } = await askOptions(service, browser, { for: 'confirm' })
    assert.deepEqual(
      options.allowCredentials?.map(({ id }) => id),
      [authenticator.id],
    )
    const confirmed = await browser.post('/confirm', {
      passkey: authenticator.use(options),
      to: at('keys'),
      typed: readTypedField(question),
    })
    assert.match((await submitContinue(browser, confirmed)).text, /API key created: By passkey/)
  })

  it("rejects another person's passkey and a passkey without user verification", async () => {
    const [one, other] = [await company.hire('office'), await company.hire('office')]
    const browsers = [await signInAs(one.email), await signInAs(other.email)] as const
    const passkeys = [await addPasskey(service, browsers[0]), await addPasskey(service, browsers[1])] as const
    await afterMinutes(service, 20)
    for (const [authenticator, forged] of [
      [passkeys[1].authenticator, {}],
      [passkeys[0].authenticator, { isVerified: false }],
    ] as const) {
      const { options } = await askOptions(service, browsers[0], { for: 'confirm' })
      const { status } = await browsers[0].post('/confirm', { passkey: authenticator.use(options, forged), to: '/' })
      assert.equal(status, 422)
    }
    assert.equal((await browsers[0].post(at('keys'), { name: 'No', jobs: 'view' })).status, 401)
  })

  it("allows ten attempts per session and doesn't block the person's other sessions", async () => {
    const { email } = await company.hire('office')
    const [browser, other] = [await signInAs(email), await signInAs(email)]
    for (let i = 0; i < 10; i++) assert.equal((await browser.post('/confirm', { password: 'x', to: '/' })).status, 422)
    const { status, headers } = await browser.post('/confirm', { password: PASSWORD, to: '/' })
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.equal((await other.post('/confirm', { password: PASSWORD, to: '/x' })).location, '/x')
  })

  it("isn't needed to reduce or revoke what a key or an app may do", async () => {
    const { id } = await createKey(
      service.database,
      { tenant: company.id },
      { user: company.owner.user_id, name: 'Acting', expires_at: null, scopes: ['write:jobs'] },
    )
    const client = await connectedApp(owner, { jobs: 'edit', customers: 'edit' })
    await afterMinutes(service, 20)
    assert.equal((await owner.post(at('keys', id), { act: 'set', jobs: 'propose' })).status, 303)
    assert.deepEqual(await proposedBy(id), ['write:jobs'])
    const app = `${at('app')}?${new URLSearchParams({ client, user: company.owner.user_id }).toString()}`
    assert.equal((await owner.post(app, { jobs: 'propose', customers: 'view' })).status, 303)
    assert.equal((await owner.post(app, { act: 'withdraw' })).status, 303)
    assert.equal((await owner.post(at('keys', id), { act: 'revoke' })).status, 303)
  })

  it('is needed before a person without a password changes their address', async () => {
    const { email, user_id } = await company.hire('office')
    const browser = await signInAs(email)
    const { authenticator } = await addPasskey(service, browser)
    await service.database.send([sql`update users set password_hash = null where id = ${user_id}`])
    await afterMinutes(service, 20)
    const mails = async () =>
      (
        await service.database.send([
          sql`select from account_mails where user_id = ${user_id} and kind = 'change_address'`,
        ])
      )[0]!.count
    const question = await browser.post(at('address'), { address: 'elsewhere@example.com', password: '' })
    assert.deepEqual([question.status, await mails()], [401, 0])
    const { options } = await askOptions(service, browser, { for: 'confirm' })
    const confirmed = await browser.post('/confirm', {
      passkey: authenticator.use(options),
      to: at('address'),
      typed: readTypedField(question),
    })
    assert.equal((await submitContinue(browser, confirmed)).status, 303)
    assert.equal(await mails(), 1)
  })

  it('leads to sign-in with the submitted form when the session ended meanwhile', async () => {
    const { email } = await company.hire('office')
    const browser = await signInAs(email)
    await afterMinutes(service, 20)
    const question = await browser.post(at('keys'), { name: 'Late', jobs: 'view' })
    await browser.post('/sign-out', {})
    const { status, text } = await browser.post('/confirm', {
      password: PASSWORD,
      to: at('keys'),
      typed: readTypedField(question),
    })
    assert.equal(status, 401)
    assert.ok(text.includes(`name="typed" value="${readTypedField(question)}"`))
  })

  it('redirects only to local paths and rejects a foreign origin or an oversized form', async () => {
    for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example'])
      assert.equal((await owner.post('/confirm', { password: PASSWORD, to })).location, '/')
    assert.match((await owner.get('/confirm?to=/x')).text, /name="to" value="\/x"/)
    assert.equal((await newBrowser(service).get('/confirm?to=/x')).location, '/sign-in?to=%2Fconfirm%3Fto%3D%2Fx')
    assert.equal(
      (await owner.post('/confirm', { password: PASSWORD, to: '/' }, { origin: 'https://evil.example' })).status,
      403,
    )
    assert.equal((await owner.post('/confirm', { password: PASSWORD, typed: '<script>' })).status, 413)
  })

  it('rotates the session token and invalidates the old one', async () => {
    const { email, user_id } = await company.hire('office')
    const browser = await signInAs(email)
    const { authenticator } = await addPasskey(service, browser)
    const app = await setUpApp(browser)
    const token = (): string => browser.jar.get('callout_session')!
    const ways: Record<string, () => Promise<Record<string, string>>> = {
      password: async () => ({ password: PASSWORD }),
      passkey: async () => {
        const { options } = await askOptions(service, browser, { for: 'confirm' })
        return { passkey: authenticator.use(options) }
      },
      code: async () => {
        await forgetSteps(service)
        return { code: app.code(), second: 'yes' }
      },
    }
    for (const [way, fields] of Object.entries(ways)) {
      const [before, stolen] = [token(), newBrowser(service)]
      stolen.jar.set('callout_session', before)
      assert.equal((await stolen.get(`/${company.id}`)).status, 200, way)
      assert.equal((await browser.post('/confirm', { ...(await fields()), to: '/' })).status, 303, way)
      assert.notEqual(token(), before, way)
      assert.equal((await stolen.get(`/${company.id}`)).status, 303, way)
      assert.equal((await browser.get(`/${company.id}`)).status, 200, way)
    }
    const wrong = token()
    assert.equal((await browser.post('/confirm', { password: 'not it', to: '/' })).status, 422)
    assert.equal(token(), wrong)
    const [left] = await service.database.send([sql`select id from sessions where user_id = ${user_id}`])
    assert.equal(left!.count, 1)
  })

  it('is recorded in the security log', async () => {
    const { email, user_id } = await company.hire('office')
    await (await signInAs(email)).post('/confirm', { password: PASSWORD, to: '/' })
    assert.deepEqual(await eventsOf(service, user_id), ['signed_in', 'confirmed'])
  })
})

describe('an app that asks for write access', () => {
  const asking = async (browser: Browser) => {
    const client = (await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} }))
      .id
    return { client, ...(await askConsent(service, browser, client, CALLBACK)) }
  }
  const grantOf = (client: string) => findGrant(service.database.send, client, company.owner.user_id)

  it('is connected at once when the person signed in recently', async () => {
    const { client, path } = await asking(owner)
    await afterMinutes(service, 13)
    assert.equal((await pressConsent(owner, path, 'approve', { all: 'most' })).status, 303)
    assert.ok(await grantOf(client))
  })

  it('needs a confirmation after 15 minutes and then gets the chosen scopes', async () => {
    const { client, path } = await asking(owner)
    await afterMinutes(service, 16)
    const question = await pressConsent(owner, path, 'approve', { jobs: 'edit' })
    assert.equal(question.status, 401)
    assert.equal(await grantOf(client), undefined)
    const confirmed = await owner.post('/confirm', {
      password: PASSWORD,
      to: '/oauth/consent',
      typed: readTypedField(question),
    })
    assert.doesNotMatch(confirmed.headers.get('content-security-policy') ?? '', /form-action/)
    const done = await submitContinue(owner, confirmed)
    assert.equal(done.status, 303)
    const back = await owner.get(done.location!)
    assert.match(back.location ?? '', /^https:\/\/assistant\.example\/callback\?code=/)
    assert.deepEqual(
      (await grantOf(client))?.scopes.filter((scope) => scope.startsWith('write:')),
      ['write:jobs'],
    )
  })

  it('needs no confirmation for read access', async () => {
    const { client, path } = await asking(owner)
    await afterMinutes(service, 16)
    assert.equal((await pressConsent(owner, path, 'view')).status, 303)
    assert.ok(await grantOf(client))
  })
})
