import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import { enrollmentTask } from '../../src/worker/tasks/enrollment.ts'
import { runDue } from '../../src/worker/worker.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { captureLines } from '../harness/processes/workers.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
const { log } = captureLines()
before(async () => {
  service = await startSite()
})
// Each test has its own company, so that its nightly tasks run by that test's days only.
beforeEach(async () => {
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { locations: [{ address_line1: '1 Elm St' }] })
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 10, is_default: true })
})
after(() => service.stop())

const ZONE = 'America/New_York'
const day = (days: number) => Temporal.Now.plainDateISO(ZONE).add({ days })
const item = (): Promise<Result> =>
  office.call('catalog_items_create', { kind: 'service', name: `Filter ${Math.random()}`, unit_price_cents: 5_000 })
const seriesOf = (of: string, more: object = {}): Promise<Result> =>
  office.call('job_series_create', {
    customer_id: customer['id'],
    title: 'Filters',
    rrule: 'FREQ=WEEKLY',
    dtstart: `${day(3).toString()}T09:00`,
    line_items: [
      { catalog_item_id: of, quantity: 2 },
      { name: 'Trip', unit_price_cents: 1_000 },
    ],
    ...more,
  })
const planOf = (of: string): Promise<Result> =>
  office.call('plans_create', {
    customer_id: customer['id'],
    name: 'Care',
    cadence: 'monthly',
    start_date: day(40).toString(),
    line_items: [{ catalog_item_id: of }],
  })
const change = (of: string, price: string, from: number, fields: Record<string, string> = {}) =>
  submit(office.browser, office.at('catalog_items', of, 'do', 'catalog_items_schedule_price'), {
    unit_price_cents: price,
    from: day(from).toString(),
    ...fields,
  })
const sheet = async (of: string): Promise<string> =>
  pageTextOf(await office.browser.get(office.at('catalog_items', of)))
const visitsOf = async (series: string): Promise<Result[]> => {
  const { rows } = await office.call('jobs_list', { seriesId: series, limit: 100 })
  const jobs: Result[] = await Promise.all(rows.map(({ id }: Result) => office.call('jobs_get', { id })))
  return jobs.toSorted((a, b) => String(a['occurrence_key']).localeCompare(b['occurrence_key']))
}

/** Runs the nightly task on a later day. Days only move forward. */
async function arrive(days: number): Promise<void> {
  const now = day(days).toZonedDateTime({ timeZone: ZONE, plainTime: '00:30' }).toInstant()
  const tasks = [...PERIODIC_TASKS.filter(({ name }) => name === 'price_changes'), enrollmentTask(PERIODIC_TASKS)]
  const { database } = service
  for (let i = 0; i < 2; i++)
    await runDue({ database, log, clock: () => now, stopping: new AbortController().signal }, tasks)
}

describe('a scheduled price change', () => {
  it('shows the affected recurring work, and changes nothing before its date', async () => {
    const { id } = await item()
    const [series, plan] = [await seriesOf(id), await planOf(id)]
    await seriesOf((await item())['id'])
    const form = pageTextOf(
      await office.browser.get(office.at('catalog_items', id, 'do', 'catalog_items_schedule_price')),
    )
    assert.match(form, /Dora: Filters, \$110\.00 Dora: Care, \$55\.00/)
    assert.equal((await change(id, '60', 20)).status, 303)
    const page = await sheet(id)
    assert.match(page, /New price from .* \$60\.00 instead of \$50\.00/)
    assert.match(page, /Dora Filters \$110\.00 \$130\.00 Dora Care \$55\.00 \$66\.00/)
    assert.match(page, /Ana Ruiz set a new price of \$60\.00 from/)
    await arrive(19)
    assert.equal((await office.call('catalog_items_get', { id }))['unit_price_cents'], 5_000)
    assert.equal((await office.call('job_series_get', { id: series['id'] }))['subtotal_cents'], 11_000)
    assert.equal((await office.call('plans_get', { id: plan['id'] }))['total_cents'], 5_500)
  })

  it('applies on its date to the item, its plans and the visits from that date on', async () => {
    const { id } = await item()
    const [series, plan] = [await seriesOf(id), await planOf(id)]
    const visits = await visitsOf(series['id'])
    // Visits are 3, 10, 17, 24, 31, 38 and 45 days ahead.
    const [, , , , second, third, fourth] = visits
    const moved = Temporal.Instant.from(third!['scheduled_start']).add({ hours: 5 }).toString()
    await office.call('jobs_update', { id: third!['id'], scheduled_start: moved })
    await office.call('jobs_update', { id: fourth!['id'], line_items: [{ name: 'Gift', unit_price_cents: 0 }] })
    assert.equal((await change(id, '60', 34)).status, 303)
    await arrive(34)
    await arrive(35)
    assert.equal((await office.call('catalog_items_get', { id }))['unit_price_cents'], 6_000)
    assert.equal((await office.call('plans_get', { id: plan['id'] }))['total_cents'], 6_600)
    assert.equal((await office.call('job_series_get', { id: series['id'] }))['subtotal_cents'], 13_000)
    const after = await visitsOf(series['id'])
    assert.deepEqual(
      after.slice(3, 8).map((visit) => visit['subtotal_cents']),
      [11_000, 11_000, 13_000, 0, 13_000],
    )
    assert.deepEqual(
      after.map((visit) => visit['id']),
      visits.map((visit) => visit['id']),
    )
    assert.equal(after[5]!['scheduled_start'], moved.replace('Z', '.000Z'))
    assert.equal(second!['subtotal_cents'], 11_000)
    assert.doesNotMatch(await sheet(id), /New price from/)
    assert.match(await sheet(id), /The new price took effect/)
    const entries = await office.entries(series['id'])
    assert.equal(entries.filter(({ tool }) => tool === 'job_series.price_changed').length, 1, 'once')
  })

  it('leaves out unselected recurring work and lines with their own price', async () => {
    const { id } = await item()
    const chosen = await seriesOf(id)
    const other = await seriesOf(id)
    const special = await seriesOf(id, { line_items: [{ catalog_item_id: id, unit_price_cents: 4_000 }] })
    const given = { unit_price_cents: '70', from: day(40).toString(), recurring: chosen['id'] }
    const at = office.at('catalog_items', id, 'do', 'catalog_items_schedule_price')
    assert.equal((await office.browser.post(at, given)).status, 303)
    await arrive(40)
    const cents = async (one: Result) => (await office.call('job_series_get', { id: one['id'] }))['subtotal_cents']
    assert.deepEqual(await Promise.all([chosen, other, special].map(cents)), [15_000, 11_000, 4_000])
  })

  it('can be canceled, and is rejected for today, the same price and work without the item', async () => {
    const { id } = await item()
    assert.equal((await change(id, '60', 45)).status, 303)
    const cancel = await office.browser.post(office.at('catalog_items', id, 'do', 'catalog_items_cancel_price'), {})
    assert.equal(cancel.status, 303)
    await arrive(46)
    assert.equal((await office.call('catalog_items_get', { id }))['unit_price_cents'], 5_000)
    const today = await change(id, '60', 0)
    assert.deepEqual([today.status, /Choose a day after today/.test(pageTextOf(today))], [422, true])
    const same = await change(id, '50', 5)
    assert.deepEqual([same.status, /This is already the price/.test(pageTextOf(same))], [422, true])
    const strange = await seriesOf((await item())['id'])
    const at = office.at('catalog_items', id, 'do', 'catalog_items_schedule_price')
    const given = { unit_price_cents: '70', from: day(5).toString(), recurring: strange['id'] }
    const wrong = await office.browser.post(at, given)
    assert.deepEqual([wrong.status, /no longer has this item/.test(pageTextOf(wrong))], [422, true])
    const discount = await office.call('catalog_items_create', {
      kind: 'discount',
      name: 'Senior',
      discount_type: 'percent',
      discount_value: 10,
    })
    const none = office.at('catalog_items', discount['id'], 'do', 'catalog_items_schedule_price')
    assert.equal((await office.browser.post(none, given)).status, 404)
  })
})
