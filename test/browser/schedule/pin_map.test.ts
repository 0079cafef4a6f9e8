import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { kilometers } from '../../../src/scheduling/travel/estimate.ts'
import { openOffice, type Office } from '../../harness/identity/people_pages.ts'
import type { TestService } from '../../harness/harness.ts'
import { startSite } from '../../harness/web_client.ts'
import { problemsInBoth } from '../harness/axe.ts'
import { keepFrame } from '../harness/counting.ts'
import { SIZES, boxOf, evaluateOn, inBrowser, launch, openPage, until } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

const HOME = { latitude: 40.75, longitude: -73.99 }
const KM_PER_MILE = 1.609344

let service: TestService
let browser: Browser
let office: Office

const addLocation = async (place: object): Promise<string> => {
  const { locations } = await office.customer('Ana', { locations: [{ address_line1: '1 Main St', ...place }] })
  return String((locations as { id: string }[])[0]?.id)
}

async function openForm(place: object = HOME, options: BrowserContextOptions = {}) {
  const id = await addLocation(place)
  const opened = await openPage(browser, options)
  const { page } = opened
  const to = office.at('locations', id)
  await signInAs(page, service.config.baseUrl, office.owner.email)
  await page.goto(service.config.baseUrl + to)
  await page.getByRole('link', { name: 'Move pin' }).click()
  await page.locator('.pin-map').waitFor()
  return { ...opened, id }
}

const handleOf = (page: Page) => page.getByRole('application', { name: 'Pin: move it with the arrow keys' })

/** Returns the position in the form's fields. */
async function fieldsOn(page: Page) {
  const [latitude = NaN, longitude = NaN] = await Promise.all(
    ['Latitude', 'Longitude'].map(async (name) => Number(await page.getByLabel(name, { exact: true }).inputValue())),
  )
  return { latitude, longitude }
}

/** Returns the tip of the pin, in pixels of the window. */
async function tipOf(page: Page) {
  const { x, y } = await boxOf(handleOf(page))
  return { x: x + 22, y: y + 43 }
}

/** Returns the kilometers per pixel, from the drawing's scale bar. */
async function kmOfPixel(page: Page): Promise<number> {
  const bar = `((bar) => bar.getBBox().width * bar.getScreenCTM().a)(document.querySelector('.map-scale'))`
  const miles = parseFloat((await page.locator('.map-unit').textContent()) ?? '')
  return (miles * KM_PER_MILE) / Number(await evaluateOn(page, bar))
}

const isNear = (actual: number, expected: number, most: number): void =>
  assert.ok(Math.abs(actual - expected) <= most, `${actual} instead of ${expected}`)

/** Saves the form. Returns the position on the location's page. */
async function save(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Pin set manually').waitFor()
  return (await page.locator('.facts').first().innerText()).replace(/\s+/g, ' ')
}

inBrowser('a location pin on the map drawing', () => {
  before(async () => {
    service = await startSite()
    office = await openOffice(service, 'Alder Plumbing')
    await addLocation({ address_line1: '20 Oak St', latitude: 40.765, longitude: -73.98 })
    await addLocation({ address_line1: '7 Elm St', latitude: 40.74, longitude: -74.005 })
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('can be dragged with the mouse, fills the fields, and is saved and undone like typed values', async () => {
    const { page, complaints, close } = await openForm()
    await until(page, `!document.querySelector('.pin-handle').hidden`)
    const [from, km] = [await tipOf(page), await kmOfPixel(page)]
    assert.deepEqual(await fieldsOn(page), HOME)
    await page.mouse.move(from.x, from.y - 24)
    await page.mouse.down()
    await page.mouse.move(from.x + 80, from.y - 24 - 60, { steps: 4 })
    await page.mouse.up()
    await keepFrame(page, 'pin by the mouse')
    const to = await tipOf(page)
    isNear(to.x - from.x, 80, 1)
    isNear(to.y - from.y, -60, 1)
    const place = await fieldsOn(page)
    assert.ok(place.latitude > HOME.latitude && place.longitude > HOME.longitude)
    isNear(kilometers(HOME, { ...HOME, longitude: place.longitude }), 80 * km, 80 * km * 0.03)
    isNear(kilometers(HOME, { ...HOME, latitude: place.latitude }), 60 * km, 60 * km * 0.03)
    assert.equal(await page.locator('#pin-at').textContent(), `${place.latitude}, ${place.longitude}`)
    assert.match(await save(page), new RegExp(`${place.latitude}, ${place.longitude} Pin set manually`))
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
    await page.getByText(`${HOME.latitude}, ${HOME.longitude}`).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('moves 10 meters per arrow key and 100 with Shift, announces its position, and stays on the map', async () => {
    const { page, close } = await openForm()
    await handleOf(page).focus()
    await page.keyboard.press('ArrowUp')
    const up = await fieldsOn(page)
    isNear(kilometers(HOME, up), 0.01, 0.0011)
    assert.equal(up.longitude, HOME.longitude)
    assert.equal(
      await page
        .getByRole('status')
        .filter({ hasText: `${up.latitude}, ` })
        .count(),
      1,
    )
    await page.keyboard.press('Shift+ArrowLeft')
    const left = await fieldsOn(page)
    isNear(kilometers(up, left), 0.1, 0.0011)
    assert.ok(left.longitude < up.longitude && left.latitude === up.latitude)
    for (let i = 0; i < 200; i++) await page.keyboard.press('Shift+ArrowDown')
    const [{ y }, map] = [await tipOf(page), await boxOf(page.locator('.map-room'))]
    isNear(y, map.y + map.height, 1.5)
    await page.getByLabel('Latitude', { exact: true }).fill(String(HOME.latitude))
    isNear((await tipOf(page)).y, map.y + map.height / 2, 1.5)
    await close()
  })

  it('can be dragged by touch on a phone without scrolling the page', async () => {
    const { page, complaints, close } = await openForm(HOME, { viewport: SIZES.phone, hasTouch: true, isMobile: true })
    await handleOf(page).evaluate((pin) => {
      pin.scrollIntoView({ block: 'center', behavior: 'instant' })
    })
    const [from, km] = [await tipOf(page), await kmOfPixel(page)]
    const scrolled = await evaluateOn(page, 'scrollY')
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints })
    await touch('touchStart', { x: from.x, y: from.y - 24 })
    for (const moved of [15, 30, 45]) await touch('touchMove', { x: from.x, y: from.y - 24 + moved })
    await touch('touchEnd')
    await until(page, `document.getElementById('pin-at').textContent !== '${HOME.latitude}, ${HOME.longitude}'`)
    const place = await fieldsOn(page)
    isNear(kilometers(HOME, place), 45 * km, 45 * km * 0.03)
    assert.ok(place.latitude < HOME.latitude)
    assert.equal(await evaluateOn(page, 'scrollY'), scrolled)
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), SIZES.phone.width)
    await keepFrame(page, 'pin by a finger')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('works without JavaScript through its fields, and shows the saved pin', async () => {
    const { page, close } = await openForm(HOME, { javaScriptEnabled: false })
    assert.ok(await page.locator('.pin-saved').isVisible())
    assert.equal(await page.locator('.pin-handle').isVisible(), false)
    await page.getByLabel('Latitude', { exact: true }).fill('40.76')
    assert.match(await save(page), /40\.76, -73\.99 Pin set manually/)
    await close()
  })

  it('has names for every part, in light and dark, and fits 320 pixels', async () => {
    const { page, id, close } = await openForm()
    assert.deepEqual(await problemsInBoth(page), [])
    await keepFrame(page, 'pin in the dark')
    await page.setViewportSize({ width: 320, height: 700 })
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), 320)
    await page.goto(service.config.baseUrl + office.at('locations', id))
    await keepFrame(page, 'location')
    assert.deepEqual(await problemsInBoth(page), [])
    assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), 320)
    await close()
  })
})
