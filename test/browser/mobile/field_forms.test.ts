import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { readTenant, sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { addTemplate } from '../../../src/mobile/checklists/template.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { ZONE, listFieldEvents, today } from '../../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/web_client.ts'
import { keepFrame } from '../harness/counting.ts'
import { boxOf, evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { PHONE, openVisit, openVisits, pressInSheet, state, step } from './phone_page.ts'

const ITEMS = [
  { text: 'Valve closed', kind: 'check', is_required: true },
  { text: 'Serial number', kind: 'text', is_required: false },
  { text: 'Pressure', kind: 'number', is_required: true },
] as const

let service: TestService
let browser: Browser
let company: Schedule
let luis: { id: string; email: string }
let visit: Result
let invoice: unknown

/** Books a visit today whose customer owes $120. */
async function bookOwed(): Promise<void> {
  visit = await company.book({ scheduled_start: `${today()}T12:00`, assignees: [luis.id] })
  const { id } = await company.call('invoices_create', {
    customer_id: company.maeve.id,
    job_ids: [visit.id],
    line_items: [{ name: 'Repair', unit_price_cents: 12_000, quantity: 1 }],
  })
  await company.call('invoices_update', { id, status: 'sent' })
  invoice = id
}

const openSheet = (page: Page, does: string): Promise<void> => page.locator(`#do-${does}`).click()

async function answer(page: Page, item: string, value: string): Promise<void> {
  await page.locator('.field-check', { hasText: item }).click()
  await page.locator('#sheet input').fill(value)
  await pressInSheet(page, 'Save')
}

async function sign(page: Page): Promise<void> {
  await openSheet(page, 'signature')
  await pressInSheet(page, 'Save')
  await page.locator('#sheet').getByText('Get a signature and enter the name.').waitFor()
  await page.locator('#sheet').getByLabel("Signer's name").fill("Maeve O'Connell")
  const { x, y } = await boxOf(page.locator('#sheet svg.signature'))
  await page.mouse.move(x + 20, y + 20)
  await page.mouse.down()
  await page.mouse.move(x + 120, y + 60)
  await page.mouse.up()
  await pressInSheet(page, 'Save')
  await page.getByText("Signed by Maeve O'Connell").waitFor()
}

async function payByCheck(page: Page): Promise<void> {
  await openSheet(page, 'payment')
  const amount = page.locator('#sheet').getByLabel('Amount')
  assert.equal(await amount.inputValue(), '120.00')
  await amount.fill('120.01')
  await pressInSheet(page, 'Check')
  await page.locator('#sheet').getByText('up to the $120.00 that is due').waitFor()
  await amount.fill('50')
  await page.locator('#sheet').getByLabel('Check number').fill('1017')
  await pressInSheet(page, 'Check')
  await page.locator('#do-payment', { hasText: '$70.00' }).waitFor()
}

/** Puts the visit on hold with a reason, then resumes it. */
async function holdAndGoOn(page: Page): Promise<void> {
  await openSheet(page, 'hold')
  await pressInSheet(page, 'Save')
  await page.locator('#sheet').getByText('Enter a note.').waitFor()
  await pressInSheet(page, 'Waiting for a part')
  await page.locator('.field-head .on_hold').waitFor()
  await step(page, 'in_progress')
  await page.locator('.field-head .in_progress').waitFor()
}

inBrowser("the forms of a technician's phone", () => {
  before(async () => {
    service = await startSite()
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    luis = await company.hire('Luis Ortega', 'tech', { Invoices: 'edit' })
    await writeTenant(service.database, { tenant: company.id }, (db) =>
      addTemplate(db, { name: 'Visit', applies: 'every', words: '', items: ITEMS }, { user: company.owner.user_id }),
    )
    await bookOwed()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('work offline, block finishing while required items are open, and are sent once', async () => {
    const { page, complaints, close } = await openPage(browser, PHONE)
    await openVisits(page, service.config.baseUrl, company.id, luis.email)
    await openVisit(page, { id: String(visit.id) })
    await page.context().setOffline(true)
    await openSheet(page, 'late')
    await pressInSheet(page, '15 min')
    await step(page, 'en_route')
    await page.locator('.field-head .en_route').waitFor()
    await step(page, 'in_progress')
    await page.locator('.field-head .in_progress').waitFor()
    await holdAndGoOn(page)
    for (const what of ['paused', 'started', 'paused', 'ended']) await page.locator(`#time-${what}`).click()
    await answer(page, 'Serial number', 'SN-1')
    await step(page, 'done')
    await page.locator('#told').getByText('Finish these first: Valve closed · Pressure').waitFor()
    await page.locator('.field-head .in_progress').waitFor()
    await page.locator('.field-check', { hasText: 'Valve closed' }).click()
    await answer(page, 'Pressure', '2,5')
    await sign(page)
    await payByCheck(page)
    await step(page, 'done')
    await state(page, '15 waiting')
    await page.context().setOffline(false)
    await state(page, /^Sent /)
    await page.locator('.field-head .done').waitFor()
    const kinds = (await listFieldEvents(service, company, visit)).map(({ kind }) => String(kind))
    assert.deepEqual(
      Object.entries(Object.groupBy(kinds, (kind) => kind))
        .map(([kind, all]) => `${all!.length} ${kind}`)
        .sort(),
      ['1 late', '1 payment', '1 signature', '3 checklist', '4 time', '5 status'],
    )
    const { status } = await company.job(visit.id)
    const { balance_due_cents } = await company.call('invoices_get', { id: invoice })
    assert.deepEqual([status, balance_due_cents], ['done', 7_000])
    const { text } = await company.browser.get(company.at('jobs', String(visit.id)))
    for (const told of ['Waiting for a part', 'SN-1', '2.5', 'Maeve O&#39;Connell'])
      assert.ok(text.includes(told), told)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('add equipment with a photo and change it offline, each sent once', async () => {
    const { id } = await company.customer('Ana', { locations: [{ address_line1: '9 Elm St', city: 'Austin' }] })
    const here = await company.book({
      customer_id: id,
      title: 'Look at it',
      scheduled_start: `${today()}T13:00`,
      assignees: [luis.id],
    })
    const { page, complaints, close } = await openPage(browser, PHONE)
    await openVisits(page, service.config.baseUrl, company.id, luis.email)
    await openVisit(page, { id: String(here.id) })
    await page.context().setOffline(true)
    await openSheet(page, 'equipment')
    await pressInSheet(page, 'Save')
    const sheet = page.locator('#sheet')
    await sheet.getByText('Enter what it is').waitFor()
    await sheet.getByLabel('Kind').fill('Water heater')
    await sheet.getByLabel('Serial number').fill('SN-1')
    await sheet.getByLabel('Installed on').fill('2021-04-03')
    const buffer = await page.screenshot({ type: 'jpeg' })
    await sheet.getByLabel('Take a photo').setInputFiles({ name: 'plate.jpg', mimeType: 'image/jpeg', buffer })
    await keepFrame(page, 'equipment-sheet')
    await pressInSheet(page, 'Save')
    const device = page.locator('.field-part li', { hasText: 'Water heater' })
    await device.locator('img.field-photo').waitFor()
    await device.getByRole('button', { name: 'Edit' }).click()
    assert.equal(await sheet.getByLabel('Serial number').inputValue(), 'SN-1')
    await sheet.getByLabel('Model').fill('XE50')
    await pressInSheet(page, 'Save')
    await device.getByText('XE50').waitFor()
    await keepFrame(page, 'equipment-visit')
    await state(page, '3 waiting')
    await page.reload()
    await device.getByText('serial number SN-1').waitFor()
    await page.context().setOffline(false)
    await state(page, /^Sent /)
    const devices = await readTenant(service.database, { tenant: company.id }, (db) =>
      db.all<Result>(sql`select e.kind, e.model, e.serial, e.installed_on::text, m.job_id from equipment e
        left join job_media m on m.tenant_id = ${company.id} and m.id = any(e.photo_ids)
        where e.tenant_id = ${company.id}`),
    )
    const wanted = { kind: 'Water heater', model: 'XE50', serial: 'SN-1', installed_on: '2021-04-03', job_id: here.id }
    assert.deepEqual(devices, [wanted])
    await device.getByRole('link', { name: 'plate.jpg' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it("link to the phone user's own week of time", async () => {
    const { page, close } = await openPage(browser, PHONE)
    await openVisits(page, service.config.baseUrl, company.id, luis.email)
    await page.getByRole('link', { name: 'Time sheets' }).click()
    await page.waitForURL((url) => url.pathname === company.at('time'))
    await page.getByRole('link', { name: 'CSV' }).waitFor()
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), PHONE.viewport!.width)
    await close()
  })
})
