import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { inBrowser, launch } from './harness/launch.ts'
import { lendBrowser } from './shared_browser.ts'

inBrowser('a browser shared by test files', () => {
  let browser: Browser
  before(async () => {
    browser = await launch()
  })
  after(() => browser?.close())

  it('closes for each file only what that file opened', async () => {
    const [first, second] = [lendBrowser(browser), lendBrowser(browser)]
    const [page, context] = [await first.newPage(), await first.newContext()]
    const other = await second.newPage()
    assert.deepEqual([first.contexts().length, second.contexts().length], [2, 1])
    await first.close()
    assert.ok(page.isClosed())
    await assert.rejects(context.newPage())
    assert.deepEqual([first.contexts().length, second.contexts().length, browser.isConnected()], [0, 1, true])
    assert.equal(await other.evaluate('1 + 1'), 2)
    await second.close()
    assert.ok(other.isClosed() && browser.isConnected())
  })
})
