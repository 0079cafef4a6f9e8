import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { at, instant, inDays } from './mowing_series.ts'
import { UNCHANGED, ids, openSeriesScene, starts, type SeriesScene } from './series_scene.ts'

let { service, company, customer, start, update, get, edit, jobsOf, age, stop } = {} as SeriesScene
before(
  async () =>
    void ({ service, company, customer, start, update, get, edit, jobsOf, age, stop } = await openSeriesScene()),
)
after(() => stop())

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
    assert.deepEqual(after.regeneration, { ...UNCHANGED, created: 13, removed: 9, cancelled: 4 })
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
    assert.deepEqual(regeneration, { ...UNCHANGED, kept: 7, removed: 6 })
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
    assert.deepEqual(
      regeneration,
      { ...UNCHANGED, kept: 8, created: 89 - 8 - 4 },
      'the day of each of the four is taken',
    )
    assert.deepEqual(await Promise.all(before.map(get)), before)
  })
  it('never recreates a canceled or moved job', async () => {
    const series = await start()
    const [dropped, moved] = await jobsOf(series)
    await company.call('jobs_cancel', { id: dropped!.id })
    await edit(moved!, { scheduled_start: at(10) })
    assert.deepEqual((await update(series, { title: 'New' })).regeneration, { ...UNCHANGED, kept: 12 })
    assert.equal((await jobsOf(series)).length, 13)
    await update(series, { rrule: 'FREQ=DAILY;INTERVAL=14' })
    assert.deepEqual((await update(series, { rrule: 'FREQ=WEEKLY' })).regeneration, {
      ...UNCHANGED,
      kept: 6,
      created: 6,
    })
    assert.equal((await get(dropped!)).status, 'cancelled')
  })
  it('keeps the time of a missed visit that was moved into the future', async () => {
    const series = await start({ dtstart: at(-6) })
    const [visit] = await jobsOf(series)
    await age(visit!, at(-6), instant(at(4)))
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update jobs set is_exception = true where tenant_id = ${db.tenant} and id = ${visit!.id}`),
    )
    assert.deepEqual((await update(series, { title: 'New' })).regeneration, { ...UNCHANGED, kept: 13, created: 1 })
    const { title, scheduled_start, status } = await get(visit!)
    assert.deepEqual([title, scheduled_start, status], ['New', instant(at(4)), 'scheduled'])
  })
  it('keeps a single job beyond the generation window if the rule still matches it', async () => {
    const series = await start({ rrule: 'FREQ=MONTHLY;INTERVAL=6', dtstart: at(100) })
    const [far] = await jobsOf(series)
    assert.deepEqual((await update(series, { title: 'New' })).regeneration, { ...UNCHANGED, kept: 1 })
    assert.deepEqual((await update(series, { rrule: 'FREQ=DAILY' })).regeneration, { ...UNCHANGED, kept: 1 })
    assert.equal((await get(far!)).title, 'New')
  })
  it('moves jobs to the same local time in another time zone', async () => {
    const series = await start({ rrule: 'FREQ=WEEKLY;COUNT=2' })
    const before = await jobsOf(series)
    const after = await update(series, { timezone: 'America/Los_Angeles' })
    assert.deepEqual([after.regeneration, after.dtstart], [{ ...UNCHANGED, kept: 2 }, `${at(1)}:00`])
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
    assert.deepEqual(regeneration, { ...UNCHANGED, kept: 3 })
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
    assert.deepEqual([allDay.dtstart, allDay.regeneration], [inDays(1), { ...UNCHANGED, kept: 2 }])
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
