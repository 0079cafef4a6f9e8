import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { Result } from '../../harness/harness.ts'
import { at, instant, inDays, today } from './mowing_series.ts'
import { UNCHANGED, ids, openSeriesScene, starts, type SeriesScene } from './series_scene.ts'

let { service, company, customer, start, update, get, edit, jobsOf, stop } = {} as SeriesScene
before(
  async () => void ({ service, company, customer, start, update, get, edit, jobsOf, stop } = await openSeriesScene()),
)
after(() => stop())

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
    assert.deepEqual(after.regeneration, { ...UNCHANGED, kept: 13 })
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
    assert.deepEqual((await update(series, { end_date: inDays(29) })).regeneration, {
      ...UNCHANGED,
      kept: 5,
      removed: 8,
    })
    assert.deepEqual(await jobsOf(series), before.slice(0, 5))
    assert.deepEqual((await update(series, { end_date: null })).regeneration, { ...UNCHANGED, kept: 5, created: 8 })
    assert.deepEqual(starts(await jobsOf(series)), starts(before))
  })
  it('overwrites manual changes to jobs', async () => {
    const series = await start()
    const [moved, renamed, held, unscheduled] = await jobsOf(series)
    await edit(moved!, { scheduled_start: at(3) })
    await edit(renamed!, { title: 'Special' })
    await edit(held!, { status: 'on_hold' })
    await edit(unscheduled!, { scheduled_start: null })
    assert.deepEqual((await update(series, { priority: 'high' })).regeneration, { ...UNCHANGED, kept: 13 })
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
      ...UNCHANGED,
      kept: 11,
      preserved: 2,
    })
    assert.deepEqual(
      [(await get(moved!)).scheduled_start, (await get(renamed!)).title, (await get(renamed!)).priority],
      [instant(at(3)), 'Special', 'normal'],
    )
    const { regeneration } = await update(series, { dtstart: at(2), keep_exceptions: true })
    assert.deepEqual(regeneration, { ...UNCHANGED, created: 13, removed: 11, preserved: 2 })
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
    assert.deepEqual((await update(series, { dtstart, customer_id: customer.id })).regeneration, {
      ...UNCHANGED,
      kept: 13,
    })
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
