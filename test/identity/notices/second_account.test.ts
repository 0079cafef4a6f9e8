import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { signInByCompany } from '../../../src/identity/providers/company/company_sign_in.ts'
import { signInByProvider } from '../../../src/identity/providers/identities.ts'
import { openMailScene } from '../../harness/messaging/account_mail.ts'
import {
  providedCompany,
  startCompanyProvider,
  type CompanyProviderServer,
} from '../../harness/identity/company_provider.ts'
import { createCompany, newBrowser, type Browser } from '../../harness/web_client.ts'

const ORIGIN = { address: '192.0.2.7', agent: null }

let provider: CompanyProviderServer
let mailed: Awaited<ReturnType<typeof openMailScene>>
let company: Awaited<ReturnType<typeof providedCompany>>
let owner: Browser
before(async () => {
  provider = await startCompanyProvider()
  mailed = await openMailScene()
  company = await providedCompany(mailed.service, provider, 'Alder Plumbing')
  owner = newBrowser(mailed.service)
  await owner.signIn(company.owner.email)
})
after(async () => {
  await mailed.stop()
  await provider.stop()
})

const identityOf = (issuer: string, subject: string, email: string) => ({
  issuer,
  subject,
  email,
  address: email,
  name: null,
  methods: [],
  unconfirmed: null,
  recognizedAt: null,
})
const second = async (email: string): Promise<string[]> =>
  (await mailed.mailsTo(email)).map(({ mail }) => mail.subject!).filter((subject) => /second outside/.test(subject))
const person = async (role: 'tech' | 'office' = 'tech') => {
  const member = await company.hire(role)
  const browser = newBrowser(mailed.service)
  await browser.signIn(member.email)
  return { ...member, browser }
}
/** Returns the fields of a page's unlink forms. */
const unlinks = (text: string, user: string) =>
  [
    ...text.matchAll(new RegExp(`action="([^"]*/members/${user}/unlink)">.*?value="([^"]*)".*?value="([^"]*)"`, 'g')),
  ].map(([, path, issuer, subject]) => ({ path: path!, issuer: issuer!, subject: subject! }))

describe("a second account at the company's provider with a member's address", () => {
  it('notifies the member and the owners, and either can unlink an account', async () => {
    const member = await person()
    const enter = (subject: string) =>
      signInByCompany(mailed.service.database, company.id, identityOf(provider.issuer, subject, member.email), ORIGIN)
    assert.ok(!('refused' in (await enter('first'))))
    assert.ok(!('refused' in (await enter('first'))))
    assert.deepEqual([await second(member.email), await second(company.owner.email)], [[], []])
    assert.ok(!('refused' in (await enter('other'))))
    assert.deepEqual(await second(member.email), ['A second outside account signs in as you'])
    assert.deepEqual(await second(company.owner.email), [`A second outside account signs in as ${member.name}`])
    const page = `/${company.id}/settings/members/${member.user_id}`
    const [first, other] = unlinks((await owner.get(page)).text, member.user_id)
    assert.deepEqual([first?.subject, other?.subject], ['first', 'other'])
    const done = await owner.post(first!.path, { issuer: first!.issuer, subject: 'first' })
    assert.deepEqual([done.status, done.location], [303, page])
    const own = unlinks((await member.browser.get(`/${company.id}/settings/sign-ins`)).text, member.user_id)
    assert.deepEqual(
      own.map(({ subject }) => subject),
      ['other'],
    )
    assert.equal((await member.browser.post(own[0]!.path, { issuer: own[0]!.issuer, subject: 'other' })).status, 303)
    assert.deepEqual(unlinks((await owner.get(page)).text, member.user_id), [])
    assert.match(
      (await owner.get(`/${company.id}/settings/log`)).text,
      /an account of the company&#39;s provider unlinked/,
    )
  })

  it("can't be unlinked by a colleague or through a provider session, and unlinking ends its sessions", async () => {
    const [member, colleague] = [await person(), await person('office')]
    const enter = (subject: string) =>
      signInByCompany(mailed.service.database, company.id, identityOf(provider.issuer, subject, member.email), ORIGIN)
    await enter(`a-${member.user_id}`)
    const path = `/${company.id}/settings/members/${member.user_id}/unlink`
    const given = { issuer: provider.issuer, subject: `a-${member.user_id}` }
    assert.equal((await colleague.browser.post(path, given)).status, 404)
    const entered = await enter(`b-${member.user_id}`)
    assert.ok('secret' in entered)
    const bound = newBrowser(mailed.service)
    bound.jar.set('callout_session', entered.secret)
    assert.equal((await bound.get(`/${company.id}`)).status, 200)
    assert.equal((await bound.post(path, given)).status, 404)
    assert.equal((await owner.post(path, { ...given, subject: 'nobody' })).status, 404)
    assert.equal((await owner.post(path, given)).status, 303)
    assert.equal((await bound.get(`/${company.id}`)).status, 303, 'sessions by the provider end')
  })
})

describe("a second account at the installation's provider with a person's address", () => {
  it('notifies the person and the owners of their companies', async () => {
    const member = await person()
    const other = await createCompany(mailed.service, 'Birch Cleaning')
    await newBrowser(mailed.service).signIn(other.owner.email)
    await other.join('tech', { email: member.email })
    const enter = (subject: string) =>
      signInByProvider(mailed.service.database, identityOf('https://login.example.com', subject, member.email), ORIGIN)
    assert.ok(!('refused' in (await enter('one'))))
    assert.deepEqual([await second(member.email), await second(other.owner.email)], [[], []])
    mailed.server.taken.length = 0
    assert.ok(!('refused' in (await enter('two'))))
    assert.deepEqual(await second(member.email), ['A second outside account signs in as you'])
    const told = [`A second outside account signs in as ${member.name}`]
    assert.deepEqual([await second(company.owner.email), await second(other.owner.email)], [told, told])
  })
})
