import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { openSettings } from '../harness/identity/settings.ts'
import { PASSWORD, askConsent, createCompany, pressConsent, exchangeCode, newBrowser } from '../harness/web_client.ts'

const CALLBACK = 'http://127.0.0.1:41999/callback'

type Settings = Awaited<ReturnType<typeof openSettings>>
let service: Settings['service']
let company: Settings['company']
let owner: Settings['owner']
let signInAs: Settings['signInAs']
let at: Settings['at']
let readAudit: Settings['readAudit']
before(async () => {
  ;({ service, company, owner, signInAs, at, readAudit } = await openSettings())
})
after(() => service.stop())

describe('members', () => {
  const linkIn = (text: string): string => /\/join\?invitation=[\w-]{43}/.exec(text)![0]
  const invite = async (email: string, role = 'office'): Promise<string> =>
    linkIn((await owner.post(at('members'), { email, name: '', role })).text)

  it('join once through an invitation link by setting a name and a password', async () => {
    const link = await invite('Nina@Example.com')
    const nina = newBrowser(service)
    assert.match((await nina.get(link)).text, /nina@example\.com is invited/)
    const secret = link.split('=')[1]!
    assert.equal((await nina.post('/join', { invitation: secret, name: 'Nina', password: 'short' })).status, 422)
    assert.equal(
      (await nina.post('/join', { invitation: secret, name: 'Nina Low', password: PASSWORD })).location,
      `/${company.id}`,
    )
    assert.equal((await nina.get(`/${company.id}`)).status, 200)
    assert.equal((await newBrowser(service).get(link)).status, 404)
    assert.equal((await nina.post('/join', { invitation: secret, name: 'Nina', password: PASSWORD })).status, 404)
    assert.match((await owner.get(at('members'))).text, /Nina Low/)
  })

  it('with an account must sign in as the invited address before they can accept', async () => {
    const other = await createCompany(service, 'West Landscaping')
    const link = await invite(other.owner.email, 'tech')
    const secret = link.split('=')[1]!
    assert.ok((await newBrowser(service).get(link)).text.includes(`href="/sign-in?to=${encodeURIComponent(link)}"`))
    assert.equal(
      (await newBrowser(service).post('/join', { invitation: secret, name: 'Thief', password: PASSWORD })).status,
      409,
    )
    const wrong = await signInAs((await company.hire('tech')).email)
    assert.match((await wrong.get(link)).text, /You are signed in as/)
    assert.equal((await wrong.post('/join', { invitation: secret })).status, 409)
    const right = await signInAs(other.owner.email)
    assert.equal((await right.post('/join', { invitation: secret })).location, `/${company.id}`)
  })

  it("of another company who have no password can't be taken over through an invitation link", async () => {
    const other = await createCompany(service, 'East Landscaping')
    await other.join('office', { email: 'bare@example.com' })
    const secret = (await invite('bare@example.com')).split('=')[1]!
    assert.equal(
      (await newBrowser(service).post('/join', { invitation: secret, name: 'Thief', password: PASSWORD })).status,
      409,
    )
  })

  it('get a new link when invited again, and none of the links works after the invitation is withdrawn', async () => {
    const first = await invite('oscar@example.com')
    const second = await invite('oscar@example.com')
    assert.equal((await newBrowser(service).get(first)).status, 404)
    assert.equal((await newBrowser(service).get(second)).status, 200)
    const id = /settings\/invitations\/([0-9a-f-]{36})/.exec((await owner.get(at('members'))).text)![1]!
    assert.equal((await owner.post(at('invitations', id), {})).location, at('members'))
    assert.equal((await newBrowser(service).get(second)).status, 404)
  })

  it("can't be invited if they already belong, or with an invalid email address or role", async () => {
    const member = await company.hire('tech')
    assert.equal((await owner.post(at('members'), { email: member.email, name: '', role: 'tech' })).status, 409)
    assert.equal((await owner.post(at('members'), { email: 'nobody', name: '', role: 'tech' })).status, 422)
    assert.equal((await owner.post(at('members'), { email: 'a@example.com', name: '', role: 'king' })).status, 422)
  })

  it('lose access to an area on their next request after an owner lowers their permissions', async () => {
    const member = await company.hire('office')
    const browser = await signInAs(member.email)
    assert.equal((await browser.get(`/${company.id}/jobs`)).status, 200)
    const page = await owner.get(at('members', member.user_id))
    const areas = Object.fromEntries(
      [...page.text.matchAll(/name="([a-z_]+)" value="(none|view|edit)" checked/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    )
    assert.equal(
      (await owner.post(at('members', member.user_id), { ...areas, role: 'office', jobs: 'none' })).location,
      at('members'),
    )
    assert.equal((await browser.get(`/${company.id}/jobs`)).status, 404)
    assert.equal((await browser.get(`/${company.id}/tags`)).status, 200)
  })

  it('get 404 on their next request after being removed', async () => {
    const member = await company.hire('office')
    const browser = await signInAs(member.email)
    assert.equal((await browser.get(`/${company.id}`)).status, 200)
    await owner.post(at('members', member.user_id), { act: 'remove' })
    assert.equal((await browser.get(`/${company.id}`)).status, 404)
  })

  it('must include at least one owner: demoting the last one is refused with 409', async () => {
    const lone = await createCompany(service, 'Lone Plumbing')
    const browser = await signInAs(lone.owner.email)
    const refused = await browser.post(`/${lone.id}/settings/members/${lone.owner.user_id}`, { role: 'tech' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /A company needs at least one owner/)
  })
})

describe('API keys', () => {
  const call = (key: string, name: string, args: object) =>
    fetch(`${service.config.baseUrl}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    })

  it('of a member are shown once, are limited to their chosen areas, and stop working when revoked', async () => {
    const browser = await signInAs((await company.hire('office')).email)
    const made = await browser.post(at('keys'), { name: 'Script', expires: '', customers: 'view' })
    const key = /svc_uk_\w{43}/.exec(made.text)![0]
    assert.match(await (await call(key, 'customers_search', {})).text(), /"isError":false/)
    assert.match(await (await call(key, 'jobs_list', {})).text(), /insufficient_scope/)
    const { text } = await browser.get(at('keys'))
    assert.ok(!text.includes(key))
    const id = /settings\/keys\/([0-9a-f-]{36})/.exec(text)![1]!
    await browser.post(at('keys', id), {})
    assert.equal((await call(key, 'customers_search', {})).status, 401)
    assert.match((await browser.get(at('keys'))).text, /Revoked/)
  })

  it("for the company can be created only by owners, and no key exceeds its creator's permissions", async () => {
    assert.match(
      (await owner.post(at('keys'), { name: 'Reports', expires: '', company: 'yes', jobs: 'view' })).text,
      /svc_tk_\w{43}/,
    )
    const tech = await signInAs((await company.hire('tech')).email)
    assert.match(
      (await tech.post(at('keys'), { name: 'Mine', expires: '', company: 'yes', jobs: 'view' })).text,
      /svc_uk_\w{43}/,
    )
    assert.equal((await tech.post(at('keys'), { name: 'More', expires: '', invoices: 'edit' })).status, 422)
  })

  it("of an owner can't be seen or revoked by a technician", async () => {
    await owner.post(at('keys'), { name: 'Owner key', expires: '', jobs: 'view' })
    const tech = await signInAs((await company.hire('tech')).email)
    assert.doesNotMatch((await tech.get(at('keys'))).text, /Owner key/)
    const id = /settings\/keys\/([0-9a-f-]{36})/.exec((await owner.get(at('keys'))).text)![1]!
    assert.equal((await tech.post(at('keys', id), {})).status, 404)
  })

  it('require a name, at least one area and a future expiry date', async () => {
    assert.equal((await owner.post(at('keys'), { name: '', expires: '', jobs: 'view' })).status, 422)
    assert.equal((await owner.post(at('keys'), { name: 'None', expires: '' })).status, 422)
    assert.match(
      (await owner.post(at('keys'), { name: 'Past', expires: '2020-01-01', jobs: 'view' })).text,
      /Enter a future date/,
    )
  })
})

describe('connected apps', () => {
  async function connect(email: string, levels: Record<string, string>) {
    const client = (await registerClient(service.database, { name: 'Fieldhand', redirect_uris: [CALLBACK], about: {} }))
      .id
    const browser = await signInAs(email)
    const { path, verifier } = await askConsent(service, browser, client, CALLBACK)
    const approved = await pressConsent(browser, path, 'approve', levels, company.id)
    const back = await browser.get(approved.location!)
    return { client, browser, claims: await exchangeCode(service, client, new URL(back.location!), verifier) }
  }

  it('are listed for the member who connected them and for owners, who can narrow and withdraw access', async () => {
    const member = await company.hire('office')
    const { client, browser } = await connect(member.email, { customers: 'edit', jobs: 'view' })
    assert.match((await browser.get(at('apps'))).text, /Fieldhand/)
    assert.match(pageTextOf(await owner.get(at('apps'))), new RegExp(member.email))
    const address = `${at('app')}?client=${client}&user=${member.user_id}`
    assert.equal((await owner.post(address, { customers: 'view', jobs: 'view' })).location, at('apps'))
    assert.match((await browser.get(at('apps'))).text, /Customers &amp; contacts: View/)
    assert.equal((await browser.post(address, { act: 'withdraw' })).location, at('apps'))
    assert.doesNotMatch((await browser.get(at('apps'))).text, /Fieldhand/)
    assert.deepEqual([(await readAudit('grants.narrow')).length, (await readAudit('grants.withdraw')).length], [1, 1])
  })

  it("can't be given wider access in settings, and other members can't open or withdraw them", async () => {
    const member = await company.hire('office')
    const { client } = await connect(member.email, { jobs: 'view' })
    const address = `${at('app')}?client=${client}&user=${member.user_id}`
    const tech = await signInAs((await company.hire('tech')).email)
    assert.equal((await tech.get(address)).status, 404)
    assert.equal((await tech.post(address, { act: 'withdraw' })).status, 404)
    await owner.post(address, { jobs: 'edit', invoices: 'edit' })
    const { text } = await owner.get(at('apps'))
    assert.doesNotMatch(text, /Jobs &amp; scheduling: Edit|Invoices: /)
  })
})

describe('OAuth clients', () => {
  const addClient = async (fields: Record<string, string> = {}) =>
    owner.post(at('clients'), { name: 'Back end', redirect_uris: CALLBACK, customers: 'view', ...fields })

  it('show their secret only when created, and can be removed', async () => {
    const { text } = await addClient()
    const id = /Client ID [^]*?<code class="copy">([^<]+)/.exec(text)![1]!
    const secret = /Client secret [^]*?<code class="copy">([^<]+)/.exec(text)![1]!
    const listed = (await owner.get(at('clients'))).text
    assert.ok(listed.includes(id) && !listed.includes(secret))
    assert.equal((await owner.post(at('clients', id), {})).location, at('clients'))
    assert.ok(!(await owner.get(at('clients'))).text.includes(id))
    assert.deepEqual([(await readAudit('clients.create')).length, (await readAudit('clients.remove')).length], [1, 1])
  })

  it("belong to one company: another company can't see, remove or approve them", async () => {
    const id = /Client ID [^]*?<code class="copy">([^<]+)/.exec((await addClient()).text)![1]!
    const other = await createCompany(service, 'South Cleaning')
    const stranger = await signInAs(other.owner.email)
    assert.ok(!(await stranger.get(`/${other.id}/settings/clients`)).text.includes(id))
    assert.equal((await stranger.post(`/${other.id}/settings/clients/${id}`, {})).status, 404)
    const asked = await askConsent(service, stranger, id, CALLBACK)
    assert.ok(!(await stranger.get(asked.path)).text.includes('South Cleaning?'))
    assert.equal(
      (
        await stranger.post('/oauth/consent', {
          authorization_id: asked.id,
          company: other.id,
          decision: 'approve',
          customers: 'view',
        })
      ).status,
      403,
    )
  })

  it('require a name, a valid redirect URI and an area', async () => {
    for (const wrong of [
      { name: '' },
      { redirect_uris: '' },
      { redirect_uris: 'javascript:alert(1)' },
      { customers: 'none' },
    ] as Record<string, string>[])
      assert.equal((await addClient(wrong)).status, 422, JSON.stringify(wrong))
  })
})
