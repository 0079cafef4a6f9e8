import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { createResetLinkAsOperator } from '../../src/identity/people/recovery/forgotten_password.ts'
import { addOperator } from '../../src/identity/people/operators.ts'
import { addMember, removeMember, changeMember } from '../../src/identity/people/people.ts'
import { findUser } from '../../src/identity/people/users.ts'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { openMailScene, secretOf } from '../harness/messaging/account_mail.ts'
import { PASSWORD, createCompany, newBrowser, type Browser } from '../harness/web_client.ts'

const NEXT = 'another long secret'

let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof createCompany>>
let boss: Browser
let serial = 0
before(async () => {
  mailed = await openMailScene()
  company = await createCompany(mailed.service, 'Acme Air')
  boss = newBrowser(mailed.service)
  await boss.signIn(company.owner.email)
})
after(() => mailed.stop())

const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
const ask = (email: string, browser = newBrowser(mailed.service)) => browser.post('/forgot-password', { email })
const set = (link: string, password = NEXT, more: Record<string, string> = {}) =>
  newBrowser(mailed.service).post('/new-password', { link, password, ...more })
const signsIn = async (email: string, password: string): Promise<boolean> =>
  (await newBrowser(mailed.service).signIn(email, '/', password)).status === 303
const mark = (user: string) =>
  mailed.service.database
    .send([
      sql`select proved_at is not null as proved, vouched_at is not null as vouched, made_through as through from users where id = ${user}`,
    ])
    .then(([found]) => found!.rows[0] as { proved: boolean; vouched: boolean; through: string | null })
/** Returns a member who joined through the owner's invitation link. Only the company vouches for the address. */
async function joinByInvitation(): Promise<{ email: string; user: string; browser: Browser }> {
  const email = `invited-${++serial}@example.com`
  const shown = await boss.post(at('members'), { email, name: '', role: 'tech', way: 'link' })
  const browser = newBrowser(mailed.service)
  const invitation = /invitation=([\w-]{43})/.exec(shown.text)![1]!
  await browser.post('/join', { invitation, name: 'Ivy', password: PASSWORD })
  return { email, user: (await findUser(mailed.service.database, email)).id, browser }
}
const ownersLink = async (user: string, browser = boss) => {
  const seen = await browser.post(at('members', user, 'link'), {})
  return { seen, link: /new-password\?link=([\w-]{43})/.exec(seen.text)?.[1] ?? '' }
}
const listAuditEntries = (user: string) =>
  readTenant(mailed.service.database, { tenant: company.id }, (db) =>
    db.all<{ user_id: string }>(
      sql`select user_id from audit where tenant_id = ${db.tenant} and tool = 'members.reset_link' and record_id = ${user}`,
    ),
  )

describe('a password reset by mail', () => {
  it("sets the password once, ends every session and doesn't sign in", async () => {
    const { email, user_id: user } = await company.hire('office')
    const browser = newBrowser(mailed.service)
    await browser.signIn(email)
    assert.equal((await ask(email)).status, 200)
    const path = await mailed.pathIn(email)
    for (let scans = 0; scans < 3; scans++) assert.equal((await newBrowser(mailed.service).get(path)).status, 200)
    const done = await set(secretOf(path))
    assert.match(done.text, /Your password was changed/)
    assert.ok(done.headers.getSetCookie().every((cookie) => /Max-Age=0/.test(cookie)))
    assert.equal((await browser.get(at())).status, 303)
    assert.deepEqual([await signsIn(email, PASSWORD), await signsIn(email, NEXT)], [false, true])
    assert.deepEqual(await mark(user), { proved: true, vouched: true, through: company.id })
    assert.equal((await set(secretOf(path))).status, 404)
    const told = (await mailed.mailsTo(email)).map(({ mail }) => mail.subject)
    assert.deepEqual(told, ['Set a new password', 'Your password was reset'])
  })

  it('returns the same answer for every address and runs the same query', async () => {
    const known = (await company.hire('office')).email
    const unproved = (await joinByInvitation()).email
    const answers = await Promise.all(
      [known, unproved, 'nobody@example.com', 'x'.repeat(300), 'a\0b', ''].map((email) => ask(email)),
    )
    assert.equal(new Set(answers.map(({ text, status }) => `${status} ${text}`)).size, 1)
    const [queued] = await mailed.service.database.send([
      sql`select address, user_id, kind, about from account_mails where state = 'queued' and address in (${known}, ${unproved}, 'nobody@example.com') order by address`,
    ])
    assert.deepEqual(
      queued!.rows.map((row) => {
        const { address: _, ...rest } = row
        return rest
      }),
      Array.from({ length: 3 }, () => ({ user_id: null, kind: 'reset', about: {} })),
    )
    assert.equal((await mailed.mailsTo(known)).length, 1)
    assert.deepEqual([await mailed.mailsTo(unproved), await mailed.mailsTo('nobody@example.com')], [[], []])
    const [left] = await mailed.service.database.send([
      sql`select from account_mails where address in (${unproved}, 'nobody@example.com')`,
    ])
    assert.equal(left!.count, 0, 'nothing stays of an address that gets no mail')
  })

  it('sends one mail per address until its link is used, and keeps that link valid', async () => {
    await mailed.service.database.send([sql`delete from attempts`])
    const { email } = await company.hire('office')
    await ask(email)
    const path = await mailed.pathIn(email)
    for (let times = 0; times < 8; times++) await ask(email, newBrowser(mailed.service))
    assert.equal((await mailed.mailsTo(email)).length, 1)
    assert.match((await set(secretOf(path))).text, /was changed/)
    await ask(email)
    assert.notEqual(await mailed.pathIn(email), path, 'after its use another one goes at once')
  })

  it('returns 429 with Retry-After after ten requests from one sender', async () => {
    await mailed.service.database.send([sql`delete from attempts`])
    for (let times = 0; times < 10; times++) assert.equal((await ask(`x${times}@example.com`)).status, 200)
    const limited = await ask('one-more@example.com')
    assert.equal(limited.status, 429)
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    await mailed.service.database.send([sql`delete from attempts`])
  })

  it('ends keys and apps only when asked', async () => {
    for (const ends of [false, true]) {
      const { email, user_id } = await company.hire('office')
      await createKey(
        mailed.service.database,
        { tenant: company.id },
        { user: user_id, name: 'Script', scopes: ['read:jobs'], expires_at: null },
      )
      await ask(email)
      const path = await mailed.pathIn(email)
      assert.match((await newBrowser(mailed.service).get(path)).text, /API keys: 1; connected apps: 0/)
      await set(secretOf(path), NEXT, ends ? { end_standing: 'yes' } : {})
      const standing = await readTenant(mailed.service.database, { tenant: company.id }, (db) =>
        db.all(
          sql`select from credentials where tenant_id = ${db.tenant} and user_id = ${user_id} and kind = 'user_key' and revoked_at is null`,
        ),
      )
      assert.equal(standing.length, ends ? 0 : 1)
    }
  })

  it('rejects a weak password, and its link ends with a new password, a new address or after an hour', async () => {
    const { email, user_id: user } = await company.hire('office')
    await ask(email)
    const link = secretOf(await mailed.pathIn(email))
    assert.equal((await set(link, 'short')).status, 422)
    assert.equal((await set(link, email)).status, 422)
    const browser = newBrowser(mailed.service)
    await browser.signIn(email)
    await browser.post(at('password'), { current: PASSWORD, next: NEXT })
    assert.equal((await set(link)).status, 404)
    await ask(email)
    const second = secretOf(await mailed.pathIn(email))
    await mailed.service.database.send([sql`update users set email = ${`moved-${email}`} where id = ${user}`])
    assert.equal((await set(second)).status, 404)
    await mailed.service.database.send([sql`update users set email = ${email} where id = ${user}`])
    await mailed.service.database.send([
      sql`update account_links set expires_at = created_at - interval '1 minute' where user_id = ${user}`,
    ])
    assert.equal((await set(second)).status, 404)
  })

  it('sets one password when two requests use the link at once', async () => {
    const { email } = await company.hire('office')
    await ask(email)
    const link = secretOf(await mailed.pathIn(email))
    const tried = await Promise.all([set(link, NEXT), set(link, 'a third long secret')])
    assert.deepEqual(tried.map(({ status }) => status).sort(), [200, 404])
    assert.equal(await signsIn(email, tried[0].status === 200 ? NEXT : 'a third long secret'), true)
  })
})

describe("an owner's reset link", () => {
  it("resets a member's password once, is audited and shows a notice to the member", async () => {
    const { email, user, browser } = await joinByInvitation()
    const { seen, link } = await ownersLink(user)
    assert.equal(seen.status, 200)
    assert.deepEqual(await listAuditEntries(user), [{ user_id: company.owner.user_id }])
    assert.match((await browser.get(`/${company.id}`)).text, /notice-line"><a href="\/account\/notices\?/)
    assert.match(
      (await browser.get('/account/notices')).text,
      /A password reset link was created[^]*By an owner of Acme Air/,
    )
    assert.match((await set(link)).text, /was changed/)
    assert.equal(await signsIn(email, NEXT), true)
    assert.equal((await set(link)).status, 404)
  })

  it("removes the proof of the member's address, since the owner may have used the link", async () => {
    const { email, user_id: user } = await company.hire('tech')
    await mailed.service.database.send([sql`update users set proved_at = moment() where id = ${user}`])
    await newBrowser(mailed.service).signIn(email)
    const { link } = await ownersLink(user)
    await set(link)
    assert.deepEqual(await mark(user), { proved: false, vouched: false, through: company.id })
    const told = (await mailed.mailsTo(email)).map(({ mail }) => mail.subject)
    assert.deepEqual(told, ['A password reset link was created', 'Your password was reset'])
  })

  it('is refused for members of other companies, operators, oneself and non-owners', async () => {
    const { database } = mailed.service
    const [elsewhere, operator, office] = await Promise.all([
      company.hire('tech'),
      company.hire('tech'),
      company.hire('office'),
    ])
    const other = await createCompany(mailed.service, 'Globex Plumbing')
    await addMember(database, { tenant: other.id }, { email: elsewhere.email, role: 'tech', password: 'none' })
    await addOperator(database, await findUser(database, operator.email))
    for (const { user_id } of [elsewhere, operator, company.owner]) {
      const { seen, link } = await ownersLink(user_id)
      assert.deepEqual([seen.status, link], [409, ''])
      assert.deepEqual(await listAuditEntries(user_id), [])
    }
    assert.doesNotMatch((await boss.get(at('members', company.owner.user_id))).text, /Forgotten password/)
    const clerk = newBrowser(mailed.service)
    await clerk.signIn(office.email)
    assert.equal((await ownersLink(elsewhere.user_id, clerk)).seen.status, 404)
    assert.equal((await ownersLink(other.owner.user_id)).seen.status, 404, 'of another company')
  })

  it('is checked again on use: its maker is still an owner and the member is still eligible', async () => {
    const { database } = mailed.service
    const tenant = { tenant: company.id }
    const useLinkAfter = async (change: (member: { user_id: string; email: string }) => Promise<unknown>) => {
      const member = await company.hire('tech')
      const { link } = await ownersLink(member.user_id)
      await change(member)
      return [(await set(link)).status, await signsIn(member.email, PASSWORD)]
    }
    const other = await createCompany(mailed.service, `Other ${++serial}`)
    assert.deepEqual(
      await useLinkAfter(({ email }) =>
        addMember(database, { tenant: other.id }, { email, role: 'tech', password: 'none' }),
      ),
      [404, true],
    )
    assert.deepEqual(await useLinkAfter(async ({ email }) => addOperator(database, await findUser(database, email))), [
      404,
      true,
    ])
    assert.deepEqual(await useLinkAfter(({ user_id }) => removeMember(database, tenant, user_id)), [404, true])
    const second = await company.hire('owner')
    const hers = newBrowser(mailed.service)
    await hers.signIn(second.email)
    const member = await company.hire('tech')
    const { link } = await ownersLink(member.user_id, hers)
    await changeMember(database, tenant, second.user_id, { role: 'office' })
    assert.equal((await set(link)).status, 404)
    await changeMember(database, tenant, second.user_id, { role: 'owner' })
    assert.equal((await set(link)).status, 200)
  })
})

describe("the operator's reset link", () => {
  it('works for any account and makes the operator vouch for it', async () => {
    const { email, user } = await joinByInvitation()
    const link = await createResetLinkAsOperator(mailed.service.database, user)
    assert.match((await set(link)).text, /was changed/)
    assert.equal(await signsIn(email, NEXT), true)
    assert.deepEqual(await mark(user), { proved: false, vouched: true, through: company.id })
  })
})
