import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { openSchedule, visitsOf, type Schedule } from '../../harness/database/schedules.ts'
import { startSite } from '../../harness/web_client.ts'

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

describe('drag and drop on the schedule', () => {
  it('moves a visit, changes its duration and returns the new version', async () => {
    const job = await bookJob()
    const { status, body } = await schedule.post(job, { scheduled_start: '2026-05-12T17:15:00.000Z' })
    assert.deepEqual([status, body.id], [200, job.id])
    const longer = await schedule.post({ ...job, updated_at: body.updated_at }, { duration_minutes: '120' })
    assert.equal(longer.status, 200)
    const moved = await schedule.job(job.id)
    assert.deepEqual(
      [moved.scheduled_start, moved.scheduled_end, moved.updated_at, crew(moved)],
      ['2026-05-12T17:15:00.000Z', '2026-05-12T19:15:00.000Z', longer.body.updated_at, ['Luis Ortega', 'Tasha Nguyen']],
    )
  })

  it('replaces only the technician of that lane', async () => {
    const job = await bookJob()
    const cole = (await schedule.hire('Cole Hendricks')).id
    await schedule.post(job, { from: luis, to: cole })
    const moved = await schedule.job(job.id)
    assert.deepEqual([crew(moved), moved.scheduled_start], [['Cole Hendricks', 'Tasha Nguyen'], job.scheduled_start])
    await schedule.post(moved, { from: cole, to: 'nobody' })
    assert.deepEqual(crew(await schedule.job(job.id)), ['Tasha Nguyen'])
  })

  it('schedules a waiting job for the technician it is dropped on, and unschedules it again', async () => {
    const job = await schedule.book({ title: 'Waited', duration_minutes: 75, assignees: [luis] })
    await schedule.post(job, { scheduled_start: '2026-05-12T12:00:00Z', all_day: 'no', to: tasha })
    const booked = await schedule.job(job.id)
    assert.deepEqual(
      [booked.status, booked.scheduled_end, crew(booked)],
      ['scheduled', '2026-05-12T13:15:00.000Z', ['Tasha Nguyen']],
    )
    await schedule.post(booked, { unschedule: 'yes' })
    const { status, scheduled_start, ...back } = await schedule.job(job.id)
    assert.deepEqual([status, scheduled_start, crew(back)], ['unscheduled', null, ['Tasha Nguyen']])
  })

  it('makes a visit all-day, and timed again', async () => {
    const job = await bookJob()
    const { body } = await schedule.post(job, { scheduled_start: '2026-05-13T00:00', all_day: 'yes' })
    const anyTime = await schedule.job(job.id)
    assert.deepEqual([anyTime.all_day, anyTime.scheduled_start], [true, '2026-05-13T04:00:00.000Z'])
    assert.equal(
      visitsOf(await schedule.page('?day=2026-05-13')).filter(({ says }) => says.startsWith('Any time')).length,
      2,
    )
    await schedule.post(
      { ...job, updated_at: body.updated_at },
      { scheduled_start: '2026-05-13T14:00:00Z', all_day: 'no' },
    )
    const byClock = await schedule.job(job.id)
    assert.deepEqual([byClock.all_day, byClock.scheduled_end], [false, '2026-05-13T15:30:00.000Z'])
  })

  it('can place a visit in the repeated hour when clocks go back', async () => {
    const job = await bookJob()
    await schedule.post(job, { scheduled_start: '2026-11-01T06:30:00.000Z' })
    assert.equal((await schedule.job(job.id)).scheduled_start, '2026-11-01T06:30:00.000Z')
  })
})

describe('drag and drop is refused', () => {
  const readRefusal = async (job: Result, fields: Record<string, string>) => {
    const before = await schedule.job(job.id)
    const { status, body } = await schedule.post(job, fields)
    assert.equal((await schedule.job(job.id)).updated_at, before.updated_at)
    return [status, body.error, body.error_description]
  }

  it('when the visit changed meanwhile', async () => {
    const job = await bookJob()
    await schedule.call('jobs_update', { id: job.id, title: 'Boiler service, urgent' })
    assert.deepEqual(await readRefusal(job, { scheduled_start: '2026-05-12T12:00:00Z' }), [
      409,
      'conflict',
      'Someone else changed this visit. This is the current version.',
    ])
  })

  it('without the expected version', async () => {
    const job = await bookJob()
    const { status, text } = await schedule.browser.send(schedule.movePath(job.id), {
      method: 'POST',
      body: new URLSearchParams({ unschedule: 'yes' }),
      headers: { accept: 'application/json', 'sec-fetch-site': 'same-origin' },
    })
    assert.deepEqual([status, (JSON.parse(text) as Result).error], [422, 'invalid_input'])
    assert.equal((await schedule.job(job.id)).updated_at, job.updated_at)
  })

  it('when the visit is canceled', async () => {
    const job = await bookJob()
    const cancelled = await schedule.call('jobs_cancel', { id: job.id })
    const [status, error, says] = await readRefusal(
      { ...job, updated_at: cancelled.updated_at },
      { scheduled_start: '2026-05-12T12:00:00Z' },
    )
    assert.deepEqual([status, error], [409, 'conflict'])
    assert.match(String(says), /^This job is canceled/)
  })

  it('for an unknown technician, an invalid duration or an invalid time', async () => {
    const job = await bookJob()
    const says = async (fields: Record<string, string>): Promise<string> => {
      const [status, error, says] = await readRefusal(job, fields)
      assert.deepEqual([status, error], [422, 'invalid_input'])
      return String(says)
    }
    assert.match(
      await says({ from: luis, to: '01a1ffba-576d-702f-879f-105ea23bbda2' }),
      /^Technicians 1: Choose an active team member\./,
    )
    assert.match(await says({ duration_minutes: '1' }), /^Enter a whole number from/)
    assert.match(await says({ duration_minutes: 'long' }), /^Enter a whole number from/)
    assert.match(await says({ scheduled_start: 'soon' }), /^Enter a date and time/)
    assert.match(await says({ scheduled_start: '2150-01-01T09:00:00Z' }), /^Enter a date between 2000 and 2100\./)
  })
})

describe('the preview of a drop', () => {
  const check = async (job: Result, fields: Record<string, string>, browser = schedule.browser) => {
    const path = `${schedule.at('schedule', 'check', String(job.id))}?${new URLSearchParams(fields).toString()}`
    const { status, text } = await browser.send(path, { headers: { accept: 'application/json' } })
    return { status, says: status === 200 ? (JSON.parse(text) as { driving: string; warnings: string[] }) : undefined }
  }
  const at = async (start: string, latitude: number, user: string, title: string): Promise<Result> => {
    const customer = await schedule.customer('Ana', {
      locations: [{ address_line1: '1 Main St', latitude, longitude: -74 }],
    })
    const times = { scheduled_start: start, duration_minutes: 60 }
    return schedule.book({ customer_id: customer.id, title, assignees: [user], ...times })
  }

  it('shows driving before and after, and who would be late, and moves nothing', async () => {
    await at('2027-06-09T09:00', 40.5, luis, 'Near')
    await at('2027-06-09T10:15', 40.5, luis, 'Next')
    const far = await at('2027-06-09T09:00', 40.9, tasha, 'Far')
    const { says } = await check(far, { from: tasha, to: luis, scheduled_start: '2027-06-09T14:05:00.000Z' })
    assert.match(says?.driving ?? '', /^Driving about 0 min → .*, .* more$/)
    assert.match(says?.warnings.join(' ') ?? '', /Next would .* late\. Can’t be reached in time: about .* late\./)
    const same = await check(far, { scheduled_start: '2027-06-09T15:00:00.000Z' })
    assert.deepEqual(same.says, { driving: 'Driving unchanged: 0 min', warnings: [] })
    assert.equal((await schedule.job(far.id)).updated_at, far.updated_at)
  })

  it('warns about a day off, working hours and the past, for times as the week view sends them', async () => {
    const job = await at('2027-06-10T09:00', 40.5, luis, 'Moves')
    const warningsOf = async (fields: Record<string, string>): Promise<string> =>
      ((await check(job, fields)).says?.warnings ?? []).join(' ')
    assert.match(await warningsOf({ scheduled_start: '2027-06-12T09:00' }), /Luis Ortega doesn’t work/)
    assert.match(await warningsOf({ scheduled_start: '2027-06-10T20:00' }), /outside the working hours of Luis Ortega/)
    assert.match(await warningsOf({ scheduled_start: '2026-01-05T09:00' }), /past/)
    assert.equal(await warningsOf({ scheduled_start: '2027-06-11T09:00' }), '')
    assert.deepEqual((await check(job, { scheduled_start: '2027-06-11T00:00', all_day: 'yes' })).says, {
      driving: '',
      warnings: [],
    })
  })

  it('is empty for invalid input, and returns 404 without edit access or to another company', async () => {
    const job = await at('2027-06-10T12:00', 40.5, luis, 'Moves')
    for (const scheduled_start of ['x', '2027-99-99T09:00', '9999999-01-01T00:00'])
      assert.deepEqual((await check(job, { scheduled_start })).says, { driving: '', warnings: [] })
    for (const odd of [{ duration_minutes: '999999' }, { to: 'T00:00' }, { from: luis, to: '%\u202eevil' }])
      assert.deepEqual(await check(job, odd), { status: 200, says: { driving: '', warnings: [] } })
    const viewer = await schedule.signInMember('office', { 'Jobs & scheduling': 'view' })
    assert.equal((await check(job, {}, viewer.browser)).status, 404)
    const other = await openSchedule(service, 'Birch Heating')
    assert.equal((await check(job, {}, other.browser)).status, 404)
  })
})
