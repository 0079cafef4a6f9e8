import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Result, TestService } from '../../harness/harness.ts'
import { ZONE, listFieldEvents, today } from '../../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { PASSWORD, startSite, newBrowser } from '../../harness/web_client.ts'
import { evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { PHONE, enter, openVisit, openVisits, signInPath, state, step, writeNote } from './phone_page.ts'
import { pngOf } from '../harness/png.ts'

const NEXT = 'another horse of batteries'
const PHOTO = { name: 'IMG_1.png', mimeType: 'image/png', buffer: pngOf(300, 200, [200, 90, 20]) }

let service: TestService
let browser: Browser
let company: Schedule
let luis: { id: string; email: string }
let tasha: { id: string; email: string }
let visit: Result

async function openPhone() {
  const opened = await openPage(browser, PHONE)
  await openVisits(opened.page, service.config.baseUrl, company.id, luis.email)
  return { ...opened, context: opened.page.context() }
}

/** Records a step, a note and a photo offline. */
async function workOffline(page: Page, context: BrowserContext): Promise<void> {
  await openVisit(page, { id: String(visit['id']) })
  await context.setOffline(true)
  await step(page, 'en_route')
  await writeNote(page, 'Behind the dryer')
  await page.locator('#photo').setInputFiles(PHOTO)
  await state(page, '3 waiting')
}

/** Changes the password in another browser, which ends all other sessions. */
async function changePassword(): Promise<void> {
  const elsewhere = newBrowser(service)
  await elsewhere.signIn(luis.email)
  const { text } = await elsewhere.post(company.at('settings', 'password'), { current: PASSWORD, next: NEXT })
  assert.match(text, /Your password was changed/)
}

/** Waits until the last offline event shows as sent. Another user's page shows only theirs. */
async function allSent(page: Page): Promise<void> {
  await page.locator('#state').click()
  await page
    .locator('.field-log li', { hasText: /^Photo/ })
    .getByText(/· Sent /)
    .waitFor()
}

/** Returns the user and kind of each event accepted on the visit. */
const listEvents = async (): Promise<string[]> =>
  (await listFieldEvents(service, company, visit))
    .map(({ kind, user_id }) => `${user_id === luis.id ? 'Luis' : 'Tasha'}: ${kind}`)
    .sort()

const OF_LUIS = ['Luis: note', 'Luis: photo', 'Luis: status']

async function assertWhole(notes: number): Promise<void> {
  const { status, media } = await company.job(visit['id'])
  const { rows } = await company.call('notes_list', { subject_type: 'job', subject_id: visit['id'] })
  assert.deepEqual([status, (media as []).length, (rows as []).length], ['en_route', 1, notes])
}

inBrowser("a technician's pending events after a sign-out", () => {
  before(async () => {
    service = await startSite()
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    browser = await launch()
  })
  beforeEach(async () => {
    luis = await company.hire('Luis Ortega')
    tasha = await company.hire('Tasha Nguyen')
    visit = await company.book({ scheduled_start: `${today()}T12:00`, assignees: [luis.id, tasha.id] })
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('are sent once after the technician signs in again with a changed password', async () => {
    const { page, context, complaints, close } = await openPhone()
    await workOffline(page, context)
    await changePassword()
    await context.setOffline(false)
    await state(page, 'Needs you')
    await writeNote(page, 'Done while signed out')
    await page.locator('.field-warning').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email').fill(luis.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    assert.deepEqual(await listEvents(), [])
    await enter(page, luis.email, NEXT)
    await state(page, /^Sent /)
    assert.deepEqual(await listEvents(), ['Luis: note', ...OF_LUIS])
    await assertWhole(2)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('are not sent by another user who signs in there meanwhile', async () => {
    const { page, context, close } = await openPhone()
    await workOffline(page, context)
    await changePassword()
    await context.setOffline(false)
    await state(page, 'Needs you')
    const pieces: string[] = []
    context.on('request', (request) => void (request.method() === 'PUT' && pieces.push(request.url())))
    await page.locator('.field-warning').getByRole('link', { name: 'Sign in' }).click()
    await enter(page, tasha.email)
    await openVisit(page, { id: String(visit['id']) })
    await writeNote(page, 'Of Tasha')
    await state(page, /^Sent /)
    await page.locator('#state').click()
    await page.getByText('3 entries by Luis Ortega are waiting on this phone.').waitFor()
    assert.deepEqual([await listEvents(), pieces], [['Tasha: note'], []])
    await page.locator('#back').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/field/'))
    await page.goto(service.config.baseUrl + signInPath(company.id))
    await enter(page, luis.email, NEXT)
    await allSent(page)
    assert.deepEqual(await listEvents(), [...OF_LUIS, 'Tasha: note'])
    await assertWhole(2)
    await close()
  })

  it('are not sent by another user who signed in on a second page while the first stays open', async () => {
    const { page, context, close } = await openPhone()
    await workOffline(page, context)
    await page.route(/\/(acts|photos\/.*)$/, (route) => route.abort())
    await context.clearCookies()
    await context.setOffline(false)
    const second = await context.newPage()
    await second.goto(service.config.baseUrl + signInPath(company.id))
    await enter(second, tasha.email)
    await page.unroute(/\/(acts|photos\/.*)$/)
    await evaluateOn(page, `dispatchEvent(new Event('online'))`)
    await page.locator('#state').click()
    await page.getByText('3 entries by Luis Ortega are waiting on this phone.').waitFor()
    assert.deepEqual(await listEvents(), [])
    await context.clearCookies()
    await second.goto(service.config.baseUrl + signInPath(company.id))
    await enter(second, luis.email)
    await allSent(second)
    assert.deepEqual(await listEvents(), OF_LUIS)
    await assertWhole(1)
    await close()
  })
})
