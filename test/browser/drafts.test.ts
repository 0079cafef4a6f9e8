import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startDemo, type AtWork, type DemoSite } from './harness/demo_site.ts'
import { evaluateOn, inBrowser, launch, waitOnWhole } from './harness/launch.ts'

let site: DemoSite
let browser: Browser
let dana: AtWork

const drafts = () =>
  evaluateOn(dana.page, "Object.keys(sessionStorage).filter((key) => key.startsWith('draft '))") as Promise<string[]>
const notice = () => dana.page.getByText('Unsaved changes restored')

inBrowser('a form draft', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    dana = await site.atWork(browser, 'dana')
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('for a call is restored after a reload and another page, and removed by Discard', async () => {
    const { page } = dana
    await dana.open('calls', 'new')
    await page.getByLabel('Phone').fill('5125550188')
    await page.locator('#caller').getByText('New customer').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Ann Lee')
    await page.getByLabel('What needs to be done?').fill('Sink leaks')
    await page.getByLabel('Notes for the technicians').fill('Dog in the yard')
    await page.reload()
    await notice().waitFor()
    await page.waitForFunction("document.querySelector('#name')?.value === 'Ann Lee'")
    assert.equal(await page.getByLabel('Phone').inputValue(), '5125550188')
    assert.equal(await page.getByLabel('What needs to be done?').inputValue(), 'Sink leaks')
    await dana.open('customers')
    await dana.open('calls', 'new')
    assert.equal(await page.getByLabel('Notes for the technicians').inputValue(), 'Dog in the yard')
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.waitForFunction("document.querySelector('#q')?.value === ''")
    assert.equal(await notice().count(), 0)
    assert.deepEqual(await drafts(), [])
  })

  it('for a call restores the chosen customer', async () => {
    const { page } = dana
    await dana.open('calls', 'new')
    await page.getByLabel('Phone').fill('Mar')
    const first = page.locator('#caller button.caller').first()
    const name = await first.locator('b').innerText()
    await first.click()
    await page.locator('#caller .known-name', { hasText: name }).waitFor()
    await page.waitForFunction("Object.values(sessionStorage).some((draft) => draft.includes('customer_id'))")
    await page.reload()
    await page.locator('#caller .known-name', { hasText: name }).waitFor()
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.locator('#caller', { hasText: 'New customer' }).waitFor()
  })

  it('for a call is not recreated by a late response after it is discarded or booked', async () => {
    const { page } = dana
    /** Delivers and renders a part's response while the next page is loading. */
    const overtake = async (part: string, press: () => Promise<void>) => {
      await page.locator(`#${part}[aria-busy]`).waitFor()
      await page.route(/calls\/new$/, async (route) => {
        const isDrawn = page.waitForEvent('console', (message) => message.text() === 'drawn')
        late.resolve()
        await isDrawn
        await route.continue()
      })
      await page.evaluate(`document.getElementById('call').addEventListener('input', () => console.log('drawn'))`)
      await press()
      await page.unroute(/calls\/new$/)
      late = Promise.withResolvers()
    }
    let late = Promise.withResolvers<void>()
    await dana.open('calls', 'new')
    await page.getByLabel('Phone').fill('5125550114')
    await page.locator('.known-name', { hasText: 'Tobias Freeman' }).waitFor()
    await page.route(/calls\/(caller|times)/, async (route) => {
      await late.promise
      await route.continue()
    })
    await page.reload()
    await overtake('caller', () => page.getByRole('button', { name: 'Discard draft' }).click())
    await notice().waitFor({ state: 'detached' })
    assert.deepEqual(await drafts(), [])
    late.resolve()
    await page.getByLabel('Phone').fill('5125550114')
    await page.locator('.known-name', { hasText: 'Tobias Freeman' }).waitFor()
    await page.locator('#times:not([aria-busy])').waitFor()
    late = Promise.withResolvers()
    await page.getByLabel('What needs to be done?').fill('Sink leaks')
    await page.locator('#minutes').selectOption({ index: 3 })
    await overtake('times', () => page.getByRole('button', { name: 'Book job' }).click())
    await page.getByRole('status').getByText('Tobias Freeman').waitFor()
    assert.deepEqual(await drafts(), [])
    await page.unrouteAll()
  })

  it('for a quote restores all lines and their total', async () => {
    const { page } = dana
    const { rows } = await site.call('customers_search', { limit: 1 })
    await dana.open('quotes', `new?customer_id=${(rows as { id: string }[])[0]!.id}`)
    await page.locator('input[name="line_items.0.name"], input[name$=".0.name"]').first().fill('Pump')
    await page.locator('input[name$=".0.price"]').fill('200')
    await page.locator('input[name$=".0.quantity"]').fill('2')
    await page.getByRole('button', { name: 'Add line' }).click()
    await page.locator('input[name$=".1.name"]').fill('Labor')
    await page.locator('input[name$=".1.price"]').fill('50')
    await page.locator('input[name$=".1.quantity"]').fill('1')
    await page.reload()
    await notice().waitFor()
    assert.equal(await page.locator('input[name$=".1.name"]').inputValue(), 'Labor')
    assert.equal(await page.locator('input[name$=".0.quantity"]').inputValue(), '2')
    await page.locator('#totals', { hasText: '450.00' }).waitFor()
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(/quotes$/)
    assert.deepEqual(await drafts(), [])
  })

  it('is removed when the form is accepted, and kept when it is rejected', async () => {
    const { page } = dana
    await dana.open('customers', 'new')
    await page.getByLabel('First name').fill('Bea')
    await page.getByLabel('Email').fill('bea@')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await waitOnWhole(page.locator('.notice.error'))
    await dana.open('customers', 'new')
    assert.equal(await page.getByLabel('First name').inputValue(), 'Bea')
    await page.getByLabel('Email').fill('bea@example.com')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.getByText('Created Bea').waitFor()
    assert.deepEqual(await drafts(), [])
    await dana.open('customers', 'new')
    assert.equal(await page.getByLabel('First name').inputValue(), '')
  })

  it('does not overwrite what was typed before it is restored', async () => {
    const { page } = dana
    await dana.open('customers', 'new')
    await page.getByLabel('First name').fill('Bea')
    await page.getByLabel('Last name').fill('Lee')
    await dana.open('customers')
    const { promise: mayCome, resolve: come } = Promise.withResolvers<void>()
    await page.route(/drafts[^/]*\.js$/, async (route) => {
      await mayCome
      await route.continue()
    })
    const opened = dana.open('customers', 'new')
    await page.waitForURL(/customers\/new$/, { waitUntil: 'commit' })
    await page.getByLabel('First name').fill('Zoe')
    come()
    await opened
    await notice().waitFor()
    assert.equal(await page.getByLabel('First name').inputValue(), 'Zoe')
    assert.equal(await page.getByLabel('Last name').inputValue(), 'Lee')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(/customers$/)
    await page.unrouteAll()
  })

  it('is private to its user, never holds a password, and is removed on sign-out', async () => {
    const { page } = dana
    await dana.open('settings')
    await page.evaluate(`for (const secret of document.querySelectorAll('input[type=password]')) {
      secret.value = 'correct horse'
      secret.dispatchEvent(new Event('input', { bubbles: true }))
    }`)
    await dana.open('customers', 'new')
    await page.getByLabel('First name').fill('Cleo')
    const stored = await page.evaluate<string>('JSON.stringify(sessionStorage)')
    assert.match(stored, /Cleo/)
    assert.doesNotMatch(stored, /correct horse/)
    const [key] = await drafts()
    const other = key!.replace(/^draft \S+/, 'draft 00000000-0000-7000-8000-000000000000')
    await page.evaluate(
      ([from, to]) => {
        sessionStorage.setItem(to!, sessionStorage.getItem(from!)!)
        sessionStorage.removeItem(from!)
      },
      [key, other],
    )
    await page.reload()
    assert.equal(await page.getByLabel('First name').inputValue(), '')
    await page.getByRole('button', { name: 'You', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/sign-in|\/$/)
    assert.deepEqual(await drafts(), [])
    assert.deepEqual(dana.complaints, [])
  })
})
