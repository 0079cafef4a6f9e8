import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/access/credentials/keys.ts'
import { changeCompany, findCompany } from '../../src/access/companies/company.ts'
import { SCOPES } from '../../src/access/rights/scopes.ts'
import { sql, writeTenant } from '../../src/db/tenant.ts'
import { setLogo } from '../../src/files/logo.ts'
import { pngOf } from '../browser/png.ts'
import { callerOf, type TestService } from '../harness/harness.ts'
import { said } from '../harness/people_pages.ts'
import { foundCompany, startSite, visitor, type Browser } from '../harness/visiting.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

type Founded = Awaited<ReturnType<typeof foundCompany>>

async function opened(name: string): Promise<{ company: Founded; browser: Browser }> {
  const company = await foundCompany(service, name)
  const browser = visitor(service)
  await browser.signIn(company.owner.email)
  return { company, browser }
}

const today = async (browser: Browser, { id }: Founded): Promise<string> => said(await browser.get(`/${id}`))

describe("a new company's first steps", () => {
  it('are five, done one by one by what is there, and gone with the last', async () => {
    const { company, browser } = await opened('Alder')
    const by = { user: company.owner.user_id }
    const first = await today(browser, company)
    for (const title of [
      'First steps: 0 of 5 done',
      'Add your address and logo',
      'Add your first customer',
      'Invite your people',
      'Start your price list',
      'Connect an assistant',
    ])
      assert.ok(first.includes(title), title)
    const page = await browser.get(`/${company.id}`)
    for (const [, href = ''] of page.text.matchAll(/<li><span><a href="([^"]+)">/g))
      assert.equal((await browser.get(href)).status, 200, href)

    const kept = Object.entries(await findCompany(service.database, company.id))
    const typed = Object.fromEntries(kept.map(([name, value]) => [name, String(value ?? '')]))
    await changeCompany(
      service.database,
      company.id,
      { ...typed, address: '1 Shop Rd' } as Parameters<typeof changeCompany>[2],
      by,
    )
    assert.match(await today(browser, company), /First steps: 0 of 5 done/)
    await setLogo(service.database, company.id, pngOf(10, 10, [1, 2, 3]), by)
    assert.match(await today(browser, company), /First steps: 1 of 5 done/)
    const { key } = await createKey(
      service.database,
      { tenant: company.id },
      { user: by.user, name: 'Agent', scopes: SCOPES, expires_at: null },
    )
    assert.match(await today(browser, company), /First steps: 2 of 5 done/)
    const { call } = callerOf(service.url, key)
    await call('customers_create', { customer_type: 'individual', first_name: 'Dora' })
    await call('catalog_items_create', { kind: 'service', name: 'Visit', unit_price_cents: 5_000 })
    assert.match(await today(browser, company), /First steps: 4 of 5 done/)
    await company.hire('tech')
    assert.doesNotMatch(await today(browser, company), /First steps/)
  })

  it("are the owner's to hide, and to take back", async () => {
    const { company, browser } = await opened('Birch')
    const clerk = await company.hire('office')
    const other = visitor(service)
    await other.signIn(clerk.email)
    assert.doesNotMatch(await today(other, company), /First steps/)
    assert.equal((await other.post(`/${company.id}/first-steps`, {})).status, 404)
    assert.equal((await browser.post(`/${company.id}/first-steps`, {})).location, `/${company.id}`)
    const hidden = await browser.get(`/${company.id}`)
    assert.match(said(hidden), /The first steps are hidden\./)
    assert.doesNotMatch(said(hidden), /First steps:/)
    assert.ok(hidden.text.includes(`action="/${company.id}/first-steps"`), 'Undo')
    await browser.post(`/${company.id}/first-steps`, { show: 'yes' })
    assert.match(await today(browser, company), /The first steps are back\..*First steps: 1 of 5 done/)
    assert.equal((await browser.get(`/${company.id}/first-steps`)).status, 405)
  })

  it('are not shown to a company that is no longer new', async () => {
    const { company, browser } = await opened('Cedar')
    await writeTenant(service.database, { tenant: company.id }, (db) =>
      db.run(sql`update tenants set created_at = created_at - interval '61 days' where id = ${company.id}`),
    )
    assert.doesNotMatch(await today(browser, company), /First steps/)
  })
})

describe('a demo company', () => {
  it('says on its pages that it is one, and how to start another; others say nothing', async () => {
    const { company, browser } = await opened('Dogwood')
    assert.doesNotMatch((await browser.get(`/${company.id}/customers`)).text, /demo-note/)
    await writeTenant(service.database, { tenant: company.id }, (db) =>
      db.run(sql`update tenants set is_demo = true where id = ${company.id}`),
    )
    const page = await browser.get(`/${company.id}/customers`)
    assert.match(said(page), /Demo company: everything here is made up\. Start your own/)
    assert.ok(page.text.includes('href="/docs/company"'))
    assert.match((await browser.get('/docs/company')).text, /npx callout tenant create --name/)
  })
})
