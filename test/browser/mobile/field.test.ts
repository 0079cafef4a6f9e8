import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import type { Result } from '../../harness/harness.ts'
import { ZONE } from '../../harness/messaging/phones.ts'
import { passesAxe } from '../harness/axe.ts'
import { evaluateOn, inBrowser, openPage, until } from '../harness/launch.ts'
import { PHOTO, noise, openFieldCompany, type FieldCompany } from './field_company.ts'
import { PHONE, openVisit, openUntilShown, pressInSheet, state, step, writeNote } from './phone_page.ts'

let company: FieldCompany['company']
let luis: FieldCompany['luis']
let browser: FieldCompany['browser']
let bookToday: FieldCompany['bookToday']
let signIn: FieldCompany['signIn']
let openPhone: FieldCompany['openPhone']
let stop: FieldCompany['stop']
let tasha: FieldCompany['luis']
let item: Result

const job = (id: string): Promise<Result> => company.job(id)

const notesOf = async (id: string): Promise<string[]> =>
  ((await company.call('notes_list', { subject_type: 'job', subject_id: id })).rows as { excerpt: string }[]).map(
    ({ excerpt }) => excerpt,
  )

/** Records an event of each kind that the phone supports offline, with the network cut. */
async function workOffline(page: Page, context: BrowserContext, visit: { id: string }): Promise<void> {
  await openVisit(page, visit)
  await context.setOffline(true)
  await step(page, 'en_route')
  await page.locator('.field-head .en_route').waitFor()
  await step(page, 'in_progress')
  await writeNote(page, 'The valve is behind the dryer')
  await page.locator('#photo').setInputFiles(PHOTO)
  await page.locator('.field-part', { hasText: 'IMG_1.jpg' }).waitFor()
  await page.locator('#do-part').click()
  await page.locator('#sheet').getByLabel('Part or service').fill(String(item['name']))
  await page.locator('#sheet').getByLabel('Quantity').fill('2')
  await pressInSheet(page, 'Add')
  await step(page, 'done')
  await state(page, '6 waiting')
}

async function assertWorked({ id }: { id: string }): Promise<void> {
  const after = await job(id)
  assert.equal(after['status'], 'done')
  assert.deepEqual(await notesOf(id), ['The valve is behind the dryer'])
  assert.equal((after['media'] as unknown[]).length, 1)
  assert.deepEqual(
    (after['line_items'] as Result[]).map(({ name, quantity }) => [name, Number(quantity)]),
    [[item['name'], 2]],
  )
}

inBrowser("a technician's phone", () => {
  before(async () => {
    ;({ company, luis, browser, bookToday, signIn, openPhone, stop } = await openFieldCompany())
    tasha = await company.hire('Tasha Nguyen')
    item = await company.call('catalog_items_create', {
      name: 'Expansion valve',
      kind: 'product',
      unit_price_cents: 4200,
    })
  })
  after(() => stop())

  it("records a day's work offline, and sends each event once", async () => {
    const visit = await bookToday([luis.id])
    const { page, context, complaints, close } = await openPhone(luis.email)
    await workOffline(page, context, visit)
    await page.reload()
    await state(page, '6 waiting')
    await context.setOffline(false)
    await state(page, /^Sent /)
    await assertWorked(visit)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('takes a step once when it is tapped again before it is stored', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await context.setOffline(true)
    await evaluateOn(page, `for (let i = 0; i < 2; i++) document.querySelector('.field-dock .field-step').click()`)
    await page.locator('.field-head .en_route').waitFor()
    await writeNote(page, 'Behind it')
    await page.getByText('Behind it').waitFor()
    await state(page, '2 waiting')
    await context.setOffline(false)
    await state(page, /^Sent /)
    await close()
  })

  it('sends an event once when the response was lost', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    let lost = 0
    await context.route('**/acts', async (route) => {
      if (lost++ > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await openVisit(page, visit)
    await writeNote(page, 'Once')
    await state(page, /^Sent /)
    assert.ok(lost > 1)
    assert.deepEqual(await notesOf(visit.id), ['Once'])
    await close()
  })

  it('resumes a photo upload where the network failed', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    const from: string[] = []
    let cuts = 2
    await context.route('**/photos/*', async (route) => {
      if (route.request().method() === 'PUT') from.push(new URL(route.request().url()).searchParams.get('from')!)
      return from.length === 2 && cuts-- > 0 ? route.abort() : route.continue()
    })
    await openVisit(page, visit)
    await page.locator('#photo').setInputFiles({ ...PHOTO, buffer: await noise(page) })
    await page.locator('.field-part', { hasText: 'IMG_1.jpg' }).waitFor()
    await state(page, /^Sent /)
    assert.ok(from.length > 2, from.join())
    assert.deepEqual(from.slice(0, 3), ['0', '262144', '262144'])
    assert.equal(((await job(visit.id))['media'] as unknown[]).length, 1)
    await close()
  })

  it("keeps a user's pending events separate from the next user's on the phone", async () => {
    const visit = await bookToday([luis.id, tasha.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await context.setOffline(true)
    await writeNote(page, 'Of Luis')
    await state(page, '1 waiting')
    await context.clearCookies()
    await context.setOffline(false)
    await state(page, 'Needs you')
    await page.getByText('You are signed out.').waitFor()
    await signIn(page, tasha.email)
    await page.locator('#state').click()
    await page.getByText('1 entry by Luis Ortega is waiting on this phone.').waitFor()
    assert.deepEqual(await notesOf(visit.id), [])
    await context.clearCookies()
    await signIn(page, luis.email)
    await state(page, /^Sent /)
    assert.deepEqual(await notesOf(visit.id), ['Of Luis'])
    await close()
  })

  it("shows both sides of a conflict, and applies the user's choice", async () => {
    for (const [button, status] of [
      ['Use mine', 'en_route'],
      ["Use the office's", 'on_hold'],
    ] as const) {
      const visit = await bookToday([luis.id])
      const { page, context, close } = await openPhone(luis.email)
      await openVisit(page, visit)
      await context.setOffline(true)
      await step(page, 'en_route')
      await writeNote(page, 'It goes on')
      await company.call('jobs_update', { id: visit.id, status: 'on_hold' })
      await context.setOffline(false)
      await state(page, 'Needs you')
      assert.deepEqual(await notesOf(visit.id), ['It goes on'], 'a note waits for no decision')
      await page.locator('#state').click()
      const need = page.locator('.field-need')
      assert.match((await need.textContent()) ?? '', /Status: On the way.*On hold\./s)
      await passesAxe(page, 'conflict')
      await need.getByRole('button', { name: button, exact: true }).click()
      await state(page, /^Sent /)
      assert.equal((await job(visit.id))['status'], status)
      assert.deepEqual(await notesOf(visit.id), ['It goes on'])
      await close()
    }
  })

  it('warns when the browser has no storage, and sends at once', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPage(browser, PHONE).then((opened) => ({
      ...opened,
      context: opened.page.context(),
    }))
    await context.addInitScript(`Object.defineProperty(globalThis, 'indexedDB', { value: undefined })`)
    await signIn(page, luis.email)
    await page.getByText('This browser can’t save anything').waitFor()
    await openVisit(page, visit)
    await writeNote(page, 'From memory')
    await state(page, /^Sent /)
    assert.deepEqual(await notesOf(visit.id), ['From memory'])
    await close()
  })

  it('takes several photos from the gallery, with caption and stage, and requires at least one', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await context.setOffline(true)
    await page.locator('#do-photos').click()
    const sheet = page.locator('#sheet')
    await passesAxe(page, 'photos')
    await pressInSheet(page, 'Save')
    await sheet.getByText('Take or choose a photo.').waitFor()
    assert.equal(await sheet.getByLabel('Take a photo').getAttribute('capture'), 'environment')
    assert.equal(await sheet.getByLabel('Choose photos').getAttribute('capture'), null)
    await sheet.getByLabel('Choose photos').setInputFiles([PHOTO, { ...PHOTO, name: 'IMG_2.png' }])
    await sheet.getByLabel('Caption').fill('Old valve')
    await sheet.getByLabel('Before the work').check()
    await pressInSheet(page, 'Save')
    await page.locator('.field-part li', { hasText: 'Before the work: Old valve' }).nth(1).waitFor()
    await context.setOffline(false)
    await state(page, /^Sent /)
    assert.deepEqual(
      ((await job(visit.id))['media'] as Result[]).map(({ caption, stage }) => [caption, stage]),
      [
        ['Old valve', 'before'],
        ['Old valve', 'before'],
      ],
    )
    await page.reload()
    await page.locator('.field-part li', { hasText: 'Before the work: Old valve' }).nth(1).waitFor()
    await close()
  })

  it('reports a photo that it cannot read', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await page.locator('#photo').setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('heic') })
    await page.getByText("This photo can't be read here.").waitFor()
    await state(page, 'All sent')
    await close()
  })

  it('shows offline that "In progress" starts the time, a hold pauses it, and Done ends it', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await context.setOffline(true)
    await step(page, 'en_route')
    await step(page, 'in_progress')
    await page.locator('.field-timer.running').waitFor()
    await page.locator('#do-hold').click()
    await pressInSheet(page, 'Weather')
    await page.locator('.field-timer.paused').waitFor()
    await step(page, 'in_progress')
    await page.locator('.field-timer.running').waitFor()
    await step(page, 'done')
    await page.locator('.field-timer.ended').waitFor()
    await context.setOffline(false)
    await state(page, /^Sent /)
    await page.reload()
    await page.locator('.field-timer.ended').waitFor()
    await close()
  })

  it('shows a photo and a corrected time before they are sent, and a notice until the user moves on', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await page.locator('#time-started').click()
    await page.locator('#time-ended').click()
    const sheet = page.locator('#sheet')
    // The entry is offered once the service has returned it.
    await openUntilShown(page, page.locator('#do-time_correction'), sheet.locator('option', { hasText: ' – ' }))
    await context.setOffline(true)
    const day = Temporal.Now.plainDateISO(ZONE).subtract({ days: 1 }).toString()
    const began = await sheet.getByLabel('From').inputValue()
    await sheet.getByLabel('Which time?').selectOption('')
    await sheet.getByLabel('From').fill(`${day}T10:00`)
    await sheet.getByLabel('Which time?').selectOption({ index: 0 })
    assert.equal(await sheet.getByLabel('From').inputValue(), began)
    await sheet.getByLabel('From').fill(`${day}T10:00`)
    await sheet.getByLabel('Until').fill(`${day}T11:30`)
    await pressInSheet(page, 'Save')
    await sheet.getByText('Enter a note.').waitFor()
    await sheet.getByLabel('Reason').fill('The battery was empty')
    await pressInSheet(page, 'Save')
    await page.locator('.field-seconds', { hasText: '1:30 h' }).waitFor()
    await page.locator('#photo').setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('heic') })
    await page.getByText("This photo can't be read here.").waitFor()
    await page.locator('#photo').setInputFiles(PHOTO)
    await until(page, `document.querySelector('.field-photo')?.naturalWidth === 2048`)
    await page.locator('#state').click()
    await page.getByText("This photo can't be read here.").waitFor({ state: 'detached' })
    await context.setOffline(false)
    await state(page, /^Sent /)
    await page.goBack()
    await page.getByRole('link', { name: 'IMG_1.jpg' }).waitFor()
    await page.locator('.field-seconds', { hasText: '1:30 h' }).waitFor()
    await close()
  })
})
