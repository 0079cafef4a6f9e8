import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { load } from 'cheerio'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { formAt, pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../../harness/web_client.ts'

const ZONE = 'America/New_York'
const [NORTH, SOUTH] = [
  { latitude: 40.9, longitude: -74 },
  { latitude: 40.5, longitude: -74 },
]
const DAY = (() => {
  const today = Temporal.Now.plainDateISO(ZONE)
  return today.add({ days: 15 - today.dayOfWeek }).toString()
})()

let service: TestService
let schedule: Schedule
let leo: string
let mia: string
before(async () => {
  service = await startSite()
})
after(() => service.stop())
beforeEach(async () => {
  schedule = await openSchedule(service)
  leo = (await schedule.hire('Leo Ruiz')).id
  mia = (await schedule.hire('Mia Chen')).id
})

async function book(place: object, more: object = {}): Promise<Result> {
  const customer = await schedule.customer('Ana', { locations: [{ address_line1: '1 Main St', ...place }] })
  return schedule.book({ customer_id: customer.id, duration_minutes: 60, ...more })
}

const at = (job: Result, more = ''): string => `${schedule.at('schedule', 'fit', String(job.id))}?day=${DAY}${more}`
const slotsOn = (page: BrowserResponse): string[] =>
  load(page.text)('[name="slot"]')
    .get()
    .map(({ attribs }) => attribs['value'] ?? '')
const chooseSlot = async (path: string, slot: string, page?: BrowserResponse): Promise<BrowserResponse> =>
  sendForm(schedule.browser, path, [...formAt(page ?? (await schedule.browser.get(path)), path), ['slot', slot]])

describe('the Fit in page', () => {
  it('offers three times with the least extra driving first, and shows them on the board', async () => {
    await book(NORTH, { scheduled_start: `${DAY}T08:00`, assignees: [leo] })
    await book(SOUTH, { scheduled_start: `${DAY}T08:00`, assignees: [mia] })
    const job = await book(SOUTH, { title: 'Waits' })
    const tray = load((await schedule.browser.get(`${schedule.at('schedule')}?day=${DAY}`)).text)
    assert.equal(tray('.waiting .visit-fit').attr('href'), at(job))
    const page = await schedule.browser.get(at(job))
    const slots = slotsOn(page)
    assert.equal(slots.length, 3)
    assert.equal(slots[0]?.split('|')[1], mia)
    assert.match(pageTextOf(page), /Mia Chen No extra driving Book/)
    const nowhere = await schedule.book({ duration_minutes: 60 })
    assert.doesNotMatch(pageTextOf(await schedule.browser.get(at(nowhere))), /First visit of that day/)
    assert.ok(load(page.text)('.board .proposed').length >= 1)
    assert.equal((await schedule.job(job.id)).status, 'unscheduled')
  })

  it('books the chosen time, which can be undone', async () => {
    const job = await book(SOUTH, { title: 'Waits' })
    const [slot = ''] = slotsOn(await schedule.browser.get(at(job)))
    const sent = await chooseSlot(at(job), slot)
    assert.deepEqual([sent.status, sent.location], [303, `${schedule.at('schedule')}?day=${DAY}`])
    const booked = await schedule.job(job.id)
    const [start, user] = slot.split('|')
    assert.deepEqual(
      [booked.status, booked.scheduled_start, (booked['assignments'] as { user_id: string }[])[0]?.user_id],
      ['scheduled', start, user],
    )
    const undo = schedule.at('undo')
    const page = await schedule.browser.get(sent.location ?? '')
    assert.equal((await sendForm(schedule.browser, undo, formAt(page, undo))).status, 303)
    const back = await schedule.job(job.id)
    assert.deepEqual([back.status, back.scheduled_start], ['unscheduled', null])
  })

  it('offers other times with 409 when the time was taken or the job changed meanwhile', async () => {
    const job = await book(SOUTH, { title: 'Waits' })
    const page = await schedule.browser.get(at(job))
    const [slot = ''] = slotsOn(page)
    const [start, user = ''] = slot.split('|')
    await book(SOUTH, { scheduled_start: start, assignees: [user] })
    const late = await chooseSlot(at(job), slot, page)
    assert.equal(late.status, 409)
    assert.match(pageTextOf(late), /Nothing was moved/)
    assert.ok(slotsOn(late).length === 3 && !slotsOn(late).includes(slot))
    await schedule.call('jobs_update', { id: job.id, title: 'Still waits' })
    assert.equal((await chooseSlot(at(job), slotsOn(late)[0] ?? '', late)).status, 409)
    assert.equal((await schedule.job(job.id)).status, 'unscheduled')
  })

  it('offers other times when the technician is off meanwhile, and redirects on an invalid time', async () => {
    const job = await book(SOUTH, { title: 'Waits' })
    const page = await schedule.browser.get(at(job))
    const [slot = ''] = slotsOn(page)
    const [start = '', user = ''] = slot.split('|')
    const from = Temporal.Instant.from(start).toZonedDateTimeISO(ZONE).toPlainDate().toString()
    const off = await schedule.browser.post(schedule.at('settings', 'hours', user), { act: 'off', from })
    assert.equal(off.status, 303)
    const late = await chooseSlot(at(job), slot, page)
    assert.equal(late.status, 409)
    assert.ok(slotsOn(late).every((other) => !other.startsWith(start.slice(0, 10)) || !other.endsWith(user)))
    const wrong = await chooseSlot(at(job), `${DAY.slice(0, 4)}-99-99T15:00:00.000Z|${user}`, page)
    assert.deepEqual([wrong.status, wrong.location], [303, at(job)])
    assert.equal((await schedule.job(job.id)).status, 'unscheduled')
  })

  it('skips excluded technicians, and returns 404 without edit access or to another company', async () => {
    const job = await book(SOUTH, { title: 'Waits' })
    const slots = slotsOn(await schedule.browser.get(at(job, `&without=${leo}`)))
    assert.ok(slots.length === 3 && slots.every((slot) => slot.endsWith(mia)))
    const viewer = await schedule.signInMember('office', { 'Jobs & scheduling': 'view' })
    assert.equal((await viewer.browser.get(at(job))).status, 404)
    const form: [string, string][] = [
      ['slot', slots[0] ?? ''],
      ['expected_updated_at', String(job.updated_at)],
    ]
    assert.equal((await sendForm(viewer.browser, at(job), form)).status, 404)
    const other = await openSchedule(service, 'Birch Heating')
    assert.equal((await other.browser.get(at(job))).status, 404)
    const stranger = await other.hire('Zoe Stranger')
    for (const slot of ['x', `${DAY}T15:00:00.000Z|${stranger.id}`]) await chooseSlot(at(job), slot)
    assert.equal((await schedule.job(job.id)).status, 'unscheduled')
  })
})
