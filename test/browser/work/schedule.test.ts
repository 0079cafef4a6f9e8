import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Result, TestService } from '../../harness/harness.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { PASSWORD, startSite } from '../../harness/visiting.ts'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, boxOf, evaluateOn, inBrowser, launch, openPage, until, waitOnWhole } from '../harness/launch.ts'

const BUSY = '2026-05-12'

let service: TestService
let browser: Browser
let schedule: Schedule
let luis: string
let tasha: string
let days = 0

/** Returns a day that no other test uses. */
const freshDay = (): string => Temporal.PlainDate.from('2027-02-01').add({ days: ++days }).toString()

const book = (title: string, start: string, more: object = {}): Promise<Result> =>
  schedule.book({ title, scheduled_start: start, ...more })

async function fillDay(): Promise<void> {
  const cole = (await schedule.hire('Cole Hendricks')).id
  await book('Long job with a name of some length', `${BUSY}T08:00`, { duration_minutes: 180, assignees: [luis] })
  await book('Beside it', `${BUSY}T09:00`, { duration_minutes: 60, assignees: [luis, tasha], priority: 'urgent' })
  await book('And a third', `${BUSY}T09:30`, { duration_minutes: 15, assignees: [luis] })
  await book('Nobody yet', `${BUSY}T13:00`)
  await book('Some time', `${BUSY}T00:00`, { all_day: true, assignees: [cole] })
  for (const [title, at, status] of [
    ['Finished', '08:00', 'done'],
    ['Under way', '10:00', 'in_progress'],
    ['Held', '14:00', 'on_hold'],
  ] as const) {
    const { id } = await book(title, `${BUSY}T${at}`, { assignees: [cole] })
    await schedule.call('jobs_update', { id, status })
  }
  await schedule.book({ title: 'Waits', priority: 'high' })
}

/** Makes a signed-in page on a day of the schedule whose scripts have begun; `isAlone` without what tells it of changes. */
async function openDay(
  day: string,
  { query = '', isAlone = false, ...options }: BrowserContextOptions & { query?: string; isAlone?: boolean } = {},
) {
  const opened = await openPage(browser, options)
  const { page } = opened
  if (isAlone) await page.route('**/schedule/events?*', (route) => route.abort())
  await page.goto(
    `${service.config.baseUrl}/sign-in?to=${encodeURIComponent(`${schedule.at('schedule')}?day=${day}${query}`)}`,
  )
  await page.getByLabel('E-mail').fill(schedule.owner.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await waitOnWhole(page.locator(options.javaScriptEnabled === false ? '#schedule' : 'main.alive'))
  return opened
}

/** Waits until a drop has ended, because nothing else can be picked up before. */
const isLetGo = (page: Page): Promise<void> => page.locator('html:not(.holding)').waitFor({ state: 'attached' })

/** Waits until two looks at a number see the same. */
async function isStill(page: Page, number: string): Promise<void> {
  for (let last: unknown, now = await evaluateOn(page, number); now !== last; now = await evaluateOn(page, number)) {
    last = now
    await sleep(150)
  }
}

const visit = (page: Page, title: string, lane: string): Locator =>
  page.locator(`[data-lane="${lane}"] .visit[id]:not(.held)`, { hasText: title })

/** Returns the middle of a quarter of an hour in a lane, brought into view. */
async function slot(page: Page, lane: string, hour: number): Promise<{ x: number; y: number }> {
  await page.locator(`#track-${lane}`).scrollIntoViewIfNeeded()
  const spot = await evaluateOn(
    page,
    `(() => {
    const [board, track] = [document.getElementById('board'), document.getElementById('track-${lane}')]
    const { since, until } = board.dataset
    const at = () => track.getBoundingClientRect().top + (${hour} - since) / (until - since) * track.offsetHeight
    board.scrollTop += at() - board.getBoundingClientRect().top - 250
    const { left, width } = track.getBoundingClientRect()
    return { x: left + width / 2, y: at() + 4 }
  })()`,
  )
  return spot as { x: number; y: number }
}

async function drag(
  page: Page,
  from: { x: number; y: number },
  to: () => Promise<{ x: number; y: number }>,
): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 8)
  const { x, y } = await to()
  await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

const top = async (one: Locator): Promise<{ x: number; y: number }> => {
  const { x, y, width } = await boxOf(one)
  return { x: x + width / 4, y: y + 4 }
}

/** Returns the saved job, once a condition is true. */
async function saved(id: unknown, holds: (job: Result) => boolean): Promise<Result> {
  for (let tries = 0; tries < 2_400; tries++) {
    const job = await schedule.job(id)
    if (holds(job)) return job
    await sleep(50)
  }
  throw new Error(`The job stayed as it was: ${JSON.stringify(await schedule.job(id))}`)
}

const crew = (job: Result): string[] => (job['assignments'] as { user_id: string }[]).map(({ user_id }) => user_id)

inBrowser('schedule', () => {
  before(async () => {
    service = await startSite()
    schedule = await openSchedule(service)
    luis = (await schedule.hire('Luis Ortega')).id
    tasha = (await schedule.hire('Tasha Nguyen')).id
    await fillDay()
    browser = await launch()
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('says what a visit overlaps while it is held and after the drop, without an alarm, and takes it back', async () => {
    const day = freshDay()
    await book('Boiler', `${day}T09:00`, { duration_minutes: 60, assignees: [luis] })
    await book('Leak', `${day}T10:30`, { duration_minutes: 60, assignees: [luis] })
    const { page } = await openDay(day)
    const to = await slot(page, luis, 9.5)
    const from = (await visit(page, 'Leak', luis).boundingBox())!
    await page.mouse.move(from.x + 20, from.y + 4)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.locator('.ghost.clashing').getByText('Overlaps Boiler').waitFor()
    await page.mouse.move(to.x, to.y + 120, { steps: 8 })
    await page.locator('.ghost:not(.clashing)').waitFor()
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.mouse.up()
    const notice = page.locator('#told.warning[role=status]')
    await notice.getByText(/^Moved Leak: .* It overlaps Boiler of .*, .*9:00/).waitFor()
    await isLetGo(page)
    await notice.getByRole('button', { name: 'Undo' }).click()
    await page.locator(`#track-${luis} .visit[id][data-from="630"]`, { hasText: 'Leak' }).waitFor()
    await page.context().close()
  })

  it('passes every rule of axe in light and dark, with no complaint of the browser', async () => {
    const { page, complaints, close } = await openDay(BUSY)
    await passesAxe(page, 'day')
    await page.getByRole('link', { name: 'Week', exact: true }).click()
    await page.locator('.week').waitFor()
    await passesAxe(page, 'week')
    await page.locator('.visit-move').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await passesAxe(page, 'form')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('fits a phone: nothing to scroll sideways, room for a finger, and axe', async () => {
    const { page, close } = await openDay(BUSY, { viewport: SIZES.phone, hasTouch: true })
    for (const query of ['', '&view=week']) {
      await page.goto(`${service.config.baseUrl}${schedule.at('schedule')}?day=${BUSY}${query}`)
      const small = await evaluateOn(
        page,
        `[...document.querySelectorAll('main :is(button, input:not([type=hidden]), a)')]
        .map((one) => [one.outerHTML, one.getBoundingClientRect()]).filter(([, box]) => box.height > 0 && (box.height < 44 || box.width < 44)).map(([html]) => html)`,
      )
      assert.deepEqual(small, [], query)
      for (const width of [390, 320]) {
        await page.setViewportSize({ ...SIZES.phone, width })
        assert.equal(await evaluateOn(page, 'document.documentElement.scrollWidth'), width, query)
      }
      await passesAxe(page, query)
    }
    await close()
  })

  it('moves a visit that is dragged to another time and technician, and makes it longer at its lower edge', async () => {
    const day = freshDay()
    const { id } = await book('Dragged', `${day}T09:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day)
    await drag(page, await top(visit(page, 'Dragged', luis)), () => slot(page, tasha, 13.5))
    const moved = await saved(id, (job) => crew(job)[0] === tasha)
    assert.equal(moved.scheduled_start, `${day}T18:30:00.000Z`)
    const there = visit(page, '1:30 – 2:30 PM', tasha)
    await there.waitFor()
    await isLetGo(page)
    assert.equal(await visit(page, 'Dragged', luis).count(), 0)
    await there.hover()
    const { x, y, width, height } = await boxOf(there)
    await drag(page, { x: x + width / 2, y: y + height - 3 }, () => slot(page, tasha, 16))
    assert.equal((await saved(id, (job) => job.duration_minutes !== 60)).duration_minutes, 150)
    await visit(page, '1:30 – 4:00 PM', tasha).waitFor()
    assert.equal(new URL(page.url()).pathname, schedule.at('schedule'))
    await close()
  })

  it('moves a visit that a finger rests on; a swipe scrolls', async () => {
    const day = freshDay()
    const { id, updated_at: made } = await book('By finger', `${day}T09:00`, {
      assignees: [luis],
      duration_minutes: 60,
    })
    // Visits from early to late make the board longer than its window.
    for (const hour of ['05', '21'])
      await book(`At ${hour}`, `${day}T${hour}:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day, { hasTouch: true, viewport: { width: 1280, height: 440 } })
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints })
    const from = await top(visit(page, 'By finger', luis))
    // A low window scrolls the board, the page around it, or both.
    const scrolled = 'document.getElementById("board").scrollTop + scrollY'
    const before = await evaluateOn(page, scrolled)
    // Sent in one go: a finger that waits for an answer between two of them may have rested.
    await Promise.all([
      touch('touchStart', from),
      ...[20, 40, 60, 80, 100].map((moved) => touch('touchMove', { x: from.x, y: from.y - moved })),
      touch('touchEnd'),
    ])
    await until(page, `${scrolled} > ${String(before)}`)
    await isStill(page, scrolled)
    assert.equal(await page.locator('.ghost').count(), 0)
    // A swipe may have gone on past the visit: a finger can rest on what is in sight and still alone.
    await visit(page, 'By finger', luis).evaluate((one) => {
      one.scrollIntoView({ block: 'center', behavior: 'instant' })
    })
    await isStill(page, scrolled)
    await touch('touchStart', await top(visit(page, 'By finger', luis)))
    await page.locator('.ghost').waitFor()
    await touch('touchMove', await slot(page, tasha, 11))
    await touch('touchEnd')
    assert.deepEqual(crew(await saved(id, ({ updated_at }) => updated_at !== made)), [tasha])
    await close()
  })

  it('books what waits where it is dropped, puts it back, and takes it any time', async () => {
    const day = freshDay()
    const { id } = await schedule.book({ title: 'From the list', duration_minutes: 45 })
    const { page, close } = await openDay(day)
    const waits = page.locator('#tray .visit:not(.held)', { hasText: 'From the list' })
    await drag(page, await top(waits), () => slot(page, luis, 10.25))
    const booked = await saved(id, (job) => job.status === 'scheduled')
    assert.deepEqual(
      [booked.scheduled_start, booked.scheduled_end, crew(booked)],
      [`${day}T15:15:00.000Z`, `${day}T16:00:00.000Z`, [luis]],
    )
    await visit(page, 'From the list', luis).waitFor()
    await isLetGo(page)
    await drag(page, await top(visit(page, 'From the list', luis)), async () => top(page.locator(`#any-${tasha}`)))
    assert.deepEqual(crew(await saved(id, (job) => job.all_day === true)), [tasha])
    await visit(page, 'Any time', tasha).waitFor()
    await isLetGo(page)
    await drag(page, await top(visit(page, 'From the list', tasha)), async () => top(page.locator('#tray h2')))
    await saved(id, (job) => job.status === 'unscheduled')
    await waits.waitFor()
    await close()
  })

  it('is worked by keyboard: M picks up, arrows move, Enter drops, Escape puts back; all of it is said', async () => {
    const day = freshDay()
    const { id } = await book('By keyboard', `${day}T09:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day)
    // What a drop would change is said a moment later (day_plan.test.ts).
    await page.route('**/schedule/check/*', (route) => route.abort())
    const said = page.locator('#said')
    await visit(page, 'By keyboard', luis).getByRole('link').first().focus()
    await page.keyboard.press('m')
    assert.match(await said.innerText(), /^Picked up By keyboard, 9:00.*Luis Ortega\. Arrows move it/)
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    assert.match(await said.innerText(), /^9:30 – 10:45 AM, Tasha Nguyen$/u)
    await page.keyboard.press('Escape')
    assert.match(await said.innerText(), /back where it was/)
    assert.equal(await page.locator('.ghost').count(), 0)
    // A move costs three keys: pick up, an arrow, drop.
    for (const key of ['m', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    const moved = await saved(id, (job) => crew(job)[0] === tasha)
    assert.deepEqual([moved.scheduled_start, moved.duration_minutes], [`${day}T14:00:00.000Z`, 60])
    await visit(page, '9:00 – 10:00 AM', tasha).waitFor()
    await isLetGo(page)
    await until(page, 'document.activeElement.closest(".visit") !== null')
    assert.match(await page.locator('#told[role=status]').innerText(), /^Moved By keyboard/)
    await page.keyboard.press('m')
    for (const key of ['Delete', 'Enter']) await page.keyboard.press(key)
    await saved(id, (job) => job.status === 'unscheduled')
    await page.locator('#tray .visit', { hasText: 'By keyboard' }).waitFor()
    await close()
  })

  it('puts a refused visit back and says why', async () => {
    const day = freshDay()
    const { id } = await book('Changed meanwhile', `${day}T09:00`, { assignees: [luis] })
    const { page, close } = await openDay(day, { isAlone: true })
    await schedule.call('jobs_update', { id, scheduled_start: `${day}T11:00` })
    await drag(page, await top(visit(page, 'Changed meanwhile', luis)), () => slot(page, tasha, 14))
    await page.getByRole('alert').getByText('Not moved. Someone else changed this visit.').waitFor()
    await visit(page, '11:00 AM', luis).waitFor()
    await isLetGo(page)
    assert.equal(await visit(page, 'Changed meanwhile', tasha).count(), 0)
    assert.equal((await schedule.job(id)).scheduled_start, `${day}T16:00:00.000Z`)
    await page.getByRole('button', { name: 'Close' }).click()
    assert.equal(await page.locator('#told').isVisible(), false)
    await close()
  })

  it('shows what others change without a reload, and leaves the focus and a drag alone', async () => {
    const day = freshDay()
    const mine = await book('Mine', `${day}T09:00`, { assignees: [luis] })
    const { page, close } = await openDay(day)
    await visit(page, 'Mine', luis).getByRole('link').first().focus()
    const theirs = await book('Theirs', `${day}T11:00`, { assignees: [tasha] })
    await visit(page, 'Theirs', tasha).waitFor()
    assert.equal(await evaluateOn(page, 'document.activeElement.closest(".visit").dataset.job'), mine.id)
    const from = await top(visit(page, 'Mine', luis))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 60, { steps: 3 })
    const told = page.evaluate(`new Promise((resolve) => {
      const { events, read } = document.getElementById('schedule').dataset
      const source = new EventSource(events + '&since=' + encodeURIComponent(read))
      source.addEventListener('change', ({ data }) => { if (data.includes('${String(theirs.id)}')) resolve(source.close()) })
    })`)
    const change = page.waitForResponse((response) => response.url().includes('/schedule/board'))
    await schedule.call('jobs_update', { id: theirs.id, scheduled_start: `${day}T12:00` })
    await told
    await page.waitForTimeout(500)
    assert.equal(await page.locator('.ghost').count(), 1)
    assert.equal(await visit(page, '11:00 AM', tasha).count(), 1)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await change
    await visit(page, '12:00', tasha).waitFor()
    await close()
  })

  it('moves visits of a week from day to day, and keeps their time', async () => {
    const { id } = await book('Weekly', '2027-06-08T14:15', { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay('2027-06-08', { query: '&view=week' })
    await drag(page, await top(visit(page, 'Weekly', luis)), async () => top(page.locator(`#on-${tasha}-2027-06-10`)))
    const moved = await saved(id, (job) => crew(job)[0] === tasha)
    assert.deepEqual([moved.scheduled_start, moved.duration_minutes], ['2027-06-10T18:15:00.000Z', 60])
    await page.locator(`#on-${tasha}-2027-06-10 .visit[id]`, { hasText: 'Weekly' }).waitFor()
    await isLetGo(page)
    await page.locator(`#on-${tasha}-2027-06-10 .visit[id] a`).first().focus()
    for (const key of ['m', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await saved(id, (job) => job.scheduled_start === '2027-06-09T18:15:00.000Z')
    await close()
  })

  it('moves visits of a month from day to day by mouse and by keys, and keeps their time and crew', async () => {
    const { id } = await book('Monthly', '2027-07-08T14:15', { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay('2027-07-08', { query: '&view=month' })
    const monthly = page.locator('.month .visit[id]', { hasText: 'Monthly' })
    await drag(page, await top(monthly), async () => top(page.locator('#on-nobody-2027-07-21')))
    const moved = await saved(id, (job) => job.scheduled_start === '2027-07-21T18:15:00.000Z')
    assert.deepEqual([moved.duration_minutes, crew(moved)], [60, [luis]])
    await page.locator('#on-nobody-2027-07-21 .visit[id]').waitFor()
    await isLetGo(page)
    await monthly.locator('a').first().focus()
    for (const key of ['m', 'ArrowUp', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await saved(id, (job) => job.scheduled_start === '2027-07-15T18:15:00.000Z')
    await page.getByRole('button', { name: 'Undo' }).click()
    await saved(id, (job) => job.scheduled_start === '2027-07-21T18:15:00.000Z')
    await close()
  })

  it('moves a visit without script, by its form', async () => {
    const day = freshDay()
    const { id } = await book('No script', `${day}T09:00`, { assignees: [luis] })
    const { page, close } = await openDay(day, { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'Move No script' }).click()
    await page.getByLabel('Start').fill(`${day}T15:00`)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await visit(page, '3:00 – 4:00 PM', luis).waitFor()
    assert.equal((await schedule.job(id)).scheduled_start, `${day}T20:00:00.000Z`)
    await close()
  })
})
