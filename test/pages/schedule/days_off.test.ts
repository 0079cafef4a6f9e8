import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../../harness/harness.ts'
import { pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { openSchedule, visitsOf, type Schedule } from '../../harness/database/schedules.ts'
import { startSite, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let schedule: Schedule
let luis: string
let tasha: string
before(async () => {
  service = await startSite()
  schedule = await openSchedule(service)
  luis = (await schedule.hire('Luis Ortega')).id
  tasha = (await schedule.hire('Tasha Nguyen')).id
})
after(() => service.stop())

const hours = (...steps: string[]): string => schedule.at('settings', 'hours', ...steps)

/** Adds time off or different hours with the form. Returns the next page. */
async function takeOff(
  user: string | undefined,
  from: string,
  more: Record<string, string> = {},
): Promise<BrowserResponse> {
  const path = user === undefined ? hours() : hours(user)
  const sent = await sendForm(schedule.browser, path, Object.entries({ act: 'off', from, ...more }))
  assert.equal(sent.status, 303)
  return schedule.browser.get(path)
}

const titlesOf = (page: BrowserResponse): string[] =>
  [...page.text.matchAll(/<li><span><a href="[^"]*\/jobs\/[^"]*">([^<]*)</g)].map(([, title]) => title!)

describe('a day off', () => {
  it('lists the affected visits, with links to them and to the form that moves them', async () => {
    const book = (title: string, scheduled_start: string, more: object = {}) =>
      schedule.book({ title, scheduled_start, assignees: [luis], ...more })
    const visit = await book('Water heater', '2027-07-06T09:00')
    await book('Whole day', '2027-07-06T00:00', { all_day: true, duration_minutes: 1440 })
    await book('Day before', '2027-07-05T09:00')
    await book('Of another', '2027-07-06T09:00', { assignees: [tasha] })
    const { id } = await book('Done', '2027-07-06T11:00')
    await schedule.call('jobs_update', { id, status: 'done' })
    const gone = await book('Canceled', '2027-07-06T12:00')
    await schedule.call('jobs_cancel', { id: gone.id })
    const page = await takeOff(luis, '2027-07-06')
    assert.match(pageTextOf(page), /2 visits are booked at that time\. Move or reassign them\./)
    assert.deepEqual(titlesOf(page).sort(), ['Water heater', 'Whole day'])
    assert.ok(page.text.includes(`${schedule.movePath(visit.id, 'day=2027-07-06')}"`))
    await schedule.call('jobs_update', { id: visit.id, assignees: [tasha] })
    assert.deepEqual(titlesOf(await schedule.browser.get(hours(luis))), ['Whole day'])
  })

  it('for the whole company skips members with hours of their own, and lists unassigned visits', async () => {
    await schedule.book({ title: 'Of nobody', scheduled_start: '2027-08-03T09:00' })
    await schedule.book({ title: 'Of Luis', scheduled_start: '2027-08-03T09:00', assignees: [luis] })
    await schedule.book({ title: 'Of Tasha', scheduled_start: '2027-08-03T09:00', assignees: [tasha] })
    await takeOff(tasha, '2027-08-03', { 'hours.0.from': '08:00', 'hours.0.to': '12:00' })
    const page = await takeOff(undefined, '2027-08-03', { note: 'Inventory' })
    assert.deepEqual(titlesOf(page).sort(), ['Of Luis', 'Of nobody'])
    assert.deepEqual(titlesOf(await schedule.browser.get(hours(tasha))), [])
  })

  it('with different hours lists the visits outside those hours', async () => {
    await schedule.book({ title: 'Early', scheduled_start: '2027-08-10T09:00', assignees: [tasha] })
    await schedule.book({ title: 'Late', scheduled_start: '2027-08-10T14:00', assignees: [tasha] })
    const page = await takeOff(tasha, '2027-08-10', { 'hours.0.from': '08:00', 'hours.0.to': '12:00' })
    assert.match(pageTextOf(page), /One visit is booked at that time\./)
    assert.deepEqual(titlesOf(page), ['Late'])
  })

  it('shows no visit notice when there are none', async () => {
    assert.doesNotMatch(pageTextOf(await takeOff(tasha, '2027-09-01')), /booked at that time/)
  })
})

describe('a visit on a day off', () => {
  it('is marked as time off or holiday on the week and day schedule', async () => {
    await takeOff(luis, '2027-10-05')
    await takeOff(undefined, '2027-10-06')
    await schedule.book({ title: 'Both', scheduled_start: '2027-10-05T09:00', assignees: [luis, tasha] })
    await schedule.book({ title: 'Holiday', scheduled_start: '2027-10-06T09:00' })
    const week = await schedule.page('?day=2027-10-05&view=week')
    const isMarked = (page: BrowserResponse, mark: string) =>
      visitsOf(page)
        .filter(({ says }) => says.includes(mark))
        .map(({ lane }) => lane)
    assert.deepEqual(isMarked(week, 'Time off'), ['Luis Ortega 2027-10-05'])
    assert.match(week.text, /<span class="stop-who">Luis Ortega, Tasha Nguyen · Scheduled · Time off</)
    assert.match(week.text, /<span class="stop-who">Unassigned · Scheduled · Holiday</)
    assert.deepEqual(isMarked(await schedule.page('?day=2027-10-05'), 'Time off'), ['Luis Ortega'])
    const holiday = await schedule.page('?day=2027-10-06')
    assert.equal(visitsOf(holiday)[0]!.says.startsWith('9:00 – 10:00 AM Holiday'), true)
  })
})
