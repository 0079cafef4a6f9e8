import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { startNotifying, type Notifying } from '../../notifications/scene.ts'
import { VAPID_PUBLIC_KEY } from '../../notifications/push_service.ts'
import { passesAxe } from '../harness/axe.ts'
import { evaluateOn, inBrowser, launch, openPage, until } from '../harness/launch.ts'
import { PHONE, openVisits, ready } from './phone_page.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36'

let set: Notifying
let browser: Chromium

/** Opens a user's visits on a phone with a fake push service, because test browsers have none. */
async function openPhone(email: string, options: BrowserContextOptions = {}) {
  const { subscription, path } = await set.push.subscribe()
  const opened = await openPage(browser, { ...PHONE, ...options })
  const context = opened.page.context()
  await context.grantPermissions(['notifications'])
  await context.addInitScript(`{
    const { endpoint, ...keys } = ${JSON.stringify(subscription)}
    let made = null
    PushManager.prototype.getSubscription = async () => made
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      const key = Uint8Array.from(atob(applicationServerKey.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0))
      made = { endpoint, toJSON: () => ({ keys }), unsubscribe: async () => true, options: { applicationServerKey: key.buffer } }
      window.subscribedWith = applicationServerKey
      return made
    }
  }`)
  await openVisits(opened.page, set.service.config.baseUrl, set.office.id, email)
  return { ...opened, context, messages: () => set.push.messagesAt(path), endpoint: subscription.endpoint }
}

/** Delivers a push message to the browser's service worker, as its push service would. */
async function deliver(page: Page, data: object): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations
      if (one !== undefined) resolve(one.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: set.service.config.baseUrl,
    registrationId: await registered,
    data: JSON.stringify(data),
  })
}

inBrowser('My visits on a new phone', () => {
  before(async () => {
    set = await startNotifying()
    browser = await launch('whole')
  })
  after(async () => {
    await browser.close()
    await set.stop()
  })

  it("explains how to install it in each browser's terms, until that is closed", async () => {
    const tech = await set.office.signInMember('tech')
    for (const [userAgent, words] of [
      [IPHONE, 'Tap Share, then Add to Home Screen.'],
      [ANDROID, 'tap Add to Home screen, and Install.'],
      [`${ANDROID} SamsungBrowser/28.0`, 'tap Add page to, and Home screen.'],
      [IPHONE.replace('Version/18.5', 'CriOS/138.0'), 'Tap Share next to the address'],
    ] as const) {
      const { page, complaints, close } = await openPhone(tech.email, { userAgent })
      await page.locator('#hint-install').getByText(words).waitFor()
      await passesAxe(page, words)
      await page.locator('#do-close_install').click()
      await page.locator('#hint-install').waitFor({ state: 'detached' })
      await page.reload()
      await ready(page)
      assert.equal(await page.locator('#hint-install').count(), 0)
      assert.deepEqual(complaints, [])
      await close()
    }
  })

  it('turns notifications on with one tap, shows them, loads the change, and turns them off on sign-out', async () => {
    const tech = await set.office.signInMember('tech')
    const { page, complaints, messages, endpoint, close } = await openPhone(tech.email, { userAgent: ANDROID })
    await page.locator('#do-close_install').click()
    await page.locator('#hint-push #do-push_on').click()
    await page.locator('#told').getByText('Notifications are on.').waitFor()
    assert.equal(await evaluateOn(page, 'window.subscribedWith'), VAPID_PUBLIC_KEY)
    assert.deepEqual(
      (await set.devices()).filter((one) => one.endpoint === endpoint).map(({ kinds }) => kinds),
      [['visits']],
    )
    const { id } = await set.book([tech.user_id], { title: 'Burst pipe' })
    await set.deliver()
    assert.deepEqual(messages(), [{ company: set.office.id, kind: 'visits' }])

    assert.equal(await page.locator(`#card-${id}`).count(), 0)
    await deliver(page, messages()[0] as object)
    await page.locator(`#card-${id}`).waitFor()
    const shown = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
      .then((all) => all.map(({ title, data, body }) => [title, data, body].join('|')).join())`
    await until(page, `${shown}.then((text) => text === 'Your visits changed|/field/${set.office.id}/|')`)

    // A new sign-in in the same browser needs nothing more. A sign-out ends it, even during the renewal.
    const { promise: isLeaving, resolve: leave } = Promise.withResolvers<void>()
    await page.route(/\/push$/, async (route) => {
      await isLeaving
      await route.continue()
    })
    await page.route(/\/sign-out$/, async (route) => {
      const renewed = page.waitForResponse(/\/push$/)
      leave()
      await renewed
      await route.continue()
    })
    const renewing = page.waitForRequest(/\/push$/)
    await page.reload()
    await ready(page)
    await page.locator('#do-push_off').waitFor()
    await renewing
    await page.locator('#leaving button').click()
    await page.waitForURL(/sign-in/)
    assert.equal(await evaluateOn(page, `localStorage.getItem('callout-push')`), null)
    await set.book([tech.user_id])
    await set.deliver()
    assert.equal(messages().length, 1)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('draws the route and order of the day, offline too', async () => {
    const tech = await set.office.signInMember('tech')
    const jobs: string[] = []
    for (const [i, postal_code] of ['78701', '78745', '78757'].entries()) {
      const customer = await set.office.customer(`Ana ${i}`)
      const { id: location_id } = await set.office.call('locations_create', {
        customer_id: customer.id,
        address_line1: '1 Main St',
        city: 'Austin',
        region: 'TX',
        postal_code,
      })
      const minute = String(10 + i * 10)
      const today = Temporal.Now.zonedDateTimeISO('America/New_York').toPlainDate().toString()
      const job = await set.office.call('jobs_create', {
        customer_id: customer.id,
        location_id,
        title: `Stop ${i + 1}`,
        scheduled_start: `${today}T21:${minute}`,
        assignees: [tech.user_id],
      })
      jobs.push(String(job.id))
    }
    const { page, context, complaints, close } = await openPhone(tech.email)
    await page.locator('.map-room .route').waitFor()
    await context.setOffline(true)
    await page.reload()
    await page.locator('.map-room .route').waitFor()
    const marks = await page.locator('.map-room .pin text').allTextContents()
    assert.deepEqual(marks, ['1', '2', '3'])
    assert.deepEqual(await page.locator('.field-turn').allTextContents(), ['1', '2', '3'])
    await page.locator(`#step-list-${jobs[0]}`).click()
    for (const word of ['Start', 'Done']) await page.getByRole('button', { name: word, exact: true }).first().click()
    await page.locator(`.map-room .pin.done[data-job="${jobs[0]}"]`).waitFor()
    await page.locator(`.map-room .pin[data-job="${jobs[1]}"]`).click()
    await page.locator('#back').waitFor()
    assert.match(page.url(), new RegExp(`#v-${jobs[1]}$`))
    assert.deepEqual(complaints, [])
    await close()
  })

  it('turns notifications on and off in the office', async () => {
    const clerk = await set.office.signInMember('office')
    const { page, complaints, close } = await openPhone(clerk.email)
    await page.goto(set.service.config.baseUrl + set.office.at('settings', 'notifications'))
    await page.locator('.push-choice').waitFor()
    await passesAxe(page, 'notifications off')
    await page.getByLabel('My visits: new, moved, changed or canceled').uncheck()
    await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    await page.getByRole('heading', { name: 'Your browsers' }).waitFor()
    assert.deepEqual(
      (await set.devices()).filter(({ user_id }) => user_id === clerk.user_id).map(({ kinds }) => kinds),
      [['messages', 'quotes', 'late']],
    )
    assert.equal(await page.getByLabel('My visits: new, moved, changed or canceled').isChecked(), false)
    await passesAxe(page, 'notifications on')
    await page.getByRole('button', { name: 'Turn off', exact: true }).click()
    await page.getByRole('heading', { name: 'Your browsers' }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await close()
  })
})
