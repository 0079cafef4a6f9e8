import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { countEffort, type Effort } from '../harness/counting.ts'
import { startDemo, type AtWork, type DemoSite } from '../harness/demo_site.ts'
import { evaluateOn, inBrowser, launch } from '../harness/launch.ts'
import { title } from '../harness/moves.ts'
import { tabTo } from '../harness/tabbing.ts'

let site: DemoSite
let browser: Browser

inBrowser('the cost of common tasks in clicks, keys and page loads', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('finding a customer by part of the phone number takes 1 click, 5 keys, 1 load', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open()
    const effort = await countEffort(page)
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('/')
    await page.keyboard.type('0119')
    await page.getByRole('option', { name: /Minh Tran/ }).click()
    await page.getByRole('heading', { name: 'Minh Tran' }).waitFor()
    await page.waitForLoadState()
    assert.deepEqual(effort, { clicks: 1, keys: 5, loads: 1 })
    await close()
  })

  it('booking a new caller takes at most 6 clicks, 40 keys, 2 loads', async () => {
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

  it('adding a note to a customer found by name takes at most 2 clicks, 2 loads', async () => {
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

async function enter(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Chooses the kind of job and the first free time once it is shown, and books it. */
async function bookFirst(page: Page): Promise<void> {
  for (const group of ['kind', 'when']) {
    await page.locator('#times:not([aria-busy])').waitFor()
    for (let presses = 0; presses < 80; presses++) {
      if ((await evaluateOn(page, 'document.activeElement.name')) === group) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Space')
  }
  await enter(page, /^Book job$/)
}

// Quotes (documents.test.ts), search (shell.test.ts) and moving a visit (schedule.test.ts) are tested there.
inBrowser('by keyboard alone', () => {
  let office: AtWork
  let effort: Effort

  before(async () => {
    site = await startDemo()
    browser = await launch()
    office = await site.atWork(browser, 'dana')
    effort = await countEffort(office.page)
    effort.clicks = 0
  })
  after(async () => {
    assert.deepEqual([effort.clicks, office.complaints], [0, []])
    await browser.close()
    await site.stop()
  })

  it('a new caller is booked', async () => {
    const { page, open } = office
    await open()
    await enter(page, /^New call$/)
    await page.getByLabel('Phone').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('5125550188')
    await page.locator('#caller').getByText('New customer').waitFor()
    await tabTo(page, /^Name$/)
    await page.keyboard.type('Ann Lee')
    await tabTo(page, /^Address$/)
    await page.keyboard.type('12 Oak St, Austin')
    await bookFirst(page)
    await page.getByRole('status').getByText('Booked for Ann Lee').waitFor()
  })

  it('a recurring job is created', async () => {
    const { page, open } = office
    const { rows } = await site.call('customers_search', { query: 'Tobias Freeman' })
    await open('customers', rows[0].id)
    await enter(page, /^More$/)
    await enter(page, /^New recurring job$/)
    await page.getByLabel('Title').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Mowing')
    await enter(page, /^Create recurring job$/)
    await title(page, /Mowing/)
  })

  it('a message is answered and booked', async () => {
    const { page, open } = office
    const { rows } = await site.call('customers_search', { query: 'Tobias Freeman' })
    await open('messages', 'with', rows[0].id)
    await tabTo(page, /^Message\b/)
    await page.keyboard.type('We can come.')
    await enter(page, /^Send$/)
    await page.locator('.message', { hasText: 'We can come.' }).waitFor()
    await enter(page, /^Book job$/)
    await page.getByRole('heading', { level: 1, name: 'New call' }).waitFor()
    await bookFirst(page)
    await page.getByRole('status').getByText('Booked for Tobias Freeman').waitFor()
  })
})
