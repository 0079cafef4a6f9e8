import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { errorAt, formAt, pageTextOf, sendForm, submit } from '../../harness/identity/people_pages.ts'
import { openSchedule, type Schedule } from '../../harness/database/schedules.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'

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

const crew = (job: Result): string[] => (job['assignments'] as { name: string }[]).map(({ name }) => name)
const bookJob = (more: object = {}): Promise<Result> =>
  schedule.book({ scheduled_start: '2026-05-12T09:00', duration_minutes: 90, assignees: [luis, tasha], ...more })

describe('the form that moves a visit', () => {
  it("opens with the visit's current values, and moves it", async () => {
    const job = await bookJob()
    const path = schedule.movePath(job.id)
    const page = await schedule.browser.get(path)
    const form = new URLSearchParams(formAt(page, path))
    assert.deepEqual(
      [form.get('scheduled_start'), form.get('duration_minutes'), form.getAll('assignees').length],
      ['2026-05-12T09:00', '90', 2],
    )
    assert.ok(pageTextOf(page).includes('Luis Ortega, Tasha Nguyen'))
    const sent = await submit(schedule.browser, path, {
      scheduled_start: '2026-05-14T13:30',
      duration_minutes: '45',
      assignees: tasha,
    })
    assert.deepEqual([sent.status, sent.location], [303, `${schedule.at('schedule')}?day=2026-05-14`])
    const moved = await schedule.job(job.id)
    assert.deepEqual(
      [moved.scheduled_start, moved.scheduled_end, crew(moved)],
      ['2026-05-14T17:30:00.000Z', '2026-05-14T18:15:00.000Z', ['Tasha Nguyen']],
    )
    assert.equal((await schedule.entries(job.id)).at(-1)?.tool, 'jobs.update')
  })

  it('suggests a time on the viewed day for an unscheduled job, and removes a visit from the schedule', async () => {
    const job = await schedule.book({ title: 'Waits' })
    const path = schedule.movePath(job.id, 'day=2026-05-13&view=week')
    const opened = await schedule.browser.get(path)
    assert.ok(pageTextOf(opened).includes('Not scheduled') && !opened.text.includes('Remove from schedule'))
    const sent = await submit(schedule.browser, path)
    assert.equal(sent.location, `${schedule.at('schedule')}?day=2026-05-13&view=week`)
    assert.equal((await schedule.job(job.id)).scheduled_start, '2026-05-13T13:00:00.000Z')
    await submit(schedule.browser, path, { unschedule: 'yes' })
    const { status, scheduled_start } = await schedule.job(job.id)
    assert.deepEqual([status, scheduled_start], ['unscheduled', null])
  })

  it('writes nothing when nothing changed', async () => {
    const job = await bookJob()
    assert.equal((await submit(schedule.browser, schedule.movePath(job.id))).status, 303)
    assert.equal((await schedule.job(job.id)).updated_at, job.updated_at)
  })

  it('shows the error at its field, and keeps what was typed', async () => {
    const job = await bookJob()
    const path = schedule.movePath(job.id)
    const page = await submit(schedule.browser, path, { duration_minutes: '2', scheduled_start: '2026-05-15T10:00' })
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'duration_minutes') ?? '', /^Enter a whole number from/)
    assert.equal(new URLSearchParams(formAt(page, path)).get('scheduled_start'), '2026-05-15T10:00')
    assert.equal((await schedule.job(job.id)).updated_at, job.updated_at)
  })

  it('shows both versions after a concurrent change, and moves the visit when sent again', async () => {
    const job = await bookJob()
    const path = schedule.movePath(job.id)
    const opened = formAt(await schedule.browser.get(path), path)
    await schedule.call('jobs_update', { id: job.id, scheduled_start: '2026-05-12T16:00' })
    const typed = { ...Object.fromEntries(opened), scheduled_start: '2026-05-12T11:00' }
    const stale = await schedule.browser.post(path, typed)
    assert.equal(stale.status, 409)
    assert.ok(pageTextOf(stale).includes('Someone else changed this') && pageTextOf(stale).includes('4:00'))
    const kept = formAt(stale, path)
    assert.equal(new URLSearchParams(kept).get('scheduled_start'), '2026-05-12T11:00')
    assert.equal((await schedule.browser.post(path, Object.fromEntries(kept))).status, 303)
    assert.equal((await schedule.job(job.id)).scheduled_start, '2026-05-12T15:00:00.000Z')
  })

  it('keeps what was typed when the session has ended', async () => {
    const job = await bookJob()
    const page = await newBrowser(service).post(schedule.movePath(job.id), { scheduled_start: '2026-05-16T08:00' })
    assert.equal(page.status, 401)
    const [, typed = ''] = formAt(page, '/sign-in').find(([name]) => name === 'typed') ?? []
    assert.equal(Buffer.from(typed, 'base64url').toString(), 'scheduled_start=2026-05-16T08%3A00')
  })

  it('returns 404 for a canceled visit, and a form opened earlier gets 409 with the reason', async () => {
    const job = await bookJob()
    const path = schedule.movePath(job.id)
    const opened = formAt(await schedule.browser.get(path), path)
    const { updated_at } = await schedule.call('jobs_cancel', { id: job.id })
    assert.equal((await schedule.browser.get(path)).status, 404)
    const sent = await schedule.browser.post(path, {
      ...Object.fromEntries(opened),
      unschedule: 'yes',
      expected_updated_at: String(updated_at),
    })
    assert.equal(sent.status, 409)
    assert.match(pageTextOf(sent), /This job is canceled, so it can’t be changed\./)
  })

  it('returns 404 with view access, to another company and for an unknown job', async () => {
    const job = await bookJob()
    const viewer = await schedule.signInMember('tech', { 'Jobs & scheduling': 'view' })
    const stranger = await openSchedule(service, 'Birch Heating')
    assert.equal((await viewer.browser.get(schedule.movePath(job.id))).status, 404)
    assert.equal((await viewer.browser.post(schedule.movePath(job.id), { unschedule: 'yes' })).status, 404)
    assert.equal((await stranger.browser.get(schedule.movePath(job.id))).status, 404)
    assert.equal((await stranger.browser.get(stranger.movePath(job.id))).status, 404)
    assert.equal((await schedule.browser.get(schedule.movePath('01a1ffba-576d-702f-879f-105ea23bbda2'))).status, 404)
    assert.equal((await schedule.job(job.id)).updated_at, job.updated_at)
  })

  it('is refused from another site', async () => {
    const job = await bookJob()
    const sent = await schedule.browser.post(
      schedule.movePath(job.id),
      { unschedule: 'yes' },
      { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
    )
    assert.equal(sent.status, 403)
    assert.equal(
      (await schedule.post(job, { unschedule: 'yes' }, schedule.browser, { 'sec-fetch-site': 'cross-site' })).status,
      403,
    )
    assert.equal((await schedule.job(job.id)).updated_at, job.updated_at)
  })
})

describe('a move to a day off', () => {
  const holiday = { act: 'off', from: '2027-07-05', to: '', note: 'Independence Day' }
  const office = (language: string) =>
    submit(schedule.browser, schedule.at('settings'), { language }, schedule.at('settings', 'you'))

  it("warns on the page and in the JSON response, in the user's language", async () => {
    await submit(schedule.browser, schedule.at('settings', 'hours'), holiday)
    await submit(schedule.browser, schedule.at('settings', 'hours', luis), { ...holiday, from: '2027-07-06', note: '' })
    const job = await schedule.book({ title: 'Off', scheduled_start: '2027-07-07T09:00', assignees: [luis] })
    const path = schedule.movePath(job.id, 'day=2027-07-07')
    const sent = await submit(schedule.browser, path, { scheduled_start: '2027-07-05T09:00' })
    const page = await schedule.browser.get(sent.location!)
    assert.match(pageTextOf(page), /The company is closed on Mon, Jul 5, 2027: Independence Day\./)
    try {
      await office('es')
      const moved = await schedule.job(job.id)
      const { body } = await schedule.post(moved, { scheduled_start: '2027-07-06T13:00:00Z' })
      assert.deepEqual(body.warnings, ['Luis Ortega tiene libre el mar, 6 de jul de 2027.'])
    } finally {
      await office('')
    }
  })
})

describe('undoing a move', () => {
  it('restores time, duration, crew and status', async () => {
    const luis = (await schedule.hire('Undo Ortega')).id
    const before = await schedule.book({
      title: 'Back and forth',
      scheduled_start: '2026-06-09T09:00',
      duration_minutes: 45,
      assignees: [luis],
    })
    const moved = await schedule.post(before, { scheduled_start: '2026-06-10T13:00', from: luis, to: 'nobody' })
    assert.equal(moved.status, 200)
    const back = await schedule.post(await schedule.job(before.id), moved.body['undo'] as Record<string, string>)
    assert.equal(back.status, 200)
    const { scheduled_start, duration_minutes, status, assignments } = await schedule.job(before.id)
    assert.deepEqual(
      [scheduled_start, duration_minutes, status, assignments],
      [before['scheduled_start'], 45, 'scheduled', before['assignments']],
    )
    const waiting = await schedule.book({ title: 'Waited' })
    const booked = await schedule.post(waiting, { scheduled_start: '2026-06-09T09:00', to: luis })
    await schedule.post(await schedule.job(waiting.id), booked.body['undo'] as Record<string, string>)
    assert.equal((await schedule.job(waiting.id))['status'], 'unscheduled')
  })

  it('is refused with 409 once someone changed the visit', async () => {
    const before = await schedule.book({ title: 'Changed since', scheduled_start: '2026-06-09T09:00' })
    const moved = await schedule.post(before, { scheduled_start: '2026-06-10T13:00' })
    await schedule.call('jobs_update', { id: before.id, title: 'Changed' })
    const { body, status } = await schedule.post(before, moved.body['undo'] as Record<string, string>)
    assert.deepEqual([status, body['error']], [409, 'conflict'])
  })

  it("is offered on the next page; the day's print sheet lists only technicians with visits", async () => {
    const tasha = (await schedule.hire('Undo Nguyen')).id
    const before = await schedule.book({ title: 'By form', scheduled_start: '2026-06-16T09:00', assignees: [tasha] })
    const sent = await submit(schedule.browser, schedule.movePath(before.id, 'day=2026-06-16'), {
      scheduled_start: '2026-06-16T11:00',
    })
    const page = await schedule.browser.get(sent.location!)
    assert.match(pageTextOf(page), /Moved By form: .*11:00 AM/)
    const fields = formAt(page, schedule.movePath(before.id, 'day=2026-06-16'))
    await sendForm(schedule.browser, schedule.movePath(before.id, 'day=2026-06-16'), fields)
    assert.equal((await schedule.job(before.id))['scheduled_start'], before['scheduled_start'])
    const sheet = pageTextOf(await schedule.browser.get(`${schedule.at('schedule', 'print')}?day=2026-06-16`))
    assert.ok(sheet.includes('Undo Nguyen') && sheet.includes('By form') && !sheet.includes('Undo Ortega'))
  })
})
