import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { startSite } from '../../harness/web_client.ts'
import { passesAxe } from '../harness/axe.ts'
import { noonZone } from '../../pages/schedule/plan_scene.ts'
import { keepFrame } from '../harness/counting.ts'
import { SIZES, boxOf, evaluateOn, inBrowser, launch, openPage, until, waitOnWhole } from '../harness/launch.ts'
import { signInAs } from '../harness/sign_in.ts'

const LAPTOP = { width: 1366, height: 768 }
const [NORTH, SOUTH] = [
  { latitude: 40.9, longitude: -74, city: 'Northfield' },
  { latitude: 40.5, longitude: -74, city: 'Southport' },
]

/** A zone where today has hours before and after now. */
const ZONE = noonZone()

let service: TestService
let browser: Browser
let schedule: Schedule
let leo: string
let mia: string
let days = 0

/** Returns a Tuesday that no other test uses. */
const freshDay = (): string => Temporal.PlainDate.from('2028-02-01').add({ weeks: ++days }).toString()

async function book(title: string, start: string, place: object, user: string, more: object = {}): Promise<Result> {
  const customer = await schedule.customer('Ana', {
    locations: [{ address_line1: '1 Main St', ...place }],
    contacts: [{ first_name: 'Ana', email: 'ana@example.com' }],
  })
  const times = { scheduled_start: start, duration_minutes: 60 }
  return schedule.book({ title, customer_id: customer.id, assignees: [user], ...times, ...more })
}

/** Returns the local day on which a visit begins. */
const startDayOf = ({ scheduled_start: start, timezone }: Result): string =>
  Temporal.Instant.from(String(start)).toZonedDateTimeISO(String(timezone)).toPlainDate().toString()

/** Books a day on which both technicians have two visits. */
async function fillDay(): Promise<{ day: string; jobs: Result[] }> {
  const day = freshDay()
  const jobs = [
    await book('Boiler', `${day}T09:00`, NORTH, leo),
    await book('Drain', `${day}T11:00`, SOUTH, leo),
    await book('Leak', `${day}T09:00`, SOUTH, mia),
    await book('Faucet', `${day}T14:00`, NORTH, mia),
  ]
  return { day, jobs }
}

/** Opens a signed-in page on the schedule and counts clicks on its buttons and links. */
async function openAt(query: string, options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, { viewport: LAPTOP, ...options })
  const { page } = opened
  const path = `${schedule.at('schedule')}${query}`
  await signInAs(page, service.config.baseUrl, schedule.owner.email)
  await page.goto(service.config.baseUrl + path)
  await waitOnWhole(page.locator('#schedule'))
  let clicks = 0
  const press = async (one: Locator, way: 'click' | 'tap' | 'enter' = 'click'): Promise<void> => {
    clicks++
    if (way === 'enter') {
      await one.focus()
      await page.keyboard.press('Enter')
    } else await one[way]()
  }
  return { ...opened, press, clicks: () => clicks }
}

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true })

const crews = async (jobs: readonly Result[]): Promise<string[]> =>
  Promise.all(
    jobs.map(async ({ id }) =>
      ((await schedule.job(id))['assignments'] as { user_id: string }[]).map(({ user_id }) => user_id).join(),
    ),
  )

/** Goes from the board to the proposal for an absent technician, approves it and undoes it. */
async function sickToUndone(way: 'click' | 'tap' | 'enter', options: BrowserContextOptions): Promise<void> {
  const keep = (page: Page, what: string): Promise<void> => keepFrame(page, `sick-${way}-${what}`)
  const { day, jobs } = await fillDay()
  const before = await crews(jobs)
  const { page, press, clicks, complaints, close } = await openAt(`?day=${day}`, options)
  await keep(page, '1-board')
  await press(link(page, 'Off sick'), way)
  await page.getByRole('heading', { name: 'Who is off?' }).waitFor()
  await keep(page, '2-who')
  await press(button(page, 'Leo Ruiz'), way)
  await page.locator('#proposal').waitFor()
  await keep(page, '3-proposal')
  assert.deepEqual(await crews(jobs), before)
  await press(button(page, 'Save days off and move checked visits'), way)
  await page.getByText(/^\d visits moved\.$/).waitFor()
  await keep(page, '4-approved')
  assert.equal(clicks(), 3)
  assert.deepEqual(
    (await crews(jobs)).filter((crew) => crew === leo),
    [],
  )
  await press(button(page, 'Undo'), way)
  await page.getByText('One change is undone').waitFor()
  await keep(page, '5-undone')
  assert.deepEqual(await crews(jobs), before)
  assert.equal(clicks(), 4)
  assert.deepEqual(complaints, [])
  await close()
}

inBrowser('the plan of a day', () => {
  before(async () => {
    service = await startSite()
    schedule = await openSchedule(service, 'Alder Plumbing', ZONE)
    leo = (await schedule.hire('Leo Ruiz')).id
    mia = (await schedule.hire('Mia Chen')).id
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it("moves an absent technician's visits in three clicks and undoes it in one, by mouse", () =>
    sickToUndone('click', {}))
  it('does the same by keyboard', () => sickToUndone('enter', {}))
  it('does the same by touch on a phone', () => sickToUndone('tap', { viewport: SIZES.phone, hasTouch: true }))
  it('does the same without JavaScript', () => sickToUndone('click', { javaScriptEnabled: false }))

  it('is drawn on the board, linked to its list by the pointer; an unchecked move is not applied', async () => {
    const { day, jobs } = await fillDay()
    const { page, close } = await openAt(`/plan?day=${day}&off=${leo}`)
    // On a slow planner, the scripts arrive with its plan.
    await evaluateOn(page, `import(document.querySelector('script[src*="schedule_plan"]').src).then(() => true)`)
    const moves = page.locator('.proposal li')
    const proposed = page.locator('.board .proposed', { hasText: 'Drain' })
    await moves.filter({ hasText: 'Drain' }).hover()
    await page.locator('.board .proposed.lit', { hasText: 'Drain' }).waitFor()
    assert.equal(await page.locator('.board .lit').count(), 2)
    await moves.filter({ hasText: 'Drain' }).getByRole('checkbox').uncheck()
    await page.locator('.board .proposed.unchosen', { hasText: 'Drain' }).waitFor()
    await proposed.hover()
    await page.locator('.proposal li.lit', { hasText: 'Drain' }).waitFor()
    await button(page, 'Save days off and move checked visits').click()
    await page.getByText(/visits? moved\.$/).waitFor()
    assert.deepEqual((await crews(jobs)).slice(0, 2), [mia, leo])
    await close()
  })

  it('passes every axe rule in light and dark, and fits a phone from 320 px', async () => {
    const { day } = await fillDay()
    await schedule.book({ title: 'Waits', duration_minutes: 60 })
    const { page, close } = await openAt(`?day=${day}`)
    const fit = await page.locator('.visit-fit').first().getAttribute('href')
    const at = `${service.config.baseUrl}${schedule.at('schedule')}`
    const pages = [
      `${at}/off?day=${day}`,
      `${at}/plan?day=${day}&off=${leo}`,
      `${service.config.baseUrl}${fit ?? ''}`,
      `${at}?day=${day}&view=map`,
      `${at}?day=${day}&view=month&colors=person`,
      `${at}?day=${day}&colors=person`,
    ]
    for (const url of pages) {
      await page.setViewportSize(LAPTOP)
      await page.goto(url)
      await page.locator('h1').waitFor()
      await until(page, `!document.body.textContent.includes('Planning…')`)
      await passesAxe(page, url)
      for (const width of [390, 320]) {
        await page.setViewportSize({ ...SIZES.phone, width })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, url)
      }
    }
    await close()
  })

  it('shows who is running late beside the board, and notifies the customer in two clicks', async () => {
    const now = Temporal.Now.zonedDateTimeISO(ZONE)
    const [late, next] = [now.subtract({ minutes: 50 }), now.add({ minutes: 20 })]
    const more = { arrival_window_minutes: 30 }
    await book('Boiler', late.toInstant().toString(), NORTH, leo, more)
    await book('Drain', next.toInstant().toString(), SOUTH, leo)
    const { page, press, clicks, complaints, close } = await openAt('')
    const row = page.locator('.late-visits li', { hasText: 'Boiler' })
    await page.locator('.board .visit-late').first().waitFor()
    const url = page.url()
    for (const [name, size] of Object.entries({
      desktop: LAPTOP,
      phone: SIZES.phone,
      narrow: { width: 320, height: 700 },
    })) {
      await page.setViewportSize(size)
      assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), size.width, name)
      await keepFrame(page, `late-${name}`)
    }
    await page.setViewportSize(LAPTOP)
    await passesAxe(page, 'late visits')
    await keepFrame(page, 'late-dark')
    await press(row.getByRole('link', { name: 'Text the customer' }))
    await page.getByRole('heading', { name: 'Running late' }).waitFor()
    await page.getByRole('link', { name: 'Email' }).click()
    await page
      .getByLabel('Message')
      .filter({ hasText: /about \d+ minutes later than planned/ })
      .waitFor()
    await keepFrame(page, 'late-letter')
    await press(button(page, 'Send'))
    await page.getByRole('status').first().waitFor()
    await page.goto(url)
    await row.getByText('Customer notified').waitFor()
    assert.equal(clicks(), 2)
    assert.deepEqual(complaints, [])
    await close()
  })

  it('fits a job in with two clicks', async () => {
    const { day } = await fillDay()
    const { id } = await schedule.book({ title: 'Fits somewhere', duration_minutes: 60 })
    const { page, press, clicks, close } = await openAt(`?day=${day}`)
    await press(page.locator('.visit', { hasText: 'Fits somewhere' }).getByRole('link', { name: 'Fit in' }))
    await press(button(page, 'Book').first())
    await page.getByText('Moved Fits somewhere').waitFor()
    assert.deepEqual([clicks(), (await schedule.job(id)).status], [2, 'scheduled'])
    await close()
  })

  it('shows the whole working day on a laptop without an inner scroll bar', async () => {
    const { day } = await fillDay()
    const { page, close } = await openAt(`?day=${day}`)
    const board = await evaluateOn(
      page,
      `(() => {
        const board = document.getElementById('board')
        return { hidden: board.scrollHeight - board.clientHeight, bottom: board.getBoundingClientRect().bottom, ...board.dataset }
      })()`,
    )
    const { hidden, bottom, since, until: end } = board as Record<string, number>
    assert.ok(Number(hidden) <= 0, `${String(hidden)} px are hidden`)
    assert.ok(Number(bottom) <= LAPTOP.height, String(bottom))
    assert.deepEqual([Number(since), Number(end)], [7, 19])
    await close()
  })

  it('announces the effect of a drop while a visit is dragged, by mouse and keyboard', async () => {
    const { day } = await fillDay()
    const { page, close } = await openAt(`?day=${day}`)
    const drain = page.locator(`#track-${leo} .visit[id]`, { hasText: 'Drain' })
    const [from, to] = [await boxOf(drain), await boxOf(page.locator(`#track-${mia}`))]
    await page.mouse.move(from.x + 20, from.y + 4)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, from.y + 6, { steps: 5 })
    const label = page.locator('.ghost.checked .visit-check')
    await label.getByText(/^Driving about .* → .* less$/).waitFor()
    await page.mouse.move(to.x + 40, to.y + to.height - 20, { steps: 5 })
    await label.getByText(/outside the working hours of Mia Chen/).waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    assert.equal(await page.locator('.ghost').count(), 0)
    await drain.getByRole('link').first().focus()
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowRight')
    await page.locator('#said', { hasText: /Driving about .* less/ }).waitFor()
    await page.keyboard.press('Escape')
    await close()
  })

  it("links the map's pins and list by pointer, click and keyboard", async () => {
    const { day } = await fillDay()
    const { page, complaints, close } = await openAt(`?day=${day}&view=map`)
    const pin = (title: string): Locator => page.locator('.map a.pin', { hasText: title })
    const stop = (title: string): Locator => page.locator('.map-stop', { hasText: title })
    await pin('Faucet').hover()
    await page.locator('.map-stop.lit', { hasText: 'Faucet' }).waitFor()
    await book('Gutter', `${day}T16:00`, SOUTH, mia)
    await stop('Gutter').waitFor()
    await page.locator('.map-stop.lit', { hasText: 'Faucet' }).waitFor()
    await stop('Boiler').hover()
    await page.locator('.map a.pin.lit', { hasText: 'Boiler' }).waitFor()
    await pin('Leak').click()
    await until(page, `document.activeElement.closest('.map-stop')?.textContent.includes('Leak') === true`)
    await page.keyboard.press('Tab')
    await page.locator('.map a.pin.lit', { hasText: 'Faucet' }).waitFor()
    assert.deepEqual(complaints, [])
    await close()
  })

  it('moves a visit of several days as one bar in the week', async () => {
    const monday = Temporal.PlainDate.from(freshDay()).subtract({ days: 1 }).toString()
    const start = Temporal.PlainDate.from(monday)
    const { id } = await book('Repipe', `${monday}T08:00`, NORTH, leo, { duration_minutes: 2 * 1440 + 540 })
    const { page, close } = await openAt(`?day=${monday}&view=week`)
    const bar = page.locator('.bar', { hasText: 'Repipe' })
    const [box, cell] = [await boxOf(bar), await boxOf(page.locator(`#on-${leo}-${monday}`))]
    assert.ok(Math.abs(box.width - 3 * cell.width) < 12, `${box.width} over ${cell.width}`)
    const to = await boxOf(page.locator(`#on-${leo}-${start.add({ days: 1 }).toString()}`))
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 30, to.y + 30, { steps: 5 })
    await page.mouse.up()
    const tuesday = start.add({ days: 1 }).toString()
    for (let tries = 0; tries < 2_400 && startDayOf(await schedule.job(id)) !== tuesday; tries++)
      await page.waitForTimeout(50)
    const moved = await schedule.job(id)
    assert.deepEqual([startDayOf(moved), moved.duration_minutes], [tuesday, 2 * 1440 + 540])
    await close()
  })
})
