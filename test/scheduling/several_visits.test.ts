import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { locations: [{ address_line1: '1 Elm St' }] })
})
after(() => service.stop())

const ZONE = 'America/New_York'
const first = () => Temporal.Now.plainDateISO(ZONE).add({ days: 3 })

const seriesOf = (more: object = {}): Promise<Result> =>
  office.call('job_series_create', {
    customer_id: customer['id'],
    title: 'Filters',
    rrule: 'FREQ=WEEKLY',
    dtstart: `${first().toString()}T09:00`,
    line_items: [{ name: 'Filter', unit_price_cents: 5_000 }],
    ...more,
  })
const visitsOf = async (series: string): Promise<Result[]> => {
  const { rows } = await office.call('jobs_list', { seriesId: series, limit: 100 })
  const jobs: Result[] = await Promise.all(rows.map(({ id }: Result) => office.call('jobs_get', { id })))
  return jobs.toSorted((a, b) => String(a['occurrence_key']).localeCompare(b['occurrence_key']))
}
/** Submits the edit form of a visit. */
const save = (visit: string, fields: Record<string, string>) =>
  submit(office.browser, office.at('jobs', visit, 'edit'), fields)
const wall = (visit: Result): Temporal.PlainDateTime =>
  Temporal.Instant.from(visit['scheduled_start']).toZonedDateTimeISO(ZONE).toPlainDateTime()
const timeOf = (visit: Result): string => wall(visit).toPlainTime().toString({ smallestUnit: 'minute' })
const priceOf = (visit: Result): number => visit['subtotal_cents']
const startAt = (visit: Result, time: string): string => `${wall(visit).toPlainDate().toString()}T${time}`
const price = (dollars: string) => ({ 'line_items.0.price': dollars })

describe('a change to a visit of a recurring job', () => {
  it('applies to that visit only, unless another scope is selected', async () => {
    const { id } = await seriesOf()
    const [, second] = await visitsOf(id)
    const form = pageTextOf(await office.browser.get(office.at('jobs', second!['id'], 'edit')))
    assert.match(form, /This visit This and the following visits All visits ahead/)
    assert.equal((await save(second!['id'], price('60'))).status, 303)
    const visits = await visitsOf(id)
    assert.deepEqual(visits.slice(0, 3).map(priceOf), [5_000, 6_000, 5_000])
    assert.equal((await office.call('job_series_get', { id }))['subtotal_cents'], 5_000)
    const alone = await office.call('jobs_create', { customer_id: customer['id'], title: 'Once' })
    assert.doesNotMatch(
      pageTextOf(await office.browser.get(office.at('jobs', alone['id'], 'edit'))),
      /following visits/,
    )
  })

  it('with "following" applies to later visits and to future ones', async () => {
    const { id } = await seriesOf()
    const third = (await visitsOf(id))[2]!
    const { status, location } = await save(third['id'], { ...price('70'), scope: 'following' })
    assert.deepEqual([status, location], [303, office.at('jobs', third['id'])])
    const visits = await visitsOf(id)
    assert.deepEqual([...new Set(visits.slice(0, 2).map(priceOf))], [5_000])
    assert.deepEqual([...new Set(visits.slice(2).map(priceOf))], [7_000])
    assert.equal((await office.call('job_series_get', { id }))['subtotal_cents'], 7_000)
    assert.ok(visits.every(({ is_exception }) => is_exception === false))
    const history = pageTextOf(await office.browser.get(office.at('job_series', id)))
    assert.match(history, new RegExp(`changed it with ${visits.length - 2} visits`))
  })

  it('applies a new price to a visit that was only rescheduled, and keeps its time', async () => {
    const { id } = await seriesOf()
    const [one, two, three] = await visitsOf(id)
    await office.call('jobs_update', { id: two!['id'], scheduled_start: startAt(two!, '15:00') })
    await office.call('jobs_update', { id: three!['id'], line_items: [{ name: 'Gift', unit_price_cents: 0 }] })
    const saved = await save(one!['id'], { ...price('80'), scope: 'all' })
    assert.equal(saved.status, 303)
    assert.match(
      pageTextOf(await office.browser.get(saved.location!)),
      /Changed \d+ visits\. One keeps its own changes/,
    )
    const visits = await visitsOf(id)
    assert.deepEqual(visits.slice(0, 4).map(priceOf), [8_000, 8_000, 0, 8_000])
    assert.deepEqual(visits.slice(0, 4).map(timeOf), ['09:00', '15:00', '09:00', '09:00'])
    assert.deepEqual(
      visits.slice(0, 4).map(({ is_exception }) => is_exception),
      [false, true, true, false],
    )
  })

  it('detects individual changes of visits from before they were tracked', async () => {
    const { id } = await seriesOf()
    const [one, two, three] = await visitsOf(id)
    await office.call('jobs_update', { id: two!['id'], scheduled_start: startAt(two!, '15:00') })
    await office.call('jobs_update', { id: three!['id'], title: 'Big filters' })
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update jobs set own_parts = null where series_id = ${id}`),
    )
    const change = { title: 'Fine filters', scheduled_start: startAt(one!, '08:00'), ...price('80'), scope: 'all' }
    assert.equal((await save(one!['id'], change)).status, 303)
    assert.deepEqual(
      (await visitsOf(id)).slice(0, 4).map((visit) => [timeOf(visit), visit['title'], priceOf(visit)]),
      [
        ['08:00', 'Fine filters', 8_000],
        ['15:00', 'Fine filters', 8_000],
        ['08:00', 'Big filters', 8_000],
        ['08:00', 'Fine filters', 8_000],
      ],
    )
  })

  it('to the time of day moves all visits, except those with their own time', async () => {
    const { id } = await seriesOf({ rrule: 'FREQ=WEEKLY;BYHOUR=9;BYMINUTE=0' })
    const [one, two] = await visitsOf(id)
    await office.call('jobs_update', { id: two!['id'], scheduled_start: startAt(two!, '15:00') })
    assert.equal((await save(one!['id'], { scheduled_start: startAt(one!, '10:30'), scope: 'all' })).status, 303)
    const visits = await visitsOf(id)
    assert.deepEqual(new Set(visits.filter((_, i) => i !== 1).map(timeOf)), new Set(['10:30']))
    assert.equal(timeOf(visits[1]!), '15:00')
    const series = await office.call('job_series_get', { id })
    assert.deepEqual([series['dtstart'].slice(11), series['rrule']], ['10:30:00', 'FREQ=WEEKLY'])
    assert.equal(visits.length, (await visitsOf((await seriesOf())['id'])).length, 'none is made or lost')
  })

  it('is rejected for another day, the status or a visit that has started', async () => {
    const { id } = await seriesOf()
    const [one, two] = await visitsOf(id)
    const tomorrow = wall(one!).add({ days: 1 }).toString({ smallestUnit: 'minute' })
    const day = await save(one!['id'], { scheduled_start: tomorrow, scope: 'following' })
    assert.deepEqual([day.status, /you can change the time of day only/.test(pageTextOf(day))], [422, true])
    const status = await save(one!['id'], { status: 'done', scope: 'all' })
    assert.deepEqual([status.status, /for one visit only/.test(pageTextOf(status))], [422, true])
    await office.call('jobs_update', { id: two!['id'], status: 'done' })
    const begun = await save(two!['id'], { ...price('90'), scope: 'all' })
    assert.deepEqual([begun.status, /is no longer upcoming/.test(pageTextOf(begun))], [422, true])
    assert.deepEqual(new Set((await visitsOf(id)).map(priceOf)), new Set([5_000]))
    assert.deepEqual(
      (await visitsOf(id)).slice(0, 2).map(({ status }) => status),
      ['scheduled', 'done'],
    )
  })

  it("has no scope choice for members who can't change recurring jobs", async () => {
    const { id } = await seriesOf()
    const [one] = await visitsOf(id)
    const colleague = await office.signInMember('tech')
    const page = await colleague.browser.get(office.at('jobs', one!['id'], 'edit'))
    assert.doesNotMatch(pageTextOf(page), /following visits/)
  })

  it('matches the model for any sequence of changes', async () => {
    const parts = fc.constantFrom('time' as const, 'price' as const, 'title' as const)
    const value = fc.integer({ min: 1, max: 3 })
    const which = fc.integer({ min: 0, max: 4 })
    const scope = fc.constantFrom('one' as const, 'following' as const, 'all' as const)
    const steps = fc.array(fc.record({ which, scope, part: parts, value }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const { id } = await seriesOf({ rrule: 'FREQ=WEEKLY;COUNT=5' })
        const template = { time: 0, price: 0, title: 0 }
        const model = Array.from({ length: 5 }, () => ({ ...template, own: new Set<string>() }))
        for (const { which, scope, part, value } of steps) {
          const visit = (await visitsOf(id))[which]!
          const fields = {
            time: { scheduled_start: startAt(visit, `1${value}:00`) },
            price: price(`${50 + value}`),
            title: { title: `Filters ${value}` },
          }[part]
          const isSame = model[which]![part] === value
          const { status } = await save(visit['id'], { ...fields, ...(scope === 'one' ? {} : { scope }) })
          assert.equal(status, 303)
          if (isSame) continue
          if (scope === 'one') {
            model[which]![part] = value
            model[which]!.own.add(part)
            continue
          }
          for (const [i, one] of model.entries()) {
            if ((scope === 'following' && i < which) || (i !== which && one.own.has(part))) continue
            one[part] = value
            one.own.delete(part)
          }
        }
        const visits = await visitsOf(id)
        assert.deepEqual(
          visits.map((one) => [timeOf(one), priceOf(one), one['title'], one['is_exception']]),
          model.map(({ time, price, title, own }) => [
            time === 0 ? '09:00' : `1${time}:00`,
            price === 0 ? 5_000 : 5_000 + price * 100,
            title === 0 ? 'Filters' : `Filters ${title}`,
            own.size > 0,
          ]),
        )
      }),
      { numRuns: 25 },
    )
  })
})
