import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Result, TestService } from '../../harness/harness.ts'
import { ZONE, today } from '../../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/web_client.ts'
import { evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { PHONE, openVisit, openVisits, state, writeNote } from './phone_page.ts'

let service: TestService
let browser: Browser
let company: Schedule
let luis: { id: string; email: string }
const visits: { id: string }[] = []

/** Opens a phone. Returns the addresses that it requests from then on. */
async function openPhone(isClocked = false) {
  const opened = await openPage(browser, PHONE)
  const { page } = opened
  if (isClocked) await page.clock.install()
  await openVisits(page, service.config.baseUrl, company.id, luis.email)
  await state(page, 'All sent')
  // Moving the clock ahead aborts pending requests, which are then retried.
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url().replace(/^.*\/field\/[^/]*\//, '')))
  return { ...opened, asked }
}

/** Makes the page permanently believe that it is in the background. */
const hide = (page: Page): Promise<unknown> =>
  evaluateOn(
    page,
    `Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))`,
  )

inBrowser("network requests of a technician's phone", () => {
  before(async () => {
    service = await startSite()
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    luis = await company.hire('Luis Ortega')
    for (const title of ['First', 'Second']) {
      const { id } = await company.book({ title, scheduled_start: `${today()}T12:00`, assignees: [luis.id] })
      visits.push({ id: String(id) })
    }
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('are none while idle, and none in the background even with pending events', async () => {
    const { page, asked, close } = await openPhone(true)
    await page.clock.runFor('02:00:00')
    assert.deepEqual(asked, [])
    await page.route('**/acts', (route) => route.abort())
    await openVisit(page, visits[0]!)
    await writeNote(page, 'Waits')
    await state(page, '1 waiting')
    await page.clock.runFor('00:05:00')
    await hide(page)
    // Requests that were in flight when the page was left may still arrive a moment later.
    for (let stretch = 0, heard = -1; stretch < 6 && heard !== asked.length; stretch++) {
      heard = asked.length
      await page.clock.runFor('00:05:00')
      await page.evaluate('1')
    }
    asked.length = 0
    await page.clock.runFor('02:00:00')
    assert.deepEqual(asked, [])
    await close()
  })

  it('fetch only what changed, or the whole day when that does not match the stored data', async () => {
    const { page, asked, close } = await openPhone()
    await openVisit(page, visits[1]!)
    const changed = page.waitForResponse((response) => response.url().includes('day.json?has='))
    await writeNote(page, 'Behind the dryer')
    await state(page, /^Sent /)
    await page.locator('.field-part', { hasText: 'Luis Ortega' }).getByText('Behind the dryer').waitFor()
    const sent = (await (await changed).json()) as Result
    assert.equal(sent['catalog'], null)
    assert.deepEqual(
      (sent['visits'] as Result[]).map((visit) => [visit['id'], visit['title'] === undefined]),
      [
        [visits[0]!.id, true],
        [visits[1]!.id, false],
      ],
    )
    await page.route('**/day.json?*', async (route) => {
      const answer = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
      const day = (await answer.json()) as Result
      const strange = (day['visits'] as Result[]).map(({ id }) => ({ id, version: 'of another day' }))
      await route.fulfill({ response: answer, json: { ...day, visits: strange } })
    })
    asked.length = 0
    const whole = page.waitForResponse((response) => response.url().endsWith('/day.json'))
    await writeNote(page, 'Once more')
    await whole
    await page.locator('.field-part', { hasText: 'Luis Ortega' }).getByText('Once more').waitFor()
    await page.locator('#back').click()
    await page.locator(`#card-${visits[0]!.id}`, { hasText: 'First' }).waitFor()
    assert.ok(asked.includes('day.json'), asked.join())
    await close()
  })
})
