import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { jobsOf, mailTo, startBooking, type Booking } from '../../booking/scene.ts'
import { passesAxe } from '../harness/axe.ts'
import { countEffort, keepFrame, secondsOf } from '../harness/counting.ts'
import { SIZES, evaluateOn, inBrowser, launch, openPage, until } from '../harness/launch.ts'

/** Maximum taps from the first page to a booked visit, form fields excluded: service, time, book. */
const MAX_TAPS = 3
/** Maximum seconds that a person needs for all of it, typing included. */
const MAX_SECONDS = 120
const MAX_SCRIPT_MS = 20_000

let scene: Booking
let browser: Browser

/** Types the contact details key by key. */
async function fillDetails(page: Page, email: string, phone: string): Promise<void> {
  for (const [label, text] of [
    ['Street address', '5 Oak Street'],
    ['City', 'Austin'],
    ['State', 'TX'],
    ['ZIP code', '78704'],
    ['Which drain?', 'Kitchen sink'],
    ['Your name', 'Sam Jones'],
    ['Mobile phone', phone],
    ['Email', email],
  ] as const) {
    await page.getByLabel(label).click()
    await page.keyboard.type(text)
  }
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

  it('books on a phone in at most three taps and two minutes, without a CAPTCHA', async () => {
    const { page, complaints, close } = await openPage(browser, { viewport: SIZES.phone, hasTouch: true })
    const effort = await countEffort(page)
    let taps = 0
    const tap = async (name: string | RegExp, role: 'link' | 'button'): Promise<void> => {
      const one = page.getByRole(role, { name }).first()
      assert.ok(((await one.boundingBox())?.height ?? 0) >= 44)
      taps++
      await one.tap()
    }
    await page.goto(address())
    await keepFrame(page, 'services')
    await tap(/Drain cleaning/, 'link')
    await page.waitForURL(/[0-9a-f-]{36}/)
    await keepFrame(page, 'times')
    const begun = performance.now()
    await tap(/\d.*M$/, 'button')
    await page.waitForURL(/details/)
    assert.ok(performance.now() - begun < MAX_SCRIPT_MS)
    await keepFrame(page, 'details')
    assert.match(String(await evaluateOn(page, 'document.body.innerText')), /We hold this time for 10 minutes/)
    await fillDetails(page, 'sam@example.com', '512 555 0111')
    await tap('Book this visit', 'button')
    await page.waitForURL(/done/)
    await keepFrame(page, 'done')
    assert.match(String(await evaluateOn(page, 'document.body.innerText')), /Visit booked/)
    process.stdout.write(`booked by a stranger ${JSON.stringify({ taps, ...effort, seconds: secondsOf(effort) })}\n`)
    assert.ok(taps <= MAX_TAPS, `${taps} taps`)
    assert.ok(secondsOf(effort) < MAX_SECONDS && effort.clicks > 0 && effort.keys > 0, JSON.stringify(effort))
    assert.equal((await jobsOf(scene)).at(-1)?.customer, 'Sam Jones')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('books without JavaScript, with a code from an email', async () => {
    const { page, close } = await openPage(browser, { viewport: SIZES.phone, javaScriptEnabled: false })
    await page.goto(address())
    await page.getByRole('link', { name: /Drain cleaning/ }).click()
    await page
      .getByRole('button', { name: /\d.*M$/ })
      .first()
      .click()
    await fillDetails(page, 'plain@example.com', '512 555 0112')
    await page.getByRole('button', { name: 'Book this visit' }).click()
    await keepFrame(page, 'code')
    const code = /is (\d{6})\./.exec((await mailTo(scene, 'plain@example.com')).at(-1)?.body ?? '')?.[1] ?? ''
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Book this visit' }).click()
    await page.waitForURL(/done/)
    assert.equal((await jobsOf(scene)).length, 2)
    await close()
  })

  it('passes axe in light and dark, in Spanish too, and fits 320 px', async () => {
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
      await keepFrame(page, `${name}-light`)
      await passesAxe(page, name)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth <= innerWidth'), true, name)
      await keepFrame(page, `${name}-dark`)
      assert.deepEqual(complaints, [])
      await close()
    }
  })

  it('has a settings page that passes axe and fits every screen size', async () => {
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
      await keepFrame(page, `settings-${name}`)
    }
    assert.deepEqual(complaints, [])
    await close()
  })
})
