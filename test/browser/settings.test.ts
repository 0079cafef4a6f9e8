import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { sql } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startDemo, type DemoSite } from './harness/demo_site.ts'
import { SIZES, evaluateOn, inBrowser, launch } from './harness/launch.ts'

const NARROW = { width: 320, height: 640 }

let site: DemoSite
let browser: Browser

/** Tests that the first form's button is visible at its center, uncovered and without scrolling. */
const IN_REACH = `(() => {
  const button = document.querySelector('.save-bar .main')
  const { left, top, width, height, bottom } = button.getBoundingClientRect()
  return bottom <= innerHeight && button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
})()`

/** Lists fields next to one whose input is at another height, with both heights. */
const UNEVEN = `[...document.querySelectorAll('.columns, .pair, .form-part')].flatMap((group) => {
  const inputs = [...group.querySelectorAll(':scope > .field > :is(input, select, textarea), :scope > .half > .field > :is(input, select)')]
  return inputs.filter((one, i) => {
    const [before, label] = [inputs[i - 1], one.labels[0]]
    if (!before || before.getBoundingClientRect().left >= one.getBoundingClientRect().left) return false
    return Math.abs(before.getBoundingClientRect().top - one.getBoundingClientRect().top) > 1 || one.getBoundingClientRect().top - label.getBoundingClientRect().bottom > 8
  }).map(({ name }) => name)
})`

const isWide = (page: Page): Promise<unknown> =>
  evaluateOn(page, 'document.documentElement.scrollWidth > document.documentElement.clientWidth')

inBrowser('company settings', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  for (const [name, size] of Object.entries(SIZES))
    it(`align side-by-side inputs on one line, right below their labels: ${name}`, async () => {
      const { page, open, close } = await site.atWork(browser, 'dana', { viewport: size })
      for (const steps of [
        ['settings', 'company'],
        ['settings', 'booking'],
        ['customers', 'new'],
        ['catalog_items', 'new'],
      ]) {
        await open(...steps)
        assert.deepEqual(await evaluateOn(page, UNEVEN), [], steps.join('/'))
      }
      await close()
    })

  for (const [name, size] of Object.entries({ ...SIZES, narrow: NARROW }))
    it(`keep Save visible without scrolling, and fit the screen: ${name}`, async () => {
      const { page, complaints, open, close } = await site.atWork(browser, 'dana', { viewport: size })
      for (const step of ['company', 'hours']) {
        await open('settings', step)
        assert.equal(await evaluateOn(page, IN_REACH), true, step)
        assert.equal(await isWide(page), false, step)
      }
      await open('settings', 'company')
      await page.getByText('Another time zone').click()
      await page.getByLabel('Time zone').selectOption({ label: 'Central European Time' })
      assert.equal(await isWide(page), false, 'time zones')
      assert.deepEqual(complaints, [])
      await close()
    })

  it('accept a second pair of hours for a day, on a phone too', async () => {
    const { page, open, close } = await site.atWork(browser, 'dana', { viewport: SIZES.phone })
    await open('settings', 'hours')
    assert.equal(await page.locator('.week-hours input:visible').count(), 14)
    await page.getByText('Add hours Monday').click()
    await page.getByLabel('Monday, end 1', { exact: true }).fill('12:00')
    await page.getByLabel('Monday, start 2').fill('13:00')
    await page.getByLabel('Monday, end 2').fill('18:00')
    assert.equal(await isWide(page), false)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Working hours saved').waitFor()
    assert.equal(await page.getByLabel('Monday, end 2').inputValue(), '18:00')
    assert.equal(await page.locator('.week-hours input:visible').count(), 16)
    await close()
  })

  it("show notices on one line, so that Today's visits fit on the first screen", async () => {
    const { page, open, close } = await site.atWork(browser, 'dana', { viewport: SIZES.phone })
    const user = site.demo.owner.id
    await site.service.database.send(
      ['password_changed', 'second_factor_changed', 'account_linked'].map(
        (kind) => sql`insert into notices (id, user_id, kind) values (${newId()}, ${user}, ${kind})`,
      ),
    )
    await open()
    const line = page.locator('.notice-line')
    assert.ok((await line.boundingBox())!.height < 60)
    assert.ok((await page.locator('.cockpit').boundingBox())!.y < SIZES.phone.height / 2)
    assert.equal(await isWide(page), false)
    await line.getByRole('link').click()
    await page.getByRole('heading', { name: 'Notices about your account' }).waitFor()
    await page.getByText('Your password was changed').waitFor()
    await close()
  })
})
