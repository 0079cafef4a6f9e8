import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, it } from 'node:test'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { writeTown } from '../../harness/files/map_archive.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { keepFrame } from '../harness/counting.ts'
import { CHROMIUM } from '../harness/executable.ts'
import { ARGS, boxOf, evaluateOn, inBrowser, openPage, until, waitOnWhole } from '../harness/launch.ts'
import { PHONE, openVisits } from './phone_page.ts'
import { signInAs } from '../harness/sign_in.ts'

const ZONE = 'America/New_York'
const DAY = '2028-02-01'
const ON = `document.querySelector('street-map.on') !== null`

let path: string
let service: TestService
let browser: Browser
let schedule: Schedule
let leo: { id: string; email: string }
let jobs: Result[]

async function book(title: string, start: string, [latitude, longitude]: readonly [number, number]): Promise<Result> {
  const customer = await schedule.customer('Ana', { locations: [{ address_line1: '1 Main St', latitude, longitude }] })
  return schedule.book({
    title,
    customer_id: customer.id,
    scheduled_start: start,
    assignees: [leo.id],
    duration_minutes: 60,
  })
}

async function openMap(day = DAY, options: BrowserContextOptions = {}, script = '') {
  const opened = await openPage(browser, options)
  const { page } = opened
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  if (script !== '') await page.context().addInitScript(script)
  const to = `${schedule.at('schedule')}?day=${day}&view=map`
  await signInAs(page, service.config.baseUrl, schedule.owner.email)
  await page.goto(service.config.baseUrl + to)
  await waitOnWhole(page.locator('#schedule'))
  return { ...opened, requests, asksFor: (part: string) => requests.some((one) => one.includes(part)) }
}

/** Returns the number of colors in the middle of the street map: an empty canvas has one. */
const colorsOf = async (page: Page): Promise<number> =>
  Number(
    await evaluateOn(
      page,
      `new Promise((resolve) => {
        const { map } = document.querySelector('street-map')
        map.once('render', () => {
          const canvas = map.getCanvas()
          const copy = document.createElement('canvas')
          copy.width = canvas.width
          copy.height = canvas.height
          const context = copy.getContext('2d')
          context.drawImage(canvas, 0, 0)
          const { data } = context.getImageData(0, 0, copy.width, copy.height)
          resolve(new Set(new Uint32Array(data.buffer)).size)
        })
        map.triggerRepaint()
      })`,
    ),
  )

/** Returns the positions of the pins on the street map, in pixels. */
const pinsOf = (page: Page): Promise<unknown> =>
  evaluateOn(
    page,
    `[...document.querySelectorAll('street-map > .map > g[data-at]')].map((pin) => pin.getAttribute('transform').match(/-?[\\d.]+/g).map(Number))`,
  )

inBrowser('the street map of a day', () => {
  before(async () => {
    path = await writeTown()
    service = await startSite({ MAP_TILES: path })
    schedule = await openSchedule(service, 'Alder Plumbing', ZONE)
    leo = await schedule.hire('Leo Ruiz')
    jobs = [
      await book('Boiler', `${DAY}T09:00`, [40.6, -74.1]),
      await book('Drain', `${DAY}T11:00`, [40.8, -73.9]),
      await book('Leak', `${DAY}T14:00`, [40.8, -73.9]),
    ]
    const args = ARGS.filter((one) => one !== '--disable-gpu')
    browser = await chromium.launch({
      executablePath: CHROMIUM!,
      args: [...args, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    })
  })
  after(async () => {
    await browser.close()
    await service.stop()
    await rm(dirname(path), { recursive: true })
  })

  it('shows the same stops, linked to the list by hover, click and keyboard', async () => {
    const { page, complaints, close } = await openMap()
    await until(page, ON)
    assert.ok((await colorsOf(page)) > 20)
    const over = page.locator('street-map > .map')
    assert.equal(await over.locator('a.pin').count(), 3)
    assert.equal(await over.locator('.route .arrow').count(), 2)
    assert.ok(await page.locator('.streets-by').isVisible())
    assert.equal(await page.locator('.streets-by').textContent(), 'Protomaps © OpenStreetMap')
    const [first] = jobs
    const [pin, stop] = [over.locator(`[data-job="${String(first?.id)}"]`), page.locator(`#stop-${String(first?.id)}`)]
    await stop.hover()
    await until(page, `document.querySelector('street-map .pin.lit') !== null`)
    await pin.hover()
    await until(page, `document.querySelector('.map-stop.lit')?.dataset.job === '${String(first?.id)}'`)
    await pin.click()
    await until(page, `document.activeElement?.closest('.map-stop')?.dataset.job === '${String(first?.id)}'`)
    await passesAxe(page, 'streets')
    assert.deepEqual(complaints, [])
    await close()
  })

  it("separates two stops at one house, moves them with the map, and updates on others' changes", async () => {
    const { page, complaints, close } = await openMap()
    await until(page, ON)
    const [, drain, leak] = (await pinsOf(page)) as [number, number][]
    assert.ok(drain !== undefined && leak !== undefined)
    assert.ok(Math.hypot(drain[0] - leak[0], drain[1] - leak[1]) > 24)
    const before = JSON.stringify(await pinsOf(page))
    await page.getByRole('button', { name: 'Zoom in' }).click()
    await until(page, `document.querySelector('street-map').map.isMoving() === false`)
    assert.notEqual(JSON.stringify(await pinsOf(page)), before)
    await book('Faucet', `${DAY}T16:00`, [40.7, -74])
    await page.locator('street-map > .map a.pin').nth(3).waitFor({ state: 'attached' })
    assert.equal(await evaluateOn(page, ON), true)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('switches to dark as soon as the system does', async () => {
    const { page, close } = await openMap()
    await until(page, ON)
    const land = `document.querySelector('street-map').map.getPaintProperty('land', 'background-color')`
    const light = await evaluateOn(page, land)
    await page.emulateMedia({ colorScheme: 'dark' })
    await until(page, `document.querySelector('street-map').map.isStyleLoaded() && ${land} !== '${String(light)}'`)
    await close()
  })

  it("appears behind a location's pin, which can be dragged on it", async () => {
    const customer = await schedule.customer('Eve', {
      locations: [{ address_line1: '9 Elm St', latitude: 40.7, longitude: -74 }],
    })
    const [location] = customer['locations'] as { id: string }[]
    const { page, complaints, close } = await openMap()
    await page.goto(
      `${service.config.baseUrl}${schedule.at('locations', String(location?.id))}/edit?field=latitude,longitude`,
    )
    await until(page, ON)
    const map = `document.querySelector('street-map').map`
    await until(page, `${map}.getZoom() === 15 && ${map}.isMoving() === false`)
    const pin = page.locator('.pin-handle')
    const { x, y } = await boxOf(pin)
    const edge = await boxOf(page.locator('.map-room'))
    await page.mouse.move(x + 22, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + 122, y + 70, { steps: 4 })
    await page.mouse.up()
    const typed = await Promise.all(['#longitude', '#latitude'].map((field) => page.locator(field).inputValue()))
    const under = (await evaluateOn(page, `${map}.unproject([${x + 122 - edge.x}, ${y + 93 - edge.y}]).toArray()`)) as [
      number,
      number,
    ]
    for (const [i, degrees] of under.entries()) assert.ok(Math.abs(Number(typed[i]) - degrees) < 0.00006, typed.join())
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await until(page, `${map}.getZoom() === 14 && ${map}.isMoving() === false`)
    const tip = (await evaluateOn(page, `${map}.project([${typed.join()}])`)) as { x: number; y: number }
    const now = await boxOf(pin)
    assert.ok(Math.hypot(now.x + 22 - edge.x - tip.x, now.y + 43 - edge.y - tip.y) < 2)
    await keepFrame(page, 'pin on streets')
    await passesAxe(page, 'a pin on streets')
    assert.deepEqual(complaints, [])
    await close()
  })

  for (const [name, day, options, script] of [
    ['without WebGL', DAY, {}, 'HTMLCanvasElement.prototype.getContext = () => null'],
    ['without script', DAY, { javaScriptEnabled: false }, ''],
    ['outside of the archive', '2028-02-08', {}, ''],
  ] as const)
    it(`falls back to the drawing ${name}, and loads nothing`, async () => {
      if (day !== DAY) await book('Far', `${day}T09:00`, [30.2, -97.7])
      const { page, asksFor, complaints, close } = await openMap(day, options, script)
      await page.waitForLoadState('networkidle')
      assert.ok(await page.locator('figure > svg.map').isVisible())
      assert.equal(await page.locator('street-map.on').count(), 0)
      assert.deepEqual([asksFor('/assets/maplibre'), asksFor('/tiles/')], [false, false])
      assert.deepEqual(complaints, [])
      await close()
    })

  it('is loaded on a phone only on request, and leads to the visits', async () => {
    const today = Temporal.Now.plainDateISO(ZONE).toString()
    const visit = await book('First', `${today}T09:00`, [40.6, -74.1])
    await book('Second', `${today}T11:00`, [40.8, -73.9])
    const { page, complaints, close } = await openPage(browser, PHONE)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await openVisits(page, service.config.baseUrl, schedule.id, leo.email)
    const drawing = page.locator('figure > svg.map')
    await drawing.waitFor()
    assert.deepEqual(
      requests.filter((one) => /maplibre|tiles/.test(one)),
      [],
    )
    await page.getByRole('button', { name: 'Show streets' }).tap()
    await until(page, ON)
    assert.ok((await colorsOf(page)) > 20)
    assert.ok(await drawing.isHidden())
    await page.locator(`street-map > .map [data-job="${String(visit.id)}"]`).tap()
    await page.locator('#back').waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })
})
