import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { boxOf, evaluateOn, inBrowser, until } from '../harness/launch.ts'
import { crew, drag, isLetGo, isStill, slot, top, visit, openBoard, type Board } from './board.ts'

let { schedule, luis, tasha, freshDay, book, openDay, waitForJob, stop } = {} as Board

inBrowser('moving visits', () => {
  before(async () => {
    ;({ schedule, luis, tasha, freshDay, book, openDay, waitForJob, stop } = await openBoard())
  })
  after(() => stop())

  it('moves a dragged visit to another time and technician, and extends it by its lower edge', async () => {
    const day = freshDay()
    const { id } = await book('Dragged', `${day}T09:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day)
    await drag(page, await top(visit(page, 'Dragged', luis)), () => slot(page, tasha, 13.5))
    const moved = await waitForJob(id, (job) => crew(job)[0] === tasha)
    assert.equal(moved.scheduled_start, `${day}T18:30:00.000Z`)
    const there = visit(page, '1:30 – 2:30 PM', tasha)
    await there.waitFor()
    await isLetGo(page)
    assert.equal(await visit(page, 'Dragged', luis).count(), 0)
    await there.hover()
    const { x, y, width, height } = await boxOf(there)
    await drag(page, { x: x + width / 2, y: y + height - 3 }, () => slot(page, tasha, 16))
    assert.equal((await waitForJob(id, (job) => job.duration_minutes !== 60)).duration_minutes, 150)
    await visit(page, '1:30 – 4:00 PM', tasha).waitFor()
    assert.equal(new URL(page.url()).pathname, schedule.at('schedule'))
    await close()
  })

  it('moves a visit on long press by touch; a swipe scrolls', async () => {
    const day = freshDay()
    const { id, updated_at: made } = await book('By finger', `${day}T09:00`, {
      assignees: [luis],
      duration_minutes: 60,
    })
    // Visits from early to late make the board taller than its window.
    for (const hour of ['05', '21'])
      await book(`At ${hour}`, `${day}T${hour}:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day, { hasTouch: true, viewport: { width: 1280, height: 440 } })
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints })
    const from = await top(visit(page, 'By finger', luis))
    // In a low window the board, the page around it or both scroll.
    const scrolled = 'document.getElementById("board").scrollTop + scrollY'
    const before = await evaluateOn(page, scrolled)
    // Sent in one batch, because a pause between two events could count as a long press.
    await Promise.all([
      touch('touchStart', from),
      ...[20, 40, 60, 80, 100].map((moved) => touch('touchMove', { x: from.x, y: from.y - moved })),
      touch('touchEnd'),
    ])
    await until(page, `${scrolled} > ${String(before)}`)
    await isStill(page, scrolled)
    assert.equal(await page.locator('.ghost').count(), 0)
    // The swipe may have scrolled past the visit. A long press needs it in view and not moving.
    await visit(page, 'By finger', luis).evaluate((one) => {
      one.scrollIntoView({ block: 'center', behavior: 'instant' })
    })
    await isStill(page, scrolled)
    await touch('touchStart', await top(visit(page, 'By finger', luis)))
    await page.locator('.ghost').waitFor()
    await touch('touchMove', await slot(page, tasha, 11))
    await touch('touchEnd')
    assert.deepEqual(crew(await waitForJob(id, ({ updated_at }) => updated_at !== made)), [tasha])
    await close()
  })

  it('schedules an unscheduled visit by drop, moves it to "Any time", and returns it to the tray', async () => {
    const day = freshDay()
    const { id } = await schedule.book({ title: 'From the list', duration_minutes: 45 })
    const { page, close } = await openDay(day)
    const waits = page.locator('#tray .visit:not(.held)', { hasText: 'From the list' })
    await drag(page, await top(waits), () => slot(page, luis, 10.25))
    const booked = await waitForJob(id, (job) => job.status === 'scheduled')
    assert.deepEqual(
      [booked.scheduled_start, booked.scheduled_end, crew(booked)],
      [`${day}T15:15:00.000Z`, `${day}T16:00:00.000Z`, [luis]],
    )
    await visit(page, 'From the list', luis).waitFor()
    await isLetGo(page)
    await drag(page, await top(visit(page, 'From the list', luis)), async () => top(page.locator(`#any-${tasha}`)))
    assert.deepEqual(crew(await waitForJob(id, (job) => job.all_day === true)), [tasha])
    await visit(page, 'Any time', tasha).waitFor()
    await isLetGo(page)
    await drag(page, await top(visit(page, 'From the list', tasha)), async () => top(page.locator('#tray h2')))
    await waitForJob(id, (job) => job.status === 'unscheduled')
    await waits.waitFor()
    await close()
  })

  it('moves visits between days of a week and keeps their time', async () => {
    const { id } = await book('Weekly', '2027-06-08T14:15', { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay('2027-06-08', { query: '&view=week' })
    await drag(page, await top(visit(page, 'Weekly', luis)), async () => top(page.locator(`#on-${tasha}-2027-06-10`)))
    const moved = await waitForJob(id, (job) => crew(job)[0] === tasha)
    assert.deepEqual([moved.scheduled_start, moved.duration_minutes], ['2027-06-10T18:15:00.000Z', 60])
    await page.locator(`#on-${tasha}-2027-06-10 .visit[id]`, { hasText: 'Weekly' }).waitFor()
    await isLetGo(page)
    await page.locator(`#on-${tasha}-2027-06-10 .visit[id] a`).first().focus()
    for (const key of ['m', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
    await waitForJob(id, (job) => job.scheduled_start === '2027-06-09T18:15:00.000Z')
    await close()
  })

  it('moves visits between days of a month by mouse and keyboard, and keeps their time and crew', async () => {
    const { id } = await book('Monthly', '2027-07-08T14:15', { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay('2027-07-08', { query: '&view=month' })
    const monthly = page.locator('.month .visit[id]', { hasText: 'Monthly' })
    await drag(page, await top(monthly), async () => top(page.locator('#on-nobody-2027-07-21')))
    const moved = await waitForJob(id, (job) => job.scheduled_start === '2027-07-21T18:15:00.000Z')
    assert.deepEqual([moved.duration_minutes, crew(moved)], [60, [luis]])
    await page.locator('#on-nobody-2027-07-21 .visit[id]').waitFor()
    await isLetGo(page)
    await monthly.locator('a').first().focus()
    for (const key of ['m', 'ArrowUp', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await waitForJob(id, (job) => job.scheduled_start === '2027-07-15T18:15:00.000Z')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForJob(id, (job) => job.scheduled_start === '2027-07-21T18:15:00.000Z')
    await close()
  })

  it('keeps a visit picked up while an undo completes', async () => {
    const day = freshDay()
    await book('Held', `${day}T09:00`, { assignees: [luis], duration_minutes: 60 })
    const { id } = await book('Undone', `${day}T13:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day)
    await visit(page, 'Undone', luis).getByRole('link').first().focus()
    for (const key of ['m', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
    await visit(page, 'Undone', tasha).waitFor()
    await isLetGo(page)
    const { promise: isHeld, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/schedule/move/*', async (route) => {
      await isHeld
      await route.continue()
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await visit(page, 'Held', luis).getByRole('link').first().focus()
    await page.keyboard.press('m')
    answer()
    await page.locator('#said', { hasText: 'It is back where it was.' }).waitFor()
    assert.equal(await evaluateOn(page, `document.getElementById('schedule').isBusy`), true)
    await page.keyboard.press('Escape')
    await visit(page, 'Undone', luis).waitFor()
    assert.deepEqual(crew(await schedule.job(id)), [luis])
    await close()
  })

  it('moves a visit without JavaScript, through its form', async () => {
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
