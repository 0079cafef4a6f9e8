import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { partsOf, ruleOf } from '../../../src/records/job_series/rhythm/rule_parts.ts'
import { parseRule } from '../../../src/recurrence/rule.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import {
  errorAt,
  formAt,
  idAt,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { HOSTILE, openSeriesScene, soon } from './scene.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  ;({ service, office, customer } = await openSeriesScene())
})
after(() => service.stop())

const form = () => `${office.at('job_series', 'new')}?customer_id=${customer.id}`
const newSeries = (typed: Record<string, string | string[] | null>) =>
  submit(
    office.browser,
    form(),
    { title: 'Filters', dtstart: soon(), 'dtstart.time': '09:00', ...typed },
    office.at('job_series', 'new'),
  )
/** Creates a series and returns it. The response is a redirect, or a page with a link to the series. */
const makeSeries = async (typed: Record<string, string | string[] | null>): Promise<Result> => {
  const { location, text } = await newSeries(typed)
  return office.call('job_series_get', {
    id: location === null ? /job_series\/([0-9a-f-]{36})"/.exec(text)![1]! : idAt(location),
  })
}

describe('the recurrence fields', () => {
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
  for (const rule of rules) it(`represent ${rule}`, () => assert.equal(parseRule(ruleOf(partsOf(rule)!)).text, rule))

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
    it(`don't represent ${rule}, which stays a custom rule`, () => assert.equal(partsOf(rule), null))
  }
})

describe('a new job series', () => {
  it('is created from the recurrence fields or a custom rule', async () => {
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

  it('previews its dates before it is created, and keeps what was typed', async () => {
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

  it('shows errors for contradictory fields, an invalid rule or time zone and a missing start', async () => {
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

  it('warns that short months are skipped, after creation and on its page', async () => {
    const { location } = await newSeries({ 'rrule.unit': 'months', 'rrule.monthday': '31' })
    assert.match(pageTextOf(await office.browser.get(location!)), /Created .*Months without day 31 are skipped/)
    assert.match(pageTextOf(await office.browser.get(location!)), /Please note Months without day 31 are skipped/)
  })
})

describe('a job series changed meanwhile', () => {
  it('is shown next to what was typed, with 409', async () => {
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
