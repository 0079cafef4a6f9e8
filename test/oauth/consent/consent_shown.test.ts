import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { removeMember, changeMember } from '../../../src/identity/people/people.ts'
import { sql } from '../../../src/platform/db/database.ts'
import type { TestService } from '../../harness/harness.ts'
import {
  askConsent,
  createCompany,
  pressConsent,
  exchangeCode,
  hiddenFieldsOf,
  startSite,
  newBrowser,
  type Browser,
  type BrowserResponse,
} from '../../harness/web_client.ts'

const CALLBACK = 'https://assistant.example/callback'

let service: TestService
let acme: Awaited<ReturnType<typeof createCompany>>
let globex: Awaited<ReturnType<typeof createCompany>>

before(async () => {
  service = await startSite()
  acme = await createCompany(service, 'Acme Heating')
  globex = await createCompany(service, 'Globex Plumbing')
})
after(() => service.stop())

/** Returns a member of Acme, or of Globex too, before a request of a new client. */
async function requestConsent({ isInBoth = false, client }: { isInBoth?: boolean; client?: string } = {}) {
  const member = await acme.hire('office')
  if (isInBoth) await globex.join('office', { email: member.email })
  const browser = newBrowser(service)
  await browser.signIn(member.email)
  const id =
    client ?? (await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} })).id
  const request = await askConsent(service, browser, id, CALLBACK)
  const grantOf = (user: string) => findGrant(service.database.send, id, user)
  return { browser, member, client: id, ...request, grantOf }
}

/** Opens the consent form in a browser tab. */
const openForm = async (browser: Browser, path: string, company = acme.id): Promise<Record<string, string>> => {
  const form = hiddenFieldsOf((await browser.get(`${path}&company=${company}`)).text)
  assert.deepEqual(Object.keys(form).sort(), ['authorization_id', 'company', 'person', 'shown'])
  return form
}

const press = (
  browser: Browser,
  form: Record<string, string>,
  fields: Record<string, string> = { decision: 'view' },
): Promise<BrowserResponse> => browser.post('/oauth/consent', { ...form, ...fields })

function isShownAgain({ status, text, headers }: BrowserResponse, says: RegExp): void {
  assert.equal(status, 409)
  assert.match(text, /role="alert"[^]*No access was granted/)
  assert.match(text, says)
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
}

/** Returns the client's callback URL. */
async function calledBack(browser: Browser, { location }: BrowserResponse): Promise<URL> {
  return new URL((await browser.get(location!)).location!)
}

describe('the suggested consent', () => {
  it("grants View everywhere with one press, within the member's rights", async () => {
    const { browser, path, client, verifier } = await requestConsent()
    const { text } = await browser.get(path)
    assert.ok(text.indexOf('Allow View everywhere') < text.indexOf('<details'))
    assert.match(text, /<details class="detail" id="detail">\s*<summary>Choose in detail/)
    const claims = await exchangeCode(
      service,
      client,
      await calledBack(browser, await pressConsent(browser, path, 'view')),
      verifier,
    )
    assert.equal(claims.scopes.length, 10)
    assert.ok(claims.scopes.every((scope) => scope.startsWith('read:')))
    assert.equal(claims.tenant_id, acme.id)
  })

  it("is limited to the client's allow-list and the technician's rights", async () => {
    const { id } = await createClient(service.database, {
      name: 'Narrow',
      redirect_uris: [CALLBACK],
      allow_list: ['read:jobs', 'write:jobs', 'read:invoices'],
    })
    const tech = await acme.hire('tech')
    const browser = newBrowser(service)
    await browser.signIn(tech.email)
    const { path } = await askConsent(service, browser, id, CALLBACK)
    await pressConsent(browser, path, 'view', { jobs: 'edit', all: 'most' })
    assert.deepEqual((await findGrant(service.database.send, id, tech.user_id))?.scopes, ['read:jobs'])
  })

  it('grants nothing before it is pressed and explains duration, revoking and what Edit includes', async () => {
    const { browser, path, member, grantOf } = await requestConsent()
    const { text } = await browser.get(`${path}&all=most&decision=view`)
    assert.equal(await grantOf(member.user_id), undefined)
    assert.match(text, /<details class="detail" id="detail" open>/)
    assert.match(text, /lasts for a year, or until the app hasn’t been used for 60 days/)
    assert.ok(text.includes(`href="/${acme.id}/settings/apps"`))
    assert.match(text, /Edit includes voiding, canceling, ending and deleting/)
    assert.match(text, /It gets no access until you press the button/)
  })
})

describe('the consent page is shown again and nothing is granted', () => {
  it('when the membership ended meanwhile, for the remaining company', async () => {
    const { browser, path, member, grantOf } = await requestConsent({ isInBoth: true })
    const form = await openForm(browser, path)
    await removeMember(service.database, { tenant: acme.id }, member.user_id)
    for (const decision of ['view', 'approve']) {
      const again = await press(browser, form, { decision, customers: 'edit' })
      isShownAgain(
        again,
        /Connect <bdi>Assistant<\/bdi> to Globex Plumbing\?[^]*You no longer belong to the company that you were connecting/,
      )
      assert.doesNotMatch(again.text, /Acme/)
      assert.doesNotMatch(again.text, / value="(view|edit)" checked/)
    }
    assert.equal(await grantOf(member.user_id), undefined)
    assert.equal(
      (await press(browser, form, { decision: 'approve', company: globex.id, customers: 'view' })).status,
      409,
    )
    assert.equal(await grantOf(member.user_id), undefined)
    await pressConsent(browser, path, 'approve', { customers: 'view' }, globex.id)
    assert.equal((await grantOf(member.user_id))?.tenant_id, globex.id)
  })

  it('as a choice of companies when several remain', async () => {
    const { browser, path, member, grantOf } = await requestConsent({ isInBoth: true })
    const third = await createCompany(service, 'Third Roofing')
    await third.join('tech', { email: member.email })
    const form = await openForm(browser, path)
    await removeMember(service.database, { tenant: acme.id }, member.user_id)
    isShownAgain(
      await press(browser, form),
      /Which company is[^]*You no longer belong[^]*Globex Plumbing[^]*Third Roofing/,
    )
    assert.equal(await grantOf(member.user_id), undefined)
  })

  it('when someone else signed in at the browser meanwhile', async () => {
    const { browser, path, member, grantOf } = await requestConsent()
    const form = await openForm(browser, path)
    const other = await acme.hire('owner')
    await browser.signIn(other.email)
    for (const more of [{}, { person: other.user_id }, { company: acme.id, person: other.user_id, shown: '' }]) {
      isShownAgain(await press(browser, { ...form, ...more }), /No access was granted/)
    }
    isShownAgain(await press(browser, form), /This was meant for someone else\. You are signed in as Leo Park now/)
    for (const user of [member.user_id, other.user_id]) assert.equal(await grantOf(user), undefined)
    await pressConsent(browser, path, 'view')
    assert.deepEqual(
      [await grantOf(member.user_id), (await grantOf(other.user_id))?.user_id],
      [undefined, other.user_id],
    )
  })

  it("when the member's rights changed meanwhile", async () => {
    for (const areas of [{ Invoices: 'view' }, { Invoices: 'none' }, { 'Tax rates': 'edit' }] as const) {
      const { browser, path, member, grantOf } = await requestConsent()
      const form = await openForm(browser, path)
      await changeMember(service.database, { tenant: acme.id }, member.user_id, { areas })
      isShownAgain(
        await press(browser, form, { decision: 'approve', all: 'most' }),
        /Your permissions or the app’s request changed/,
      )
      assert.equal(await grantOf(member.user_id), undefined)
      await pressConsent(browser, path, 'approve', { invoices: 'edit', jobs: 'view' })
      assert.equal((await grantOf(member.user_id))?.scopes.includes('write:invoices'), 'Tax rates' in areas)
    }
  })

  it("when the client's name or allow-list changed meanwhile", async () => {
    const { id: client } = await createClient(service.database, {
      name: 'Ledger',
      redirect_uris: [CALLBACK],
      allow_list: ['read:catalog', 'read:jobs'],
    })
    const { browser, path, member, grantOf } = await requestConsent({ client })
    for (const change of [sql`name = 'Microsoft 365'`, sql`allow_list = '{read:catalog_items,read:jobs}'`]) {
      const form = await openForm(browser, path)
      await service.database.send([sql`update oauth_clients set ${change} where id = ${client}`])
      isShownAgain(await press(browser, form), /changed since/)
    }
    assert.equal(await grantOf(member.user_id), undefined)
  })

  it('when the form has no valid seal for its company, request and browser', async () => {
    const { browser, path, member, client, grantOf } = await requestConsent({ isInBoth: true })
    const form = await openForm(browser, path)
    const second = newBrowser(service)
    await second.signIn(member.email)
    const elsewhere = await askConsent(service, second, client, CALLBACK)
    const others = [
      '',
      'x',
      (await openForm(browser, path, globex.id))['shown']!,
      (await openForm(browser, (await askConsent(service, browser, client, CALLBACK)).path))['shown']!,
      (await openForm(second, elsewhere.path))['shown']!,
    ]
    for (const shown of others) isShownAgain(await press(browser, { ...form, shown }), /No access was granted/)
    isShownAgain(
      await browser.post('/oauth/consent', {
        authorization_id: form['authorization_id']!,
        company: acme.id,
        decision: 'approve',
        jobs: 'edit',
      }),
      /No access was granted/,
    )
    assert.equal(await grantOf(member.user_id), undefined)
    assert.equal((await press(browser, form)).status, 303)
    assert.equal((await grantOf(member.user_id))?.tenant_id, acme.id)
  })
})

describe('a consent in several tabs', () => {
  it('approves the company that each tab shows', async () => {
    const { browser, path, member, client, verifier, grantOf } = await requestConsent({ isInBoth: true })
    const first = await openForm(browser, path, acme.id)
    const second = await openForm(browser, path, globex.id)
    await press(browser, second, { decision: 'approve', jobs: 'view' })
    assert.equal((await grantOf(member.user_id))?.tenant_id, globex.id)
    const callback = await calledBack(browser, await press(browser, first, { decision: 'approve', notes: 'view' }))
    const claims = await exchangeCode(service, client, callback, verifier)
    assert.deepEqual([claims.tenant_id, claims.scopes], [acme.id, ['read:notes']])
    assert.equal((await press(browser, second)).status, 410)
    assert.equal((await grantOf(member.user_id))?.tenant_id, acme.id)
  })

  it('still works after the same person signs in again', async () => {
    const { browser, path, member, grantOf } = await requestConsent()
    const form = await openForm(browser, path)
    await browser.post('/sign-out', {})
    assert.equal((await press(browser, form)).status, 303)
    assert.equal(await grantOf(member.user_id), undefined)
    await browser.signIn(member.email)
    assert.equal((await press(browser, form)).status, 303)
    assert.equal((await grantOf(member.user_id))?.tenant_id, acme.id)
  })
})
