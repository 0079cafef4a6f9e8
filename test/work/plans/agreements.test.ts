import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing', 'America/New_York')
  customer = await office.customer('Dora', {
    locations: [{ address_line1: '1 Elm St', city: 'Austin', region: 'TX', postal_code: '78701' }],
  })
})
after(() => service.stop())

const dayFromNow = (days: number): string => Temporal.Now.plainDateISO('America/New_York').add({ days }).toString()
const planOf = async (end_date: string | null, name = 'Care'): Promise<Result> =>
  office.call('plans_create', {
    customer_id: customer['id'],
    name,
    cadence: 'monthly',
    start_date: dayFromNow(1),
    end_date,
    line_items: [{ name: 'Care', unit_price_cents: 5_000 }],
  })
const at = (plan: string, act: string): string => office.at('plans', plan, 'do', act)
const pageOf = async (plan: string): Promise<string> => pageTextOf(await office.browser.get(office.at('plans', plan)))
const addVisits = (plan: string, browser = office.browser) =>
  submit(browser, at(plan, 'plans_add_visits'), {
    dtstart: dayFromNow(7),
    'dtstart.time': '09:00',
    'rrule.interval': '1',
    'rrule.unit': 'weeks',
  })
async function visitsOf(plan: string): Promise<Result> {
  const [row] = await writeTenant(service.database, { tenant: office.id }, (db) =>
    db.all<{ series_id: string }>(sql`select series_id from plans where tenant_id = ${db.tenant} and id = ${plan}`),
  )
  return office.call('job_series_get', { id: row?.series_id })
}
const jobsOf = async (series: string, status: string): Promise<number> =>
  (await office.call('jobs_list', { seriesId: series, status: [status], limit: 100 }))['rows'].length

describe('a plan with visits', () => {
  it('is created and shown as one agreement: visits left, next visits, next invoice and end', async () => {
    const { id } = await planOf(dayFromNow(7 + 7 * 20 + 3))
    assert.match(await pageOf(id), /Visits Add visits A plan with visits is one agreement/)
    assert.equal((await addVisits(id)).status, 303)
    const series = await visitsOf(id)
    assert.deepEqual(
      [series['title'], series['customer_id'], series['end_date'], series['location_address'] !== null],
      ['Care', customer['id'], dayFromNow(7 + 7 * 20 + 3), true],
    )
    const page = await pageOf(id)
    assert.match(
      page,
      /Next invoice .*How often Weekly on \w+ Visits left 21 visits until .*Next visits Job When Status/,
    )
    assert.doesNotMatch(page, /Add visits/)
    assert.match(page, /Ana Ruiz added visits to the plan/)
    const again = await office.browser.post(at(id, 'plans_add_visits'), {
      dtstart: dayFromNow(7),
      'rrule.unit': 'weeks',
    })
    assert.deepEqual([again.status, /This plan already has visits/.test(pageTextOf(again))], [409, true])
  })

  it('is renewed with its series, and appears on Today 30 days before its end', async () => {
    const end = dayFromNow(20)
    const { id } = await planOf(end, 'Boiler care')
    await addVisits(id)
    assert.match(pageTextOf(await office.browser.get(office.at())), /Plans that end soon .*Boiler care/)
    assert.match(await pageOf(id), /It ends on .* Renew it, or let it end\./)
    const before = await jobsOf((await visitsOf(id))['id'], 'scheduled')
    assert.equal((await submit(office.browser, at(id, 'plans_renew'), { months: '12' })).status, 303)
    const until = Temporal.PlainDate.from(end).add({ months: 12 }).toString()
    const series = await visitsOf(id)
    assert.deepEqual([(await office.call('plans_get', { id }))['end_date'], series['end_date']], [until, until])
    assert.ok((await jobsOf(series['id'], 'scheduled')) > before)
    assert.doesNotMatch(pageTextOf(await office.browser.get(office.at())), /Plans that end soon/)
    assert.ok((await office.entries(series['id'])).some(({ tool }) => tool === 'plans.renew'))
  })

  it('restarts visits that ended with it when renewed, but not visits that were ended earlier', async () => {
    for (const isOver of [true, false]) {
      const { id } = await planOf(dayFromNow(20))
      await addVisits(id)
      const { id: series } = await visitsOf(id)
      if (isOver)
        await writeTenant(service.database, { tenant: office.id }, (db) =>
          db.run(sql`update job_series set status = 'ended', ended_at = moment()
            where tenant_id = ${db.tenant} and id = ${series}`),
        )
      else await office.call('job_series_end', { id: series, end_date: dayFromNow(10) })
      assert.equal((await submit(office.browser, at(id, 'plans_renew'), { months: '6' })).status, 303)
      assert.equal((await visitsOf(id))['status'], isOver ? 'active' : 'ended')
    }
  })

  it('is ended together with its series', async () => {
    const { id } = await planOf(null)
    await addVisits(id)
    const { id: series } = await visitsOf(id)
    assert.match(await pageOf(id), /Visits left Without an end/)
    assert.equal((await office.browser.get(at(id, 'plans_renew'))).status, 404, 'it has no end')
    assert.equal((await submit(office.browser, at(id, 'plans_end'), { reason: 'Moved' })).status, 303)
    const [plan, visits] = [await office.call('plans_get', { id }), await visitsOf(id)]
    assert.deepEqual([plan['status'], plan['cancel_reason'], visits['status']], ['cancelled', 'Moved', 'ended'])
    assert.equal(await jobsOf(series, 'scheduled'), 0)
    for (const act of ['plans_renew', 'plans_add_visits', 'plans_end'])
      assert.equal((await office.browser.post(at(id, act), { months: '6' })).status, 404, act)
  })

  it('can be renewed and ended only with edit rights for plans and recurring jobs', async () => {
    const { id } = await planOf(dayFromNow(20))
    await addVisits(id)
    const clerk = await office.signInMember('office', { Plans: 'edit', 'Recurring jobs': 'view' })
    assert.doesNotMatch((await clerk.browser.get(office.at('plans', id))).text, /do\/plans_(renew|add_visits)/)
    for (const [act, fields] of [
      ['plans_renew', { months: '6' }],
      ['plans_end', {}],
    ] as const)
      assert.equal((await clerk.browser.post(at(id, act), fields)).status, 403, act)
    assert.deepEqual(
      [(await office.call('plans_get', { id }))['status'], (await visitsOf(id))['status']],
      ['active', 'active'],
    )
  })

  it('is renewed only for an offered term', async () => {
    const { id } = await planOf(dayFromNow(20))
    for (const months of ['0', '1', '60', '-12', 'x', ''])
      assert.equal((await office.browser.post(at(id, 'plans_renew'), { months })).status, 422, months)
  })
})
