import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { resetPassword } from '../../../src/identity/people/recovery/own_password.ts'
import { sweepPending } from '../../../src/identity/factors/pending_sign_in.ts'
import { sql } from '../../../src/platform/db/database.ts'
import {
  addPasskey,
  afterMinutes,
  askOptions,
  eventsOf,
  forgetSteps,
  setUpApp,
} from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

let service: TestService
let north: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  service = await startSite()
  north = await createCompany(service, 'Northside Heating')
})
after(() => service.stop())
beforeEach(() => service.database.send([sql`delete from attempts`]))

/** Returns a new member with an authenticator app, and the browser where it was set up. */
async function somebody() {
  const member = await north.hire('office')
  const browser = newBrowser(service)
  await browser.signIn(member.email)
  const app = await setUpApp(browser)
  await forgetSteps(service)
  return { ...member, ...app, browser }
}

const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get(`/${north.id}`)).status === 200

/** Returns a browser after the correct password, before the second factor. */
async function waiting(email: string, to = '/') {
  const browser = newBrowser(service)
  const { status, location } = await browser.signIn(email, to)
  assert.deepEqual([status, location], [303, `/sign-in/second?to=${encodeURIComponent(to)}`])
  return browser
}

const show = (browser: Browser, code: string, more: Record<string, string> = {}) =>
  browser.post('/sign-in/second', { code, to: '/', ...more })

describe('an authenticator app', () => {
  it('is confirmed by its first valid code and shows ten recovery codes once', async () => {
    const { email, user_id } = await north.hire('office')
    const browser = newBrowser(service)
    await browser.signIn(email)
    const { location } = await browser.post('/factors/authenticator', { to: `/${north.id}/settings` })
    const page = await browser.get(location!)
    assert.match(page.text, /<svg class="qr"[^]*<path d="M4 4h7v1h-7z/)
    const wrong = await browser.post('/factors/authenticator/confirm', { code: '12345', to: '/' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /This isn’t the code that the app shows now/)
    assert.equal((await newBrowser(service).signIn(email)).location, '/', 'it counts for nothing yet')
    const { codes } = await setUpApp(browser)
    assert.equal(new Set(codes).size, 10)
    assert.match((await browser.get(`/${north.id}/settings`)).text, /10 recovery codes are left/)
    assert.equal((await browser.post('/factors/authenticator', { to: '/' })).status, 409)
    assert.equal((await browser.get('/factors/authenticator?to=/')).status, 303, 'the secret is not shown again')
    assert.deepEqual((await eventsOf(service, user_id)).sort(), [
      'recovery_codes_made',
      'signed_in',
      'signed_in',
      'totp_added',
    ])
    const kept = await service.database.send([sql`select hash from recovery_codes where user_id = ${user_id}`])
    for (const { hash } of kept[0]!.rows) assert.ok(!codes.some((code) => (hash as Buffer).includes(code)))
  })

  it('is required after the password, and no session exists before', async () => {
    const { email, code, user_id } = await somebody()
    const browser = await waiting(email, `/${north.id}?tab=x`)
    assert.ok(!(await isSignedIn(browser)))
    assert.deepEqual([...browser.jar.keys()], ['callout_pending'])
    const entered = await show(browser, code(), { to: `/${north.id}?tab=x` })
    assert.deepEqual([entered.status, entered.location], [303, `/${north.id}?tab=x`])
    assert.ok(await isSignedIn(browser))
    assert.ok(!browser.jar.has('callout_pending'))
    const [session] = await service.database.send([
      sql`select methods from sessions where user_id = ${user_id} order by created_at desc limit 1`,
    ])
    assert.deepEqual(session!.rows[0]!['methods'], ['password', 'totp'])
  })

  it('keeps the submitted form when the session had ended', async () => {
    const { email, code } = await somebody()
    const browser = newBrowser(service)
    const typed = Buffer.from('name=Carol+%3Cb%3E').toString('base64url')
    const asked = await browser.post('/sign-in', { email, password: 'correct horse battery', to: '/x', typed })
    assert.equal(asked.status, 200)
    assert.ok(asked.text.includes(`name="typed" value="${typed}"`))
    const entered = await show(browser, code(), { to: '/x', typed })
    assert.match(entered.text, /<form class="form" method="post" action="\/x">[^]*name="name" value="Carol &lt;b&gt;"/)
  })

  it('accepts each code only once, in any browser', async () => {
    const { email, code } = await somebody()
    const [one, other] = [await waiting(email), await waiting(email)]
    const same = code()
    const answers = await Promise.all([show(one, same), show(other, same)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422])
    assert.equal((await show(await waiting(email), same)).status, 422)
  })

  it("rejects codes more than a few steps off, accepts the next step's, then no earlier one", async () => {
    const { email, code } = await somebody()
    assert.equal((await show(await waiting(email), code(5))).status, 422)
    assert.equal((await show(await waiting(email), code(-5))).status, 422)
    const earlier = code()
    assert.equal((await show(await waiting(email), code(1))).status, 303)
    assert.equal((await show(await waiting(email), earlier)).status, 422)
  })

  it('can be removed together with its recovery codes', async () => {
    const { email, browser, codes } = await somebody()
    assert.equal((await browser.post('/factors/authenticator/act', { act: 'remove', to: '/factors' })).status, 303)
    assert.equal((await newBrowser(service).signIn(email)).location, '/')
    assert.equal((await browser.post('/factors/authenticator/act', { act: 'codes', to: '/factors' })).status, 409)
    await setUpApp(browser)
    assert.equal((await show(await waiting(email), codes[0]!)).status, 422)
  })
})

describe('a recovery code', () => {
  it('signs in once, in any case and with spaces', async () => {
    const { email, codes, user_id } = await somebody()
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `
    assert.equal((await show(await waiting(email), typed)).status, 303)
    assert.equal((await show(await waiting(email), codes[0]!)).status, 422)
    assert.equal((await show(await waiting(email), codes[1]!)).status, 303)
    assert.equal((await eventsOf(service, user_id)).filter((kind) => kind === 'recovery_code_used').length, 2)
  })

  it('in the old four-group format signs in once', async () => {
    const { email, user_id } = await somebody()
    const code = 'abcd-efgh-jkmn-pqrs'
    const hash = createHash('sha256').update(`${user_id} ${code}`).digest()
    await service.database.send([sql`insert into recovery_codes (user_id, hash) values (${user_id}, ${hash})`])
    assert.equal((await show(await waiting(email), 'abcd-efgh-jkmn')).status, 422)
    assert.equal((await show(await waiting(email), code)).status, 303)
    assert.equal((await show(await waiting(email), code)).status, 422)
  })

  it('is invalidated when new codes are made', async () => {
    const { email, codes, browser } = await somebody()
    const { text } = await browser.post('/factors/authenticator/act', { act: 'codes', to: '/factors' })
    const next = text.match(/\b[a-z2-9]{4}(?:-[a-z2-9]{4}){5}\b/g) ?? []
    assert.equal(next.length, 10)
    assert.equal((await show(await waiting(email), codes[0]!)).status, 422)
    assert.equal((await show(await waiting(email), next[0]!)).status, 303)
  })

  it("doesn't work for another person", async () => {
    const [one, other] = [await somebody(), await somebody()]
    assert.equal((await show(await waiting(other.email), one.codes[0]!)).status, 422)
  })
})

describe('a pending sign-in', () => {
  it('can be completed with a passkey of the same person', async () => {
    const [one, other] = [await somebody(), await somebody()]
    const { authenticator } = await addPasskey(service, one.browser)
    const strange = await addPasskey(service, other.browser)
    const browser = await waiting(one.email)
    assert.match((await browser.get('/sign-in/second?to=/')).text, /data-passkey="second"/)
    const first = await askOptions(service, browser, { for: 'second' })
    assert.deepEqual(
      first.options.allowCredentials?.map(({ id }) => id),
      [authenticator.id],
    )
    const refused = await browser.post('/sign-in/second', {
      passkey: strange.authenticator.use(first.options),
      to: '/',
    })
    assert.equal(refused.status, 422)
    const { options } = await askOptions(service, browser, { for: 'second' })
    assert.equal((await browser.post('/sign-in/second', { passkey: authenticator.use(options), to: '/' })).status, 303)
    assert.ok(await isSignedIn(browser))
  })

  it('works only in its browser, for ten minutes and once', async () => {
    const { email, code, codes } = await somebody()
    const browser = await waiting(email)
    const stranger = newBrowser(service)
    assert.match((await show(stranger, code())).location ?? '', /^\/sign-in\?to=/)
    stranger.jar.set('callout_pending', 'A'.repeat(43))
    assert.match((await show(stranger, code())).location ?? '', /^\/sign-in\?to=/)
    const kept = browser.jar.get('callout_pending')!
    assert.equal((await show(browser, codes[0]!)).status, 303)
    stranger.jar.set('callout_pending', kept)
    assert.match((await show(stranger, codes[1]!)).location ?? '', /^\/sign-in\?to=/)

    const late = await waiting(email)
    await service.database.send([sql`update pending_sign_ins set created_at = created_at - interval '10 minutes'`])
    assert.match((await show(late, codes[1]!)).location ?? '', /^\/sign-in\?to=/)
    assert.match((await late.get('/sign-in/second?to=/x')).location ?? '', /^\/sign-in\?to=%2Fx/)
    const [swept] = await service.database.send([sweepPending()])
    assert.ok(swept!.count > 0)
  })

  it('ends when the password changes', async () => {
    const { email, user_id, codes } = await somebody()
    const browser = await waiting(email)
    await resetPassword(service.database, user_id, 'four pipes and a wrench')
    assert.match((await show(browser, codes[0]!)).location ?? '', /^\/sign-in\?to=/)
  })

  it('is stored under the SHA-256 of its cookie', async () => {
    const { email } = await somebody()
    const secret = (await waiting(email)).jar.get('callout_pending')!
    const [kept] = await service.database.send([
      sql`select count(*) as n from pending_sign_ins where hash = sha256(${Buffer.from(secret)})`,
    ])
    assert.equal(kept!.rows[0]!['n'], 1)
  })
})

describe('wrong second-factor codes', () => {
  const addAttempts = (subject: string, tries: number) =>
    service.database.send([
      sql`insert into attempts (subject, begun_at, tries) values (sha256(${Buffer.from(subject)}), moment(), ${tries})`,
    ])

  it('are limited to ten in 15 minutes per account and network, and logged', async () => {
    const { email, user_id, code } = await somebody()
    await addAttempts(`second factor ${user_id} from 127.0.0.0/24`, 9)
    assert.equal((await show(await waiting(email), '000000')).status, 422)
    const { status, headers, text } = await show(await waiting(email), code())
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(text, /Too many attempts/)
    assert.ok((await eventsOf(service, user_id)).includes('second_factor_failed'))
  })

  it('are limited to 20 per account, without blocking known browsers, recovery codes or other accounts', async () => {
    const { email, user_id, code, codes, browser } = await somebody()
    await addAttempts(`second factor ${user_id}`, 20)
    assert.equal((await show(await waiting(email), code())).status, 429)
    assert.equal((await show(await waiting(email), codes[0]!)).status, 303)
    await browser.post('/sign-out', {})
    await browser.signIn(email)
    assert.equal((await show(browser, code())).status, 303)
    const other = await somebody()
    assert.equal((await show(await waiting(other.email), other.code())).status, 303)
  })

  it('are reset by a valid code', async () => {
    const { email, code } = await somebody()
    const browser = await waiting(email)
    for (let i = 0; i < 3; i++) await show(browser, '000000')
    assert.equal((await show(browser, code())).status, 303)
    for (let i = 0; i < 9; i++) assert.equal((await show(await waiting(email), '000000')).status, 422)
  })

  it('are limited to twenty during setup', async () => {
    const { email, user_id } = await north.hire('office')
    const browser = newBrowser(service)
    await browser.signIn(email)
    await browser.post('/factors/authenticator', { to: '/' })
    await addAttempts(`authenticator setup ${user_id}`, 20)
    const { status, text } = await browser.post('/factors/authenticator/confirm', { code: '000000', to: '/' })
    assert.deepEqual([status, /Too many attempts/.test(text)], [409, true])
  })
})

describe('a session from before the authenticator app', () => {
  it('needs a code before it can change sign-in settings', async () => {
    const { email, browser, code } = await somebody()
    const old = newBrowser(service)
    await show(old, code())
    await browser.post('/factors/authenticator/act', { act: 'remove', to: '/factors' })
    await old.signIn(email)
    const { code: next } = await setUpApp(browser)
    await forgetSteps(service)
    const asked = await old.post('/factors/authenticator/act', { act: 'remove', to: '/factors' })
    assert.equal(asked.status, 401)
    assert.match(asked.text, /One more step/)
    const typed = /name="typed" value="([\w-]+)"/.exec(asked.text)![1]!
    assert.equal(
      (await old.post('/confirm', { password: 'correct horse battery', to: '/factors', second: 'yes' })).status,
      303,
    )
    assert.equal((await old.post('/factors/authenticator/act', { act: 'remove', to: '/factors' })).status, 401)
    assert.equal((await old.post('/confirm', { code: next(), to: '/factors', typed, second: 'yes' })).status, 200)
    assert.equal((await old.post('/factors/authenticator/act', { act: 'remove', to: '/factors' })).status, 303)
  })

  it("isn't confirmed by a code alone", async () => {
    const { browser, code } = await somebody()
    await afterMinutes(service, 16)
    await browser.post('/confirm', { code: code(), to: '/' })
    assert.equal((await browser.post('/factors/authenticator/act', { act: 'codes', to: '/factors' })).status, 401)
  })
})
