import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { callerOf, type Result, type TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { passesAxe } from './harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage } from './harness/launch.ts'
import { signInAs } from './harness/sign_in.ts'

let service: TestService
let office: Office
let claude: ReturnType<typeof callerOf>
let browser: Browser
let job: Result

const openAsOwner = async (viewport: { width: number; height: number }, colorScheme: 'light' | 'dark') => {
  const opened = await openPage(browser, { viewport, colorScheme })
  const { page } = opened
  await signInAs(page, service.config.baseUrl, office.owner.email)
  await page.goto(service.config.baseUrl + office.at())
  return opened
}

inBrowser('undoing what an assistant did', () => {
  before(async () => {
    service = await startSite()
    office = await openOffice(service, 'Alder Plumbing')
    const { key } = await createKey(
      service.database,
      { tenant: office.id },
      { user: office.owner.user_id, name: 'Claude', scopes: SCOPES, expires_at: null },
    )
    claude = callerOf(service.url, key)
    const customer = await office.customer('Dora', { last_name: 'Alvarez' })
    job = await office.call('jobs_create', { customer_id: customer['id'], title: 'Replace the valve' })
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  for (const [name, size, scheme] of [
    ['desktop', SIZES.desktop, 'light'],
    ['phone', SIZES.phone, 'dark'],
  ] as const) {
    it(`leads from Today through the preview to the undo, and back again, on a ${name}`, async () => {
      await claude.call('jobs_update', { id: job['id'], title: `Replace the pump ${name}`, priority: 'high' })
      const made = await claude.call('jobs_create', { customer_id: job['customer_id'], title: 'Flush the heater' })
      await claude.call('invoices_create', { customer_id: job['customer_id'], from_job_id: made['id'] })
      const { page, complaints, close } = await openAsOwner(size, scheme)
      await passesAxe(page, `Today with an assistant's changes, on a ${name}`)
      await page.getByRole('link', { name: /^Claude changed/ }).click()
      await page.getByRole('heading', { name: 'What Claude did', level: 1 }).waitFor()
      await passesAxe(page, `what an assistant did, on a ${name}`)
      await page.getByRole('link', { name: 'Undo this day' }).click()
      const press = page.getByRole('button', { name: /^Undo 3 changes$/ })
      await press.waitFor()
      await passesAxe(page, `the preview of an undo, on a ${name}`)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), size.width)
      await press.click()
      await page.getByRole('status').getByText('3 changes are undone').waitFor()
      assert.equal((await office.call('jobs_get', { id: job['id'] }))['title'], 'Replace the valve')
      await page.getByRole('status').getByRole('link', { name: 'Undo this' }).click()
      await page.getByRole('button', { name: 'Undo one change' }).click()
      await page.getByRole('status').getByText('One change is undone').waitFor()
      assert.equal((await office.call('jobs_get', { id: job['id'] }))['title'], `Replace the pump ${name}`)
      await page.getByRole('status').getByRole('link', { name: 'Undo this' }).click()
      await page.getByRole('button', { name: 'Undo one change' }).click()
      await page.getByRole('status').getByText('One change is undone').waitFor()
      assert.equal((await office.call('jobs_get', { id: job['id'] }))['title'], 'Replace the valve')
      assert.deepEqual(complaints, [])
      await close()
    })
  }
})
