import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { callerOf } from '../../harness/harness.ts'
import { startDemo, type AtWork, type DemoSite } from '../harness/demo_site.ts'
import { SIZES, evaluateOn, inBrowser, launch, until } from '../harness/launch.ts'
import { press, follow, goTo, title, state, cell, openMenu, unfold, idIn } from '../harness/moves.ts'
import { pngOf } from '../harness/png.ts'

const HEATER = 'Tankless gas heater, 199k BTU'

let site: DemoSite
let browser: Browser
let office: AtWork
let phone: AtWork
let owner: AtWork
/** Ids that one test creates and a later one uses. */
const made = { customer: '', job: '', invoice: '' }

const dayFromNow = (days: number): string =>
  Temporal.Now.plainDateISO(site.demo.tenant.timezone).add({ days }).toString()

/** Returns the customers whose conversations a view of the messages lists. */
async function conversationsIn(page: Page, view: RegExp): Promise<unknown> {
  await page.getByRole('navigation', { name: 'Views of messages' }).getByRole('link', { name: view }).click()
  await page.locator('.views [aria-current]', { hasText: view }).waitFor()
  return evaluateOn(
    page,
    `[...document.querySelectorAll('.conversations b')].map((name) => name.firstChild.textContent.trim())`,
  )
}

inBrowser('a day at the demo company', () => {
  before(async () => {
    site = await startDemo()
    browser = await launch()
    office = await site.atWork(browser, 'priya')
    phone = await site.atWork(browser, 'luis', { viewport: SIZES.phone, hasTouch: true, isMobile: true })
    owner = await site.atWork(browser, 'dana')
  })
  after(async () => {
    await browser.close()
    await site.stop()
  })

  it('office: a message from an unknown number is assigned to a customer', async () => {
    const { page, complaints } = office
    const message = page.locator('.message', { hasText: 'Is this the plumber?' })
    await follow(page, '(512) 555-0188')
    await title(page, '(512) 555-0188')
    await message.waitFor()
    await page.locator('form[data-reads]').waitFor({ state: 'detached' })
    await follow(page, 'Whose message is it?')
    await page.getByText('No matches', { exact: true }).waitFor()
    await follow(page, 'New customer')
    assert.equal(await page.getByLabel('Phone').inputValue(), '+15125550188')
    await page.getByLabel('First name').fill('Odessa')
    await page.getByLabel('Last name').fill('Marsh')
    await page.getByLabel('Street and number').fill('1402 Alta Vista Ave')
    await page.getByLabel('City').fill('Austin')
    await press(page, 'Create customer')
    await title(page, /Odessa Marsh/)
    made.customer = idIn(page)
    await goTo(page, /^Messages/)
    await title(page, 'Messages')
    await follow(page, /^\(512\) 555-0188/)
    await follow(page, 'Whose message is it?')
    await page.getByRole('button', { name: /Odessa Marsh.*\(512\) 555-0188/ }).click()
    await title(page, /Odessa Marsh/)
    const told = page.locator('.event', { hasText: 'Is this the plumber?' })
    await told.getByText(/^Read /).waitFor()
    assert.equal(await told.count(), 1)
    await goTo(page, /^Messages/)
    assert.deepEqual(await conversationsIn(page, /^Unread/), ['June Whitaker', 'Roy McAllister'])
    assert.deepEqual(await conversationsIn(page, /^Unknown senders/), [])
    await goTo(page, 'Today')
    await page.getByRole('main').getByRole('link', { name: 'June Whitaker' }).first().click()
    await press(page, 'Mark as read')
    await page
      .locator('.event', { hasText: 'the key for the pump shed' })
      .getByText(/^Read /)
      .waitFor()
    await goTo(page, /^Messages/)
    assert.deepEqual(await conversationsIn(page, /^Unread/), ['Roy McAllister'])
    const { contacts, locations } = await site.call('customers_get', { id: made.customer })
    assert.deepEqual(
      [contacts[0].phone, locations[0].formatted_address],
      ['+15125550188', '1402 Alta Vista Ave, Austin, US'],
    )
    assert.deepEqual(complaints, [])
  })

  it("office: books a visit from the customer's page, and moves it on the schedule by keyboard", async () => {
    const { page, complaints, open } = office
    const day = dayFromNow(20)
    await open('customers', made.customer)
    await follow(page, 'New job')
    await page.getByLabel('Title').fill('Water heater leaks')
    await page.getByLabel('Start').fill(`${day}T10:00`)
    await page.getByLabel('Luis Ortega').check()
    await cell(page, 1, 'Name').fill('Trip charge')
    await press(page, 'Create job')
    await title(page, /^J-\d+ Water heater leaks/)
    const id = idIn(page)
    assert.deepEqual(await page.locator('.page-head .actions .button').allTextContents(), [
      'On my way',
      'Start',
      'Send confirmation',
      'Text customer',
      'More',
      'Reschedule',
      'Edit',
      'Done',
      'Bill a stage',
      'Done, bill and send',
      'Print',
      'Download PDF',
      'Cancel job',
    ])
    await follow(page, 'Schedule')
    await page.locator('main.alive').waitFor()
    const visit = page.locator('.visit[id]:not(.held)', { hasText: 'Water heater leaks' })
    await visit.getByRole('link', { name: /^10:00/ }).focus()
    for (const key of ['m', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'Enter'])
      await page.keyboard.press(key)
    await page
      .getByRole('region', { name: /^Marcus Bell/ })
      .locator(visit)
      .getByRole('link', { name: /^11:00/ })
      .waitFor()
    const { scheduled_start, assignments, subtotal_cents } = await site.call('jobs_get', { id })
    const start = Temporal.Instant.from(scheduled_start).toZonedDateTimeISO(site.demo.tenant.timezone).toPlainDateTime()
    assert.deepEqual(
      [start.toString(), assignments.map(({ name }: { name: string }) => name), subtotal_cents],
      [`${day}T11:00:00`, ['Marcus Bell'], 5_900],
    )
    assert.deepEqual(complaints, [])
  })

  it('office: a catalog quote with a discount is sent, accepted and turned into a job in one click', async () => {
    const { page, complaints, open } = office
    await open('customers', made.customer)
    await follow(page, 'New quote')
    await title(page, 'New quote')
    await page.getByLabel('Title').fill('Tankless water heater')
    await cell(page, 1, 'Name').fill(HEATER)
    await press(page, 'Add line')
    const asked = Promise.withResolvers<void>()
    await page.route(/suggest\?q=Plumber$/, async (route) => {
      await cell(page, 2, 'Qty').focus()
      await route.continue()
      asked.resolve()
    })
    await cell(page, 2, 'Name').fill('Plumber')
    await asked.promise
    await page.locator('#catalog option[value="Plumber"]').waitFor({ state: 'attached' })
    await page.keyboard.type('6')
    await unfold(page)
    await page.getByLabel('Discount', { exact: true }).fill('5')
    await press(page, 'Create quote')
    await title(page, /^Q-\d+ Tankless water heater/)
    for (const [label, amount] of [
      ['Subtotal', '$3,190.00'],
      ['Discount', '-$159.50'],
      ['Sales tax 8.25% on $2,261.00', '$186.53'],
      ['Total', '$3,217.03'],
    ] as const) {
      assert.equal(
        await page
          .locator('.totals > div')
          .filter({ has: page.getByText(label, { exact: true }) })
          .getByRole('definition')
          .innerText(),
        amount,
      )
    }
    await openMenu(page)
    await press(page, 'Mark as sent')
    await state(page, 'Sent')
    await press(page, 'Mark as accepted')
    await state(page, 'Accepted')
    await press(page, 'Create job')
    await title(page, /^J-\d+ Tankless water heater/)
    made.job = idIn(page)
    await state(page, 'Unscheduled')
    await follow(page, 'Edit')
    await page.getByLabel('Start').fill(`${dayFromNow(0)}T17:00`)
    await page.getByLabel('Luis Ortega').check()
    await press(page, 'Save')
    await state(page, 'Scheduled')
    await page.getByRole('link', { name: /^Q-\d+ Tankless water heater$/ }).waitFor()
    assert.deepEqual(complaints, [])
  })

  it('technician: completes a visit on a phone, from "On my way" to a photo and Done', async () => {
    const { page, complaints, open } = phone
    await open()
    await page
      .getByRole('region', { name: /^\d visits left$/ })
      .getByRole('link', { name: 'Tankless water heater', exact: true })
      .click()
    await title(page, /Tankless water heater/)
    await page.getByRole('link', { name: '(512) 555-0188' }).waitFor()
    await follow(page, 'On my way')
    await title(page, 'On my way')
    await press(page, 'On my way')
    await page.getByRole('status').getByText('You are on the way. The customer was not texted.').waitFor()
    await state(page, 'On the way')
    await press(page, 'Start')
    await state(page, 'In progress')
    await page.getByText('Add photos or files').click()
    await page
      .getByLabel('Take a photo')
      .setInputFiles({ name: 'flue.png', mimeType: 'image/png', buffer: pngOf(60, 45, [200, 90, 30]) })
    await page.getByLabel('Caption').fill('Flue before the work')
    await press(page, 'Upload')
    const photo = page.getByRole('img', { name: 'Flue before the work' })
    await photo.scrollIntoViewIfNeeded()
    await until(page, 'document.querySelector(".media img").naturalWidth === 60')
    const checklist = page.locator('#checklists')
    await checklist.getByLabel('Gas off while working, union tested').check()
    await checklist.getByLabel('Set to, °F').fill('120')
    await checklist.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('status').getByText('Checklist saved').waitFor()
    await press(page, 'Done')
    await state(page, 'Done')
    assert.equal(await page.getByRole('button', { name: 'Create invoice' }).count(), 0)
    const { status, media } = await site.call('jobs_get', { id: made.job })
    assert.deepEqual(
      [status, media.map(({ caption }: { caption: string }) => caption)],
      ['done', ['Flue before the work']],
    )
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), SIZES.phone.width)
    assert.deepEqual(complaints, [])
  })

  it('technician: has no invoices, neither in the menu nor at their URL', async () => {
    const { page, complaints, open } = phone
    await open()
    await page.getByRole('button', { name: 'More' }).click()
    const rooms = await page.getByRole('navigation', { name: 'Company' }).getByRole('link').allInnerTexts()
    assert.deepEqual(
      rooms.map((room) => room.trim().replace(/\s*\d[\s\S]*$/, '')),
      [
        'Today',
        'Schedule',
        'Customers',
        'Customers',
        'Notes',
        'Tags',
        'Work',
        'Jobs',
        'Recurring jobs',
        'Time sheets',
        'Money',
        'Quotes',
        'Messages',
        'Outbox',
        'Catalog',
        'Catalog',
        'Categories',
        'Settings',
        'Connect an assistant',
      ],
    )
    const [{ id }] = (await site.call('invoices_list', { limit: 1 }))['rows']
    for (const steps of [
      ['invoices'],
      ['invoices', 'new'],
      ['invoices', id],
      ['invoices', id, 'edit'],
      ['invoices', id, 'print'],
      ['plans'],
    ])
      assert.equal((await open(...steps))?.status(), 404, steps.join('/'))
    assert.deepEqual(complaints, [])
  })

  it('office: the finished job becomes an invoice in one click, and is sent, printed and paid', async () => {
    const { page, complaints, open } = office
    await open('jobs', made.job)
    await state(page, 'Done')
    await page.getByRole('img', { name: 'Flue before the work' }).waitFor()
    await press(page, 'Create invoice')
    await title(page, /^INV-\d+/)
    made.invoice = idIn(page)
    await openMenu(page)
    await press(page, 'Mark as sent')
    await state(page, 'Sent')
    await follow(page, 'Print')
    await title(page, /^Invoice INV-\d+/)
    const paper = await page.getByRole('article').innerText()
    for (const words of ['Barton Ridge Plumbing & Air', 'Odessa Marsh', HEATER, '$3,217.03'])
      assert.ok(paper.includes(words), words)
    await page.getByRole('button', { name: 'Print', exact: true }).waitFor()
    await follow(page, 'Back')
    await follow(page, 'Record payment')
    await press(page, 'Record payment')
    await state(page, 'Paid')
    const { status, total_cents, balance_due_cents, job_ids } = await site.call('invoices_get', { id: made.invoice })
    assert.deepEqual([status, total_cents, balance_due_cents, job_ids], ['paid', 321_703, 0, [made.job]])
    assert.deepEqual(complaints, [])
  })

  it('owner: a new API key changes a record, and the history names the key', async () => {
    const { page, complaints, open } = owner
    await goTo(page, 'Settings')
    await follow(page, 'API keys')
    await page.getByLabel('Name').fill('Night desk')
    await page.getByRole('radiogroup', { name: 'Customers & contacts' }).getByRole('radio', { name: 'Edit' }).check()
    await press(page, 'Create key')
    assert.match(
      await page.getByRole('row', { name: /^Night desk/ }).innerText(),
      /You\s+Customers & contacts: Edit, Notes: View, /,
    )
    const { call, refusal } = callerOf(site.service.url, await page.locator('.notice code').first().innerText())
    await call('customers_update', { id: made.customer, lead_source: 'Radio' })
    assert.match(await refusal('jobs_cancel', { id: made.job }), /^insufficient_scope/)
    await open('customers', made.customer)
    const entry = page.locator('.event').first()
    assert.match(await entry.innerText(), /Dana Whitfield changed: Source[^]*with the key Night desk/)
    assert.deepEqual(complaints, [])
  })
})
