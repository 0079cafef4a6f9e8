import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { passesAxe } from '../harness/axe.ts'
import { startDemo, type AtWork, type DemoSite } from '../harness/demo_site.ts'
import { SIZES, boxOf, evaluateOn, inBrowser, launch } from '../harness/launch.ts'

let site: DemoSite
let browser: Browser
let dana: AtWork
let luis: AtWork

/** Counts a person's actions (a click, or typing in a field), keys and page loads. */
function counting({ page }: AtWork) {
  const cost = { actions: 0, keys: 0, loads: 0 }
  page.on('framenavigated', () => cost.loads++)
  return {
    cost,
    press: async (one: ReturnType<Page['locator']>) => {
      cost.actions++
      await one.click()
    },
    type: async (one: ReturnType<Page['locator']>, text: string) => {
      cost.actions++
      cost.keys += text.length
      await one.pressSequentially(text)
    },
  }
}

const slotOf = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).locator('label').first()

inBrowser("taking a call, and a technician's visit", () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    ;[dana, luis] = [
      await site.atWork(browser, 'dana'),
      await site.atWork(browser, 'luis', { viewport: SIZES.phone, hasTouch: true }),
    ]
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('books a new caller in at most 9 actions, 60 keys and 2 pages, without scrolling at 900 px', async () => {
    const { page } = dana
    await dana.open()
    const { cost, press, type } = counting(dana)
    await press(page.getByRole('link', { name: 'New call' }))
    await type(page.getByLabel('Phone'), '5125550188')
    await page.locator('#caller').getByText('New customer').waitFor()
    assert.ok(Number(await evaluateOn(page, 'document.documentElement.scrollHeight')) <= 900)
    await type(page.getByLabel('Name', { exact: true }), 'Ann Lee')
    await type(page.getByLabel('Address', { exact: true }), '12 Oak St, Austin TX 78704')
    await press(page.locator('.kinds label').first())
    await press(slotOf(page, 'Luis Ortega'))
    await press(page.getByRole('button', { name: 'Book job' }))
    await page.getByRole('status').getByText('Booked for Ann Lee').waitFor()
    assert.deepEqual([cost.actions <= 9, cost.keys <= 60, cost.loads <= 2], [true, true, true], JSON.stringify(cost))
    process.stdout.write(`new caller ${JSON.stringify(cost)}\n`)
  })

  it('books a known caller in at most 6 actions, found while the number is typed', async () => {
    const { page } = dana
    await dana.open()
    const { cost, press, type } = counting(dana)
    await press(page.getByRole('link', { name: 'New call' }))
    await type(page.getByLabel('Phone'), '5125550114')
    await page.locator('.known-name', { hasText: 'Tobias Freeman' }).waitFor()
    await page.getByText('Toilet keeps running').waitFor()
    await press(page.locator('.kinds label').nth(1))
    await press(slotOf(page, 'Tasha Nguyen'))
    await press(page.getByRole('button', { name: 'Book job' }))
    await page.getByRole('status').getByText('Booked for Tobias Freeman').waitFor()
    assert.deepEqual([cost.actions <= 6, cost.loads <= 2], [true, true], JSON.stringify(cost))
    process.stdout.write(`known caller ${JSON.stringify(cost)}\n`)
  })

  it('keeps what is typed on a slow connection, and blocks times of the previous address', async () => {
    const { page } = dana
    const slow = /calls\/(times|caller)/
    let answers = Promise.withResolvers<void>()
    await page.route(slow, async (route) => {
      await answers.promise
      await route.continue()
    })
    await dana.open('calls', 'new')
    const [name, slots] = [page.getByLabel('Name', { exact: true }), page.locator('#times .slots')]
    await page.getByLabel('Phone').pressSequentially('Mar')
    await page.locator('#caller[aria-busy]').waitFor()
    await name.fill('Bea Cole')
    answers.resolve()
    await page.locator('#caller .callers').waitFor()
    assert.equal(await name.inputValue(), 'Bea Cole')
    assert.equal(await evaluateOn(page, 'document.activeElement.name'), 'name')
    await page.locator('#times:not([aria-busy])').waitFor()
    answers = Promise.withResolvers<void>()
    await page.getByLabel('Phone').fill('5125550189')
    await page.getByLabel('Address', { exact: true }).fill('14 Oak St, Austin TX 78704')
    await page.locator('.kinds label').first().click()
    await page.locator('#times[aria-busy]').waitFor()
    assert.equal(await slots.locator('small').count(), 0)
    const chosen = slotOf(page, 'Luis Ortega').click()
    answers.resolve()
    await chosen
    assert.notEqual(await slots.locator('small').count(), 0)
    assert.equal(await slotOf(page, 'Luis Ortega').locator('input').isChecked(), true)
    await page.getByRole('button', { name: 'Book job' }).click()
    await page
      .getByRole('status')
      .getByText(/^Booked for Bea Cole: .* with Luis Ortega/)
      .waitFor()
    await page.unroute(slow)
  })

  it('opens New call from an empty slot on the schedule with its time and technician', async () => {
    const { page } = dana
    await dana.open('schedule')
    const track = page.locator('.lane', { hasText: 'Cole Hendricks' }).locator('.track')
    const { height } = await boxOf(track)
    await track.click({ position: { x: 40, y: height - 12 } })
    await page.waitForURL(/calls\/new/)
    assert.equal(await page.locator('[name="who"] option:checked').textContent(), 'Cole Hendricks')
    assert.match(await page.locator('[name="start"]').inputValue(), /T18:30$/)
    assert.equal(await page.locator('[value="other"]').isChecked(), true)
    await dana.open('schedule?view=week')
    await page
      .getByRole('link', { name: /^New call for Tasha Nguyen/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/calls\/new/)
    assert.equal(await page.locator('[name="who"] option:checked').textContent(), 'Tasha Nguyen')
  })

  it('passes axe in light, dark and on a phone, and loads less than 15 kB', async () => {
    const { page, complaints } = dana
    const sizes = new Map<string, number>()
    page.on('response', (response) => {
      void response
        .request()
        .sizes()
        .then(
          ({ responseBodySize }) => sizes.set(new URL(response.url()).pathname, responseBodySize),
          () => {},
        )
    })
    for (const path of [
      ['calls', 'new'],
      ['calls', 'new?q=5125550114'],
      ['settings', 'hours'],
      ['schedule', 'print'],
    ]) {
      await dana.open(...path)
      await passesAxe(page, path.join('/'))
      await page.setViewportSize(SIZES.phone)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), SIZES.phone.width, path.join('/'))
      await page.setViewportSize(SIZES.desktop)
    }
    sizes.clear()
    await browserCacheless(page)
    await dana.open('calls', 'new')
    await page.waitForLoadState('networkidle')
    const whole = [...sizes].filter(([path]) => !path.endsWith('.svg')).reduce((sum, [, size]) => sum + size, 0)
    assert.ok(whole < 15_000, `${whole} bytes: ${JSON.stringify([...sizes])}`)
    assert.deepEqual(complaints, [])
  })

  it("completes a technician's visit from Today to done with a photo in at most 6 taps", async () => {
    const { page, complaints } = luis
    await luis.open()
    const { cost, press } = counting(luis)
    const card = page.locator('.own-visit', { hasText: 'Pressure drops while showering' })
    for (const [name, value] of [
      ['Call', /^tel:\+1/],
      ['Text', /^sms:\+1/],
      ['Directions', /^https:\/\/.*8412/],
    ] as const)
      assert.match((await card.getByRole('link', { name }).first().getAttribute('href')) ?? '', value)
    await press(card.getByRole('button', { name: 'On my way' }))
    await page.getByRole('status').getByText('On the way').waitFor()
    await press(card.getByRole('button', { name: 'Start' }))
    await page.getByRole('status').getByText('Started').waitFor()
    cost.actions++
    await card.locator('.photo-form.alive').waitFor()
    await card.locator('.photo').setInputFiles({ name: 'pump.png', mimeType: 'image/png', buffer: PICTURE })
    await card.getByText('Add photo (1)').waitFor()
    await press(card.getByRole('button', { name: 'Done' }))
    await page.getByRole('status').getByText('Done: Pressure drops').waitFor()
    assert.ok(cost.actions <= 6, JSON.stringify(cost))
    process.stdout.write(`technician's visit ${JSON.stringify(cost)}\n`)
    await page.getByRole('button', { name: 'Undo' }).click()
    await card.getByRole('button', { name: 'Done' }).waitFor()
    await card.getByText('Add part').first().click()
    await card.getByLabel('Part or service').fill('Backflow test')
    await card.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('status').getByText('Added: Backflow test').waitFor()
    await passesAxe(page, 'today')
    const small = await evaluateOn(
      page,
      `[...document.querySelectorAll('.own :is(button, a.button, summary)')].map((one) => [one.outerHTML, one.getBoundingClientRect()])
        .filter(([, { height, width }]) => height > 0 && (height < 44 || width < 44)).map(([html]) => html)`,
    )
    assert.deepEqual(small, [])
    assert.deepEqual(complaints, [])
  })
})

/** A one-pixel picture. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Disables a page's cache. */
async function browserCacheless(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
}
