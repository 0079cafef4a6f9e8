import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { jobsOf, mailTo, startBooking, type Booking } from '../../booking/scene.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage, until } from '../harness/launch.ts'

/** Taps from the first page to a booked visit, the fields beside: service, time, book. */
const MAX_TAPS = 3
const MAX_SCRIPT_MS = 20_000

let scene: Booking
let browser: Browser

/** Keeps a picture of a page where somebody wants to look at it: `PICTURES=/some/folder`. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function fillDetails(page: Page, email: string, phone: string): Promise<void> {
  await page.getByLabel('Street address').fill('5 Oak Street')
  await page.getByLabel('City').fill('Austin')
  await page.getByLabel('State').fill('TX')
  await page.getByLabel('ZIP code').fill('78704')
  await page.getByLabel('Which drain?').fill('Kitchen sink')
  await page.getByLabel('Your name').fill('Sam Jones')
  await page.getByLabel('Mobile phone').fill(phone)
  await page.getByLabel('Email').fill(email)
}

inBrowser('the booking page', () => {
  before(async () => {
    scene = await startBooking({ may_move: 'yes', may_cancel: 'yes' })
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await scene.service.stop()
  })

  const address = (query = ''): string => scene.service.config.baseUrl + scene.page + query

  it('books for a stranger on a phone by three taps, with no puzzle to solve', async () => {
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone, hasTouch: true })
    let taps = 0
    const tap = async (name: string | RegExp, role: 'link' | 'button'): Promise<void> => {
      const one = page.getByRole(role, { name }).first()
      assert.ok(((await one.boundingBox())?.height ?? 0) >= 44)
      taps++
      await one.tap()
    }
    await page.goto(address())
    await keepPicture(page, 'services')
    await tap(/Drain cleaning/, 'link')
    await page.waitForURL(/[0-9a-f-]{36}/)
    await keepPicture(page, 'times')
    const begun = performance.now()
    await tap(/\d.*M$/, 'button')
    await page.waitForURL(/details/)
    assert.ok(performance.now() - begun < MAX_SCRIPT_MS)
    await keepPicture(page, 'details')
    assert.match(String(await evaluateOn(page, 'document.body.innerText')), /We hold this time for 10 minutes/)
    await fillDetails(page, 'sam@example.com', '512 555 0111')
    await tap('Book this visit', 'button')
    await page.waitForURL(/done/)
    await keepPicture(page, 'done')
    assert.match(String(await evaluateOn(page, 'document.body.innerText')), /Visit booked/)
    assert.ok(taps <= MAX_TAPS, `${taps} taps`)
    assert.equal((await jobsOf(scene)).at(-1)?.customer, 'Sam Jones')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('books without script by the code of a mail', async () => {
    const { page, close } = await openPage(browser, { viewport: SIZES.phone, javaScriptEnabled: false })
    await page.goto(address())
    await page.getByRole('link', { name: /Drain cleaning/ }).click()
    await page
      .getByRole('button', { name: /\d.*M$/ })
      .first()
      .click()
    await fillDetails(page, 'plain@example.com', '512 555 0112')
    await page.getByRole('button', { name: 'Book this visit' }).click()
    await keepPicture(page, 'code')
    const code = /is (\d{6})\./.exec((await mailTo(scene, 'plain@example.com')).at(-1)?.body ?? '')?.[1] ?? ''
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Book this visit' }).click()
    await page.waitForURL(/done/)
    assert.equal((await jobsOf(scene)).length, 2)
    await close()
  })

  it('breaks no rule in the light and in the dark, in Spanish, and fits 320 px', async () => {
    const link = await scene.issue({ kind: 'customers', id: String(scene.customer['id']) })
    const job = await scene.office.call('jobs_create', {
      customer_id: scene.customer['id'],
      title: 'Fix the faucet',
      scheduled_start: Temporal.Now.instant().add({ hours: 72 }).toString(),
      duration_minutes: 60,
    })
    const own = `${scene.service.config.baseUrl}${link}`
    for (const [name, path] of [
      ['services', address('?lang=es')],
      ['times', address(`/${scene.item}?lang=es`)],
      ['visits', own],
      ['move', `${own}/visits/${String(job['id'])}/move`],
      ['cancel', `${own}/visits/${String(job['id'])}/cancel`],
    ] as const) {
      const { page, complaints, close } = await openPage(browser, { viewport: { width: 320, height: 640 } })
      await page.goto(path)
      await keepPicture(page, `${name}-light`)
      await passesAxe(page, name)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth <= innerWidth'), true, name)
      await keepPicture(page, `${name}-dark`)
      assert.deepEqual(complaints, [])
      await close()
    }
  })

  it('shows its settings to the office', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page
      .context()
      .addCookies(
        [...scene.office.browser.jar].map(([name, value]) => ({ name, value, url: scene.service.config.baseUrl })),
      )
    for (const [name, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport)
      await page.goto(scene.service.config.baseUrl + scene.office.at('settings', 'booking'))
      await until(page, 'document.readyState === "complete"')
      await passesAxe(page, `settings, ${name}`)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth <= innerWidth'), true, name)
      await keepPicture(page, `settings-${name}`)
    }
    assert.deepEqual(complaints, [])
    await close()
  })
})
