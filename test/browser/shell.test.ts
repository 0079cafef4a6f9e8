import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { problemsInBoth } from './harness/axe.ts'
import { startDemo, type DemoSite } from './harness/demo_site.ts'
import { SIZES, evaluateOn, inBrowser, launch } from './harness/launch.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

let site: DemoSite
let browser: Browser

/** Types a query that is never answered. Returns a function that waits until the page aborts it. */
async function askInVain(page: Page, text: string, address: RegExp): Promise<() => Promise<unknown>> {
  await page.route(address, () => {})
  const asked = page.waitForRequest(address)
  await page.keyboard.type(text)
  const question = await asked
  const isGivenUp = page.waitForEvent('requestfailed', (request) => request === question)
  return () => isGivenUp
}

inBrowser('the frame of every page', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('searches while the user types, with the keyboard alone', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'dana')
    await open('customers')
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Search' })
    assert.equal(await evaluateOn(page, 'document.activeElement.id'), 'search')
    await page.keyboard.type('0119')
    const first = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })
    await first.getByText('Minh Tran').waitFor()
    assert.equal(await box.getAttribute('aria-expanded'), 'true')
    assert.equal(await box.getAttribute('aria-activedescendant'), await first.getAttribute('id'))
    assert.deepEqual(await problemsInBoth(page, RULES), [])
    await page.keyboard.press('ArrowUp')
    await page
      .getByRole('listbox', { name: 'Results' })
      .getByRole('option', { selected: true })
      .getByText('New customer 0119')
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Minh Tran' }).waitFor()
    await page.waitForLoadState()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('J-1035')
    await page
      .getByRole('listbox', { name: 'Results' })
      .getByRole('option', { selected: true })
      .getByText('J-1035')
      .waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await box.getAttribute('aria-expanded'), 'false')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('has shortcuts to navigate, create and list the shortcuts, but not while typing or when turned off', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'priya')
    await open()
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.waitForURL(/\/customers$/)
    await page.keyboard.press('n')
    await page.getByRole('link', { name: 'New quote' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.waitFor()
    assert.deepEqual(await problemsInBoth(page, RULES), [])
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('n?gc')
    assert.equal(await page.locator('#search').inputValue(), 'n?gc')
    await open('settings')
    await page.getByLabel('Keyboard shortcuts').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await page.getByRole('status').getByText('Saved').waitFor()
    await page.waitForLoadState()
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    assert.notEqual(await evaluateOn(page, 'document.activeElement.id'), 'search')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('Control+k')
    assert.equal(await evaluateOn(page, 'document.activeElement.id'), 'search')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('opens a command palette with actions, recent records, pages and settings', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'dana')
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
    const {
      rows: [june],
    } = await site.call('customers_search', { query: 'June Whitaker' })
    await open('customers', june.id)
    await page.keyboard.press('Control+k')
    await options
      .filter({ hasText: 'Merge…' })
      .or(options.filter({ hasText: 'New job' }))
      .first()
      .waitFor()
    assert.equal(await options.filter({ hasText: /^New job$/ }).count(), 1)
    assert.deepEqual(await problemsInBoth(page, RULES), [])
    await page.keyboard.type('merg')
    await options.filter({ hasText: 'Merge…' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/merge$/)
    await page.keyboard.press('Control+k')
    await options.filter({ hasText: 'June Whitaker' }).waitFor()
    await page.keyboard.type('working hou')
    await options.filter({ hasText: 'Working hours' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings\/hours$/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sign out')
    await page.getByRole('option', { name: 'Sign out', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in/)
    assert.equal(await evaluateOn(page, 'sessionStorage.getItem("callout-recent")'), null)
    assert.deepEqual(complaints, [])
    await close()
  })

  for (const [before, typed, held] of [
    ['any list is there', '', /[?&]q=/],
    ['its own list is there', 'june', /[?&]q=june(\+|%20)whit/],
  ] as const)
    it(`opens the result for the full query when Enter is pressed before ${before}, and again`, async () => {
      const { page, complaints, open, close } = await site.atWork(browser, 'dana')
      await open()
      const { promise: isPressed, resolve: answer } = Promise.withResolvers<void>()
      await page.route(held, async (route) => {
        await isPressed
        await route.continue()
      })
      await page.keyboard.press('Control+k')
      await page.keyboard.type(typed)
      if (typed !== '') await page.getByRole('option', { name: /June/ }).first().waitFor()
      await page.keyboard.type('june whit'.slice(typed.length))
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      answer()
      await page.getByRole('heading', { name: 'June Whitaker' }).waitFor()
      assert.match(page.url(), /\/customers\//)
      assert.deepEqual(complaints, [])
      await close()
    })

  it('sends no further requests after Escape, while the search field keeps the focus', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open()
    const box = page.getByRole('combobox', { name: 'Search' })
    await box.click()
    await page.getByRole('listbox', { name: 'Results' }).waitFor()
    const isGivenUp = await askInVain(page, 'june', /[?&]q=june/)
    await page.keyboard.press('Escape')
    await isGivenUp()
    assert.equal(await box.getAttribute('aria-expanded'), 'false')
    assert.equal(await evaluateOn(page, 'document.activeElement.id'), 'search')
    await close()
  })

  it('keeps its results while the mouse is pressed on one, even after the query was aborted', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('june')
    const option = page.getByRole('option', { name: /June Whitaker/ }).first()
    await option.waitFor()
    const isGivenUp = await askInVain(page, ' white', /[?&]q=june(\+|%20)white/)
    await option.hover()
    await page.mouse.down()
    await isGivenUp()
    await page.mouse.up()
    await page.getByRole('heading', { name: 'June Whitaker' }).waitFor()
    await close()
  })

  it('opens the search over the page on a phone too, and closes it with Escape', async () => {
    const { page, complaints, open, close } = await site.atWork(browser, 'luis', { viewport: SIZES.phone })
    await open('customers')
    await page.getByRole('banner').getByRole('link', { name: 'Search' }).click()
    await page.keyboard.type('minh')
    await page
      .getByRole('option', { name: /Minh Tran/ })
      .first()
      .waitFor()
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), SIZES.phone.width)
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#search').isVisible(), false)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('has a bottom bar on a phone and a search page, without JavaScript', async () => {
    const { page, open, close } = await site.atWork(browser, 'luis', {
      javaScriptEnabled: false,
      viewport: SIZES.phone,
    })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Schedule', exact: true }).click()
    await page.waitForURL(/\/schedule/)
    await open()
    await page.getByRole('banner').getByRole('link', { name: 'Search' }).click()
    await page.getByRole('searchbox').last().fill('minh')
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click()
    await page
      .getByRole('link', { name: /Minh Tran/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Minh Tran' }).waitFor()
    await open('keys')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    await close()
  })
})
