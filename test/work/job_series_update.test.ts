import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { at, instant, jobsOfSeries, mowingSeries, inDays, today } from './mowing_series.ts'

let service: TestService
let company: Company
let customer: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    locations: [{ address_line1: '1 Elm St' }, { address_line1: '2 Oak St' }],
  })
})
after(() => service.stop())

/** Starts a weekly series from tomorrow at nine. */
const start = (given: object = {}): Promise<Result> => company.call('job_series_create', mowingSeries(customer, given))
const update = (series: Result, patch: object): Promise<Result> =>
  company.call('job_series_update', { id: series.id, ...patch })
const get = (job: Result): Promise<Result> => company.call('jobs_get', { id: job.id })
const edit = (job: Result, patch: object): Promise<Result> => company.call('jobs_update', { id: job.id, ...patch })
const jobsOf = (series: Result): Promise<Result[]> => jobsOfSeries(company, series)
const starts = (jobs: Result[]): string[] => jobs.map(({ scheduled_start }) => scheduled_start)
const ids = (jobs: Result[]): string[] => jobs.map(({ id }) => id)
const none = { kept: 0, created: 0, removed: 0, cancelled: 0, preserved: 0 }

/** Moves a job's slot into the past. */
const age = (job: Result, key: string, start: string): Promise<unknown> =>
  writeTenant(service.database, { tenant: company.tenant }, (db) =>
    db.run(sql`
  update jobs set occurrence_key = ${key}, scheduled_start = ${start}::timestamptz, scheduled_end = ${start}::timestamptz + interval '1 hour'
  where tenant_id = ${db.tenant} and id = ${job.id}`),
  )

describe('an update of the series template', () => {
  it('changes future jobs in place and keeps their ids', async () => {
    const series = await start({ description: 'Lawn', line_items: [{ name: 'Mow', unit_price_cents: 100 }] })
    const before = await jobsOf(series)
    const after = await update(series, {
      title: 'Mowing and edging',
      duration_minutes: 90,
      assignees: [company.owner.id],
      line_items: [{ name: 'Both', unit_price_cents: 250 }],
      location_id: customer.locations.find((one: Result) => one.address_line1 === '2 Oak St').id,
      description: null,
    })
    assert.deepEqual(after.regeneration, { ...none, kept: 13 })
    assert.deepEqual(
      [after.title, after.description, after.subtotal_cents, after.url],
      ['Mowing and edging', null, 250, undefined],
    )
    const jobs = await jobsOf(series)
    assert.deepEqual(ids(jobs), ids(before))
    const job = await get(jobs[5]!)
    assert.deepEqual(
      [
        job.title,
        job.description,
        job.subtotal_cents,
        job.location_address,
        job.assignments[0].user_id,
        job.is_exception,
      ],
      ['Mowing and edging', null, 250, '2 Oak St, US', company.owner.id, false],
    )
    assert.equal(Date.parse(job.scheduled_end) - Date.parse(job.scheduled_start), 90 * 60_000)
    assert.deepEqual(starts(jobs), starts(before))
    assert.equal(
      (await company.call('jobs_list', { seriesId: series.id, assignee: company.owner.id, include_total: true })).total,
      13,
    )
  })
  it('leaves jobs unchanged if only the end date moves', async () => {
    const series = await start()
    const before = await jobsOf(series)
    assert.deepEqual((await update(series, { end_date: inDays(29) })).regeneration, { ...none, kept: 5, removed: 8 })
    assert.deepEqual(await jobsOf(series), before.slice(0, 5))
    assert.deepEqual((await update(series, { end_date: null })).regeneration, { ...none, kept: 5, created: 8 })
    assert.deepEqual(starts(await jobsOf(series)), starts(before))
  })
  it('overwrites manual changes to jobs', async () => {
    const series = await start()
    const [moved, renamed, held, unscheduled] = await jobsOf(series)
    await edit(moved!, { scheduled_start: at(3) })
    await edit(renamed!, { title: 'Special' })
    await edit(held!, { status: 'on_hold' })
    await edit(unscheduled!, { scheduled_start: null })
    assert.deepEqual((await update(series, { priority: 'high' })).regeneration, { ...none, kept: 13 })
    const jobs = await Promise.all([moved, renamed, held, unscheduled].map((job) => get(job!)))
    assert.deepEqual(
      jobs.map(({ title, priority, is_exception }) => [title, priority, is_exception]),
      jobs.map(() => ['Mowing', 'high', false]),
    )
    assert.deepEqual(
      starts(jobs),
      [1, 8, 15, 22].map((days) => instant(at(days))),
    )
    assert.deepEqual(
      jobs.map(({ status }) => status),
      ['scheduled', 'scheduled', 'on_hold', 'scheduled'],
    )
  })
  it('preserves manually changed jobs with keep_exceptions', async () => {
    const series = await start()
    const [moved, renamed, held] = await jobsOf(series)
    await edit(moved!, { scheduled_start: at(3) })
    await edit(renamed!, { title: 'Special' })
    await edit(held!, { status: 'on_hold' })
    assert.deepEqual((await update(series, { priority: 'high', keep_exceptions: true })).regeneration, {
      ...none,
      kept: 11,
      preserved: 2,
    })
    assert.deepEqual(
      [(await get(moved!)).scheduled_start, (await get(renamed!)).title, (await get(renamed!)).priority],
      [instant(at(3)), 'Special', 'normal'],
    )
    const { regeneration } = await update(series, { dtstart: at(2), keep_exceptions: true })
    assert.deepEqual(regeneration, { ...none, created: 13, removed: 11, preserved: 2 })
  })
})

describe('is_exception', () => {
  it('is set by manual changes to schedule or content, not by status changes or unchanged values', async () => {
    const [job, other] = await jobsOf(await start({ line_items: [{ name: 'Mow', unit_price_cents: 100 }] }))
    const same = {
      title: 'Mowing',
      scheduled_start: at(1),
      duration_minutes: 60,
      assignees: [],
      line_items: [{ name: 'Mow', unit_price_cents: 100 }],
    }
    for (const patch of [{ status: 'en_route' }, same, { status: 'done' }, {}])
      assert.equal((await edit(job!, patch)).is_exception, false, JSON.stringify(patch))
    assert.equal((await edit(other!, { instructions: 'Ring twice' })).is_exception, true)
    assert.equal((await edit(other!, { instructions: null })).is_exception, true)
  })
})

describe('an update of the series rule', () => {
  it('removes untouched jobs, cancels those with notes, edits, invoices or files, and creates new ones', async () => {
    const series = await start()
    const [noted, edited, billed, filed, ...pristine] = await jobsOf(series)
    await company.call('notes_create', { body: 'Dog', subject_type: 'job', subject_id: noted!.id })
    await edit(edited!, { title: 'Special' })
    await company.call('invoices_create', { customer_id: customer.id, job_ids: [billed!.id] })
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`
      insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key)
      values (${db.tenant}, ${filed!.id}, ${filed!.id}, 'a.jpg', 'image/jpeg', 1, 'k')`),
    )
    const after = await update(series, { dtstart: at(2) })
    assert.deepEqual(after.regeneration, { ...none, created: 13, removed: 9, cancelled: 4 })
    assert.deepEqual(
      after.occurrences_preview,
      [2, 9, 16, 23, 30].map((days) => instant(at(days))),
    )
    for (const job of [noted, edited, billed, filed]) {
      const { status, cancel_reason } = await get(job!)
      assert.deepEqual([status, cancel_reason], ['cancelled', 'series_changed'])
    }
    assert.equal(
      await company.refusal('jobs_get', { id: pristine[0]!.id }),
      'not_found: job not found; find its id with jobs_list',
    )
  })
  it('keeps the jobs of slots that both rules share', async () => {
    const series = await start()
    const before = await jobsOf(series)
    const { regeneration } = await update(series, { rrule: 'FREQ=WEEKLY;INTERVAL=2' })
    assert.deepEqual(regeneration, { ...none, kept: 7, removed: 6 })
    assert.deepEqual(ids(await jobsOf(series)), ids(before.filter((_, week) => week % 2 === 0)))
  })
  it('leaves jobs that are started, done, canceled or past', async () => {
    const series = await start()
    const [enRoute, busy, done, dropped, past] = await jobsOf(series)
    await edit(enRoute!, { status: 'en_route' })
    await edit(busy!, { status: 'in_progress' })
    await edit(done!, { status: 'done' })
    await company.call('jobs_cancel', { id: dropped!.id })
    await age(past!, at(-6), instant(at(-6)))
    const before = await Promise.all([enRoute, busy, done, dropped, past].map((job) => get(job!)))
    const { regeneration } = await update(series, { title: 'New', rrule: 'FREQ=DAILY', dtstart: at(1, '10:00') })
    assert.deepEqual(regeneration, { ...none, kept: 8, created: 89 - 8 - 4 }, 'the day of each of the four is taken')
    assert.deepEqual(await Promise.all(before.map(get)), before)
  })
  it('never recreates a canceled or moved job', async () => {
    const series = await start()
    const [dropped, moved] = await jobsOf(series)
    await company.call('jobs_cancel', { id: dropped!.id })
    await edit(moved!, { scheduled_start: at(10) })
    assert.deepEqual((await update(series, { title: 'New' })).regeneration, { ...none, kept: 12 })
    assert.equal((await jobsOf(series)).length, 13)
    await update(series, { rrule: 'FREQ=DAILY;INTERVAL=14' })
    assert.deepEqual((await update(series, { rrule: 'FREQ=WEEKLY' })).regeneration, { ...none, kept: 6, created: 6 })
    assert.equal((await get(dropped!)).status, 'cancelled')
  })
  it('keeps the time of a missed visit that was moved into the future', async () => {
    const series = await start({ dtstart: at(-6) })
    const [visit] = await jobsOf(series)
    await age(visit!, at(-6), instant(at(4)))
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update jobs set is_exception = true where tenant_id = ${db.tenant} and id = ${visit!.id}`),
    )
    assert.deepEqual((await update(series, { title: 'New' })).regeneration, { ...none, kept: 13, created: 1 })
    const { title, scheduled_start, status } = await get(visit!)
    assert.deepEqual([title, scheduled_start, status], ['New', instant(at(4)), 'scheduled'])
  })
  it('keeps a single job beyond the generation window if the rule still matches it', async () => {
    const series = await start({ rrule: 'FREQ=MONTHLY;INTERVAL=6', dtstart: at(100) })
    const [far] = await jobsOf(series)
    assert.deepEqual((await update(series, { title: 'New' })).regeneration, { ...none, kept: 1 })
    assert.deepEqual((await update(series, { rrule: 'FREQ=DAILY' })).regeneration, { ...none, kept: 1 })
    assert.equal((await get(far!)).title, 'New')
  })
  it('moves jobs to the same local time in another time zone', async () => {
    const series = await start({ rrule: 'FREQ=WEEKLY;COUNT=2' })
    const before = await jobsOf(series)
    const after = await update(series, { timezone: 'America/Los_Angeles' })
    assert.deepEqual([after.regeneration, after.dtstart], [{ ...none, kept: 2 }, `${at(1)}:00`])
    const jobs = await jobsOf(series)
    assert.deepEqual(ids(jobs), ids(before))
    assert.equal(
      Temporal.Instant.from(jobs[0]!.scheduled_start)
        .toZonedDateTimeISO('America/Los_Angeles')
        .toPlainDateTime()
        .toString(),
      `${at(1)}:00`,
    )
    assert.equal((await get(jobs[0]!)).timezone, 'America/Los_Angeles')
  })
  it('moves jobs to another time of day and keeps their ids', async () => {
    const series = await start({ rrule: 'FREQ=WEEKLY;COUNT=3' })
    const before = await jobsOf(series)
    const { regeneration } = await update(series, { dtstart: at(1, '16:45') })
    const after = await jobsOf(series)
    assert.deepEqual(regeneration, { ...none, kept: 3 })
    assert.deepEqual(
      after.map(({ id }) => id),
      before.map(({ id }) => id),
    )
    assert.deepEqual(starts(after), [instant(at(1, '16:45')), instant(at(8, '16:45')), instant(at(15, '16:45'))])
    assert.equal((await get(after[0]!)).occurrence_key, `${at(1, '16:45')}:00`)
  })
  it('switches between all-day and timed jobs', async () => {
    const series = await start({ rrule: 'FREQ=WEEKLY;COUNT=2' })
    const allDay = await update(series, { all_day: true })
    assert.deepEqual([allDay.dtstart, allDay.regeneration], [inDays(1), { ...none, kept: 2 }])
    assert.match(
      await company.refusal('job_series_update', { id: series.id, all_day: false }),
      /^invalid_input: all_day false needs a dtstart with a time/,
    )
    const timed = await update(series, { dtstart: at(1, '15:00') })
    assert.deepEqual(
      [timed.all_day, starts(await jobsOf(series))],
      [false, [instant(at(1, '15:00')), instant(at(8, '15:00'))]],
    )
  })
})

describe('a refused series update', () => {
  it('returns invalid_input for an invalid rule, start, time zone or other field, and writes nothing', async () => {
    const series = await start()
    const before = await company.call('job_series_get', { id: series.id })
    for (const [patch, sentence] of [
      [{ rrule: 'FREQ=MINUTELY' }, /rrule: /],
      [{ dtstart: today.subtract({ years: 2 }).toString() }, /dtstart must be from/],
      [{ timezone: 'Mars/Base' }, /timezone: /],
      [{ end_date: inDays(0) }, /end_date must be on or after dtstart/],
      [{ customer_id: series.id }, /customer_id cannot be changed/],
      [{ title: null }, /title must be text/],
    ] as const)
      assert.match(await company.refusal('job_series_update', { id: series.id, ...patch }), sentence)
    assert.deepEqual(await company.call('job_series_get', { id: series.id }), before)
  })
  it("doesn't refuse an old dtstart that is sent unchanged", async () => {
    const series = await start()
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`
      update job_series set dtstart = ${at(1 - 1064)} where tenant_id = ${db.tenant} and id = ${series.id}`),
    )
    const { dtstart } = await company.call('job_series_get', { id: series.id })
    assert.deepEqual((await update(series, { dtstart, customer_id: customer.id })).regeneration, { ...none, kept: 13 })
  })
  it('returns conflict for an ended series and for a stale expected_updated_at', async () => {
    const series = await start()
    const { updated_at } = await update(series, { title: 'A' })
    await update(series, { title: 'B', expected_updated_at: updated_at })
    assert.match(
      await company.refusal('job_series_update', { id: series.id, title: 'C', expected_updated_at: updated_at }),
      /^conflict: the record changed/,
    )
    await company.call('job_series_end', { id: series.id })
    assert.match(
      await company.refusal('job_series_update', { id: series.id, title: 'D' }),
      /^conflict: the series ended/,
    )
  })
})

describe('concurrent changes of a series', () => {
  it('leave the jobs of the later of two updates', async () => {
    const series = await start()
    const results = await Promise.all([
      update(series, { dtstart: at(2), title: 'Two' }),
      update(series, { dtstart: at(3), title: 'Three' }),
    ])
    const last = results.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0]!
    const jobs = await jobsOf(series)
    const offset = last.title === 'Two' ? 2 : 3
    assert.deepEqual(
      starts(jobs),
      Array.from({ length: 13 }, (_, week) => offset + 7 * week)
        .filter((day) => day < 90)
        .map((day) => instant(at(day))),
    )
    assert.ok(jobs.every(({ title }) => title === last.title))
  })
  it("keep a job canceled that is canceled meanwhile, and don't recreate it", async () => {
    for (let round = 0; round < 5; round++) {
      const series = await start()
      const [job] = await jobsOf(series)
      await Promise.all([
        company.call('jobs_cancel', { id: job!.id, reason: 'No' }),
        update(series, { title: 'New' }),
        update(series, { priority: 'high' }),
      ])
      assert.deepEqual((await get(job!)).cancel_reason, 'No')
      assert.equal((await jobsOf(series)).length, 13)
    }
  })
  it('remove a job that is edited meanwhile, or cancel it with the edit', async () => {
    for (let round = 0; round < 5; round++) {
      const series = await start()
      const [job] = await jobsOf(series)
      const [edited, { regeneration }] = await Promise.all([
        company.owner.send('jobs_update', { id: job!.id, title: 'Mine' }),
        update(series, { dtstart: at(2) }),
      ])
      if (edited.isError) assert.equal(edited.text, 'not_found: job not found; find its id with jobs_list')
      else assert.deepEqual([regeneration.removed, regeneration.cancelled, (await get(job!)).title], [12, 1, 'Mine'])
    }
  })
})
