import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { countEffort } from '../harness/counting.ts'
import { startDemo, type AtWork, type DemoSite } from '../harness/demo_site.ts'
import { inBrowser, launch } from '../harness/launch.ts'
import { tabTo } from '../harness/tabbing.ts'

let site: DemoSite
let browser: Browser
let office: AtWork

inBrowser('a weekly recurring job', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    office = await site.atWork(browser, 'priya')
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it("is booked from a customer's page in at most 5 clicks, 20 keys and 2 pages", async () => {
    const { page, complaints, open } = office
    const [customer] = (await site.call('customers_search', { query: 'Tobias Freeman' }))['rows']
    await open('customers', customer.id)
    const effort = await countEffort(page)
    const main = page.getByRole('main')
    await page.locator('.page-head .more > summary').click()
    await main.getByRole('link', { name: 'New recurring job', exact: true }).click()
    await page.getByLabel('Title').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Mowing')
    const today = await page.getByLabel('First visit').inputValue()
    await tabTo(page, /^At/)
    await page.keyboard.type('0900A')
    await page.getByLabel('Luis Ortega').check()
    await main.getByRole('button', { name: 'Create recurring job', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /Mowing/ }).waitFor()
    const counted = { ...effort }
    const id = /[0-9a-f-]{36}$/.exec(new URL(page.url()).pathname)![0]
    const { dtstart, rrule, assignments } = await site.call('job_series_get', { id })
    assert.deepEqual(
      [dtstart, rrule, assignments.map(({ name }: { name: string }) => name)],
      [`${today}T09:00:00`, 'FREQ=WEEKLY', ['Luis Ortega']],
    )
    assert.deepEqual(complaints, [])
    process.stdout.write(`weekly work ${JSON.stringify(counted)}\n`)
    const most = { clicks: 5, keys: 20, loads: 2 }
    for (const what of ['clicks', 'keys', 'loads'] as const)
      assert.ok(counted[what] > 0 && counted[what] <= most[what], `${what}: ${counted[what]}`)
  })

  it('shows only the fields that the chosen frequency needs', async () => {
    const { page, complaints, open } = office
    const [customer] = (await site.call('customers_search', { query: 'Tobias Freeman' }))['rows']
    await open('job_series', `new?customer_id=${customer.id}`)
    const [ofWeeks, ofMonths] = [page.getByLabel('Monday').first(), page.getByLabel('Monthly: on this date')]
    const readVisibility = async (): Promise<boolean[]> => [await ofWeeks.isVisible(), await ofMonths.isVisible()]
    assert.deepEqual(await readVisibility(), [true, false])
    await page.getByLabel('Days, weeks, months or years').selectOption('months')
    assert.deepEqual(await readVisibility(), [false, true])
    await page.getByLabel('Days, weeks, months or years').selectOption('weeks')
    await ofWeeks.check()
    await page.getByLabel('Days, weeks, months or years').selectOption('days')
    assert.deepEqual(await readVisibility(), [true, false])
    assert.deepEqual(complaints, [])
  })
})
