import assert from 'node:assert/strict'
import { ZONE } from '../../harness/messaging/phones.ts'
import { after, before, beforeEach, it } from 'node:test'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { sql, writeTenant, type Sql } from '../../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { PASSWORD, startSite } from '../../harness/visiting.ts'
import { passesAxe } from '../harness/axe.ts'
import { countEffort } from '../harness/counting.ts'
import { boxOf, evaluateOn, inBrowser, launch, openPage, until } from '../harness/launch.ts'
import { PHONE, enter, openVisit, pressInSheet, signInPath, state, step, writeNote } from './phone_page.ts'
import { pngOf } from '../harness/png.ts'

const PHOTO = { name: 'IMG_1.png', mimeType: 'image/png', buffer: pngOf(3000, 2000, [200, 90, 20]) }

let service: TestService
let browser: Browser
let company: Schedule
let luis: { id: string; email: string }
let tasha: { id: string; email: string }
let item: Result
let serial = 0

/** Makes a visit of today that no other test touches. */
async function bookToday(assignees: string[], title = `Visit ${++serial}`): Promise<{ id: string; title: string }> {
  const today = Temporal.Now.plainDateISO(ZONE)
  const { id } = await company.book({ title, scheduled_start: `${today.toString()}T12:00`, assignees })
  return { id: String(id), title }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(service.config.baseUrl + signInPath(company.id))
  await enter(page, email)
}

/** Makes a phone whose person has opened their visits once. */
async function openPhone(email: string, options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, { ...PHONE, ...options })
  await signIn(opened.page, email)
  return { ...opened, context: opened.page.context() }
}

const job = (id: string): Promise<Result> => company.job(id)

const notesOf = async (id: string): Promise<string[]> =>
  ((await company.call('notes_list', { subject_type: 'job', subject_id: id })).rows as { excerpt: string }[]).map(
    ({ excerpt }) => excerpt,
  )

/** Records an event of each kind that the phone supports offline, with the network cut. */
async function workOffline(page: Page, context: BrowserContext, visit: { id: string }): Promise<void> {
  await openVisit(page, visit)
  await context.setOffline(true)
  await step(page)
  await page.locator('.field-head .en_route').waitFor()
  await step(page)
  await writeNote(page, 'The valve is behind the dryer')
  await page.locator('#photo').setInputFiles(PHOTO)
  await page.locator('.field-part', { hasText: 'IMG_1.jpg' }).waitFor()
  await page.locator('#do-part').click()
  await page.locator('#sheet').getByLabel('Part or service').fill(String(item['name']))
  await page.locator('#sheet').getByLabel('Quantity').fill('2')
  await pressInSheet(page, 'Add')
  await step(page)
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
    service = await startSite()
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    luis = await company.hire('Luis Ortega')
    tasha = await company.hire('Tasha Nguyen')
    item = await company.call('catalog_items_create', {
      name: 'Expansion valve',
      kind: 'product',
      unit_price_cents: 4200,
    })
    browser = await launch()
  })
  beforeEach(() => void (serial += 1))
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('does a day without a signal, and all of it is there once', async () => {
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

  it('sends once what was taken when the answer was lost', async () => {
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

  it('goes on with a photo where the network ended', async () => {
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

  it('keeps what somebody did apart from the next person on the phone', async () => {
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

  it('shows both sides of a conflict, and does what its person decides', async () => {
    for (const [button, status] of [
      ['Use mine', 'en_route'],
      ["Use the office's", 'on_hold'],
    ] as const) {
      const visit = await bookToday([luis.id])
      const { page, context, close } = await openPhone(luis.email)
      await openVisit(page, visit)
      await context.setOffline(true)
      await step(page)
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

  it('says so where the browser keeps nothing, and sends at once', async () => {
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

  it('takes several photos at once from the gallery, with a caption and a mark, and none without a photo', async () => {
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

  it('shows a visit over midnight with two weekdays, not two dates', async () => {
    const today = Temporal.Now.plainDateISO(ZONE).toString()
    const made = await company.book({
      title: 'Night shift',
      scheduled_start: `${today}T22:00`,
      duration_minutes: 240,
      assignees: [luis.id],
    })
    const { page, close } = await openPhone(luis.email)
    const card = page.locator(`#card-${made.id}`)
    await card.waitFor()
    assert.match((await card.textContent()) ?? '', /^[A-Z][a-z]{2},? 10:00\sPM – [A-Z][a-z]{2},? 2:00\sAM/)
    await close()
  })

  it('tells of a photo that it can not read', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await page.locator('#photo').setInputFiles({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('heic') })
    await page.getByText("This photo can't be read here.").waitFor()
    await state(page, 'All sent')
    await close()
  })

  it('takes one tap for a step, and five from the list to done with a photo', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPhone(luis.email)
    const effort = await countEffort(page)
    await openVisit(page, visit)
    await step(page)
    await page.locator('.field-head .en_route').waitFor()
    assert.equal(effort.clicks, 2)
    await step(page)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#do-photo').click()])
    await chooser.setFiles(PHOTO)
    await page.locator('.field-part', { hasText: 'IMG_1.jpg' }).waitFor()
    const isTaken = page.waitForResponse((answer) => answer.request().postData()?.includes('"to":"done"') === true)
    await step(page)
    await isTaken
    assert.equal((await job(visit.id))['status'], 'done')
    assert.equal(effort.clicks, 5)
    await close()
  })

  it('passes axe, fits 320 pixels, and leaves room for a finger', async () => {
    const visit = await bookToday([luis.id], 'A visit whose name is longer than the line of a small phone')
    const { page, complaints, close } = await openPhone(luis.email)
    await passesAxe(page, 'list')
    for (const view of ['list', 'visit', 'sheet'] as const) {
      if (view === 'visit') await openVisit(page, visit)
      if (view === 'sheet') await page.locator('#do-late').click()
      if (view !== 'list') await passesAxe(page, view)
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 640 })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, view)
        const small = await evaluateOn(
          page,
          `[...document.querySelectorAll(':is(button, a.button, .field-tool, .field-card)')]
          .map((one) => [one.outerHTML, one.getBoundingClientRect()]).filter(([, box]) => box.height > 0 && (box.height < 44 || box.width < 44)).map(([html]) => html)`,
        )
        assert.deepEqual(small, [], view)
      }
    }
    assert.deepEqual(complaints, [])
    await close()
  })

  it('has its main step in reach of a thumb, whole, on small and large phones', async () => {
    const visit = await bookToday([luis.id], 'Water heater does not heat')
    const { page, close } = await openPhone(luis.email)
    for (const [width, height] of [
      [320, 568],
      [360, 740],
      [430, 932],
    ] as const) {
      await page.setViewportSize({ width, height })
      assert.ok((await boxOf(page.locator('.field-next .field-step'))).y < height - 64)
      await openVisit(page, visit)
      const { y, height: tall } = await boxOf(page.locator('.field-dock .field-step'))
      assert.ok(y > height / 2 && y + tall <= height, `${y} of ${height}`)
      const cut = await evaluateOn(
        page,
        `[...document.querySelectorAll('.field-view :is(.button, .field-tool)')].filter((one) => one.scrollWidth > one.clientWidth).map(({ id }) => id)`,
      )
      assert.deepEqual(cut, [], `${width}`)
      await page.locator('#back').click()
    }
    await close()
  })

  it('keeps the running and paused time inside of its card on narrow phones, in both languages', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPhone(luis.email)
    const write = (statement: Sql) =>
      writeTenant(service.database, { tenant: company.id }, async (db) => void (await db.run(statement)))
    await openVisit(page, visit)
    await page.locator('#time-started').click()
    await state(page, /^Sent /)
    try {
      for (const language of ['en', 'es']) {
        await service.database.send([sql`update users set language = ${language} where id = ${luis.id}`])
        for (const how of ['running', 'paused']) {
          await write(sql`update time_entries set started_at = now() - interval '23 hours 58 minutes', ended_at = ${how === 'running' ? null : new Date().toISOString()},
            ended_by = ${how === 'running' ? null : 'pause'} where tenant_id = ${company.id} and job_id = ${visit.id}`)
          await page.reload()
          await page.locator(`.field-timer.${how}`).waitFor()
          for (const width of [320, 360, 375, 390, 412]) {
            await page.setViewportSize({ width, height: 740 })
            const out = await evaluateOn(
              page,
              `(() => {
                const card = document.querySelector('.field-timer').getBoundingClientRect()
                const out = [...document.querySelectorAll('.field-timer *')].filter((one) => one.getBoundingClientRect().right > card.right || one.scrollWidth > one.clientWidth + 1 && one.matches('.button'))
                return [out.length, document.documentElement.scrollWidth - innerWidth]
              })()`,
            )
            assert.deepEqual(out, [0, 0], `${language} ${how} ${width}`)
          }
        }
      }
    } finally {
      await service.database.send([sql`update users set language = null where id = ${luis.id}`])
      await write(sql`delete from time_entries where tenant_id = ${company.id} and job_id = ${visit.id}`)
    }
    await close()
  })

  it('shows without a signal that "In progress" starts the time, a hold pauses it, and Done ends it', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await context.setOffline(true)
    await step(page)
    await step(page)
    await page.locator('.field-timer.running').waitFor()
    await page.locator('#do-hold').click()
    await pressInSheet(page, 'Weather')
    await page.locator('.field-timer.paused').waitFor()
    await step(page)
    await page.locator('.field-timer.running').waitFor()
    await step(page)
    await page.locator('.field-timer.ended').waitFor()
    await context.setOffline(false)
    await state(page, /^Sent /)
    await page.reload()
    await page.locator('.field-timer.ended').waitFor()
    await close()
  })

  it('shows a photo and a corrected time before they are sent, and what was said until somebody goes on', async () => {
    const visit = await bookToday([luis.id])
    const { page, context, close } = await openPhone(luis.email)
    await openVisit(page, visit)
    await page.locator('#time-started').click()
    await page.locator('#time-ended').click()
    await state(page, /^Sent /)
    await page.locator('#do-time_correction').waitFor()
    await context.setOffline(true)
    const day = Temporal.Now.plainDateISO(ZONE).subtract({ days: 1 }).toString()
    await page.locator('#do-time_correction').click()
    const sheet = page.locator('#sheet')
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

  it('is a plain list without script', async () => {
    const visit = await bookToday([luis.id])
    const { page, close } = await openPage(browser, { ...PHONE, javaScriptEnabled: false })
    await page.goto(`${service.config.baseUrl}/sign-in?to=${encodeURIComponent(`/field/${company.id}/`)}`)
    await page.getByLabel('E-mail').fill(luis.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: visit.title }).click()
    await page.locator(`#v-${visit.id}`).waitFor()
    await close()
  })
})

/** Returns a photo that JPEG can't make small, so that it takes several pieces. */
async function noise(page: Page): Promise<Buffer> {
  const base64 = await evaluateOn(
    page,
    `(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1200, height: 1000 })
    const pixels = canvas.getContext('2d').createImageData(1200, 1000)
    for (let at = 0; at < pixels.data.length; at += 65536) crypto.getRandomValues(pixels.data.subarray(at, at + 65536))
    for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255
    canvas.getContext('2d').putImageData(pixels, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1]
  })()`,
  )
  return Buffer.from(String(base64), 'base64')
}
