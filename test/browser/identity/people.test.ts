import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { PASSWORD } from '../../harness/web_client.ts'
import { startDemo, type AtWork, type DemoSite } from '../harness/demo_site.ts'
import { inBrowser, launch, openPage } from '../harness/launch.ts'
import { press, follow, goTo, title, cell, unfold, idIn } from '../harness/moves.ts'
import { tabTo } from '../harness/tabbing.ts'

let site: DemoSite
let browser: Browser
let owner: AtWork

/** Opens the form for a new record from any page. */
async function makeNew(page: Page, name: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'New', exact: true }).click()
  await page.locator('#makes').getByRole('link', { name, exact: true }).click()
}

/** Returns the status of the page that a click leads to. */
async function answerTo(page: Page, click: () => Promise<unknown>): Promise<number> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest()),
    click(),
  ])
  return answer.status()
}

inBrowser('people at the demo company', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    owner = await site.atWork(browser, 'dana')
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('owner: an invited member joins, and loses access to an area on the next page', async () => {
    const { page, complaints } = owner
    await goTo(page, 'Settings')
    await follow(page, 'Members')
    await page.getByLabel('Email').fill('noor@bartonridge.example')
    await page.getByLabel('Name').fill('Noor Haddad')
    await page.getByLabel('Role').selectOption('Office')
    await press(page, 'Create invite link')
    const link = await page.locator('.notice code').innerText()
    const invited = await openPage(browser)
    await invited.page.goto(link)
    assert.equal(await invited.page.getByLabel('Your name').inputValue(), 'Noor Haddad')
    await invited.page.getByLabel('Password').fill(PASSWORD)
    await press(invited.page, 'Join the company')
    await goTo(invited.page, /^Money/)
    await title(invited.page, 'Invoices')
    const invoice = invited.page
      .getByRole('main')
      .getByRole('link', { name: /^INV-\d+$/ })
      .first()
    await invoice.waitFor()
    await goTo(page, 'Settings')
    await follow(page, 'Members')
    await follow(page, 'Noor Haddad')
    await page.getByRole('radiogroup', { name: 'Invoices' }).getByRole('radio', { name: 'None' }).check()
    await press(page, 'Save')
    await page.getByRole('heading', { name: 'Invite a member' }).waitFor()
    assert.equal(await answerTo(invited.page, () => invoice.click()), 404)
    assert.equal(await answerTo(invited.page, () => invited.page.goto(site.baseUrl + site.path())), 200)
    await goTo(invited.page, /^Money/)
    await title(invited.page, 'Quotes')
    assert.equal(await invited.page.getByRole('link', { name: 'Invoices', exact: true }).count(), 0)
    assert.deepEqual([...complaints, ...invited.complaints], [])
    await invited.close()
  })

  it('by keyboard alone: signs in, creates a customer and a job, and changes the job', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.goto(`${site.baseUrl}/sign-in`)
    await tabTo(page, /^Email/)
    await page.keyboard.type(site.demo.owner.email)
    await tabTo(page, /^Password/)
    await page.keyboard.type(site.demo.owner.password)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === site.path())
    const enter = async (name: RegExp): Promise<void> => {
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    }
    await enter(/^New$/)
    await enter(/^New customer$/)
    await title(page, 'New customer')
    await tabTo(page, /^First name/)
    await page.keyboard.type('Keyla')
    await page.keyboard.press('Enter')
    await title(page, /^Keyla/)
    await enter(/^New job$/)
    await title(page, 'New job')
    await tabTo(page, /^Title/)
    await page.keyboard.type('Faucet drips')
    await tabTo(page, /^Tasha Nguyen$/)
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await title(page, /^J-\d+ Faucet drips/)
    const id = idIn(page)
    await enter(/^Edit$/)
    await page.waitForURL(/\/edit$/)
    await tabTo(page, /^Title/)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('Faucet replaced')
    await page.keyboard.press('Enter')
    await title(page, /^J-\d+ Faucet replaced/)
    const { title: saved, customer_name, assignments } = await site.call('jobs_get', { id })
    assert.deepEqual(
      [saved, customer_name, assignments.map(({ name }: { name: string }) => name)],
      ['Faucet replaced', 'Keyla', ['Tasha Nguyen']],
    )
    assert.deepEqual(complaints, [])
    await close()
  })

  it('without JavaScript: creates a customer and a job, and changes the job', async () => {
    const { page, complaints, close } = await site.atWork(browser, 'dana', { javaScriptEnabled: false })
    await makeNew(page, 'New customer')
    await page.getByLabel('Type').selectOption('A company')
    await page.getByLabel('Company name').fill('Plain & Sons')
    await press(page, 'Create customer')
    await title(page, /^Plain & Sons/)
    await follow(page, 'New job')
    await page.getByLabel('Title').fill('Gutter heat')
    await press(page, 'Add line')
    await cell(page, 2, 'Name').fill('Trip charge')
    await press(page, 'Create job')
    await title(page, /^J-\d+ Gutter heat/)
    const id = idIn(page)
    await follow(page, 'Edit')
    await unfold(page)
    await page.getByLabel('Priority').selectOption('Urgent')
    await press(page, 'Save')
    await page.getByText('Urgent', { exact: true }).waitFor()
    const { priority, customer_name, subtotal_cents } = await site.call('jobs_get', { id })
    assert.deepEqual([priority, customer_name, subtotal_cents], ['urgent', 'Plain & Sons', 5_900])
    assert.deepEqual(complaints, [])
    await close()
  })
})
