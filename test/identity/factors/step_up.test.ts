import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { sql, type Sql } from '../../../src/platform/db/database.ts'
import {
  addPasskey,
  afterMinutes,
  askOptions,
  eventsOf,
  forgetSteps,
  setUpApp,
} from '../../harness/identity/factors.ts'
import { said } from '../../harness/identity/people_pages.ts'
import { openSettings } from '../../harness/identity/settings.ts'
import { PASSWORD, askConsent, pressConsent, visitor, type Browser, type Seen } from '../../harness/visiting.ts'

const CALLBACK = 'https://assistant.example/callback'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let owner: Settings['owner']
let at: Settings['at']
before(async () => {
  ;({ service, company, owner, at } = await openSettings())
})
after(() => service.stop())
beforeEach(() => service.database.send([sql`delete from attempts`, sql`update sessions set confirmed_at = moment()`]))

/** Sends the form that a page draws to go on with, as a person would. */
const goOn = (browser: Browser, { text }: Seen): Promise<Seen> => {
  const action = /<form class="form" method="post" action="([^"]+)">/.exec(text)![1]!.replaceAll('&amp;', '&')
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name, value]) => [name!, value!] as const,
  )
  return browser.post(action, Object.fromEntries(fields))
}

const typedIn = ({ text }: Seen): string => /name="typed" value="([\w-]+)"/.exec(text)?.[1] ?? ''

/** Actions that require confirmation, each with a check whether it was done. */
const ACTS: Readonly<
  Record<string, () => Promise<{ path: string; fields: Record<string, string>; isDone(): Promise<boolean> }>>
> = {
  'making a key': async () => ({
    path: at('keys'),
    fields: { name: 'Stepped up', jobs: 'view' },
    isDone: async () => (await owner.get(at('keys'))).text.includes('Stepped up'),
  }),
  'making a client': async () => ({
    path: at('clients'),
    fields: { name: 'Stepped client', redirect_uris: CALLBACK, jobs: 'view' },
    isDone: async () => (await owner.get(at('clients'))).text.includes('Stepped client'),
  }),
  'inviting somebody': async () => ({
    path: at('members'),
    fields: { email: 'stepped@example.com', name: '', role: 'tech' },
    isDone: async () => said(await owner.get(at('members'))).includes('stepped@example.com'),
  }),
  "changing a member's role": async () => {
    const { user_id } = await company.hire('tech')
    return {
      path: at('members', user_id),
      fields: { role: 'office' },
      isDone: async () => {
        const [, answer] = await service.database.send([
          sql`select enter_tenant(${company.id}, null, 0)`,
          sql`select role from members where user_id = ${user_id}`,
        ])
        return answer!.rows[0]!['role'] === 'office'
      },
    }
  },
  "resetting a member's factors": async () => {
    const { user_id, email } = await company.hire('tech')
    await addPasskey(service, await signedIn(email))
    return {
      path: at('members', user_id, 'reset-factors'),
      fields: {},
      isDone: async () => (await eventsOf(service, user_id)).includes('factors_reset'),
    }
  },
  'signing a member out': async () => {
    const { user_id, email } = await company.hire('tech')
    const browser = await signedIn(email)
    return {
      path: at('members', user_id, 'sign-out'),
      fields: {},
      isDone: async () => (await browser.get(`/${company.id}`)).status === 303,
    }
  },
  'letting a key do what it proposed': async () => {
    const { id } = await createKey(
      service.database,
      { tenant: company.id },
      {
        user: company.owner.user_id,
        name: 'Proposing',
        expires_at: null,
        scopes: ['read:jobs', 'write:jobs'],
        proposes: ['write:jobs'],
      },
    )
    return {
      path: at('keys', id),
      fields: { act: 'set', jobs: 'edit' },
      isDone: async () => !(await proposedBy(id)).includes('write:jobs'),
    }
  },
  'letting an app do what it proposed': async () => {
    const client = await connectedApp(owner, { jobs: 'propose' })
    const user = company.owner.user_id
    return {
      path: `${at('app')}?${new URLSearchParams({ client, user }).toString()}`,
      fields: { jobs: 'edit' },
      isDone: async () => (await findGrant(service.database.send, client, user))!.proposes.length === 0,
    }
  },
  'letting a held key go on': async () => {
    const { id } = await createKey(
      service.database,
      { tenant: company.id },
      { user: null, name: 'Held', expires_at: null, scopes: ['write:jobs'] },
    )
    await inCompany(sql`update credentials set held_at = moment() where tenant_id = ${company.id} and id = ${id}`)
    return {
      path: at('keys', id),
      fields: { act: 'lift' },
      isDone: async () =>
        (await inCompany(sql`select from credentials where id = ${id} and held_at is null`)).count > 0,
    }
  },
  'letting keys and apps delete without approval': async () => {
    await inCompany(sql`update tenants set destructive_proposes = true where id = ${company.id}`)
    return {
      path: at('removals'),
      fields: { burst_limit: '0' },
      isDone: async () =>
        (await inCompany(sql`select from tenants where id = ${company.id} and not destructive_proposes`)).count > 0,
    }
  },
  'setting up an app': async () => ({
    path: '/factors/authenticator',
    fields: { to: '/factors' },
    isDone: async () => (await owner.get('/factors/authenticator')).status === 200,
  }),
}

const inCompany = async (statement: Sql) =>
  (await service.database.send([sql`select enter_tenant(${company.id}, null, 0)`, statement]))[1]!

const proposedBy = async (id: string): Promise<string[]> =>
  (await inCompany(sql`select proposes from credentials where id = ${id}`)).rows[0]!['proposes'] as string[]

/** Connects a new app as the person of a browser chooses, and returns its client id. */
async function connectedApp(browser: Browser, areas: Record<string, string>): Promise<string> {
  const { id } = await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} })
  const { path } = await askConsent(service, browser, id, CALLBACK)
  assert.equal((await pressConsent(browser, path, 'approve', areas)).status, 303)
  return id
}

const signedIn = async (email: string): Promise<Browser> => {
  const browser = visitor(service)
  await browser.signIn(email)
  return browser
}

for (const [name, prepared] of Object.entries(ACTS))
  describe(name, () => {
    it('is done at once within a quarter of an hour', async () => {
      const { path, fields, isDone } = await prepared()
      await afterMinutes(service, 13)
      assert.ok((await owner.post(path, fields)).status < 400)
      assert.ok(await isDone())
    })

    it('asks for the password after that, and goes on with what was typed', async () => {
      await service.database.send([
        sql`delete from totp_secrets`,
        sql`select enter_tenant(${company.id}, null, 0)`,
        sql`delete from key_hashes`,
        sql`delete from credentials where kind = 'user_key'`,
        sql`delete from oauth_grants`,
        sql`delete from oauth_clients`,
        sql`delete from invitation_hashes`,
        sql`delete from invitations`,
      ])
      const { path, fields, isDone } = await prepared()
      await afterMinutes(service, 15)
      const asked = await owner.post(path, fields)
      assert.equal(asked.status, 401)
      assert.match(asked.text, /Confirm it&#39;s you, Ana Ruiz/)
      assert.ok(!(await isDoneStill(isDone)))
      const wrong = await owner.post('/confirm', { password: 'wrong', to: path, typed: typedIn(asked) })
      assert.deepEqual([wrong.status, typedIn(wrong)], [422, typedIn(asked)])
      const confirmed = await owner.post('/confirm', { password: PASSWORD, to: path, typed: typedIn(asked) })
      assert.equal(confirmed.status, 200)
      const done = await goOn(owner, confirmed)
      assert.ok(done.status < 400, done.text)
      assert.ok(await isDone())
    })
  })

/** Checks whether an action is done, without a confirmation of its own. */
async function isDoneStill(isDone: () => Promise<boolean>): Promise<boolean> {
  const done = await isDone()
  await afterMinutes(service, 0)
  return done
}

describe('a person', () => {
  it('confirms with a passkey, which also counts as a second factor', async () => {
    const { email } = await company.hire('office')
    const browser = await signedIn(email)
    const { authenticator } = await addPasskey(service, browser)
    await afterMinutes(service, 20)
    const asked = await browser.post(at('keys'), { name: 'By passkey', jobs: 'view' })
    assert.match(asked.text, /data-passkey="confirm"/)
    const { options } = await askOptions(service, browser, { for: 'confirm' })
    assert.deepEqual(
      options.allowCredentials?.map(({ id }) => id),
      [authenticator.id],
    )
    const confirmed = await browser.post('/confirm', {
      passkey: authenticator.use(options),
      to: at('keys'),
      typed: typedIn(asked),
    })
    assert.match((await goOn(browser, confirmed)).text, /API key created: By passkey/)
  })

  it("is not confirmed by somebody else's passkey, nor by one without a verified person", async () => {
    const [one, other] = [await company.hire('office'), await company.hire('office')]
    const browsers = [await signedIn(one.email), await signedIn(other.email)] as const
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

  it('has ten tries in a session, which keep nobody else out', async () => {
    const { email } = await company.hire('office')
    const [browser, other] = [await signedIn(email), await signedIn(email)]
    for (let i = 0; i < 10; i++) assert.equal((await browser.post('/confirm', { password: 'x', to: '/' })).status, 422)
    const { status, headers } = await browser.post('/confirm', { password: PASSWORD, to: '/' })
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.equal((await other.post('/confirm', { password: PASSWORD, to: '/x' })).location, '/x')
  })

  it('may take from a key or an app what it does at once without being asked', async () => {
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

  it('without a password is asked before their address changes', async () => {
    const { email, user_id } = await company.hire('office')
    const browser = await signedIn(email)
    const { authenticator } = await addPasskey(service, browser)
    await service.database.send([sql`update users set password_hash = null where id = ${user_id}`])
    await afterMinutes(service, 20)
    const mails = async () =>
      (
        await service.database.send([
          sql`select from account_mails where user_id = ${user_id} and kind = 'change_address'`,
        ])
      )[0]!.count
    const asked = await browser.post(at('address'), { address: 'elsewhere@example.com', password: '' })
    assert.deepEqual([asked.status, await mails()], [401, 0])
    const { options } = await askOptions(service, browser, { for: 'confirm' })
    const confirmed = await browser.post('/confirm', {
      passkey: authenticator.use(options),
      to: at('address'),
      typed: typedIn(asked),
    })
    assert.equal((await goOn(browser, confirmed)).status, 303)
    assert.equal(await mails(), 1)
  })

  it('whose session has ended meanwhile signs in, with what was typed', async () => {
    const { email } = await company.hire('office')
    const browser = await signedIn(email)
    await afterMinutes(service, 20)
    const asked = await browser.post(at('keys'), { name: 'Late', jobs: 'view' })
    await browser.post('/sign-out', {})
    const { status, text } = await browser.post('/confirm', {
      password: PASSWORD,
      to: at('keys'),
      typed: typedIn(asked),
    })
    assert.equal(status, 401)
    assert.ok(text.includes(`name="typed" value="${typedIn(asked)}"`))
  })

  it('is led to our own pages alone, and may be sent to confirm by a page', async () => {
    for (const to of ['//evil.example', 'https://evil.example/', '/\\evil.example'])
      assert.equal((await owner.post('/confirm', { password: PASSWORD, to })).location, '/')
    assert.match((await owner.get('/confirm?to=/x')).text, /name="to" value="\/x"/)
    assert.equal((await visitor(service).get('/confirm?to=/x')).location, '/sign-in?to=%2Fconfirm%3Fto%3D%2Fx')
    assert.equal(
      (await owner.post('/confirm', { password: PASSWORD, to: '/' }, { origin: 'https://evil.example' })).status,
      403,
    )
    assert.equal((await owner.post('/confirm', { password: PASSWORD, typed: '<script>' })).status, 413)
  })

  it('goes on with another session token, and the one before is worth nothing', async () => {
    const { email, user_id } = await company.hire('office')
    const browser = await signedIn(email)
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
      const [before, stolen] = [token(), visitor(service)]
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

  it('sees in the log that they were asked', async () => {
    const { email, user_id } = await company.hire('office')
    await (await signedIn(email)).post('/confirm', { password: PASSWORD, to: '/' })
    assert.deepEqual(await eventsOf(service, user_id), ['signed_in', 'confirmed'])
  })
})

describe('an app that asks to write', () => {
  const asking = async (browser: Browser) => {
    const client = (await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} }))
      .id
    return { client, ...(await askConsent(service, browser, client, CALLBACK)) }
  }
  const grantOf = (client: string) => findGrant(service.database.send, client, company.owner.user_id)

  it('is connected at once by whoever was recognized a short while ago', async () => {
    const { client, path } = await asking(owner)
    await afterMinutes(service, 13)
    assert.equal((await pressConsent(owner, path, 'approve', { all: 'most' })).status, 303)
    assert.ok(await grantOf(client))
  })

  it('waits until its person has confirmed, and then gets what they chose', async () => {
    const { client, path } = await asking(owner)
    await afterMinutes(service, 16)
    const asked = await pressConsent(owner, path, 'approve', { jobs: 'edit' })
    assert.equal(asked.status, 401)
    assert.equal(await grantOf(client), undefined)
    const confirmed = await owner.post('/confirm', { password: PASSWORD, to: '/oauth/consent', typed: typedIn(asked) })
    assert.doesNotMatch(confirmed.headers.get('content-security-policy') ?? '', /form-action/)
    const done = await goOn(owner, confirmed)
    assert.equal(done.status, 303)
    const back = await owner.get(done.location!)
    assert.match(back.location ?? '', /^https:\/\/assistant\.example\/callback\?code=/)
    assert.deepEqual(
      (await grantOf(client))?.scopes.filter((scope) => scope.startsWith('write:')),
      ['write:jobs'],
    )
  })

  it('asks nothing more to read', async () => {
    const { client, path } = await asking(owner)
    await afterMinutes(service, 16)
    assert.equal((await pressConsent(owner, path, 'view')).status, 303)
    assert.ok(await grantOf(client))
  })
})
