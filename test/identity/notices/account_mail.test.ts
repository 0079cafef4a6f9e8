import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { queueMail } from '../../../src/identity/security/notices/account_mail.ts'
import { notify } from '../../../src/identity/security/notices/notices.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { withReader } from '../../../src/platform/i18n/reader.ts'
import { openMailScene, openMailbox } from '../../harness/messaging/account_mail.ts'
import { createCompany, startSite, newBrowser } from '../../harness/web_client.ts'

let mailed: Awaited<ReturnType<typeof openMailScene>>
let user: string
let email: string
before(async () => {
  mailed = await openMailScene()
  const { owner } = await createCompany(mailed.service, 'Acme Air')
  ;[user, email] = [owner.user_id, owner.email]
})
after(() => mailed.stop())
beforeEach(async () => {
  await mailed.service.database.send([sql`delete from account_mails`, sql`delete from account_links`])
  mailed.server.taken.length = 0
})
afterEach(() => {
  for (const way of ['atRecipient', 'atEnd'] as const) delete mailed.server.how[way]
})

const ask = () => mailed.service.database.send([queueMail({ user, to: email, kind: 'prove' })])
const states = async () => (await mailed.post.rows()).map(({ state }) => state)
const links = async () =>
  (await mailed.service.database.send([sql`select encode(hash, 'hex') as hash from account_links`]))[0]!.rows

describe('account mail', () => {
  it('is sent once from MAIL_FROM, marked as automatic, and its content is erased', async () => {
    await ask()
    await Promise.all([mailed.post.run(), mailed.post.run()])
    await mailed.post.run()
    const [only, another] = mailed.server.taken
    assert.equal(another, undefined)
    assert.deepEqual([only!.from, only!.to], ['callout@mail.example', [email]])
    assert.equal(only!.mail.headers.get('auto-submitted'), 'auto-generated')
    assert.match(only!.mail.text!, /prove\?link=[\w-]{43}/)
    const [row] = await mailed.post.rows()
    assert.deepEqual([row!.state, row!.about], ['handed_over', null])
  })

  it("uses the person's language, or that of the request", async () => {
    const reset = () => queueMail({ user: null, to: email, kind: 'reset' })
    await mailed.service.database.send([withReader({ language: 'es', country: 'US' }, reset)])
    await mailed.service.database.send([sql`update users set language = 'es' where id = ${user}`])
    await ask()
    await mailed.post.run()
    await mailed.service.database.send([sql`update users set language = null where id = ${user}`])
    assert.deepEqual(mailed.server.taken.map(({ mail }) => mail.subject).sort(), [
      'Crear una contraseña nueva',
      '¿Es este su correo electrónico?',
    ])
  })

  it('is retried with backoff after a 4xx reply, each time with a new link', async () => {
    mailed.server.how.atRecipient = () => '450 try later'
    await ask()
    const begun = Temporal.Now.instant()
    await mailed.post.run(begun)
    assert.deepEqual([await states(), await links()], [['queued'], []])
    await mailed.post.run(begun.add({ seconds: 29 }))
    assert.equal((await mailed.post.rows())[0]!.attempts, 1)
    await mailed.post.run(begun.add({ seconds: 31 }))
    await mailed.post.run(begun.add({ seconds: 90 }))
    assert.equal((await mailed.post.rows())[0]!.attempts, 2)
    delete mailed.server.how.atRecipient
    await mailed.post.run(begun.add({ minutes: 5 }))
    assert.deepEqual([await states(), (await links()).length], [['handed_over'], 1])
    assert.equal(mailed.server.taken.length, 1)
  })

  it('fails after a day and drops its link', async () => {
    mailed.server.how.atRecipient = () => '450 try later'
    await ask()
    await mailed.post.run(Temporal.Now.instant().add({ hours: 23, minutes: 59, seconds: 50 }))
    const [row] = await mailed.post.rows()
    assert.deepEqual([row!.state, row!.about, await links()], ['failed', null, []])
  })

  it('fails at once on a permanent refusal', async () => {
    mailed.server.how.atRecipient = () => '550 no such person'
    await ask()
    await mailed.post.run()
    const [row] = await mailed.post.rows()
    assert.deepEqual([row!.state, await links()], ['failed', []])
    assert.match(row!.reply!, /no such person/)
  })

  it("isn't sent again when the outcome of an attempt is unknown", async () => {
    await ask()
    await mailed.service.database.send([sql`update account_mails set state = 'attempting', attempts = 1`])
    await mailed.post.run()
    await mailed.post.run(Temporal.Now.instant().add({ hours: 2 }))
    assert.deepEqual([await states(), mailed.server.taken.length], [['uncertain'], 0])
  })

  it('is dropped when it is no longer needed', async () => {
    await ask()
    await mailed.service.database.send([sql`update users set proved_at = moment() where id = ${user}`])
    await mailed.post.run()
    await mailed.service.database.send([sql`update users set proved_at = null where id = ${user}`])
    assert.deepEqual([await states(), mailed.server.taken.length], [[], 0])
  })

  it('is limited per address and day, and the other notices stay on the page', async () => {
    const { database } = mailed.service
    await newBrowser(mailed.service).signIn(email)
    for (let i = 0; i < 25; i++)
      await database.send([notify({ user, kind: 'new_key', about: { name: `Key ${i}`, company: 'Acme Air' } })])
    const [counted] = await database.send([
      sql`select count(*)::int as all, count(mail_id)::int as mailed from notices where user_id = ${user} and kind = 'new_key'`,
    ])
    assert.deepEqual(counted!.rows[0], { all: 25, mailed: 20 })
  })

  it("has the reader's language, one button and the name of the service", async () => {
    await mailed.service.database.send([queueMail({ user: null, to: email, kind: 'reset' })])
    const { mail } = (await mailed.mailsTo(email)).at(-1)!
    const page = mail.html as string
    const link = /https?:\/\/\S+\/new-password\?link=[\w-]{43}/.exec(mail.text!)![0]
    for (const part of [
      '<html lang="en">',
      'prefers-color-scheme: dark',
      `<a class="button" href="${link}">Set a new password</a>`,
      '<p class="from">Callout</p>',
    ])
      assert.ok(page.includes(part), part)
    assert.equal(page.split(link).length, 2)
  })

  it('never makes a link of a name that someone chose', async () => {
    const about = { name: 'Your account is locked: https://evil.example/x\r\nBcc: all', company: 'www.evil.example' }
    await newBrowser(mailed.service).signIn(email)
    await mailed.service.database.send([notify({ user, kind: 'new_app', about })])
    await mailed.post.run()
    const { mail, to } = mailed.server.taken.at(-1)!
    assert.match(mail.text!, /Your account is locked/)
    assert.doesNotMatch(`${mail.text} ${String(mail.html)}`, /evil\.example/)
    assert.deepEqual([to, mail.bcc], [[email], undefined])
  })
})

describe('account mail without a mail server', () => {
  it('is kept outside production, with a log line that has no address', async () => {
    const service = await startSite()
    const post = openMailbox(service)
    const { owner } = await createCompany(service, 'Acme Air')
    await service.database.send([queueMail({ user: owner.user_id, to: owner.email, kind: 'prove' })])
    await post.run()
    assert.equal((await post.rows())[0]!.state, 'kept')
    const line = JSON.stringify(post.lines.find(({ msg }) => msg.startsWith('mail would have been sent')))
    assert.match(line, /"kind":"prove"/)
    assert.doesNotMatch(line, /@|link/)
    await service.stop()
  })

  it('fails in production, and pages offer nothing that needs it', async () => {
    const service = await startSite({ NODE_ENV: 'production' })
    const post = openMailbox(service)
    const { owner, id } = await createCompany(service, 'Acme Air')
    await service.database.send([queueMail({ user: owner.user_id, to: owner.email, kind: 'prove' })])
    await post.run()
    assert.equal((await post.rows())[0]!.state, 'failed')
    const browser = newBrowser(service)
    await browser.signIn(owner.email)
    assert.doesNotMatch((await browser.get(`/${id}/settings`)).text, /Confirm address|Use another address/)
    assert.doesNotMatch((await browser.get(`/${id}/settings/members`)).text, /Send the invite/)
    assert.match((await browser.get('/forgot-password')).text, /An owner of your company can make you a link/)
    assert.equal((await browser.post('/forgot-password', { email: owner.email })).status, 409)
    assert.equal(
      (await browser.post(`/${id}/settings/address`, { address: 'new@example.com', password: '' })).status,
      409,
    )
    const refused = await browser.post(`/${id}/settings/members`, { email: 'x@example.com', role: 'tech', way: 'mail' })
    assert.equal(refused.status, 409)
    assert.equal((await post.rows()).length, 1)
    await service.stop()
  })
})
