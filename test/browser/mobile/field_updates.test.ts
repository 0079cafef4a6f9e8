import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startTestService, type Result, type TestService } from '../../harness/harness.ts'
import { ZONE, listFieldEvents, today } from '../../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { PHONE, openVisit, openVisits, state, step, writeNote } from './phone_page.ts'
import { pngOf } from '../harness/png.ts'
import { openVersions } from '../harness/versions.ts'

const PHOTO = { name: 'IMG_1.png', mimeType: 'image/png', buffer: pngOf(300, 200, [200, 90, 20]) }

let versions: Awaited<ReturnType<typeof openVersions>>
let service: TestService
let browser: Browser
let company: Schedule
let luis: { id: string; email: string }
let serial = 0

async function bookToday(): Promise<{ id: string; title: string }> {
  const title = `Visit ${++serial}`
  const { id } = await company.book({ title, scheduled_start: `${today()}T12:00`, assignees: [luis.id] })
  return { id: String(id), title }
}

async function openPhone() {
  const opened = await openPage(browser, PHONE)
  await openVisits(opened.page, versions.baseUrl, company.id, luis.email)
  return { ...opened, context: opened.page.context() }
}

/** Blocks events from leaving the phone, while the day and the page load. */
const holdActs = (context: BrowserContext): Promise<unknown> =>
  context.route(/\/(acts|photos\/.*)$/, (route) => route.abort())

const home = (): string => `${versions.baseUrl}/field/${company.id}/`

const isOf = (page: Page, release: number): Promise<void> => page.locator(`html[data-release="${release}"]`).waitFor()

/** Records a step, a note and a photo. */
async function work(page: Page): Promise<void> {
  await step(page, 'en_route')
  await writeNote(page, 'Behind the dryer')
  await page.locator('#photo').setInputFiles(PHOTO)
  await page.locator('.field-part', { hasText: 'IMG_1.jpg' }).waitFor()
}

async function assertOnce(visit: { id: string }): Promise<void> {
  assert.deepEqual((await listFieldEvents(service, company, visit as Result)).map(({ kind }) => kind).sort(), [
    'note',
    'photo',
    'status',
  ])
  const job = await company.job(visit.id)
  assert.deepEqual([job['status'], (job['media'] as unknown[]).length], ['en_route', 1])
  assert.equal(((await company.call('notes_list', { subject_type: 'job', subject_id: visit.id })).rows as []).length, 1)
}

inBrowser("a new version of the technician's page", () => {
  before(async () => {
    versions = await openVersions()
    service = await startTestService({ BASE_URL: versions.baseUrl })
    versions.before(service.origin)
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    luis = await company.hire('Luis Ortega')
    browser = await launch()
  })
  afterEach(() => versions.serve(1))
  after(async () => {
    await browser.close()
    await service.stop()
    versions.close()
  })

  it('is announced while events are pending, loads with one tap, and sends each event once', async () => {
    const visit = await bookToday()
    const { page, context, complaints, close } = await openPhone()
    await openVisit(page, visit)
    await context.setOffline(true)
    await work(page)
    await state(page, '3 waiting')
    await page.close()
    versions.serve(2)
    const again = await context.newPage()
    await again.goto(`${home()}#v-${visit.id}`)
    await state(again, '3 waiting')
    await again.locator('.field-head .en_route').waitFor()
    assert.equal(await evaluateOn(again, 'document.documentElement.dataset.release'), undefined)
    await holdActs(context)
    await context.setOffline(false)
    await again.reload()
    await again.getByText('A new version is here.').waitFor()
    await state(again, '3 waiting')
    await again.locator('#do-renew').click()
    await isOf(again, 2)
    await again.locator('#told').getByText('You have the new version.').waitFor()
    await again.locator('.field-head .en_route').waitFor()
    await state(again, '3 waiting')
    await context.unroute(/\/(acts|photos\/.*)$/)
    await evaluateOn(again, `dispatchEvent(new Event('online'))`)
    await state(again, /^Sent /)
    await assertOnce(visit)
    await context.setOffline(true)
    await again.reload()
    await isOf(again, 2)
    await again.locator('.field-head .en_route').waitFor()
    assert.equal(await again.locator('.field-news').count(), 0)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('is not needed to send: an old page sends to a new service', async () => {
    const visit = await bookToday()
    const { page, context, complaints, close } = await openPhone()
    await openVisit(page, visit)
    await context.setOffline(true)
    await work(page)
    versions.serve(2)
    await context.setOffline(false)
    await state(page, /^Sent /)
    assert.equal(await evaluateOn(page, 'document.documentElement.dataset.release'), undefined)
    await assertOnce(visit)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('is not needed to send: a new page sends to an old service, and can return to the old page', async () => {
    versions.serve(2)
    const visit = await bookToday()
    const { page, context, complaints, close } = await openPhone()
    await isOf(page, 2)
    await openVisit(page, visit)
    await context.setOffline(true)
    await work(page)
    versions.serve(1)
    await context.setOffline(false)
    await state(page, /^Sent /)
    await assertOnce(visit)
    await page.reload()
    await page.locator('#do-renew').click()
    await page.locator('html:not([data-release]) main.alive .field-dock').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('loads by itself in the background, but not over an open sheet', async () => {
    const visit = await bookToday()
    const { page, close } = await openPhone()
    await openVisit(page, visit)
    await page.locator('#do-note').click()
    await page.locator('#sheet textarea').fill('Half a sen')
    versions.serve(2)
    await evaluateOn(
      page,
      `navigator.serviceWorker.getRegistration('/field/').then((kept) => kept.update()).then(() => true)`,
    )
    await page.getByText('A new version is here.').waitFor({ state: 'attached' })
    await hide(page)
    assert.equal(await page.locator('#sheet textarea').inputValue(), 'Half a sen')
    await page.locator('#sheet').getByRole('button', { name: 'Cancel' }).click()
    await hide(page)
    await isOf(page, 2)
    await page.locator('#do-note').waitFor()
    await close()
  })

  it('is awaited, with the event pending, when a response has an outcome unknown to this version', async () => {
    const visit = await bookToday()
    const { page, context, close } = await openPhone()
    let asked = 0
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>()
    await context.route('**/acts', async (route) => {
      const { acts } = route.request().postDataJSON() as { acts: Result[] }
      if (asked++ > 0) return isSeen.then(() => route.continue())
      return route.fulfill({ json: { acts: acts.map(({ id }) => ({ id, outcome: 'deferred' })), version: 'x' } })
    })
    await openVisit(page, visit)
    await writeNote(page, 'Later')
    await state(page, '1 waiting')
    goOn()
    await state(page, /^Sent /)
    assert.equal(asked, 2)
    await close()
  })
})

/** Makes the page believe that it is in the background. */
const hide = (page: Page): Promise<unknown> =>
  evaluateOn(
    page,
    `Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    delete document.hidden`,
  )
