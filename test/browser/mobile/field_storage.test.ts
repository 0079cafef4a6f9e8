import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { load } from 'cheerio'
import type { Browser, Page } from 'playwright-core'
import { addMember } from '../../../src/identity/people/people.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { ZONE, today } from '../../harness/messaging/phones.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { PASSWORD, startSite } from '../../harness/web_client.ts'
import { evaluateOn, inBrowser, launch, openPage } from '../harness/launch.ts'
import { PHONE, openVisit, ready, signInPath, state, writeNote } from './phone_page.ts'
import { pngChunk, pngOf } from '../harness/png.ts'

let service: TestService
let browser: Browser
let company: Schedule
let luis: { id: string; email: string }
let folder: string
let serial = 0

const bookToday = async (at: Schedule): Promise<{ id: string; title: string }> => {
  const title = `Visit ${++serial}`
  const { id } = await at.book({
    title,
    scheduled_start: `${today()}T12:00`,
    arrival_window_minutes: 60,
    assignees: [luis.id],
  })
  return { id: String(id), title }
}

async function openPhone(at: Schedule) {
  const opened = await openPage(browser, PHONE)
  await goTo(opened.page, at)
  return { ...opened, context: opened.page.context() }
}

/** Opens the visits of a company, and signs in if needed. */
async function goTo(page: Page, { id }: Schedule): Promise<void> {
  const path = `/field/${id}/`
  await page.goto(service.config.baseUrl + signInPath(id))
  const asked = page.getByLabel('Email')
  await asked.or(page.locator('main.alive .field-foot')).first().waitFor()
  if (await asked.isVisible()) {
    await asked.fill(luis.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.waitForURL((url) => url.pathname === path)
  await ready(page)
}

const notesOf = async (at: Schedule, { id }: { id: string }): Promise<string[]> =>
  ((await at.call('notes_list', { subject_type: 'job', subject_id: id })).rows as { excerpt: string }[])
    .map(({ excerpt }) => excerpt)
    .toReversed()

/** Makes the page's database reject each write as if it were full, and accept writes again. */
const FULL = `globalThis.put = IDBObjectStore.prototype.put
IDBObjectStore.prototype.put = () => { throw new DOMException('No room', 'QuotaExceededError') }`

/** Adds a photo to a visit. Returns its size at the office and the colors in the middle of its edges. */
async function photoAtOffice(page: Page, path: string): Promise<Record<string, unknown>> {
  const visit = await bookToday(company)
  await goTo(page, company)
  await openVisit(page, visit)
  await page.locator('#photo').setInputFiles(path)
  await page.locator('.field-part', { hasText: '.jpg' }).waitFor()
  await state(page, /^Sent /)
  const [{ url, size_bytes }] = (await company.job(visit.id))['media'] as [{ url: string; size_bytes: number }]
  const drawn = await evaluateOn(page, `(${LOOK})(${JSON.stringify(new URL(url).pathname)})`)
  return { ...(drawn as object), size_bytes }
}

/** Loads a picture in the page. */
const LOOK = `async (path) => {
  const picture = await createImageBitmap(await (await fetch(path)).blob())
  const { width, height } = picture
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  context.drawImage(picture, 0, 0)
  const color = (x, y) => {
    const [red, , blue] = context.getImageData(Math.floor(x * width), Math.floor(y * height), 1, 1).data
    return red > 200 && blue < 60 ? 'red' : blue > 200 && red < 60 ? 'blue' : 'another'
  }
  return { width, height, left: color(0.1, 0.5), right: color(0.9, 0.5), top: color(0.5, 0.1), bottom: color(0.5, 0.9) }
}`

/** Returns a picture that is red on the left and blue on the right, as JPEG in base64. */
const RED_AND_BLUE = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 200 })
  const context = canvas.getContext('2d')
  for (const [color, left] of [['red', 0], ['blue', 200]]) {
    context.fillStyle = color
    context.fillRect(left, 0, 200, 200)
  }
  return canvas.toDataURL('image/jpeg').split(',')[1]
})()`

/** Sets the orientation of a JPEG (Exif 2.32, 4.6.4). */
function setOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exif = Buffer.from('45786966000049492a0008000000010012010300010000000000000000000000', 'hex')
  exif.writeUInt16LE(orientation, 24)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(exif.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)])
}

/** Returns an incompressible picture: 3,700 pixels square make 41 MB. */
function bigPicture(edge = 3_700): Buffer {
  const plain = pngOf(1, 1, [0, 0, 0])
  const header = Buffer.from(plain.subarray(16, 29))
  header.writeUInt32BE(edge, 0)
  header.writeUInt32BE(edge, 4)
  const rows = randomBytes(edge * (edge * 3 + 1))
  for (let row = 0; row < edge; row++) rows[row * (edge * 3 + 1)] = 0
  const data = deflateSync(rows, { level: 0 })
  return Buffer.concat([
    plain.subarray(0, 8),
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

inBrowser("the storage of a technician's phone", () => {
  before(async () => {
    service = await startSite()
    company = await openSchedule(service, 'Alder Plumbing', ZONE)
    luis = await company.hire('Luis Ortega')
    browser = await launch()
    folder = await mkdtemp(join(tmpdir(), 'callout-photos-'))
  })
  after(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
    await service.stop()
  })

  it('warns at once when it is full, asks before losing anything, and saves once there is room', async () => {
    const visit = await bookToday(company)
    const { page, context, complaints, close } = await openPhone(company)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await openVisit(page, visit)
    await context.setOffline(true)
    await writeNote(page, 'Kept')
    await evaluateOn(page, FULL)
    await writeNote(page, 'Held by the page')
    await page.locator('#told').getByText('This browser can’t save anything').waitFor()
    await page.locator('#main .field-warning').getByText('This browser can’t save anything').waitFor()
    await state(page, '2 waiting')
    await page.reload()
    assert.deepEqual(asked, ['beforeunload'])
    await state(page, '1 waiting')
    await evaluateOn(page, FULL)
    await writeNote(page, 'Held again')
    await state(page, '2 waiting')
    await evaluateOn(page, `IDBObjectStore.prototype.put = globalThis.put`)
    await writeNote(page, 'Kept behind it')
    await state(page, '3 waiting')
    await context.setOffline(false)
    await state(page, /^Sent /)
    assert.deepEqual(await notesOf(company, visit), ['Kept', 'Held again', 'Kept behind it'])
    assert.equal(await page.locator('.field-warning').count(), 0)
    await page.reload()
    await page.locator('.field-state.sent').waitFor()
    assert.deepEqual([asked, complaints], [['beforeunload'], []])
    await close()
  })

  it('holds a photo in the page when the browser is nearly full, says so, and sends it', async () => {
    const visit = await bookToday(company)
    const { page, context, close } = await openPage(browser, PHONE).then((opened) => ({
      ...opened,
      context: opened.page.context(),
    }))
    const session = await context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: service.config.baseUrl, quotaSize: 2 * 2 ** 20 })
    await goTo(page, company)
    await openVisit(page, visit)
    await context.setOffline(true)
    const path = join(folder, 'noise.png')
    await writeFile(path, bigPicture(2_000))
    await page.locator('#photo').setInputFiles(path)
    await page.locator('#told').getByText('This browser can’t save anything').waitFor()
    await state(page, '1 waiting')
    await context.setOffline(false)
    await state(page, /^Sent /)
    assert.equal(((await company.job(visit.id))['media'] as unknown[]).length, 1)
    await page.locator('#main .field-warning').waitFor({ state: 'detached' })
    await close()
  })

  it('is separate for each company, and says what is pending at another', async () => {
    const other = await openSchedule(service, 'Birch Heating', ZONE)
    await addMember(
      service.database,
      { tenant: other.id },
      { email: luis.email, name: 'Luis Ortega', role: 'tech', password: 'none' },
    )
    const [here, there] = [await bookToday(company), await bookToday(other)]
    const { page, context, close } = await openPhone(company)
    await goTo(page, other)
    await openVisit(page, there)
    assert.match((await page.locator('.field-time').textContent())!, /^Arrival 12:00\s–\s1:00\sPM$/u)
    await context.setOffline(true)
    await writeNote(page, 'Of Birch')
    await state(page, '1 waiting')
    await page.goto(`${service.config.baseUrl}/field/${company.id}/`)
    await page.locator('.field-warning', { hasText: '1 entry is waiting for another company' }).waitFor()
    await openVisit(page, here)
    await writeNote(page, 'Of Alder')
    await state(page, '1 waiting')
    await context.setOffline(false)
    await state(page, /^Sent /)
    assert.deepEqual([await notesOf(company, here), await notesOf(other, there)], [['Of Alder'], []])
    await page.locator('#back').click()
    await page.getByRole('link', { name: 'Birch Heating' }).click()
    await page.waitForURL((url) => url.pathname === `/field/${other.id}/`)
    await state(page, /^Sent /)
    assert.deepEqual([await notesOf(company, here), await notesOf(other, there)], [['Of Alder'], ['Of Birch']])
    await close()
  })

  it('keeps a photo upright for every camera orientation', async () => {
    const { page, close } = await openPhone(company)
    const jpeg = Buffer.from(String(await evaluateOn(page, RED_AND_BLUE)), 'base64')
    for (const [orientation, width, height, first] of [
      [3, 400, 200, { left: 'blue', right: 'red' }],
      [6, 200, 400, { top: 'red', bottom: 'blue' }],
      [8, 200, 400, { top: 'blue', bottom: 'red' }],
    ] as const) {
      const path = join(folder, `turned_${orientation}.jpg`)
      await writeFile(path, setOrientation(jpeg, orientation))
      const seen = await photoAtOffice(page, path)
      assert.deepEqual([seen['width'], seen['height']], [width, height])
      for (const [edge, color] of Object.entries(first)) assert.equal(seen[edge], color, `${orientation}, ${edge}`)
    }
    await close()
  })

  it('shrinks a photo of 40 MB, and reports an empty file', async () => {
    const { page, close } = await openPhone(company)
    const [big, empty] = [join(folder, 'big.png'), join(folder, 'empty.jpg')]
    await writeFile(big, bigPicture())
    await writeFile(empty, '')
    const seen = await photoAtOffice(page, big)
    assert.deepEqual([seen['width'], seen['height']], [2048, 2048])
    assert.ok(Number(seen['size_bytes']) < 10 * 2 ** 20, String(seen['size_bytes']))
    await page.locator('#photo').setInputFiles(empty)
    await page.getByText("This photo can't be read here.").waitFor()
    await close()
  })

  it('offers no file to save when nothing is pending', async () => {
    const alone = await openSchedule(service, 'Cedar Lawns', ZONE)
    const { page, close } = await openPhone(company)
    await addMember(
      service.database,
      { tenant: alone.id },
      { email: luis.email, name: 'Luis Ortega', role: 'tech', password: 'none' },
    )
    await goTo(page, alone)
    await removeMember(luis.id, alone.id)
    await page.reload()
    await page.getByText('You are no longer a member of this company.').waitFor()
    assert.doesNotMatch((await page.locator('#main').textContent()) ?? '', /as a file/)
    assert.equal(await page.locator('[data-do="save"]').count(), 0)
    await close()
  })

  it('can be saved as a file with notes and photos when its user was removed', async () => {
    const visit = await bookToday(company)
    const { page, context, complaints, close } = await openPhone(company)
    await openVisit(page, visit)
    await context.setOffline(true)
    await writeNote(page, '<b>Behind</b> the dryer')
    await page
      .locator('#photo')
      .setInputFiles({ name: 'IMG_1.png', mimeType: 'image/png', buffer: pngOf(300, 200, [200, 90, 20]) })
    await state(page, '2 waiting')
    await removeMember(luis.id)
    await context.setOffline(false)
    await state(page, 'Needs you')
    await page.getByText('You are no longer a member of this company.').waitFor()
    const warning = page.locator('.field-warning')
    assert.match((await warning.textContent()) ?? '', /can’t be sent: save it as a file for the office\./)
    const [atOnce] = await Promise.all([page.waitForEvent('download'), warning.getByRole('button').click()])
    assert.equal(atOnce.suggestedFilename(), 'callout-waiting.html')
    await page.locator('#state').click()
    await page.locator('#do-send').waitFor()
    assert.equal(await page.locator('[data-do="save"]').count(), 1)
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('#do-save').click()])
    assert.equal(saved.suggestedFilename(), 'callout-waiting.html')
    const $ = load(await readFile(await saved.path(), 'utf8'))
    assert.match($('h1').text(), /^What Luis Ortega did and could not send$/)
    assert.match($('li').first().text(), /Note: <b>Behind<\/b> the dryer/)
    const photo = Buffer.from($('img').attr('src')!.replace('data:image/jpeg;base64,', ''), 'base64')
    assert.equal(photo.subarray(0, 3).toString('hex'), 'ffd8ff')
    const sent = JSON.parse($('pre').text()) as Result
    assert.deepEqual([sent['company'], sent['acts'].length], [{ id: company.id, name: 'Alder Plumbing' }, 2])
    assert.equal(sent['acts'][1].bytes, photo.length)
    assert.deepEqual(complaints, [])
    await close()
  })
})

const removeMember = (user: string, tenant = company.id): Promise<unknown> =>
  writeTenant(service.database, { tenant }, (db) =>
    db.run(sql`update members set deactivated_at = moment() where tenant_id = ${tenant} and user_id = ${user}`),
  )
