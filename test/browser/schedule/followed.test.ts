import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { assetAddress } from '../../../src/platform/http/assets.ts'
import { DAY, SOUTH, NORTH, openPlanning, type Planning } from '../../pages/schedule/plan_scene.ts'
import { startBulkWork } from '../../harness/database/bulk_work.ts'
import type { TestService } from '../../harness/harness.ts'
import { startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { evaluateOn, inBrowser, launch, openPage, until } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

let service: TestService
let browser: Browser
let planning: Planning

async function openAt(path: string, options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, options)
  const { page } = opened
  await signInAs(page, service.config.baseUrl, planning.schedule.owner.email)
  await page.goto(service.config.baseUrl + path)
  return opened
}

async function startWork() {
  const { schedule, leo } = planning
  const jobs = [await schedule.book({}), await schedule.book({}), await schedule.book({})].map(({ id }) => String(id))
  return startBulkWork(service, { tenant: schedule.id, browser: schedule.browser, jobs, assignee: leo.id })
}

inBrowser('a page that follows work in progress', () => {
  before(async () => {
    service = await startSite()
    planning = await openPlanning(service)
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('shows the result without reloading', async () => {
    const { path, show } = await startWork()
    await show(1)
    const { page, complaints, close } = await openAt(path)
    await page.getByText('1 of 3 done').waitFor()
    await evaluateOn(page, 'globalThis.first = true')
    await show(2)
    await page.getByText('2 of 3 done').waitFor()
    await show(3)
    await page.getByText('3 jobs assigned').waitFor()
    assert.equal(await evaluateOn(page, 'globalThis.first'), true)
    assert.equal(await page.title(), await page.getByRole('status').last().textContent())
    assert.deepEqual(complaints, [])
    await close()
  })

  it('reloads by itself without JavaScript', async () => {
    const { path, show } = await startWork()
    await show(1)
    const { page, close } = await openAt(path, { javaScriptEnabled: false })
    await page.getByText('1 of 3 done').waitFor()
    await show(3)
    await page.getByText('3 jobs assigned').waitFor()
    await close()
  })

  it('loads the styles and scripts of the board with a finished plan', async () => {
    const { book, leo, path } = planning
    await book('09:00', NORTH, leo.id)
    await book('11:00', SOUTH, leo.id)
    await book('13:00', NORTH, leo.id)
    const { page, complaints, close } = await openAt(planning.schedule.at('customers'))
    // The page as it is while the planner works, however fast the planner is.
    await page.route(
      (url) => url.pathname.endsWith('/schedule/plan'),
      async (route) => {
        if (!route.request().isNavigationRequest()) return route.continue()
        const response = await route.fetch()
        const text = (await response.text())
          .replaceAll(/<script type="module" src="[^"]*schedule_[^"]*"><\/script>/g, '')
          .replaceAll(/<link rel="stylesheet" href="[^"]*schedule_pins[^"]*">/g, '')
          .replace('</head>', `<script type="module" src="${assetAddress('following.js')}"></script></head>`)
          .replace(
            /<main id="main"[\s\S]*<\/main>/,
            '<main id="main" data-follows><h1>Plan</h1><div data-stays>It changed</div><p>Planning…</p></main>',
          )
        return route.fulfill({ response, body: text })
      },
    )
    await page.goto(`${service.config.baseUrl}${path()}`)
    await page.locator('#proposal').waitFor()
    assert.match(await page.title(), /^Plan of /)
    assert.ok(await page.getByText('It changed', { exact: true }).isVisible())
    assert.equal(await page.getByText('Planning…').count(), 0)
    const move = page.locator('#proposal [name="move"]').first()
    await until(page, `document.querySelector('script[src*="schedule_plan"]') !== null`)
    await until(
      page,
      `(() => {
        const move = document.querySelector('#proposal li [name="move"]')
        move.click()
        const isTied = document.querySelector('.unchosen') !== null
        move.click()
        return isTied
      })()`,
    )
    assert.equal(await move.isChecked(), true)
    await passesAxe(page, 'plan')
    assert.deepEqual(complaints, [])
    assert.ok(page.url().includes(`day=${DAY}`))
    await close()
  })
})
