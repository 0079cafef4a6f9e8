import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../../src/identity/credentials/keys.ts'
import { changeCompany, findCompany } from '../../../src/identity/companies/company.ts'
import { SCOPES } from '../../../src/identity/permissions/scopes.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { setLogo } from '../../../src/files/logo.ts'
import { NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { connectPaymentAccount } from '../../../src/payments/accounts.ts'
import { pngOf } from '../../browser/harness/png.ts'
import { callerOf, type TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../../harness/web_client.ts'

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Callout <callout@mail.example>' }

let service: TestService
before(async () => {
  service = await startSite({ ...MAIL, PAYMENTS_SECRET_KEY: 'sk_test_key' })
})
after(() => service.stop())

type Founded = Awaited<ReturnType<typeof createCompany>>

async function openCompany(name: string): Promise<{ company: Founded; browser: Browser }> {
  const company = await createCompany(service, name)
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  return { company, browser }
}

const today = async (browser: Browser, { id }: Founded): Promise<string> => pageTextOf(await browser.get(`/${id}`))

describe("a new company's first steps", () => {
  it("lists nine steps, marks each as done from the company's data, and disappears after the last", async () => {
    const { company, browser } = await openCompany('Alder')
    const by = { user: company.owner.user_id }
    const first = await today(browser, company)
    for (const title of [
      'First steps: 1 of 9 done',
      'Add your address and logo',
      'Set your tax rate',
      'Set your working hours',
      'Add your first customer',
      'Start your price list',
      'Set up your email and texts',
      'Take card payments',
      'Invite your team',
      'Connect an assistant',
    ])
      assert.ok(first.includes(title), title)
    const page = await browser.get(`/${company.id}`)
    const places = [...page.text.matchAll(/<li><span><a href="([^"]+)">/g)].map(([, href]) => href!)
    assert.equal(places.length, 9)
    for (const href of places) {
      const place = await browser.get(href)
      assert.equal(place.status, 200, href)
      const part = /#(.+)/.exec(href)?.[1]
      if (part !== undefined) assert.ok(place.text.includes(`id="${part}"`), href)
    }

    const kept = Object.entries(await findCompany(service.database, company.id))
    const typed = Object.fromEntries(kept.map(([name, value]) => [name, String(value ?? '')]))
    await changeCompany(
      service.database,
      company.id,
      { ...typed, address: '1 Shop Rd' } as Parameters<typeof changeCompany>[2],
      by,
    )
    assert.match(await today(browser, company), /First steps: 1 of 9 done/)
    await setLogo(service.database, company.id, pngOf(10, 10, [1, 2, 3]), by)
    assert.match(await today(browser, company), /First steps: 2 of 9 done/)
    const { key } = await createKey(
      service.database,
      { tenant: company.id },
      { user: by.user, name: 'Agent', scopes: SCOPES, expires_at: null },
    )
    assert.match(await today(browser, company), /First steps: 3 of 9 done/)
    const { call } = callerOf(service.url, key)
    await call('customers_create', { customer_type: 'individual', first_name: 'Dora' })
    await call('catalog_items_create', { kind: 'service', name: 'Visit', unit_price_cents: 5_000 })
    assert.match(await today(browser, company), /First steps: 5 of 9 done/)
    await call('tax_rates_create', { rate_percentage: 8.25 })
    assert.match(await today(browser, company), /First steps: 6 of 9 done/)
    assert.equal((await browser.post(`/${company.id}/settings/hours`, { travel_minutes: '10' })).status, 303)
    assert.match(await today(browser, company), /First steps: 7 of 9 done/)
    await connectPaymentAccount(service.database, null, company.id, 'acct_alder')
    assert.match(await today(browser, company), /First steps: 8 of 9 done/)
    await company.hire('tech')
    assert.doesNotMatch(await today(browser, company), /First steps/)
  })

  it('shows the sender of email and texts, and counts the texting step once the company has a number', async () => {
    const { company, browser } = await openCompany('Aspen')
    const places = pageTextOf(await browser.get(`/${company.id}/settings/places`))
    assert.match(places, /What you send Email callout@mail\.example Text messages No sender yet\./)
    const texting = await startSite({ ...MAIL, SMS_ACCOUNT_SID: 'AC1', SMS_AUTH_TOKEN: 'secret' })
    try {
      const other = await createCompany(texting, 'Apple')
      const owner = newBrowser(texting)
      await owner.signIn(other.owner.email)
      const page = pageTextOf(await owner.get(`/${other.id}`))
      assert.match(page, /First steps: 0 of 8 done/)
      assert.doesNotMatch(page, /Take card payments/)
      await addChannel(texting.database, NUMBERS, other.id, '+15125550100', null)
      assert.match(pageTextOf(await owner.get(`/${other.id}`)), /First steps: 1 of 8 done/)
      const sending = pageTextOf(await owner.get(`/${other.id}/settings/places`))
      assert.match(sending, /What you send Email callout@mail\.example Text messages \(512\) 555-0100/)
    } finally {
      await texting.stop()
    }
  })

  it('lets an owner, and only an owner, mark the company as charging no tax, and undo it', async () => {
    const { company, browser } = await openCompany('Ash')
    const clerk = await company.hire('office')
    const other = newBrowser(service)
    await other.signIn(clerk.email)
    const path = `/${company.id}/settings/company/tax`
    assert.equal((await other.post(path, { charges_no_tax: 'yes' })).status, 404)
    assert.match(await today(browser, company), /First steps: 2 of 9 done/)
    const answered = await browser.post(path, { charges_no_tax: 'yes', to: `/${company.id}` })
    assert.equal(answered.location, `/${company.id}`)
    const after = await browser.get(`/${company.id}`)
    assert.match(pageTextOf(after), /Saved: you don’t charge tax\. .*First steps: 3 of 9 done/)
    assert.ok(after.text.includes('name="charges_no_tax" value="no"'), 'Undo')
    assert.match(
      (await browser.get(`/${company.id}/settings/company`)).text,
      /name="charges_no_tax" value="yes" checked/,
    )
    await browser.post(path, { charges_no_tax: 'no', to: 'https://elsewhere.example/' })
    assert.match(await today(browser, company), /First steps: 2 of 9 done/)
  })

  it('can be hidden and shown again by the owner only', async () => {
    const { company, browser } = await openCompany('Birch')
    const clerk = await company.hire('office')
    const other = newBrowser(service)
    await other.signIn(clerk.email)
    assert.doesNotMatch(await today(other, company), /First steps/)
    assert.equal((await other.post(`/${company.id}/first-steps`, {})).status, 404)
    assert.equal((await browser.post(`/${company.id}/first-steps`, {})).location, `/${company.id}`)
    const hidden = await browser.get(`/${company.id}`)
    assert.match(pageTextOf(hidden), /The first steps are hidden\./)
    assert.doesNotMatch(pageTextOf(hidden), /First steps:/)
    assert.ok(hidden.text.includes(`action="/${company.id}/first-steps"`), 'Undo')
    await browser.post(`/${company.id}/first-steps`, { show: 'yes' })
    assert.match(await today(browser, company), /The first steps are back\..*First steps: 2 of 9 done/)
    assert.equal((await browser.get(`/${company.id}/first-steps`)).status, 405)
  })

  it("aren't shown once the company is 61 days old", async () => {
    const { company, browser } = await openCompany('Cedar')
    await writeTenant(service.database, { tenant: company.id }, (db) =>
      db.run(sql`update tenants set created_at = created_at - interval '61 days' where id = ${company.id}`),
    )
    assert.doesNotMatch(await today(browser, company), /First steps/)
  })
})

describe('a demo company', () => {
  it('shows a demo banner with a link to start your own company; other companies show none', async () => {
    const { company, browser } = await openCompany('Dogwood')
    assert.doesNotMatch((await browser.get(`/${company.id}/customers`)).text, /demo-note/)
    await writeTenant(service.database, { tenant: company.id }, (db) =>
      db.run(sql`update tenants set is_demo = true where id = ${company.id}`),
    )
    const page = await browser.get(`/${company.id}/customers`)
    assert.match(pageTextOf(page), /Demo company: everything here is made up\. Reset it or start your own/)
    assert.ok(page.text.includes(`href="/${company.id}/demo"`))
    const clerk = newBrowser(service)
    await clerk.signIn((await company.hire('office')).email)
    const theirs = await clerk.get(`/${company.id}/customers`)
    assert.match(pageTextOf(theirs), /Demo company: everything here is made up\. Create your company/)
    assert.ok(theirs.text.includes('href="/docs/company"'))
    assert.match((await browser.get('/docs/company')).text, /npx callout tenant create --name/)
  })
})
