import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeCompany } from '../../harness/harness.ts'
import { at, inDays, today, mowingSeries } from './mowing_series.ts'
import { openSeriesScene, type SeriesScene } from './series_scene.ts'

let { service, company, customer, start, stop } = {} as SeriesScene
before(async () => void ({ service, company, customer, start, stop } = await openSeriesScene()))
after(() => stop())

const readRefusal = (given: object): Promise<string> =>
  company.refusal('job_series_create', mowingSeries(customer, given))

describe('job_series_create: invalid_input', () => {
  const cases: [given: object, sentence: RegExp][] = [
    [{ rrule: 'FREQ=HOURLY' }, /rrule: FREQ=HOURLY is not supported/],
    [{ rrule: 'every week' }, /rrule: /],
    [{ rrule: 'FREQ=DAILY;COUNT=2;UNTIL=20300101' }, /COUNT and UNTIL can't be combined/],
    [{ rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, /rule never occurs/],
    [{ rrule: 'FREQ=DAILY;BYHOUR=9,14' }, /BYHOUR takes one value/],
    [{ rrule: 'FREQ=DAILY;BYHOUR=9', dtstart: inDays(1) }, /BYHOUR and BYMINUTE need a dtstart with a time/],
    [{ timezone: 'UTC+5' }, /timezone: 'UTC\+5' is not in the tz database/],
    [{ dtstart: 'tomorrow' }, /dtstart: 'tomorrow' is not a valid start/],
    [{ dtstart: today.subtract({ years: 1, days: 1 }).toString() }, /dtstart must be from .* \(one year ago\) to/],
    [{ dtstart: today.add({ years: 5, days: 1 }).toString() }, /dtstart must be from .* \(five years from now\)/],
    [{ dtstart: inDays(1), all_day: false }, /all_day false needs a dtstart with a time/],
    [{ end_date: inDays(0) }, /end_date must be on or after dtstart/],
    [{ end_date: today.add({ years: 10, days: 2 }).toString() }, /end_date must be at most ten years after dtstart/],
    [{ end_date: inDays(3), rrule: `FREQ=YEARLY;BYMONTHDAY=${today.add({ days: 10 }).day}` }, /rule never occurs/],
    [{ title: '' }, /title must not be empty/],
    [{ scheduled_start: at(1) }, /unknown field 'scheduled_start'/],
    [{ assignees: [newId()] }, /assignees\[0\] is not an active member/],
    [{ location_id: newId() }, /location_id is not a live location of this customer/],
    [{ contact_id: newId() }, /contact_id is not a live contact of this customer/],
    [{ line_items: [{ quantity: 0 }] }, /line_items\[0\]\.quantity must be above 0/],
  ]
  for (const [given, sentence] of cases)
    it(JSON.stringify(given).slice(0, 90), async () =>
      assert.match(await readRefusal(given), new RegExp(`^invalid_input: .*${sentence.source}`)),
    )

  it("is returned for another customer's location", async () => {
    const other = await company.call('customers_create', {
      customer_type: 'company',
      company_name: 'Other',
      locations: [{ address_line1: '9 Far Rd' }],
    })
    assert.match(await readRefusal({ location_id: other.locations[0].id }), /^invalid_input: location_id/)
  })
  it('is returned for create and update with a tenant key, which can still read and end a series', async () => {
    const { id } = await start()
    const key = await company.tenantKey()
    assert.match(
      await key.refusal('job_series_create', {
        customer_id: customer.id,
        title: 'X',
        rrule: 'FREQ=DAILY',
        dtstart: at(1),
      }),
      /^invalid_input: .* needs a user/,
    )
    assert.match(await key.refusal('job_series_update', { id }), /^invalid_input: .* needs a user/)
    assert.equal((await key.call('job_series_get', { id })).id, id)
    assert.equal((await key.call('job_series_end', { id })).updated_by, null)
  })
})

describe('job series: not_found', () => {
  it("is returned for an unknown customer and for another company's series", async () => {
    assert.equal(
      await readRefusal({ customer_id: newId() }),
      'not_found: customer not found; find its id with customers_search',
    )
    const { id } = await start()
    const stranger = await makeCompany(service)
    for (const tool of ['job_series_get', 'job_series_update', 'job_series_end'])
      assert.equal(
        await stranger.refusal(tool, { id }),
        'not_found: job series not found; find its id with job_series_list',
      )
    assert.deepEqual((await stranger.call('jobs_list', { seriesId: id })).rows, [])
  })
})

describe('job series: insufficient_scope', () => {
  it('names the missing scope', async () => {
    const tech = await company.member('tech')
    assert.equal(
      await tech.refusal('job_series_end', { id: newId() }),
      'insufficient_scope: job_series.end needs write:job_series',
    )
  })
})
