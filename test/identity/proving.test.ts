import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { openMailScene, secretOf } from '../harness/messaging/account_mail.ts'
import { PASSWORD, createCompany, newBrowser, type Browser } from '../harness/web_client.ts'

let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  mailed = await openMailScene()
  company = await createCompany(mailed.service, 'Acme Air')
})
after(() => mailed.stop())

type Person = { email: string; user: string; browser: Browser }
async function signInNewMember(): Promise<Person> {
  const { email, user_id: user } = await company.hire('office')
  const browser = newBrowser(mailed.service)
  await browser.signIn(email)
  return { email, user, browser }
}
const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
const requestVerification = async ({ browser, email }: Person): Promise<string> => {
  assert.equal((await browser.post('/account/proof', { to: at() })).location, at())
  return mailed.pathIn(email)
}
const isProved = async ({ user }: Person): Promise<boolean> =>
  (await mailed.service.database.send([sql`select from users where id = ${user} and proved_at is not null`]))[0]!
    .count === 1
const press = (browser: Browser, path: string, password?: string) =>
  browser.post('/prove', { link: secretOf(path), ...(password === undefined ? {} : { password }) })

describe('proving an address', () => {
  it('needs a press of the button and works once', async () => {
    const person = await signInNewMember()
    assert.match((await person.browser.get(at())).text, /Not confirmed yet/)
    const path = await requestVerification(person)
    for (let scans = 0; scans < 3; scans++)
      assert.match((await newBrowser(mailed.service).get(path)).text, /Yes, this is my address/)
    assert.equal(await isProved(person), false)
    assert.match((await press(person.browser, path)).text, /is confirmed/)
    assert.equal(await isProved(person), true)
    assert.equal((await press(person.browser, path)).status, 404)
    assert.equal((await person.browser.get(path)).status, 404)
    assert.match((await person.browser.get(at())).text, /Confirmed/)
    assert.equal((await person.browser.get('/account/proof')).status, 405)
  })

  it('works in another browser with the password, without signing in there', async () => {
    const person = await signInNewMember()
    const path = await requestVerification(person)
    const phone = newBrowser(mailed.service)
    for (const password of [undefined, '', 'not the password']) {
      assert.equal((await press(phone, path, password)).status, 422)
      assert.equal(await isProved(person), false)
    }
    const proved = await press(phone, path, PASSWORD)
    assert.deepEqual([proved.status, proved.headers.getSetCookie()], [200, []])
    assert.equal(await isProved(person), true)
    assert.equal((await phone.get(at())).status, 303)
  })

  it("fails from another person's session, and password guesses are limited", async () => {
    const [person, other] = [await signInNewMember(), await signInNewMember()]
    const path = await requestVerification(person)
    assert.equal((await press(other.browser, path)).status, 422)
    for (let tries = 0; tries < 10; tries++) await press(newBrowser(mailed.service), path, 'a wrong one')
    assert.equal((await press(newBrowser(mailed.service), path, PASSWORD)).status, 409)
    assert.deepEqual([await isProved(person), await isProved(other)], [false, false])
    assert.match((await press(person.browser, path)).text, /is confirmed/)
  })

  it('fails with an expired link, and links are limited to five per day', async () => {
    const person = await signInNewMember()
    const path = await requestVerification(person)
    await mailed.service.database.send([
      sql`update account_links set expires_at = moment() - interval '1 second' where user_id = ${person.user}`,
    ])
    assert.equal((await press(person.browser, path)).status, 404)
    for (let times = 0; times < 6; times++) await person.browser.post('/account/proof', { to: at() })
    assert.match((await person.browser.get(at())).text, /5 emails went to/)
    assert.equal((await mailed.mailsTo(person.email)).length, 5)
  })

  it('is suggested after the first sign-in until the person dismisses it', async () => {
    const { browser } = await signInNewMember()
    const page = await browser.get(`/${company.id}`)
    assert.match(page.text, /Confirm your email address/)
    const id = /name="id" value="([0-9a-f-]{36})"/.exec((await browser.get('/account/notices')).text)![1]!
    const stranger = await signInNewMember()
    await stranger.browser.post('/account/notices', { id, to: '/' })
    assert.match((await browser.get(`/${company.id}`)).text, /Confirm your email address/)
    assert.equal((await browser.post('/account/notices', { id, to: 'https://evil.example/' })).location, '/')
    assert.doesNotMatch((await browser.get(`/${company.id}`)).text, /Confirm your email address/)
  })
})

describe('changing the address', () => {
  const change = ({ browser }: Person, address: string, password = PASSWORD) =>
    browser.post(at('address'), { address, password })
  const emailOf = async ({ user }: Person) =>
    (await mailed.service.database.send([sql`select email from users where id = ${user}`]))[0]!.rows[0]!['email']

  it('takes effect by the link sent to the new address, proves it and notifies the old one', async () => {
    const person = await signInNewMember()
    const fresh = `new-${person.email}`
    const ended = await requestVerification(person)
    assert.equal((await change(person, fresh.toUpperCase())).status, 303)
    assert.equal(await emailOf(person), person.email)
    const path = await mailed.pathIn(fresh)
    assert.equal((await press(newBrowser(mailed.service), path)).status, 422, 'who has the mail alone changes nothing')
    assert.match((await press(person.browser, path)).text, /From now on you sign in with new-/)
    assert.deepEqual([await emailOf(person), await isProved(person)], [fresh, true])
    const told = (await mailed.mailsTo(person.email)).at(-1)!.mail
    assert.equal(told.subject, 'Your email address was changed')
    assert.match(told.text!, new RegExp(fresh))
    assert.equal((await press(person.browser, ended)).status, 404)
    assert.equal((await newBrowser(mailed.service).signIn(fresh)).status, 303)
    assert.equal((await newBrowser(mailed.service).signIn(person.email)).status, 422)
  })

  it('is refused without the password, for the same address, or for one with an account', async () => {
    const [person, other] = [await signInNewMember(), await signInNewMember()]
    assert.equal((await change(person, 'new@example.com', 'wrong password')).status, 422)
    assert.equal((await change(person, person.email)).status, 422)
    assert.equal((await change(person, 'nonsense')).status, 422)
    assert.equal((await change(person, other.email)).status, 303, 'the page tells nothing of others')
    const path = await mailed.pathIn(other.email)
    assert.equal((await press(person.browser, path)).status, 409)
    assert.deepEqual([await emailOf(person), await emailOf(other)], [person.email, other.email])
  })
})

describe('an invitation by mail', () => {
  const owner = async (): Promise<Browser> => {
    const browser = newBrowser(mailed.service)
    await browser.signIn(company.owner.email)
    return browser
  }
  const isProvedAddress = async (email: string) =>
    (
      await mailed.service.database.send([sql`select proved_at is not null as is from users where email = ${email}`])
    )[0]!.rows[0]?.['is']

  it("doesn't show its link to the owner and proves the address when accepted", async () => {
    const [email, boss] = ['mia@example.com', await owner()]
    const sent = await boss.post(at('members'), { email, name: 'Mia', role: 'tech', way: 'mail' })
    assert.equal(sent.location, at('members'))
    assert.doesNotMatch((await boss.get(at('members'))).text, /invitation=/)
    const [letter] = await mailed.mailsTo(email)
    assert.match(letter!.mail.text!, /Ana Ruiz invites you to work with Acme Air/)
    const path = await mailed.pathIn(email)
    const mia = newBrowser(mailed.service)
    assert.match((await mia.get(path)).text, /mia@example\.com is invited/)
    const joined = await mia.post('/join', { invitation: secretOf(path), name: 'Mia', password: PASSWORD })
    assert.equal(joined.location, `/${company.id}`)
    assert.equal(await isProvedAddress(email), true)
  })

  it('proves nothing when it is accepted through an earlier shown link', async () => {
    const [email, boss] = ['noa@example.com', await owner()]
    const shown = (await boss.post(at('members'), { email, name: '', role: 'tech', way: 'link' })).text
    const [, copied] = /invitation=([\w-]{43})/.exec(shown)!
    const id = /settings\/invitations\/([0-9a-f-]{36})/.exec(shown)![1]!
    assert.equal((await boss.post(at('invitations', id), { act: 'mail' })).location, at('members'))
    assert.match((await boss.get(at('members'))).text, /Send again/)
    const path = await mailed.pathIn(email)
    await newBrowser(mailed.service).post('/join', { invitation: copied!, name: 'Noa', password: PASSWORD })
    assert.equal(await isProvedAddress(email), false)
    assert.equal((await newBrowser(mailed.service).get(path)).status, 404, 'one invitation, one use')
  })

  it('can be sent five times a day, only by an owner and while it is open', async () => {
    const [email, boss] = ['pia@example.com', await owner()]
    await boss.post(at('members'), { email, name: '', role: 'tech', way: 'mail' })
    const id = /settings\/invitations\/([0-9a-f-]{36})/.exec((await boss.get(at('members'))).text)![1]!
    for (let times = 0; times < 4; times++)
      assert.equal((await boss.post(at('invitations', id), { act: 'mail' })).status, 303)
    assert.equal((await boss.post(at('invitations', id), { act: 'mail' })).status, 409)
    assert.equal((await mailed.mailsTo(email)).length, 5)
    const office = await signInNewMember()
    assert.equal((await office.browser.post(at('invitations', id), { act: 'mail' })).status, 404)
    await boss.post(at('invitations', id), {})
    assert.equal((await boss.post(at('invitations', id), { act: 'mail' })).status, 404)
  })

  it("isn't sent when it was withdrawn first", async () => {
    const [email, boss] = ['rae@example.com', await owner()]
    await boss.post(at('members'), { email, name: '', role: 'tech', way: 'mail' })
    const id = /settings\/invitations\/([0-9a-f-]{36})/.exec((await boss.get(at('members'))).text)![1]!
    await boss.post(at('invitations', id), {})
    assert.deepEqual(await mailed.mailsTo(email), [])
  })
})
