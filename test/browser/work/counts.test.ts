import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { countEffort } from '../harness/counting.ts'
import { startDemo, type DemoSite } from '../harness/demo_site.ts'
import { inBrowser, launch } from '../harness/launch.ts'

let site: DemoSite
let browser: Browser

inBrowser('what common work costs, in clicks, keys and loads', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('a customer is found by a part of the phone: 1, 5, 1', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open()
    const effort = await countEffort(page)
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('/')
    await page.keyboard.type('0119')
    await page.getByRole('option', { name: /Minh Tran/ }).click()
    await page.getByRole('heading', { name: 'Minh Tran' }).waitFor()
    assert.deepEqual(effort, { clicks: 1, keys: 5, loads: 1 })
    await close()
  })

  it('a new caller is booked: at most 6, 40, 2', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open()
    const effort = await countEffort(page)
    await page.getByRole('link', { name: 'New call' }).click()
    await page.getByLabel('Phone').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('5125550188')
    await page.locator('#caller').getByText('New customer').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ann Lee')
    await page.getByLabel('Address', { exact: true }).click()
    await page.keyboard.type('12 Oak St, Austin')
    await page.locator('.kinds label').first().click()
    await page.getByRole('group', { name: 'Luis Ortega', exact: true }).locator('label').first().click()
    await page.getByRole('button', { name: 'Book job' }).click()
    await page.getByRole('status').getByText('Booked for Ann Lee').waitFor()
    assert.ok(effort.clicks <= 6 && effort.keys <= 40 && effort.loads <= 2, JSON.stringify(effort))
    await close()
  })

  it('a note on a customer who is called by name: at most 2 clicks, 2 loads', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open()
    const effort = await countEffort(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('june wh')
    await page
      .getByRole('option', { name: /June Whitaker/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'June Whitaker' }).waitFor()
    await page.getByLabel('Write a note').click()
    await page.keyboard.type('Called')
    await page.getByRole('button', { name: 'Save note' }).click()
    await page.locator('.event', { hasText: 'Called' }).waitFor()
    assert.ok(effort.clicks <= 2 && effort.loads <= 2, JSON.stringify(effort))
    await close()
  })
})
