import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { openWatch } from '../../../src/health/watch.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { problemsInBoth } from '../harness/axe.ts'
import { startDemo, type DemoSite } from '../harness/demo_site.ts'
import { evaluateOn, inBrowser, launch } from '../harness/launch.ts'

let site: DemoSite
let browser: Browser
inBrowser('the health page', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    const { database, config } = site.service
    await database.send([
      sql`insert into backup_status (kind, succeeded_at, error) values ('backup', now() - interval '3 days', 'no room')`,
    ])
    await openWatch(config, 'kept')({ now: Temporal.Now.instant(), send: database.send })
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('is accessible in light and dark, and fits 320 pixels', async () => {
    const { page, complaints, close } = await site.atWork(browser, 'dana')
    await page.goto(`${site.baseUrl}/operator/health`)
    assert.match(await page.getByRole('main').innerText(), /What to do/)
    assert.deepEqual(await problemsInBoth(page), [])
    await page.setViewportSize({ width: 320, height: 700 })
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth <= innerWidth'), true)
    assert.deepEqual(complaints, [])
    await close()
  })

  it("is linked from an operator's settings", async () => {
    const { page, open, close } = await site.atWork(browser, 'dana')
    await open('settings')
    await page.goto(`${site.baseUrl}/operator`)
    await page.getByRole('link', { name: 'Health' }).click()
    await page.waitForURL((url) => url.pathname === '/operator/health')
    await close()
  })
})
