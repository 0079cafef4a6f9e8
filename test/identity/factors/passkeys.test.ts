import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { invitePerson } from '../../../src/identity/people/invitations/invitations.ts'
import { sweepChallenges } from '../../../src/identity/factors/challenges.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { newAuthenticator, type Forgery } from '../../harness/identity/authenticator.ts'
import { addPasskey, afterMinutes, askOptions, eventsOf, signInByPasskey } from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: TestService
let north: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  service = await startSite()
  north = await createCompany(service, 'Northside Heating')
})
after(() => service.stop())

/** Makes a new person who is signed in with a password. */
async function somebody() {
  const member = await north.hire('office')
  const browser = newBrowser(service)
  await browser.signIn(member.email)
  return { ...member, browser }
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get(`/${north.id}`)).status === 200

describe('a passkey', () => {
  it('can be added, listed, renamed, used to sign in, and removed', async () => {
    const { browser, user_id } = await somebody()
    const { authenticator, seen } = await addPasskey(
      service,
      browser,
      newAuthenticator(service.config.baseUrl, { isSynced: true }),
    )
    assert.deepEqual([seen.status, seen.location], [303, '/factors'])
    const page = await browser.get(`/${north.id}/settings`)
    assert.match(page.text, /<ul class="passkeys">[^]*On all your devices[^]*not used yet/)
    await browser.post(`/factors/passkeys/${authenticator.id}`, { act: 'rename', name: 'Work <phone>', to: '/factors' })

    const other = newBrowser(service)
    const entered = await signInByPasskey(service, other, authenticator)
    assert.deepEqual([entered.status, entered.location], [303, '/'])
    assert.ok(await isSignedIn(other))
    assert.match((await other.get('/factors')).text, /Work &lt;phone&gt;[^]*last used/)
    const [session] = await service.database.send([
      sql`select methods from sessions where user_id = ${user_id} order by created_at desc limit 1`,
    ])
    assert.deepEqual(session!.rows[0]!['methods'], ['passkey'])

    await browser.post(`/factors/passkeys/${authenticator.id}`, { act: 'remove', to: '/factors' })
    const refused = await signInByPasskey(service, newBrowser(service), authenticator)
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Unknown passkey/)
    assert.deepEqual(await eventsOf(service, user_id), ['signed_in', 'passkey_added', 'signed_in', 'passkey_removed'])
  })

  it("can't be renamed, removed or registered by another person", async () => {
    const [one, other] = [await somebody(), await somebody()]
    const { authenticator } = await addPasskey(service, one.browser)
    for (const act of ['rename', 'remove']) {
      const { status } = await other.browser.post(`/factors/passkeys/${authenticator.id}`, { act, name: 'Mine' })
      assert.equal(status, 404)
    }
    const { seen } = await addPasskey(service, other.browser, authenticator)
    assert.equal(seen.status, 409)
    assert.match(seen.text, /already registered/)
    const handle = Buffer.from(one.user_id.replaceAll('-', ''), 'hex').toString('base64url')
    assert.equal((await signInByPasskey(service, newBrowser(service), authenticator, { handle })).status, 303)
  })

  it('is rejected as the 21st of a person', async () => {
    const { browser, user_id } = await somebody()
    await addPasskey(service, browser)
    await service.database.send([
      sql`insert into passkeys (id, user_id, handle, name, public_key, counter, transports, is_synced)
      select decode(lpad(to_hex(n), 32, '0'), 'hex'), user_id, handle, name, public_key, counter, transports, is_synced
      from passkeys, generate_series(1, 19) n where user_id = ${user_id}`,
    ])
    const { seen } = await addPasskey(service, browser)
    assert.equal(seen.status, 409)
    assert.match(seen.text, /You already have 20 passkeys/)
  })

  it('can be one of several of a person, but only one per device', async () => {
    const { browser } = await somebody()
    const first = await addPasskey(service, browser)
    const second = await addPasskey(service, browser)
    const { options } = await askOptions(service, browser, { for: 'add' })
    assert.deepEqual(
      (options as { excludeCredentials?: { id: string }[] }).excludeCredentials!.map(({ id }) => id),
      [first.authenticator.id, second.authenticator.id],
    )
    for (const { authenticator } of [first, second])
      assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 303)
  })
})

describe('a passkey assertion', () => {
  const forgeries: Record<string, Forgery> = {
    'without a verified person': { isVerified: false },
    'for another origin': { origin: 'https://evil.example' },
    'for another relying party': { rpId: 'evil.example' },
    'for another challenge': { challenge: 'A'.repeat(43) },
    'with a counter that went back': { counter: 1 },
  }
  for (const [what, forged] of Object.entries(forgeries))
    it(`${what} is rejected`, async () => {
      const { browser } = await somebody()
      const { authenticator } = await addPasskey(service, browser)
      const other = newBrowser(service)
      assert.equal((await signInByPasskey(service, other, authenticator, forged)).status, 422)
      assert.ok(!(await isSignedIn(other)))
      assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 303)
    })

  it('is accepted only once', async () => {
    const { browser } = await somebody()
    const { authenticator } = await addPasskey(service, browser)
    const other = newBrowser(service)
    const { options } = await askOptions(service, other, { for: 'sign_in' })
    const passkey = authenticator.use(options)
    const answers = await Promise.all([1, 2, 3].map(() => other.post('/sign-in', { passkey })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422])
  })

  it('is accepted only in the same browser, within five minutes and for the same purpose', async () => {
    const { browser } = await somebody()
    const { authenticator } = await addPasskey(service, browser)
    const asked = newBrowser(service)
    const late = await askOptions(service, asked, { for: 'sign_in' })
    await service.database.send([sql`update passkey_challenges set created_at = created_at - interval '5 minutes'`])
    const { status, text } = await asked.post('/sign-in', { passkey: authenticator.use(late.options) })
    assert.deepEqual([status, /That took too long/.test(text)], [422, true])

    const { options } = await askOptions(service, asked, { for: 'sign_in' })
    const stranger = newBrowser(service)
    await askOptions(service, stranger, { for: 'sign_in' })
    assert.equal((await stranger.post('/sign-in', { passkey: authenticator.use(options) })).status, 422)
    assert.equal((await asked.post('/sign-in', { passkey: authenticator.use(options) })).status, 303)

    const confirming = await askOptions(service, browser, { for: 'confirm' })
    assert.equal((await browser.post('/sign-in', { passkey: authenticator.use(confirming.options) })).status, 422)
    const adding = await askOptions(service, browser, { for: 'sign_in' })
    const made = newAuthenticator(service.config.baseUrl).create({
      ...adding.options,
      user: { id: 'eA' },
      rp: { id: 'localhost' },
    })
    assert.equal((await browser.post('/factors/passkeys', { passkey: made, to: '/factors' })).status, 422)
  })

  it('has its challenge stored only as a hash and swept after it expires', async () => {
    const { options } = await askOptions(service, newBrowser(service), { for: 'sign_in' })
    const [kept, , left] = await service.database.send([
      sql`select count(*) as n from passkey_challenges where hash = sha256(${Buffer.from(options.challenge)})`,
      sql`update passkey_challenges set created_at = created_at - interval '6 minutes'`,
      sql`select 1`,
      sweepChallenges(),
    ])
    assert.deepEqual([kept!.rows[0]!['n'], left!.count], [1, 1])
    const [after] = await service.database.send([sql`select count(*) as n from passkey_challenges`])
    assert.equal(after!.rows[0]!['n'], 0)
  })
})

describe('POST /passkeys/options', () => {
  const ask = (headers: Record<string, string>, body: string) =>
    fetch(`${service.config.baseUrl}/passkeys/options`, { method: 'POST', headers, body })

  it('accepts only same-origin JSON of at most 4 kB with a known purpose', async () => {
    const ours = { origin: service.config.baseUrl, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    assert.equal((await ask(ours, '{"for":"sign_in"}')).status, 200)
    assert.equal((await ask({ ...ours, 'sec-fetch-site': 'cross-site' }, '{"for":"sign_in"}')).status, 403)
    assert.equal((await ask({ ...ours, 'content-type': 'text/plain' }, '{"for":"sign_in"}')).status, 415)
    assert.equal((await ask(ours, JSON.stringify({ for: 'sign_in', x: 'x'.repeat(5000) }))).status, 413)
    for (const body of ['', '{', '[]', '{"for":"anything"}', '{"for":"join"}'])
      assert.equal((await ask(ours, body)).status, 400, body)
  })

  it('needs a session or an open invitation for a purpose tied to a person', async () => {
    for (const asked of ['add', 'confirm', 'second'])
      assert.equal((await askOptions(service, newBrowser(service), { for: asked })).status, 401, asked)
    const stranger = newBrowser(service)
    const { status } = await stranger.send('/passkeys/options', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.config.baseUrl, 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ for: 'join', name: 'X', invitation: 'x'.repeat(43) }),
    })
    assert.equal(status, 404)
  })

  it('returns 429 after 200 requests in 15 minutes from one address', async () => {
    await service.database.send([
      sql`insert into attempts (subject, begun_at, tries) values (sha256('passkey options 127.0.0.1'), moment(), 200)
      on conflict (subject) do update set tries = 200`,
    ])
    const { status } = await askOptions(service, newBrowser(service), { for: 'sign_in' })
    await service.database.send([sql`delete from attempts`])
    assert.equal(status, 429)
  })

  it('returns 409 at a base URL without passkey support, whose sign-in page offers none', async () => {
    const plain = await startSite({ BASE_URL: 'http://callout.test' })
    const answer = await fetch(`${plain.origin}/passkeys/options`, {
      method: 'POST',
      headers: { origin: 'http://callout.test', 'content-type': 'application/json' },
      body: '{"for":"sign_in"}',
    })
    const page = await (await fetch(`${plain.origin}/sign-in`)).text()
    await plain.stop()
    assert.equal(answer.status, 409)
    assert.doesNotMatch(page, /passkey/)
  })
})

describe('an invitation', () => {
  const makeInvitation = async () => {
    const email = `new-${Math.random().toString(36).slice(2)}@example.com`
    const by = { user: north.owner.user_id }
    const { secret } = await invitePerson(service.database, north.id, { email, name: null, role: 'office' }, by)
    return { email, secret }
  }

  it('can be accepted with a passkey, which is then the only way to sign in', async () => {
    const { email, secret } = await makeInvitation()
    const browser = newBrowser(service)
    const { options } = await askOptions(service, browser, { for: 'join', name: 'Kim', invitation: secret })
    const authenticator = newAuthenticator(service.config.baseUrl)
    const joined = await browser.post('/join', {
      invitation: secret,
      name: 'Kim',
      passkey: authenticator.create(options),
    })
    assert.deepEqual([joined.status, joined.location], [303, `/${north.id}`])
    assert.ok(await isSignedIn(browser))
    assert.equal((await newBrowser(service).signIn(email)).status, 422)
    assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 303)

    const last = await browser.post(`/factors/passkeys/${authenticator.id}`, { act: 'remove', to: '/factors' })
    assert.equal(last.status, 409)
    assert.match(last.text, /This is your last way to sign in/)
    const settings = await browser.get(`/${north.id}/settings`)
    assert.match(settings.text, /You have no password/)
    const next = 'four pipes and a wrench'
    await afterMinutes(service, 16)
    assert.equal((await browser.post(`/${north.id}/settings/password`, { next })).status, 401, 'asked who is there')
    const { options: confirm } = await askOptions(service, browser, { for: 'confirm' })
    await browser.post('/confirm', { passkey: authenticator.use(confirm), to: '/' })
    assert.match((await browser.post(`/${north.id}/settings/password`, { next })).text, /Your password was changed/)
    assert.equal((await newBrowser(service).signIn(email, '/', next)).status, 303)
    assert.equal(
      (await browser.post(`/factors/passkeys/${authenticator.id}`, { act: 'remove', to: '/factors' })).status,
      303,
    )
  })

  it('is not accepted with an invalid passkey', async () => {
    const { secret, email } = await makeInvitation()
    const browser = newBrowser(service)
    const authenticator = newAuthenticator(service.config.baseUrl)
    for (const forged of [{ isVerified: false }, { origin: 'https://evil.example' }] as Forgery[]) {
      const { options } = await askOptions(service, browser, { for: 'join', name: 'Kim', invitation: secret })
      const { status } = await browser.post('/join', {
        invitation: secret,
        name: 'Kim',
        passkey: authenticator.create(options, forged),
      })
      assert.equal(status, 422)
    }
    assert.equal((await browser.post('/join', { invitation: secret, name: 'Kim', passkey: '{}' })).status, 422)
    const [made] = await service.database.send([sql`select from users where email = ${email}`])
    assert.equal(made!.count, 0)
  })

  it('to a deactivated member ends the earlier passkeys when it is accepted', async () => {
    const { browser, email, user_id } = await somebody()
    const { authenticator } = await addPasskey(service, browser)
    await service.database.send([
      sql`select enter_tenant(${north.id}, null, 0)`,
      sql`update members set deactivated_at = moment() where user_id = ${user_id}`,
    ])
    const by = { user: north.owner.user_id }
    const { secret } = await invitePerson(service.database, north.id, { email, name: null, role: 'office' }, by)
    const taken = await newBrowser(service).post('/join', {
      invitation: secret,
      name: 'Kim',
      password: 'four pipes and a wrench',
    })
    assert.equal(taken.status, 303, taken.text)
    assert.equal((await signInByPasskey(service, newBrowser(service), authenticator)).status, 422)
  })
})
