import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { removeMember } from '../../../src/identity/people/people.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { pageTextOf } from '../../harness/identity/people_pages.ts'
import { lanesOf, openSchedule, visitsOf, type Schedule } from '../../harness/database/schedules.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'

let service: TestService
let schedule: Schedule
let luis: { id: string; email: string }
let tasha: { id: string; email: string }

before(async () => {
  service = await startSite()
  schedule = await openSchedule(service)
  luis = await schedule.hire('Luis Ortega')
  tasha = await schedule.hire('Tasha Nguyen')
})
after(() => service.stop())

const here = (seen: { text: string }, title: string) => visitsOf(seen).filter(({ says }) => says.includes(title))
const positionsOf = (seen: { text: string }, title: string) =>
  here(seen, title).map(({ lane, classes }) =>
    [lane, ...classes.filter((name) => /^(h|m|fh|fm|c|n|w)\d+$/.test(name))].join(' '),
  )

describe('the day schedule', () => {
  it('shows a visit in the lane of each assignee, at its time, with its full label', async () => {
    await schedule.book({
      title: 'Two of us',
      scheduled_start: '2026-05-12T09:00',
      duration_minutes: 90,
      assignees: [luis.id, tasha.id],
    })
    const page = await schedule.page('?day=2026-05-12')
    assert.equal(page.status, 200)
    assert.deepEqual(lanesOf(page), ['Unassigned', 'Luis Ortega', 'Tasha Nguyen'])
    assert.deepEqual(
      positionsOf(page, 'Two of us'),
      ['Luis Ortega', 'Tasha Nguyen'].map((name) => `${name} h9 m0 fh1 fm30 c0 n1 w1`),
    )
    assert.equal(
      here(page, 'Two of us')[0]?.says.replace(/\s/gu, ' '),
      "9:00 – 10:30 AM Two of us , Maeve O'Connell , Luis Ortega, Tasha Nguyen, Scheduled",
    )
    assert.ok(pageTextOf(page).includes('Tue, May 12, 2026'))
    assert.ok(pageTextOf(page).includes('Times are in the America/New York time zone.'))
  })

  it('shows overlapping visits side by side, and gives short ones a minimum height', async () => {
    const book = (title: string, at: string, duration_minutes: number) =>
      schedule.book({ title, scheduled_start: `2026-05-13T${at}`, duration_minutes, assignees: [luis.id] })
    await book('Long', '09:00', 120)
    await book('Beside', '09:30', 60)
    await book('After', '11:00', 10)
    const page = await schedule.page('?day=2026-05-13')
    assert.deepEqual([positionsOf(page, 'Long'), positionsOf(page, 'Beside'), positionsOf(page, 'After')].flat(), [
      'Luis Ortega h9 m0 fh2 fm0 c0 n2 w1',
      'Luis Ortega h9 m30 fh1 fm0 c1 n2 w1',
      'Luis Ortega h11 m0 fh0 fm30 c0 n1 w1',
    ])
  })

  it('shows unassigned visits in their own lane, all-day visits without a time, and a waiting list', async () => {
    await schedule.book({ title: 'Whoever can', scheduled_start: '2026-05-14T10:00' })
    await schedule.book({
      title: 'Some time',
      scheduled_start: '2026-05-14T00:00',
      all_day: true,
      assignees: [luis.id],
    })
    await schedule.book({ title: 'Low waits', priority: 'low', duration_minutes: 45 })
    await schedule.book({ title: 'Urgent waits', priority: 'urgent', duration_minutes: 120 })
    const page = await schedule.page('?day=2026-05-14')
    assert.deepEqual(
      here(page, 'Whoever can').map(({ lane }) => lane),
      ['Unassigned'],
    )
    const [some] = here(page, 'Some time')
    assert.ok(some?.says.startsWith('Any time'))
    assert.equal(some?.data['from'], undefined)
    const waits = here(page, 'waits')
    assert.deepEqual(
      waits.map(({ lane, data }) => [lane, data['long']]),
      [
        ['Unscheduled', '120'],
        ['Unscheduled', '45'],
      ],
    )
    assert.ok(waits[0]?.says.includes('Urgent'))
  })

  it('leaves out canceled visits, and shows the status of the others', async () => {
    const gone = await schedule.book({ title: 'Called off', scheduled_start: '2026-05-15T09:00' })
    const done = await schedule.book({ title: 'All done', scheduled_start: '2026-05-15T10:00' })
    await schedule.call('jobs_cancel', { id: gone.id })
    await schedule.call('jobs_update', { id: done.id, status: 'done' })
    const page = await schedule.page('?day=2026-05-15')
    assert.deepEqual(here(page, 'Called off'), [])
    const [one] = here(page, 'All done')
    assert.ok(one?.says.endsWith('Done') && one.classes.includes('done'))
    assert.equal(one?.data['fixed'], 'done')
  })

  it('extends its hours to fit the visits, and continues a visit from the day before', async () => {
    await schedule.book({
      title: 'Over night',
      scheduled_start: '2026-05-18T22:30',
      duration_minutes: 8 * 60,
      assignees: [luis.id],
    })
    const [first, second] = [await schedule.page('?day=2026-05-18'), await schedule.page('?day=2026-05-19')]
    assert.ok(first.text.includes('class="board s7 u24'))
    assert.deepEqual(positionsOf(first, 'Over night'), ['Luis Ortega h22 m30 fh1 fm30 c0 n1 w1'])
    assert.ok(second.text.includes('class="board s0 u19'))
    assert.deepEqual(positionsOf(second, 'Over night'), ['Luis Ortega h0 m0 fh6 fm30 c0 n1 w1'])
    assert.equal(here(second, 'Over night')[0]?.data['fixed'], 'earlier')
    assert.deepEqual(here(await schedule.page('?day=2026-05-20'), 'Over night'), [])
  })

  it('follows the clock on days with 23 and 25 hours', async () => {
    await schedule.book({ title: 'In spring', scheduled_start: '2026-03-08T09:00' })
    await schedule.book({ title: 'First of two', scheduled_start: '2026-11-01T05:30:00Z' })
    await schedule.book({ title: 'Second of two', scheduled_start: '2026-11-01T06:30:00Z' })
    const [spring, autumn] = [await schedule.page('?day=2026-03-08'), await schedule.page('?day=2026-11-01')]
    assert.deepEqual(positionsOf(spring, 'In spring'), ['Unassigned h8 m0 fh1 fm0 c0 n1 w1'])
    assert.ok(pageTextOf(spring).includes('The clocks change on this day: it has 23 hours.'))
    assert.ok(/<li class="h8 m0">9 AM<\/li>/.test(spring.text))
    assert.deepEqual([positionsOf(autumn, 'First of two'), positionsOf(autumn, 'Second of two')].flat(), [
      'Unassigned h1 m30 fh1 fm0 c0 n1 w1',
      'Unassigned h2 m30 fh1 fm0 c0 n1 w1',
    ])
    assert.equal(autumn.text.match(/>1 AM<\/li>/g)?.length, 2)
  })

  it('shows an all-day visit of several days on each of them', async () => {
    await schedule.book({
      title: 'Two days',
      scheduled_start: '2026-05-21T00:00',
      all_day: true,
      duration_minutes: 2 * 1440,
    })
    const shown = await Promise.all(
      ['20', '21', '22', '23'].map(async (day) => here(await schedule.page(`?day=2026-05-${day}`), 'Two days').length),
    )
    assert.deepEqual(shown, [0, 1, 1, 0])
  })

  it('escapes HTML in a title', async () => {
    await schedule.book({ title: '<script>alert(1)</script>"\'&', scheduled_start: '2026-05-22T09:00' })
    const page = await schedule.page('?day=2026-05-22')
    assert.ok(!page.text.includes('<script>alert'))
    assert.equal(here(page, '<script>alert(1)</script>"\'&').length, 1)
  })

  it('keeps a lane for a former member with a visit on that day', async () => {
    const cole = await schedule.hire('Cole Hendricks')
    await schedule.book({ title: 'Left behind', scheduled_start: '2026-05-25T09:00', assignees: [cole.id] })
    await removeMember(service.database, { tenant: schedule.id }, cole.id)
    assert.deepEqual(lanesOf(await schedule.page('?day=2026-05-25')), [
      'Unassigned',
      'Luis Ortega',
      'Tasha Nguyen',
      'Cole Hendricks',
    ])
    assert.deepEqual(lanesOf(await schedule.page('?day=2026-05-26')), ['Unassigned', 'Luis Ortega', 'Tasha Nguyen'])
  })

  it('shows all 120 visits of a busy day', async () => {
    await writeTenant(service.database, { tenant: schedule.id }, (db) =>
      db.run(sql`
      insert into jobs (tenant_id, id, number, customer_id, title, title_folded, status, priority, scheduled_start, scheduled_end, duration_minutes, all_day,
        arrival_window_minutes, timezone, assignee_ids, line_items, subtotal_cents, fields)
      select ${schedule.id}, gen_random_uuid(), 10000 + i, ${schedule.maeve.id}, 'Many', 'many', 'scheduled', 'normal', '2026-06-01T13:00:00Z', '2026-06-01T14:00:00Z', 60, false,
        0, 'America/New_York', '{}', '[]', 0, '{}' from generate_series(1, 120) i`),
    )
    assert.equal(here(await schedule.page('?day=2026-06-01'), 'Many').length, 120)
  })
})

describe('the week schedule', () => {
  it("shows visits by technician and day, starting on the country's first day of the week", async () => {
    await schedule.book({
      title: 'On Wednesday',
      scheduled_start: '2026-07-08T13:00',
      duration_minutes: 60,
      assignees: [tasha.id],
    })
    await schedule.book({
      title: 'Through Friday',
      scheduled_start: '2026-07-09T22:00',
      duration_minutes: 240,
      assignees: [luis.id],
    })
    const page = await schedule.page('?day=2026-07-08&view=week')
    assert.ok(pageTextOf(page).includes('Jul 5 – 11, 2026'))
    assert.deepEqual(
      here(page, 'On Wednesday').map(({ lane, data }) => [lane, data['time']]),
      [['Tasha Nguyen 2026-07-08', '13:00']],
    )
    assert.deepEqual(
      here(page, 'Through Friday').map(({ lane, classes, data }) => [lane, classes.includes('d2'), data['fixed']]),
      [['Luis Ortega 2026-07-09', true, undefined]],
    )
    assert.ok(here(page, 'On Wednesday')[0]?.says.replace(/\s/gu, ' ').startsWith('1:00 PM to 2:00 PM On Wednesday'))
  })
})

describe('navigation on the schedule', () => {
  it('links to the previous and next day or week, and to the other view', async () => {
    const { text } = await schedule.page('?day=2026-03-01')
    for (const query of ['day=2026-02-28"', 'day=2026-03-02"', 'day=2026-03-01&amp;view=week"'])
      assert.ok(text.includes(`/schedule?${query}`), query)
    const week = (await schedule.page('?day=2026-03-01&view=week')).text
    for (const query of ['day=2026-02-22&amp;view=week"', 'day=2026-03-08&amp;view=week"', 'day=2026-03-01"'])
      assert.ok(week.includes(`/schedule?${query}`), query)
    assert.ok(pageTextOf(await schedule.page()).includes('Schedule · today'))
  })

  it('returns 422 for an invalid date, and shows today', async () => {
    for (const day of ['2026-02-30', 'tomorrow', '1999-12-31', '2101-01-01', '<b>']) {
      const page = await schedule.page(`?day=${encodeURIComponent(day)}`)
      assert.equal(page.status, 422, day)
      assert.ok(pageTextOf(page).includes(`(got '${day}')`) && pageTextOf(page).includes('Schedule · today'), day)
    }
  })
})

describe('access to the schedule', () => {
  it('redirects signed-out users to sign-in with the day as return URL', async () => {
    const { status, location } = await newBrowser(service).get(`${schedule.at('schedule')}?day=2026-05-12`)
    assert.deepEqual(
      [status, location],
      [303, `/sign-in?to=${encodeURIComponent(`${schedule.at('schedule')}?day=2026-05-12`)}`],
    )
  })

  it('returns 404 without access to jobs, and to another company', async () => {
    const none = await schedule.signInMember('tech', { 'Jobs & scheduling': 'none' })
    const stranger = await openSchedule(service, 'Birch Heating')
    for (const path of ['schedule', 'schedule/board', 'schedule/events']) {
      assert.equal((await none.browser.get(schedule.at(path))).status, 404, path)
      assert.equal((await stranger.browser.get(schedule.at(path))).status, 404, path)
    }
  })

  it('is read-only with view access to jobs', async () => {
    const viewer = await schedule.signInMember('tech', { 'Jobs & scheduling': 'view' })
    const { text } = await schedule.page('?day=2026-05-12', viewer.browser)
    assert.ok(
      text.includes('Two of us') &&
        !text.includes('visit-move') &&
        !text.includes('data-moves') &&
        !text.includes('New job'),
    )
  })

  it("shows a technician's own lane first", async () => {
    const browser = await schedule.signInAs(tasha.email)
    assert.equal(lanesOf(await schedule.page('', browser))[0], 'Tasha Nguyen')
  })
})

describe('the board fragment', () => {
  it('returns only the board, without a page around it, and refuses POST with 405', async () => {
    const part = await schedule.browser.get(schedule.at('schedule', 'board?day=2026-05-12'))
    assert.ok(
      part.text.includes('Two of us') &&
        !part.text.includes('<html') &&
        part.text.trim().startsWith('<div class="schedule'),
    )
    assert.equal((await schedule.browser.post(schedule.at('schedule'), {})).status, 405)
    assert.equal((await schedule.browser.post(schedule.at('schedule', 'board'), {})).status, 405)
  })
})
