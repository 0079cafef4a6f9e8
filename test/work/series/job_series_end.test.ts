import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant, type Db } from '../../../src/platform/db/tenant.ts'
import { dueSeries, extendSeries, finishSeries, realignSeries } from '../../../src/records/job_series/index.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'
import { at, jobsOfSeries, mowingSeries, inDays, today } from './mowing_series.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'

let service: TestService
let company: Company
let customer: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
})
after(() => service.stop())

const start = (given: object = {}): Promise<Result> => company.call('job_series_create', mowingSeries(customer, given))
const jobsOf = (series: Result, given: object = {}): Promise<Result[]> => jobsOfSeries(company, series, given)
const end = (series: Result, given: object = {}): Promise<Result> =>
  company.call('job_series_end', { id: series.id, ...given })
const write = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  writeTenant(service.database, { tenant: company.tenant }, work)

/** Returns the given series if the worker would find it due. */
const due = async (series: Result, on = today.add({ days: 1 })) =>
  (await readTenant(service.database, { tenant: company.tenant }, (db) => dueSeries(db, on, FIRST))).find(
    ({ id }) => id === series.id,
  )
const move = (series: Result, days: number, start: string): Promise<number> =>
  write((db) =>
    db.run(sql`
  update jobs set scheduled_start = ${start}::timestamptz, scheduled_end = ${start}::timestamptz + interval '1 hour'
  where tenant_id = ${db.tenant} and series_id = ${series.id} and occurrence_key = ${at(days)}`),
  )

describe('job_series_end', () => {
  it('ends today by default: cancels jobs ahead, keeps those that are done, started or past', async () => {
    const series = await start()
    const [done, begun, past, held, unscheduled] = await jobsOf(series)
    await company.call('jobs_update', { id: done!.id, status: 'done' })
    await company.call('jobs_update', { id: begun!.id, status: 'en_route' })
    await move(series, 15, `${inDays(-1)}T14:00:00Z`)
    await company.call('jobs_update', { id: held!.id, status: 'on_hold' })
    await company.call('jobs_update', { id: unscheduled!.id, scheduled_start: null })
    const ended = await end(series)
    assert.deepEqual(
      [ended.status, ended.end_date, ended.cancelled_jobs, ended.next_occurrence_at, ended.url],
      ['ended', inDays(0), 10, null, undefined],
    )
    assert.ok(Date.parse(ended.ended_at) > 0)
    const statuses = await Promise.all(
      [done, begun, past, held, unscheduled].map(
        async (job) => (await company.call('jobs_get', { id: job!.id })).status,
      ),
    )
    assert.deepEqual(statuses, ['done', 'en_route', 'scheduled', 'cancelled', 'cancelled'])
    assert.equal((await company.call('jobs_get', { id: held!.id })).cancel_reason, 'series_ended')
  })
  it('keeps jobs up to a later end date, by their current time if moved', async () => {
    const series = await start()
    await move(series, 29, new Date(`${inDays(12)}T14:00:00Z`).toISOString())
    await move(series, 8, new Date(`${inDays(40)}T14:00:00Z`).toISOString())
    const ended = await end(series, { end_date: inDays(15) })
    assert.deepEqual([ended.status, ended.end_date, ended.cancelled_jobs], ['ended', inDays(15), 10])
    assert.deepEqual(
      (await jobsOf(series, { status: 'scheduled' })).map(({ scheduled_start }) => scheduled_start.slice(0, 10)),
      [inDays(1), inDays(12), inDays(15)],
    )
  })
  it("takes the earliest of the series' end_date, UNTIL and the requested date", async () => {
    const until = inDays(22).replaceAll('-', '')
    assert.equal((await end(await start({ end_date: inDays(15) }), { end_date: inDays(50) })).end_date, inDays(15))
    assert.equal(
      (await end(await start({ rrule: `FREQ=WEEKLY;UNTIL=${until}`, end_date: inDays(50) }), { end_date: inDays(40) }))
        .end_date,
      inDays(22),
    )
    assert.equal((await end(await start({ end_date: inDays(15) }), { end_date: inDays(8) })).end_date, inDays(8))
    assert.equal((await end(await start(), { end_date: null })).end_date, inDays(0))
  })
  it('cancels a job that is later today', async () => {
    const series = await start({ dtstart: at(0, '00:00'), rrule: 'FREQ=DAILY;COUNT=1' })
    const soon = Temporal.Now.instant().add({ minutes: 5 }).toString({ smallestUnit: 'millisecond' })
    await write((db) =>
      db.run(sql`update jobs set scheduled_start = ${soon}::timestamptz, scheduled_end = ${soon}::timestamptz + interval '1 hour'
      where tenant_id = ${db.tenant} and series_id = ${series.id}`),
    )
    assert.equal((await end(series)).cancelled_jobs, 1)
  })
  it('stops the creation of jobs', async () => {
    const series = await start()
    const found = (await due(series))!
    await end(series, { end_date: inDays(89) })
    assert.equal(await due(series), undefined)
    assert.equal(await write((db) => extendSeries(db, found, today.add({ days: 60 }))), 0)
    assert.equal((await jobsOf(series)).length, 13)
  })
})

describe('job_series_end: conflict', () => {
  it('is returned if the series has already ended', async () => {
    const series = await start()
    await end(series)
    assert.match(
      await company.refusal('job_series_end', { id: series.id }),
      /^conflict: the series ended at .*; create a new one with job_series_create/,
    )
  })
  it('is returned for the second of two concurrent ends', async () => {
    const series = await start()
    const results = await Promise.all([1, 2].map(() => company.owner.send('job_series_end', { id: series.id })))
    assert.equal(results.filter(({ isError }) => isError).length, 1)
    assert.match(results.find(({ isError }) => isError)!.text, /^conflict: /)
  })
  it('leaves no open job when it runs concurrently with an update', async () => {
    const series = await start()
    await Promise.all([end(series), company.owner.send('job_series_update', { id: series.id, dtstart: at(2) })])
    assert.deepEqual(await jobsOf(series, { status: ['scheduled', 'on_hold', 'unscheduled'] }), [])
  })
})

describe('job_series_end: invalid_input', () => {
  it('is returned if end_date is not a date', async () => {
    const { id } = await start()
    assert.match(
      await company.refusal('job_series_end', { id, end_date: 'today' }),
      /^invalid_input: end_date must be a date/,
    )
  })
})

describe('job series generation', () => {
  it('extends the series once when the horizon moves, despite concurrent and repeated runs', async () => {
    const series = await start()
    assert.equal(await due(series, today), undefined)
    const tomorrow = today.add({ days: 6 })
    const found = (await due(series, tomorrow))!
    const made = await Promise.all([1, 2, 3].map(() => write((db) => extendSeries(db, found, tomorrow))))
    assert.equal(
      made.reduce((sum, count) => sum + count),
      1,
    )
    assert.equal(await due(series, tomorrow), undefined)
    assert.equal(await write((db) => extendSeries(db, found, tomorrow)), 0)
    const jobs = await jobsOf(series)
    assert.deepEqual([jobs.length, jobs.at(-1)!.scheduled_start.slice(0, 10)], [14, inDays(92)])
    assert.equal((await company.call('jobs_get', { id: jobs.at(-1)!.id })).created_by, null)
  })
  it('creates nothing from a template that has changed since it was read', async () => {
    const series = await start()
    const found = (await due(series))!
    await company.call('job_series_update', { id: series.id, rrule: 'FREQ=MONTHLY' })
    assert.equal(await write((db) => extendSeries(db, found, today.add({ days: 30 }))), 0)
  })
  it('uses no job numbers for jobs that already exist', async () => {
    const series = await start()
    const [before] = await jobsOf(series)
    await write((db) =>
      db.run(sql`update job_series set generated_through = null where tenant_id = ${db.tenant} and id = ${series.id}`),
    )
    await company.call('job_series_get', { id: series.id })
    const next = await company.call('jobs_create', { customer_id: customer.id, title: 'Next' })
    const numbers = (await jobsOf(series)).map(({ display_number }) => Number(display_number.slice(2)))
    assert.equal(next.number, Math.max(...numbers) + 1)
    assert.equal(Number(before!.display_number.slice(2)), Math.min(...numbers))
  })
  for (const [name, read] of [
    ['job_series_get', (id: string) => company.call('job_series_get', { id })],
    ['jobs_list', (id: string) => company.call('jobs_list', { seriesId: id })],
  ] as const) {
    it(`catches up on ${name} if the nightly run was missed`, async () => {
      const series = await start({ rrule: 'FREQ=DAILY;COUNT=40' })
      await write(async (db) => {
        await db.run(
          sql`delete from jobs where tenant_id = ${db.tenant} and series_id = ${series.id} and occurrence_key > ${at(10)}`,
        )
        await db.run(
          sql`update job_series set generated_through = ${inDays(10)} where tenant_id = ${db.tenant} and id = ${series.id}`,
        )
      })
      await Promise.all([read(series.id), read(series.id)])
      assert.equal((await company.call('jobs_list', { seriesId: series.id, include_total: true })).total, 40)
      assert.equal((await company.call('job_series_get', { id: series.id })).generated_through, inDays(89))
    })
  }
  it('ends a finite series after its last day, and no other', async () => {
    const [finite, ongoing] = [await start({ rrule: 'FREQ=WEEKLY;COUNT=2' }), await start()]
    const last = today.add({ days: 8 })
    const [a, b] = [(await due(finite))!, (await due(ongoing))!]
    assert.equal(await write((db) => finishSeries(db, a, last.subtract({ days: 1 }))), false)
    assert.equal(await write((db) => finishSeries(db, b, last.add({ years: 3 }))), false)
    assert.equal(await write((db) => finishSeries(db, a, last)), true)
    const series = await company.call('job_series_get', { id: finite.id })
    assert.deepEqual([series.status, series.end_date, series.ended_at === null], ['ended', null, false])
    assert.equal((await jobsOf(finite, { status: 'scheduled' })).length, 2)
  })
  it('restores local times after a time zone rule change, except for started and manually moved jobs', async () => {
    const series = await start({ rrule: 'FREQ=WEEKLY;COUNT=4' })
    const [begun, moved, shifted, same] = await jobsOf(series)
    await company.call('jobs_update', { id: begun!.id, status: 'en_route' })
    await company.call('jobs_update', { id: moved!.id, scheduled_start: at(9) })
    await write((db) =>
      db.run(sql`update jobs set scheduled_start = scheduled_start + interval '1 hour', scheduled_end = scheduled_end + interval '1 hour'
      where tenant_id = ${db.tenant} and id = any(${[begun!.id, shifted!.id]}::uuid[])`),
    )
    const found = (await due(series))!
    assert.equal(await write((db) => realignSeries(db, found, Temporal.Now.instant())), 1)
    const after = await jobsOf(series)
    assert.deepEqual(after.find(({ id }) => id === shifted!.id)!.scheduled_start, shifted!.scheduled_start)
    assert.deepEqual(after.find(({ id }) => id === same!.id)!.updated_at, same!.updated_at)
    assert.equal(await write((db) => realignSeries(db, found, Temporal.Now.instant())), 0)
  })
})
