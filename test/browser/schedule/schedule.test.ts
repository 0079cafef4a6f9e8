import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { passesAxe } from '../harness/axe.ts'
import { SIZES, evaluateOn, inBrowser, until } from '../harness/launch.ts'
import { crew, drag, isLetGo, slot, top, visit, openBoard, type Board } from './board.ts'

const BUSY = '2026-05-12'

let { service, schedule, luis, tasha, freshDay, book, openDay, waitForJob, stop } = {} as Board

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

inBrowser('the schedule', () => {
  before(async () => {
    ;({ service, schedule, luis, tasha, freshDay, book, openDay, waitForJob, stop } = await openBoard())
    await fillDay()
  })
  after(() => stop())

  it('shows overlaps during a drag and after the drop without an alert, and undoes the move', async () => {
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

  it('passes every axe rule in light and dark, without browser errors', async () => {
    const { page, complaints, close } = await openDay(BUSY)
    await passesAxe(page, 'day')
    await page.getByRole('link', { name: 'Week', exact: true }).click()
    await page.locator('.week').waitFor()
    await passesAxe(page, 'week')
    await page.locator('.visit-move').first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/move\//)
    await passesAxe(page, 'form')
    assert.deepEqual(complaints, [])
    await close()
  })

  it('fits a phone: no horizontal scrolling, large touch targets, and passes axe', async () => {
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

  it('works by keyboard: M picks up, arrows move, Enter drops, Escape cancels; each step is announced', async () => {
    const day = freshDay()
    const { id } = await book('By keyboard', `${day}T09:00`, { assignees: [luis], duration_minutes: 60 })
    const { page, close } = await openDay(day)
    // The effect of a drop is announced a moment later (day_plan.test.ts).
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
    // A move takes three keys: pick up, an arrow, drop. A second Enter during the save does nothing.
    const { promise: mayBeSaved, resolve: letSave } = Promise.withResolvers<void>()
    await page.route('**/schedule/move/*', async (route) => {
      await mayBeSaved
      await route.continue()
    })
    for (const key of ['m', 'ArrowRight', 'Enter', 'Enter']) await page.keyboard.press(key)
    letSave()
    const moved = await waitForJob(id, (job) => crew(job)[0] === tasha)
    assert.deepEqual([moved.scheduled_start, moved.duration_minutes], [`${day}T14:00:00.000Z`, 60])
    await visit(page, '9:00 – 10:00 AM', tasha).waitFor()
    await isLetGo(page)
    await until(page, 'document.activeElement.closest(".visit") !== null')
    assert.match(await page.locator('#told[role=status]').innerText(), /^Moved By keyboard/)
    await page.keyboard.press('m')
    for (const key of ['Delete', 'Enter']) await page.keyboard.press(key)
    await waitForJob(id, (job) => job.status === 'unscheduled')
    await page.locator('#tray .visit', { hasText: 'By keyboard' }).waitFor()
    await close()
  })

  it('puts back a visit whose move was rejected, and says why', async () => {
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

  it("shows others' changes without a reload, and does not disturb the focus or a drag", async () => {
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
})
