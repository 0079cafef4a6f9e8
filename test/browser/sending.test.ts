import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestService } from '../harness/harness.ts'
import { startSite } from '../harness/web_client.ts'
import { SENDERS, openScene, type Scene } from '../sending/scene.ts'
import { passesAxe } from './harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from './harness/launch.ts'
import { signInAs } from './harness/sign_in.ts'

let service: TestService
let scene: Scene
let browser: Browser
let customer_id: string

const openAsOwner = async (viewport: { width: number; height: number }) => {
  const opened = await openPage(browser, { viewport })
  const { page } = opened
  await signInAs(page, service.config.baseUrl, scene.owner.email)
  return { ...opened, open: (...steps: string[]) => page.goto(service.config.baseUrl + scene.at(...steps)) }
}

/** Checks that touch targets are large enough, and that the page isn't wider than the phone. */
async function fitsPhone(page: Page): Promise<void> {
  const small = await evaluateOn(
    page,
    `[...document.querySelectorAll('main :is(button, input:not([type=hidden], [type=radio], [type=checkbox]), .button, .person, .ways a)')]
    .filter((one) => one.checkVisibility()).map((one) => [one.outerHTML, one.getBoundingClientRect()])
    .filter(([, box]) => box.height < 44 || box.width < 44).map(([html]) => html)`,
  )
  assert.deepEqual(small, [])
  assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), SIZES.phone.width)
}

inBrowser('sending messages', () => {
  before(async () => {
    service = await startSite(SENDERS)
    scene = await openScene(service, 'Alder Plumbing')
    const customer = await scene.customer('Dora')
    customer_id = customer.id
    await scene.call('contacts_create', {
      customer_id,
      first_name: 'Rick',
      email: 'rick@example.com',
      email_opt_out: true,
    })
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('sends an invoice in two clicks from its page, and confirms it', async () => {
    const { id, display_number } = await scene.invoice(customer_id)
    const { page, complaints, open, close } = await openAsOwner(SIZES.desktop)
    await open('invoices', id)
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { name: `Send ${display_number}` }).waitFor()
    await passesAxe(page, 'send')
    assert.equal(await page.getByLabel('Another address').nth(1).isVisible(), false)
    await page.getByText('Another address').first().click()
    assert.equal(await page.getByRole('textbox', { name: 'Another address' }).isVisible(), true)
    await page.getByText('dora@example.com').click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText(`${display_number} is on its way to dora@example.com.`).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('sends "On my way" in two taps on a phone', async () => {
    const { id } = await scene.call('jobs_create', { customer_id, title: 'Drain', scheduled_start: '2027-03-05T09:00' })
    const { page, complaints, open, close } = await openAsOwner(SIZES.phone)
    await open('jobs', id)
    await page.getByRole('link', { name: 'On my way' }).click()
    await page.getByRole('button', { name: '30 min' }).waitFor()
    await fitsPhone(page)
    await passesAxe(page, 'on my way')
    await page.getByRole('button', { name: '30 min' }).click()
    await page.getByRole('status').getByText('about 30 minutes').waitFor()
    assert.equal((await scene.call('jobs_get', { id })).status, 'en_route')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('counts the parts of a text while it is typed, including its link', async () => {
    const { id } = await scene.invoice(customer_id)
    const { page, complaints, open, close } = await openAsOwner(SIZES.phone)
    await open('invoices', id, 'send?by=sms')
    const counted = page.locator('text-parts')
    await page.getByLabel('Message').fill('Hello')
    await counted.getByText('Counts as one text.').waitFor()
    await page.getByLabel('Message').fill(`{link}${'a'.repeat(150)}`)
    await counted.getByText('Counts as 2 texts.').waitFor()
    await page.getByLabel('Message').fill(`It’s ${'a'.repeat(100)}`)
    await counted.getByText('It would be fewer without: ’').waitFor()
    await page.getByLabel('Message').fill('')
    await counted.filter({ hasNotText: /./ }).waitFor({ state: 'attached' })
    assert.deepEqual(complaints, [])
    await close()
  })

  it('fits a phone and passes axe on every page', async () => {
    const { id } = await scene.invoice(customer_id)
    const { page, complaints, open, close } = await openAsOwner(SIZES.phone)
    for (const steps of [
      ['invoices', id, 'send'],
      ['invoices', id, 'send?by=sms'],
      ['settings', 'messages'],
      ['settings', 'messages', 'invoice_sent?channel=sms&language=es'],
      ['settings', 'reminders'],
    ]) {
      await open(...steps)
      await fitsPhone(page)
      if (steps.includes('send')) await passesAxe(page, steps.join('/'))
    }
    assert.deepEqual(complaints, [])
    await close()
  })
})
