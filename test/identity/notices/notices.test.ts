import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { resetPassword } from '../../../src/identity/people/recovery/own_password.ts'
import { setRequestSession, withRequestSession } from '../../../src/identity/security/notices/request_session.ts'
import { notify } from '../../../src/identity/security/notices/notices.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import {
  PASSWORD,
  askConsent,
  createCompany,
  pressConsent,
  newBrowser,
  type Browser,
} from '../../harness/web_client.ts'

const CALLBACK = 'http://127.0.0.1:41996/callback'
const NEXT = 'another long secret'

let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  mailed = await openMailScene()
  company = await createCompany(mailed.service, 'Acme Air')
})
after(() => mailed.stop())
beforeEach(() => void (mailed.server.taken.length = 0))

const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
async function signInNewMember() {
  const { email, user_id: user } = await company.hire('office')
  const browser = newBrowser(mailed.service)
  await browser.signIn(email)
  return { email, user, browser }
}
const subjects = async (email: string): Promise<(string | undefined)[]> =>
  (await mailed.mailsTo(email)).map(({ mail }) => mail.subject)
const makeKey = (user: string | null, name: string, by: { user: string } | null = null) =>
  createKey(
    mailed.service.database,
    { tenant: company.id },
    { user, name, scopes: ['read:jobs'], expires_at: null },
    by,
  )
const connect = async (browser: Browser, client: string, level: string): Promise<void> => {
  const { path } = await askConsent(mailed.service, browser, client, CALLBACK, { prompt: 'consent' })
  await pressConsent(browser, path, 'approve', { jobs: level }, company.id)
}

describe('a person is notified', () => {
  it('about a new key in their name, and an owner about a company key made by a person', async () => {
    const [person, owner] = [await signInNewMember(), company.owner]
    await newBrowser(mailed.service).signIn(owner.email)
    await makeKey(person.user, 'Script', { user: owner.user_id })
    await makeKey(null, 'Books', { user: owner.user_id })
    await makeKey(null, 'By the operator')
    const [told, another] = await mailed.mailsTo(person.email)
    assert.equal(another, undefined)
    assert.equal(told!.mail.subject, 'New API key in your name')
    assert.match(told!.mail.text!, /“Script”, at Acme Air\.[^]*Was this you\? If not, change your password/)
    assert.match((await mailed.mailsTo(owner.email)).at(-1)!.mail.text!, /“Books”/)
    assert.equal((await subjects(owner.email)).filter((subject) => /key/.test(subject!)).length, 1)
  })

  it('once about an app that is connected or gets more access', async () => {
    const { email, browser } = await signInNewMember()
    const client = (
      await registerClient(mailed.service.database, { name: 'Fieldhand', redirect_uris: [CALLBACK], about: {} })
    ).id
    await connect(browser, client, 'view')
    await connect(browser, client, 'view')
    assert.deepEqual(await subjects(email), ['New app connected to your account'])
    await mailed.service.database.send([sql`update notices set at = at - interval '2 hours'`])
    await connect(browser, client, 'view')
    assert.equal((await subjects(email)).length, 1)
    await connect(browser, client, 'edit')
    assert.equal((await subjects(email)).length, 2)
  })

  it('about a sign-in from an unknown browser, not from the first or a known one', async () => {
    const { email, browser } = await signInNewMember()
    await browser.post('/sign-out', {})
    await browser.signIn(email)
    assert.deepEqual(await subjects(email), [])
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await newBrowser(mailed.service).send('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ email, password: PASSWORD, to: '/' }),
      headers: { 'sec-fetch-site': 'same-origin', 'user-agent': agent },
    })
    const [told] = await mailed.mailsTo(email)
    assert.match(told!.mail.text!, /New sign-in to your account[^]*Firefox on Linux, network 127\.0\.0\.0\/24/)
  })

  it('about a changed or reset password, not about the sign-ins right after', async () => {
    const { email, user, browser } = await signInNewMember()
    await browser.post(at('password'), { current: PASSWORD, next: NEXT })
    await newBrowser(mailed.service).signIn(email, '/', NEXT)
    assert.deepEqual(await subjects(email), ['Your password was changed'])
    await resetPassword(mailed.service.database, user, 'a third long secret')
    assert.deepEqual((await subjects(email)).slice(1), ['Your password was reset'])
  })

  it('about nothing before their first sign-in', async () => {
    const { email, user_id } = await company.hire('tech')
    await makeKey(user_id, 'Early')
    assert.deepEqual(await subjects(email), [])
    const [none] = await mailed.service.database.send([sql`select from notices where user_id = ${user_id}`])
    assert.equal(none!.count, 0)
  })
})

/** Returns the target of the notice line above a page. */
function linkOf(page: string, text: string): string {
  const [, href, line] = /<p class="notice warning notice-line"><a href="([^"]+)">([^<]*)<\/a><\/p>/.exec(page) ?? []
  assert.equal(line, text)
  return href!.replaceAll('&amp;', '&')
}

describe('a notice on the page', () => {
  const addUnverifiedMember = async () => {
    const person = await signInNewMember()
    await mailed.service.database.send([sql`update users set vouched_at = null where id = ${person.user}`])
    return person
  }

  it("is shown when it can't be mailed, until the person dismisses it", async () => {
    const { email, user, browser } = await addUnverifiedMember()
    await makeKey(user, 'Script <b>')
    assert.deepEqual(await subjects(email), [])
    const whole = linkOf((await browser.get(`/${company.id}`)).text, '2 notices about your account')
    for (const path of [whole, at()])
      assert.match((await browser.get(path)).text, /New API key in your name[^]*Script &lt;b&gt;[^]*Was this you\?/)
    const page = (await browser.get(at())).text
    for (const [, id] of page.matchAll(/name="id" value="([0-9a-f-]{36})"/g))
      assert.equal((await browser.post('/account/notices', { id: id!, to: at() })).location, at())
    assert.doesNotMatch((await browser.get(at())).text, /A new API key was made/)
  })

  it('is shown when the mail server refused it, and not when it accepted it', async () => {
    const { email, user, browser } = await signInNewMember()
    await makeKey(user, 'Taken')
    await mailed.post.run()
    assert.doesNotMatch((await browser.get(at())).text, /Taken/)
    mailed.server.how.atRecipient = (to) => (to === email ? '550 no such person' : undefined)
    await makeKey(user, 'Refused')
    await mailed.post.run()
    delete mailed.server.how.atRecipient
    assert.match((await browser.get(at())).text, /Refused/)
  })

  it("can't be dismissed by another person or without a session", async () => {
    const [person, other] = [await addUnverifiedMember(), await signInNewMember()]
    await makeKey(person.user, 'Mine')
    const id = /name="id" value="([0-9a-f-]{36})"/.exec((await person.browser.get(at())).text)![1]!
    await other.browser.post('/account/notices', { id, to: '/' })
    assert.equal((await newBrowser(mailed.service).post('/account/notices', { id, to: '/' })).status, 401)
    assert.equal((await person.browser.post('/account/notices', { id: 'nonsense', to: '/' })).status, 303)
    assert.match((await person.browser.get(at())).text, /“Mine”/)
  })

  it('is one line on Today that names its subject and links to the notices page', async () => {
    const { user, browser } = await addUnverifiedMember()
    await mailed.service.database.send([sql`update users set proved_at = moment() where id = ${user}`])
    await mailed.service.database.send([
      sql`insert into notices (id, user_id, kind) values (${newId()}, ${user}, 'second_factor_changed')`,
    ])
    const line = 'Your sign-in settings changed'
    const page = (await browser.get(`/${company.id}`)).text
    const whole = linkOf(page, line)
    assert.doesNotMatch(page, /Was this you\?/)
    const { text } = await browser.get(whole)
    const id = /name="id" value="([0-9a-f-]{36})"/.exec(text)![1]!
    const back = /name="to" value="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    assert.equal((await browser.post('/account/notices', { id, to: back })).location, whole)
    assert.match((await browser.get(whole)).text, /Dismissed[^]*No new notices\./)
    assert.doesNotMatch((await browser.get(`/${company.id}`)).text, /notice-line/)
    assert.equal((await newBrowser(mailed.service).get(whole)).status, 303)
  })

  it("isn't shown in the session that caused it, and is shown in all others", async () => {
    const { email, browser } = await addUnverifiedMember()
    const other = newBrowser(mailed.service)
    await other.signIn(email)
    const titles = async (at: Browser): Promise<string[]> =>
      [...(await at.get('/account/notices')).text.matchAll(/class="notice-title">([^<]+)/g)]
        .map(([, title]) => title!)
        .filter((title) => !title.startsWith('Confirm'))
    assert.deepEqual(await titles(other), [])
    assert.deepEqual(await titles(browser), ['New sign-in to your account'])
    const made = await browser.post(at('keys'), { name: 'Own', jobs: 'view' })
    assert.match(made.text, /svc_uk_/)
    assert.deepEqual(await titles(browser), ['New sign-in to your account'])
    assert.deepEqual(await titles(other), ['New API key in your name'])
    await browser.post(at('password'), { current: PASSWORD, next: NEXT })
    assert.deepEqual(await titles(browser), ['New sign-in to your account'])
    const third = newBrowser(mailed.service)
    await third.signIn(email, '/', NEXT)
    assert.ok((await titles(third)).includes('Your password was changed'))
  })

  it('is shown in every session when another session did the same', async () => {
    const { user, browser } = await addUnverifiedMember()
    const { rows } = (await mailed.service.database.send([sql`select id from sessions where user_id = ${user}`]))[0]!
    const own = rows[0]!['id'] as string
    await withRequestSession(async () => {
      setRequestSession(own)
      await mailed.service.database.send([notify({ user, kind: 'second_factor_changed' })])
    })
    assert.doesNotMatch((await browser.get('/account/notices')).text, /How you sign in/)
    await withRequestSession(async () => {
      setRequestSession(newId())
      await mailed.service.database.send([notify({ user, kind: 'second_factor_changed' })])
    })
    assert.equal((await browser.get('/account/notices')).text.split('Your sign-in settings changed</p>').length, 2)
  })
})
