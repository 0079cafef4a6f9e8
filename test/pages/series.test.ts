import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { partsOf, ruleOf } from '../../src/records/job_series/rhythm/rule_parts.ts'
import { parseRule } from '../../src/recurrence/rule.ts'
import type { Result, TestService } from '../harness/harness.ts'
import {
  errorAt,
  formAt,
  idAt,
  openOffice,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/visiting.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'
const today = (): Temporal.PlainDate => Temporal.Now.plainDateISO('America/New_York')
const soon = (days = 7): string => today().add({ days }).toString()
const form = () => `${office.at('job_series', 'new')}?customer_id=${customer.id}`
const newSeries = (typed: Record<string, string | string[] | null>) =>
  submit(
    office.browser,
    form(),
    { title: 'Filters', dtstart: soon(), 'dtstart.time': '09:00', ...typed },
    office.at('job_series', 'new'),
  )
/** A create with something to say answers with a page that leads on. */
const makeSeries = async (typed: Record<string, string | string[] | null>): Promise<Result> => {
  const { location, text } = await newSeries(typed)
  return office.call('job_series_get', {
    id: location === null ? /job_series\/([0-9a-f-]{36})"/.exec(text)![1]! : idAt(location),
  })
}

describe('the parts of a rule', () => {
  const rules = [
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH',
    'FREQ=MONTHLY;BYMONTHDAY=15',
    'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5',
    'FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=YEARLY;INTERVAL=2;COUNT=3',
    'FREQ=WEEKLY',
  ]
  for (const rule of rules) it(`hold ${rule}`, () => assert.equal(parseRule(ruleOf(partsOf(rule)!)).text, rule))

  for (const rule of [
    'FREQ=WEEKLY;BYDAY=MO;WKST=SU',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
    'FREQ=DAILY;UNTIL=20270615',
    'FREQ=YEARLY;BYMONTH=4;BYDAY=1MO',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYDAY=MO',
    'FREQ=DAILY;BYHOUR=9',
    'nonsense',
  ]) {
    it(`don't hold ${rule}, which stays a rule of one's own`, () => assert.equal(partsOf(rule), null))
  }
})

describe('a new series', () => {
  it('is put together without a rule being typed', async () => {
    const weekly = await makeSeries({
      'rrule.interval': '2',
      'rrule.unit': 'weeks',
      'rrule.weekdays': ['TU', 'FR'],
      end_date: soon(100),
      assignees: office.owner.user_id,
      'line_items.0.name': 'Filter',
      'line_items.0.price': '49',
    })
    assert.deepEqual(
      [
        weekly.rrule,
        weekly.end_date,
        weekly.timezone,
        weekly.dtstart,
        weekly.assignments.length,
        weekly.subtotal_cents,
      ],
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR', soon(100), 'America/New_York', `${soon()}T09:00:00`, 1, 4_900],
    )
    const monthly = await makeSeries({
      'rrule.unit': 'months',
      'rrule.nth': '2',
      'rrule.weekday': 'TU',
      'rrule.count': '4',
      timezone: 'America/Denver',
    })
    assert.deepEqual([monthly.rrule, monthly.timezone], ['FREQ=MONTHLY;BYDAY=2TU;COUNT=4', 'America/Denver'])
    assert.equal(
      (await makeSeries({ 'rrule.unit': 'months', 'rrule.monthday': '-1', 'dtstart.time': '' })).all_day,
      true,
    )
    assert.equal(
      (await makeSeries({ 'rrule.own': 'freq=monthly;byday=MO,TU;bysetpos=-1' })).rrule,
      'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1',
    )
  })

  it('shows the dates of what is typed before it is made, and keeps the rest', async () => {
    const { status, text } = await newSeries({
      'rrule.unit': 'weeks',
      'rrule.weekdays': ['TU'],
      more: 'dates',
      instructions: `Roof ${HOSTILE}`,
    })
    assert.equal(status, 200)
    assert.match(pageTextOf({ text }), /Weekly on Tuesday Next: (?:Tue, )?\w+ \d+, .*; (?:Tue, )?\w+ \d+, /)
    assert.equal(
      Object.fromEntries(formAt({ text }, office.at('job_series', 'new')))['instructions'],
      `Roof ${HOSTILE}`,
    )
    assert.ok(!text.includes('<script>alert'))
    assert.equal(
      (await office.call('job_series_list', { include_total: true })).rows.filter(
        ({ title }: Result) => title === 'Roof',
      ).length,
      0,
    )
  })

  it("is refused at its fields: parts that contradict each other, a rule that isn't one, a zone that is none, no start", async () => {
    const at = async (typed: Record<string, string | string[] | null>, field: string) => {
      const page = await newSeries(typed)
      assert.equal(page.status, 422)
      return errorAt(page, field)
    }
    assert.match(
      (await at({ 'rrule.unit': 'months', 'rrule.weekdays': ['TU'] }, 'rrule'))!,
      /^Days of the week only work when the job repeats by week\./,
    )
    assert.match(
      (await at({ 'rrule.unit': 'weeks', 'rrule.monthday': '3' }, 'rrule'))!,
      /^A day of the month only works when the job repeats by month\./,
    )
    assert.match((await at({ 'rrule.unit': 'months', 'rrule.nth': '2' }, 'rrule'))!, /second and Tuesday/)
    assert.match(
      (await at({ 'rrule.unit': 'months', 'rrule.nth': '2', 'rrule.weekday': 'TU', 'rrule.monthday': '3' }, 'rrule'))!,
      /not both/,
    )
    assert.match((await at({ 'rrule.own': 'FREQ=HOURLY' }, 'rrule'))!, /daily, weekly, monthly or yearly/)
    assert.match((await at({ timezone: 'Mars/Base' }, 'timezone'))!, /^Choose a time zone\.$/)
    assert.match((await at({ dtstart: '' }, 'dtstart'))!, /^Enter a first visit\.$/)
  })

  it('tells what the rule means for short months, on its way and on its page', async () => {
    const { location } = await newSeries({ 'rrule.unit': 'months', 'rrule.monthday': '31' })
    assert.match(pageTextOf(await office.browser.get(location!)), /Created .*Months without day 31 are skipped/)
    assert.match(pageTextOf(await office.browser.get(location!)), /Please note Months without day 31 are skipped/)
  })
})

describe('a series', () => {
  it('shows its rule in words, its next dates and visits, and leads to all of them', async () => {
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

  it("is changed, with its visits remade; left as it is, it isn't touched", async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Grease trap',
      rrule: 'FREQ=MONTHLY;BYMONTHDAY=1,15',
      dtstart: `${soon()}T07:30:00`,
    })
    const edit = office.at('job_series', id, 'edit')
    const before = await office.call('job_series_get', { id })
    assert.match(pageTextOf(await office.browser.get(edit)), /Saving rebooks the visits/)
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

  it('ends on a day, and stays ended', async () => {
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

  it('is there for the area alone, and for its company', async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Pool',
      rrule: 'FREQ=WEEKLY',
      dtstart: `${soon(1)}T09:00`,
    })
    const [none, looker] = [await office.hired('tech', { 'Recurring jobs': 'none' }), await office.hired('tech')]
    assert.equal((await none.browser.get(office.at('job_series', id))).status, 404)
    const page = await looker.browser.get(office.at('job_series', id))
    assert.ok(page.status === 200 && !page.text.includes('/do/'))
    assert.equal((await looker.browser.get(office.at('job_series', 'new'))).status, 404)
    const other = await openOffice(service, 'Birch')
    assert.equal((await other.browser.get(other.at('job_series', id))).status, 404)
  })
})

describe('a plan', () => {
  const makePlan = (more: object = {}): Promise<Result> =>
    office.call('plans_create', {
      customer_id: customer.id,
      name: 'Comfort plan',
      cadence: 'monthly',
      line_items: [{ name: 'Membership', unit_price_cents: 3_900 }],
      ...more,
    })

  it('is made with a form, which needs a cadence and a line', async () => {
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

  it('is paused, resumed and cancelled; then it is at its end', async () => {
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

  it('tells when no date is left for it', async () => {
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

describe('what is changed meanwhile', () => {
  it('is shown beside what was typed', async () => {
    const { id } = await office.call('job_series_create', {
      customer_id: customer.id,
      title: 'Pool',
      rrule: 'FREQ=WEEKLY;BYDAY=MO',
      dtstart: `${soon(1)}T09:00`,
    })
    const edit = office.at('job_series', id, 'edit')
    const fields = formAt(await office.browser.get(edit), edit).map(([name, value]): [string, string] => [
      name,
      name === 'title' ? 'Pools' : value,
    ])
    await office.call('job_series_update', { id, rrule: 'FREQ=WEEKLY;BYDAY=TU' })
    const page = await sendForm(office.browser, edit, fields)
    assert.equal(page.status, 409)
    assert.match(pageTextOf(page), /Title Pool Pools How often 1, weeks, TU 1, weeks, MO Save/)
  })
})
