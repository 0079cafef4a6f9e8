import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { TestService } from '../../harness/harness.ts'
import { addressOf } from '../../harness/address.ts'
import { openMailbox, secretOf } from '../../harness/messaging/account_mail.ts'
import { PASSWORD, createCompany, startSite, newBrowser } from '../../harness/web_client.ts'

const program = fileURLToPath(new URL('../../../bin/callout', import.meta.url))
const NEXT = 'another long secret'

let service: TestService
let company: Awaited<ReturnType<typeof createCompany>>
before(async () => {
  service = await startSite()
  company = await createCompany(service, 'Acme Air')
})
after(() => service.stop())

/** Runs a command next to the running service, on its database. */
const callout = (...typed: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: addressOf(service.owner), BASE_URL: service.config.baseUrl }
    execFile(process.execPath, [program, ...typed], { env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    )
  })
const signsIn = async (email: string, password: string): Promise<boolean> =>
  (await newBrowser(service).signIn(email, '/', password)).status === 303

describe('callout mail', () => {
  it('shows an undelivered password reset mail, whose link sets a password', async () => {
    const { email } = await company.hire('office')
    const asked = await newBrowser(service).post('/forgot-password', { email })
    assert.match(asked.text, /can find yours with callout mail list/)
    await openMailbox(service).run()
    const listed = JSON.parse((await callout('mail', 'list', '--json')).out) as Record<string, unknown>[]
    const [mail, another] = listed.filter(({ address }) => address === email)
    assert.deepEqual([mail!['state'], mail!['kind'], another, 'about' in mail!], ['kept', 'reset', undefined, false])
    const { out } = await callout('mail', 'show', String(mail!['id']))
    assert.match(out, /^To +office[^]*Subject +Set a new password/)
    const path = /\/new-password\?link=[\w-]{43}/.exec(out)![0]
    const set = await newBrowser(service).post('/new-password', { link: secretOf(path), password: NEXT })
    assert.match(set.text, /Your password was changed/)
    assert.equal(await signsIn(email, NEXT), true)
    assert.doesNotMatch((await callout('mail', 'list')).out, /link=/)
  })

  it('fails for an unknown mail id', async () => {
    for (const id of ['01a1fd5a-e8cf-7dd1-8b0e-1942a1470de2', 'x']) {
      const { code, out, err } = await callout('mail', 'show', id)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, /mail/)
    }
  })
})

describe('callout member sign-out', () => {
  const isIn = async (browser: ReturnType<typeof newBrowser>): Promise<boolean> =>
    (await browser.get('/factors')).status === 200

  it('ends the sessions of one person or of everybody, and writes the security log', async () => {
    const [one, other] = [await company.hire('office'), await company.hire('tech')]
    const [first, second, third] = [newBrowser(service), newBrowser(service), newBrowser(service)]
    await first.signIn(one.email)
    await second.signIn(one.email)
    await third.signIn(other.email)
    const { out } = await callout('member', 'sign-out', '--user', one.email, '--json')
    assert.deepEqual(JSON.parse(out), { sessions: 2, people: 1 })
    assert.deepEqual([await isIn(first), await isIn(second), await isIn(third)], [false, false, true])
    assert.match((await callout('security', 'log', '--user', one.email)).out, /sessions_ended/)
    const all = JSON.parse((await callout('member', 'sign-out', '--everybody', 'yes', '--json')).out) as {
      people: number
    }
    assert.ok(all.people >= 1)
    assert.equal(await isIn(third), false)
    assert.equal(await signsIn(one.email, PASSWORD), true)
  })

  it('needs an existing person, or --everybody yes', async () => {
    for (const [typed, said] of [
      [[], /--user or --everybody/],
      [['--everybody', 'no'], /everybody must be yes/],
      [['--everybody', 'yes', '--user', company.owner.email], /everybody must be yes, without user/],
      [['--user', 'nobody@example.com'], /user/],
    ] as const) {
      const { code, out, err } = await callout('member', 'sign-out', ...typed)
      assert.deepEqual([code > 0, out], [true, ''], typed.join(' '))
      assert.match(err, said)
    }
  })
})

describe('callout member link', () => {
  it('makes a single-use link that sets a new password', async () => {
    const { email, user_id: id } = await company.hire('tech')
    const { link, ...person } = JSON.parse((await callout('member', 'link', '--user', email, '--json')).out) as {
      link: string
    }
    assert.deepEqual(person, { id, email, name: 'Leo Park' })
    assert.ok(link.startsWith(`${service.config.baseUrl}/new-password?link=`))
    const post = () => newBrowser(service).post('/new-password', { link: secretOf(link), password: NEXT })
    assert.deepEqual([(await post()).status, (await post()).status], [200, 404])
    assert.equal(await signsIn(email, NEXT), true)
  })

  it('fails for an unknown person', async () => {
    assert.equal((await callout('member', 'link', '--user', 'nobody@example.com')).code, 1)
  })
})
