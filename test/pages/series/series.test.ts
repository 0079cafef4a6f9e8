import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import { errorAt, idAt, openOffice, pageTextOf, submit, type Office } from '../../harness/identity/people_pages.ts'
import { HOSTILE, openSeriesScene, soon } from './scene.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  ;({ service, office, customer } = await openSeriesScene())
})
after(() => service.stop())

describe('a job series', () => {
  it('shows its rule in words, its next dates and visits, and links to all visits', async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: `Roof units ${HOSTILE}`,
      rrule: 'FREQ=WEEKLY;BYDAY=WE',
      dtstart: `${soon()}T17:00`,
      timezone: 'America/Denver',
      instructions: 'Roof key',
    })
    const page = await office.browser.get(office.at('job_series', id))
    const read = pageTextOf(page)
    for (const part of [
      `Roof units ${HOSTILE}`,
      'Active',
      'Weekly on Wednesday',
      '5:00 PM, America/Denver From',
      'Next dates',
      'Next visits',
      'Roof key',
      'Scheduled',
    ])
      assert.ok(read.includes(part), part)
    assert.ok(page.text.includes(`/jobs?seriesId=${id}`))
    assert.match(pageTextOf(await office.browser.get(`${office.at('jobs')}?seriesId=${id}`)), /Roof units/)
    assert.ok(
      (await office.browser.get(`${office.at('jobs')}?seriesId=${id}`)).text.includes(
        `<input type="hidden" name="seriesId" value="${id}">`,
      ),
    )
    assert.match(pageTextOf(await office.browser.get(office.at('job_series'))), /Roof units .* Weekly on Wednesday/)
  })

  it("keeps visits edited by hand when its rule changes, and isn't touched by an unchanged form", async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Grease trap',
      rrule: 'FREQ=MONTHLY;BYMONTHDAY=1,15',
      dtstart: `${soon()}T07:30:00`,
    })
    const edit = office.at('job_series', id, 'edit')
    const before = await office.call('job_series_get', { id })
    assert.match(pageTextOf(await office.browser.get(edit)), /Saving rebooks upcoming visits/)
    await submit(office.browser, edit)
    assert.deepEqual(await office.call('job_series_get', { id }), before)
    const {
      rows: [visit],
    } = await office.call('jobs_list', { seriesId: id })
    await office.call('jobs_update', { id: visit.id, title: 'By hand' })
    await submit(office.browser, edit, {
      title: 'Grease traps',
      'rrule.own': '',
      'rrule.unit': 'months',
      'rrule.monthday': '15',
      keep_exceptions: 'yes',
    })
    assert.equal((await office.call('job_series_get', { id })).rrule, 'FREQ=MONTHLY;BYMONTHDAY=15')
    assert.equal((await office.call('jobs_get', { id: visit.id })).title, 'By hand')
  })

  it("ends on a given date, and can't be changed afterward", async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Pool',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${soon(1)}T09:00`,
    })
    const action = office.at('job_series', id, 'do', 'job_series_end')
    assert.match(pageTextOf(await office.browser.get(action)), /visits after the last day are canceled/)
    const wrong = await submit(office.browser, action, { end_date: 'someday' })
    assert.equal(wrong.status, 422)
    assert.match(errorAt(wrong, 'end_date')!, /^Enter a date/)
    assert.equal((await submit(office.browser, action, { end_date: soon(9) })).status, 303)
    const ended = await office.call('job_series_get', { id })
    assert.deepEqual([ended.status, ended.end_date], ['ended', soon(9)])
    const page = await office.browser.get(office.at('job_series', id))
    assert.ok(!page.text.includes('/do/') && !page.text.includes('/edit"'))
    assert.equal((await office.browser.get(office.at('job_series', id, 'edit'))).status, 404)
  })

  it('returns 404 without access and to other companies, and is read-only for a technician', async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Pool',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${soon(1)}T09:00`,
    })
    const [none, looker] = [
      await office.signInMember('tech', { 'Recurring jobs': 'none' }),
      await office.signInMember('tech'),
    ]
    assert.equal((await none.browser.get(office.at('job_series', id))).status, 404)
    const page = await looker.browser.get(office.at('job_series', id))
    assert.ok(page.status === 200 && !page.text.includes('/do/'))
    assert.equal((await looker.browser.get(office.at('job_series', 'new'))).status, 404)
    const other = await openOffice(service, 'Birch')
    assert.equal((await other.browser.get(other.at('job_series', id))).status, 404)
  })
})

describe('a maintenance plan', () => {
  const makePlan = (more: object = {}): Promise<Result> =>
    office.call('plans_create', {
      customer_id: customer.id,
      name: 'Comfort plan',
      cadence: 'monthly',
      line_items: [{ name: 'Membership', unit_price_cents: 3_900 }],
      ...more,
    })

  it('is created with a form that requires a cadence and a line', async () => {
    const page = `${office.at('plans', 'new')}?customer_id=${customer.id}`
    const refused = await submit(office.browser, page, { name: 'Care' }, office.at('plans', 'new'))
    assert.equal(refused.status, 422)
    assert.match(errorAt(refused, 'cadence')!, /^Choose how often\.$/)
    assert.match(errorAt(refused, 'line_items')!, /^Add at least one\.$/)
    const { location } = await submit(
      office.browser,
      page,
      {
        name: 'Care',
        cadence: 'quarterly',
        start_date: soon(3),
        'line_items.0.name': 'Visit',
        'line_items.0.price': '99',
        'discount.value': '10',
      },
      office.at('plans', 'new'),
    )
    const plan = await office.call('plans_get', { id: idAt(location) })
    assert.deepEqual(
      [plan.cadence, plan.start_date, plan.total_cents, plan.auto_invoice],
      ['quarterly', soon(3), 8_910, 'draft'],
    )
    assert.match(pageTextOf(await office.browser.get(location!)), /Care Active .*Quarterly .*A draft to check and send/)
  })

  it("is paused, resumed and canceled, and can't be changed afterward", async () => {
    const { id } = await makePlan({ start_date: soon(3) })
    const press = (action: string, fields = {}) => office.browser.post(office.at('plans', id, 'do', action), fields)
    const status = async () => (await office.call('plans_get', { id })).status
    await press('plans_update-paused')
    assert.equal(await status(), 'paused')
    assert.match(
      pageTextOf(await office.browser.get(office.at('plans', id, 'do', 'plans_update-active'))),
      /Dates during the pause are skipped/,
    )
    await press('plans_update-active')
    assert.equal(await status(), 'active')
    await press('plans_end', { reason: 'Moved away' })
    const page = await office.browser.get(office.at('plans', id))
    assert.match(pageTextOf(page), /Canceled .*Moved away/)
    assert.ok(!page.text.includes('/do/'))
    assert.equal((await office.browser.get(office.at('plans', id, 'edit'))).status, 404)
  })

  it('refuses an end date before its start', async () => {
    const { id } = await makePlan({ start_date: soon(3) })
    const { status, text } = await submit(office.browser, office.at('plans', id, 'edit'), {
      start_date: soon(3),
      end_date: soon(2),
    })
    assert.equal(status, 422)
    assert.match(errorAt({ text }, 'end_date')!, /on or after/)
    assert.match(
      pageTextOf(await office.browser.get(`${office.at('plans')}?status=active`)),
      /Comfort plan Active Dora Vance Monthly/,
    )
  })
})
