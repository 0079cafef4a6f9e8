import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { FILES } from '../../harness/files/files.ts'
import { problemsInBoth } from '../harness/axe.ts'
import { countEffort } from '../harness/counting.ts'
import { startDemo, type DemoSite } from '../harness/demo_site.ts'
import { SIZES, evaluateOn, inBrowser, launch } from '../harness/launch.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

let site: DemoSite
let browser: Browser
let customer: string
let job: string

/** Pastes or drops a picture on the page. */
const give = (page: Page, kind: 'paste' | 'drop', name: string) =>
  page.evaluate(`{
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array([${[...FILES['image/png']!].join()}])], '${name}', { type: 'image/png' }))
    document.body.dispatchEvent(
      '${kind}' === 'paste'
        ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
    )
  }`)

inBrowser('editing a record in place', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    const made = await site.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ines',
      lead_source: 'Radio',
      payment_terms_days: 30,
    })
    customer = made.id
    job = (
      await site.call('jobs_create', { customer_id: customer, title: 'Leak', scheduled_start: '2027-03-01T09:00' })
    ).id
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('changes a value without a page load in at most three clicks, and shows errors in place', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'dana')
    await open('customers', customer)
    const effort = await countEffort(page)
    const fact = page.locator('aside .facts > div', { hasText: 'Terms' })
    await fact.hover()
    await fact.getByRole('link', { name: 'Edit Terms' }).click()
    const field = page.getByLabel('Payment terms in days')
    await field.waitFor()
    assert.equal(await evaluateOn(page, 'document.activeElement.name'), 'payment_terms_days')
    assert.deepEqual(await problemsInBoth(page, RULES), [])
    await field.fill('999')
    await page.keyboard.press('Enter')
    await fact.getByText('Not saved yet').waitFor()
    await page.getByLabel('Payment terms in days').fill('10')
    await page.keyboard.press('Enter')
    await fact.getByText('10 days').waitFor()
    await page.getByRole('status').getByText('Saved Ines').waitFor()
    assert.equal(effort.loads, 0)
    assert.ok(effort.clicks <= 3, JSON.stringify(effort))
    assert.equal((await site.call('customers_get', { id: customer })).payment_terms_days, 10)
    assert.deepEqual(
      complaints.filter((one) => !one.startsWith('422 ')),
      [],
    )
    await close()
  })

  it('cancels with Escape and Cancel, and returns the focus', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'dana')
    await open('customers', customer)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.locator('.in-place').getByText('Cancel').click(),
    ]) {
      await page.getByRole('link', { name: 'Edit Source' }).focus()
      await page.keyboard.press('Enter')
      await page.locator('.in-place').getByLabel('Source').fill('Nothing of this')
      await leave()
      assert.equal(await page.locator('.in-place').count(), 0)
      assert.match(String(await evaluateOn(page, 'document.activeElement.textContent')), /Edit Source/)
    }
    assert.equal((await site.call('customers_get', { id: customer })).lead_source, 'Radio')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('opens one form when its link is clicked twice on a slow connection, and submits it once', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'dana')
    await open('customers', customer)
    const { promise: isPressed, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/edit\?field=/, async (route) => {
      await isPressed
      await route.continue()
    })
    const first = page.waitForEvent('requestfailed')
    await page.getByRole('link', { name: 'Edit Source' }).dblclick()
    await first
    answer()
    const field = page.locator('.in-place').getByLabel('Source')
    await field.waitFor()
    assert.equal(await page.locator('.in-place').count(), 1)
    let sent = 0
    page.on('request', (request) => void (request.method() === 'POST' && sent++))
    await field.fill('Web')
    await page.evaluate(`for (let i = 0; i < 2; i++) document.querySelector('.in-place form').requestSubmit()`)
    await page.getByRole('status').getByText('Saved Ines').waitFor()
    assert.equal(sent, 1)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('uses a separate page for the field without JavaScript', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana', {
      javaScriptEnabled: false,
      viewport: SIZES.phone,
    })
    await open('jobs', job)
    await page.getByRole('link', { name: 'Edit Who' }).click()
    await page.getByLabel('Luis Ortega').check()
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await page.locator('aside').getByText('Luis Ortega').waitFor()
    await close()
  })

  it('accepts pictures pasted or dropped anywhere on a job', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'dana')
    await open('jobs', job)
    await give(page, 'paste', 'pasted.png')
    await page.getByRole('img', { name: 'pasted.png' }).waitFor()
    await page.waitForLoadState()
    await give(page, 'drop', 'dropped.png')
    await page.getByRole('img', { name: 'dropped.png' }).waitFor()
    const { media } = await site.call('jobs_get', { id: job })
    assert.deepEqual(
      media.map(({ file_name }: { file_name: string }) => file_name),
      ['pasted.png', 'dropped.png'],
    )
    assert.deepEqual(complaints, [])
    await close()
  })
})
