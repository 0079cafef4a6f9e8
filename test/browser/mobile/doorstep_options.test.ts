import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { ZONE, listFieldEvents, today } from '../../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/web_client.ts'
import { SENDERS } from '../../sending/scene.ts'
import { passesAxe } from '../harness/axe.ts'
import { evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { PHONE, drawSignature, openVisit, openVisits, state } from './phone_page.ts'

let service: TestService
let browser: Browser
let company: Schedule
let mia: { id: string; email: string }

const pay = (page: Page, how: string): Locator => page.locator('#sheet').getByRole('button', { name: how, exact: true })

/** Saves a template of two options: one valve, or two with an optional third and a deposit of half. */
async function keepTemplate(item: Result): Promise<void> {
  const line = {
    catalog_item_id: item['id'],
    name: 'Valve',
    quantity: 1,
    unit_price_cents: 4_250,
    has_catalog_price: true,
  }
  const good = { title: 'Good', terms: null, discount: null, deposit: null, line_items: [line], optional_lines: [] }
  const better = {
    ...good,
    title: 'Better',
    terms: 'Parts are guaranteed for a year.',
    deposit: { type: 'percent', value: 50 },
    line_items: [{ ...line, quantity: 2 }],
    optional_lines: [line],
  }
  await writeTenant(service.database, { tenant: company.id }, (db) =>
    db.run(sql`insert into quote_templates (tenant_id, id, name, options)
      values (${company.id}, ${newId()}, 'Water heater', ${JSON.stringify([good, better])})`),
  )
}

inBrowser('options at the doorstep', () => {
  before(async () => {
    service = await startSite(SENDERS)
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    mia = await company.hire('Mia Torres', 'tech', { Invoices: 'edit', Quotes: 'edit' })
    await company.call('tax_rates_create', { name: 'State', rate_percentage: 8.25, is_default: true })
    await keepTemplate(
      await company.call('catalog_items_create', { name: 'Valve', kind: 'product', unit_price_cents: 4_250 }),
    )
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('are offered offline; the customer signs one with an optional line, and the deposit is taken', async () => {
    const visit = await company.book({ title: 'Tank', scheduled_start: `${today()}T12:00`, assignees: [mia.id] })
    const { page, complaints, close } = await openPage(browser, PHONE)
    await openVisits(page, service.config.baseUrl, company.id, mia.email)
    await openVisit(page, { id: String(visit['id']) })
    await page.context().setOffline(true)
    await page.reload()
    const sheet = page.locator('#sheet')
    const options = sheet.locator('.field-option')
    await page.locator('#do-quote').tap()
    await sheet.getByLabel('Template').selectOption('Water heater')
    assert.equal(await options.count(), 2)
    await pay(page, 'Add an option').tap()
    const third = options.nth(2)
    await third.getByLabel('Title').fill('Best')
    await third.getByLabel('Quantity').first().fill('4')
    await third.locator('summary', { hasText: 'Discount' }).tap()
    await third.getByLabel('Discount', { exact: true }).fill('10')
    // Four valves at 42.50 with 10% off, and 12.62 tax.
    await third.locator('.field-sums').getByText('$165.62').waitFor()
    await passesAxe(page, 'options of a quote')
    await pay(page, 'Save').tap()
    await page.locator('.field-invoice', { hasText: 'Best' }).getByText('$165.62').waitFor()
    await page.getByRole('button', { name: 'Compare and sign' }).tap()
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await passesAxe(page, `options at ${width}`)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth <= innerWidth'), true, String(width))
    }
    await drawSignature(page)
    await pay(page, 'Sign quote').tap()
    await sheet.getByText('Choose an option.').waitFor()
    const better = options.nth(1)
    await better.getByRole('radio').tap()
    // Two valves and 7.01 tax, and one more valve.
    await better.locator('.field-sums').getByText('$92.01').waitFor()
    await better.getByRole('checkbox').tap()
    await better.locator('.field-sums').getByText('$138.02').waitFor()
    await better.getByText('A deposit of $69.01 is due when you accept.').waitFor()
    await pay(page, 'Sign quote').tap()
    const deposit = page.locator('.field-invoice', { hasText: 'Deposit' })
    await deposit.getByText('The payment code needs a connection.').waitFor()
    await deposit.getByRole('button', { name: 'Take payment · $69.01' }).tap()
    await pay(page, 'Cash').tap()
    await deposit.getByText('Paid').waitFor()
    await state(page, '3 waiting')
    await page.reload()
    await deposit.getByText('Paid').waitFor()
    await page.context().setOffline(false)
    await state(page, /^Sent /)
    const { rows } = await company.call('quotes_list', { customer_id: visit['customer_id'] })
    const made = (rows as Result[]).map(({ title, status, total_cents }) => [title, status, total_cents])
    assert.deepEqual(made.toSorted(), [
      ['Best', 'declined', 16_562],
      ['Better', 'accepted', 13_802],
      ['Good', 'declined', 4_601],
    ])
    const kinds = (await listFieldEvents(service, company, visit)).map(({ kind }) => kind)
    assert.deepEqual(kinds, ['quote', 'quote_signature', 'payment'])
    await page
      .locator('.field-invoice', { hasText: /Deposit \D*\d/ })
      .getByText('Paid')
      .waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
})
