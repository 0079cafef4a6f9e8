import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { problemsInBoth } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

let service: TestService
let office: Office
let browser: Browser
let page: Page
let complaints: string[]
let unpaid: Result

inBrowser('payments and reports', () => {
  before(async () => {
    service = await startSite()
    office = await openOffice(service, 'Alder Plumbing')
    const dora = await office.customer('Dora', { last_name: 'Vance' })
    for (const [cents, issue_date] of [
      [125_000, '2026-01-05'],
      [48_050, '2026-03-09'],
    ] as const) {
      unpaid = await office.call('invoices_create', {
        customer_id: dora['id'],
        issue_date,
        line_items: [{ name: 'Water heater', unit_price_cents: cents }],
      })
      await office.call('invoices_update', { id: unpaid['id'], status: 'sent' })
    }
    const paid = { amount_cents: '80.25', method: 'card', paid_on: '2026-03-10', reference: '4242' }
    await submit(office.browser, office.at('invoices', unpaid['id'], 'payment'), paid)
    browser = await launch()
    const opened = await openPage(browser)
    page = opened.page
    complaints = opened.complaints
    await signInAs(page, service.config.baseUrl, office.owner.email)
    await page.goto(service.config.baseUrl + office.at())
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  const open = (...steps: string[]) => page.goto(service.config.baseUrl + office.at(...steps))

  it('records a payment from the invoice in three actions (open, method, Enter), and undoes it in one', async () => {
    await open('invoices', unpaid['id'])
    await page.getByRole('link', { name: 'Record payment' }).first().press('Enter')
    await page.getByRole('radio', { name: 'Card' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Payment recorded').waitFor()
    const paid = await office.call('invoices_get', { id: unpaid['id'] })
    assert.deepEqual([paid['status'], paid['balance_due_cents']], ['paid', 0])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').getByText('Payment undone').waitFor()
    const back = await office.call('invoices_get', { id: unpaid['id'] })
    assert.deepEqual([back['status'], back['balance_due_cents']], ['partially_paid', 40_025])
  })

  it('pass axe in light and dark, fit a phone, and follow their CSP', async () => {
    const dates = '?from=2026-01-01&to=2026-12-31'
    for (const address of [
      ['reports'],
      ['reports', 'aging'],
      ['reports', `sales${dates}&by=customer`],
      ['reports', `received${dates}`],
      ['reports', `exports${dates}`],
      [`payments${dates}`],
      ['invoices', unpaid['id'], 'payment'],
      ['invoices', unpaid['id']],
    ]) {
      await page.setViewportSize(SIZES.desktop)
      assert.equal((await open(...address))?.status(), 200, address.join('/'))
      assert.deepEqual(await problemsInBoth(page), [], address.join('/'))
      await page.setViewportSize(SIZES.phone)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), SIZES.phone.width, address.join('/'))
    }
    assert.deepEqual(complaints, [])
  })
})
