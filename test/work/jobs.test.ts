import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startBooking, START, type Booking } from '../harness/money/booking.ts'
import { makeCompany, type Result } from '../harness/harness.ts'

let service: Booking['service']
let company: Booking['company']
let customer: Booking['customer']
let other: Booking['other']
let book: Booking['book']
let update: Booking['update']
before(async () => {
  ;({ service, company, customer, other, book, update } = await startBooking())
})
after(() => service.stop())

const place = (address: string): Result =>
  customer.locations.find(({ address_line1 }: Result) => address_line1 === address)

describe('jobs_create', () => {
  it('defaults to unscheduled with the primary location and contact, and activates a lead', async () => {
    const { id, number, created_at, updated_at, ...job } = await book()
    assert.deepEqual(job, {
      display_number: `J-${number}`,
      customer_id: customer.id,
      customer_name: 'Ana',
      location_id: place('1 Elm St').id,
      location_address: '1 Elm St, Austin, US',
      contact_id: customer.contacts[0].id,
      title: 'Tune-up',
      description: null,
      instructions: null,
      status: 'unscheduled',
      priority: 'normal',
      scheduled_start: null,
      scheduled_end: null,
      duration_minutes: 60,
      all_day: false,
      arrival_window_minutes: 0,
      timezone: 'America/New_York',
      assignments: [],
      line_items: [],
      subtotal_cents: 0,
      series_id: null,
      occurrence_key: null,
      is_exception: false,
      quote_id: null,
      completed_at: null,
      cancelled_at: null,
      cancel_reason: null,
      fields: {},
      created_by: company.owner.id,
      updated_by: company.owner.id,
      media: [],
      invoice_ids: [],
      url: `http://callout.test/${company.tenant}/jobs/${id}`,
    })
    assert.ok(created_at === updated_at && Number.isInteger(number))
    assert.equal((await company.call('customers_get', { id: customer.id })).status, 'active')
  })
  it('numbers jobs from J-1001 per company, uniquely under concurrency', async () => {
    const fresh = await makeCompany(service)
    const { id } = await fresh.call('customers_create', { customer_type: 'individual', first_name: 'Di' })
    const made = await Promise.all(
      [1, 2, 3, 4].map((n) => fresh.call('jobs_create', { customer_id: id, title: `No. ${n}` })),
    )
    assert.deepEqual(
      new Set(made.map(({ display_number }) => display_number)),
      new Set(['J-1001', 'J-1002', 'J-1003', 'J-1004']),
    )
  })
  it("with a start schedules the job in the company's time zone and computes the end from the duration", async () => {
    const job = await book({
      scheduled_start: START,
      duration_minutes: 90,
      arrival_window_minutes: 120,
      priority: 'urgent',
    })
    assert.deepEqual(
      [job.status, job.scheduled_start, job.scheduled_end],
      ['scheduled', '2027-03-02T14:00:00.000Z', '2027-03-02T15:30:00.000Z'],
    )
    assert.deepEqual([job.arrival_window_minutes, job.priority], [120, 'urgent'])
  })
  it('resolves local times in a DST gap and overlap', async () => {
    assert.equal((await book({ scheduled_start: '2027-03-14T02:30' })).scheduled_start, '2027-03-14T07:30:00.000Z')
    assert.equal((await book({ scheduled_start: '2027-11-07T01:30' })).scheduled_start, '2027-11-07T05:30:00.000Z')
  })
  it('computes the duration from the end, and accepts a duration that agrees', async () => {
    const end = '2027-03-02T11:15'
    assert.equal((await book({ scheduled_start: START, scheduled_end: end })).duration_minutes, 135)
    assert.equal(
      (await book({ scheduled_start: START, scheduled_end: end, duration_minutes: 135 })).duration_minutes,
      135,
    )
  })
  it('starts an all-day job at local midnight', async () => {
    for (const scheduled_start of ['2027-03-02T16:45', '2027-03-02T00:00', '2027-03-03T01:00:00Z']) {
      const job = await book({ scheduled_start, all_day: true })
      assert.deepEqual([job.all_day, job.scheduled_start], [true, '2027-03-02T05:00:00.000Z'], scheduled_start)
    }
  })
  it('assigns members by id or email in any case, without duplicates and in order', async () => {
    const [tech, office] = [await company.member('tech'), await company.member('office')]
    const { assignments } = await book({ assignees: [office.email.toUpperCase(), tech.id, office.id] })
    assert.deepEqual(assignments, [
      { user_id: office.id, name: 'Test office' },
      { user_id: tech.id, name: 'Test tech' },
    ])
  })
  it('prices line items from the catalog, without tax', async () => {
    await company.call('tax_rates_create', { rate_percentage: 8.25, is_default: true })
    const item = await company.call('catalog_items_create', { kind: 'service', name: 'Filter', unit_price_cents: 2500 })
    const { line_items, subtotal_cents } = await book({
      line_items: [
        { catalog_item_id: item.id, quantity: 3 },
        { name: 'Labor', kind: 'labor', quantity: '1.5', unit_price_cents: 9000 },
        { kind: 'discount', name: 'Friend', discount_type: 'percent', discount_value: 10 },
      ],
    })
    assert.equal(subtotal_cents, 21_000)
    assert.deepEqual(
      line_items.map(({ name, position, line_total_cents, tax_cents }: Result) => [
        name,
        position,
        line_total_cents,
        tax_cents,
      ]),
      [
        ['Filter', 0, 7500, 0],
        ['Labor', 1, 13_500, 0],
        ['Friend', 2, -2100, 0],
      ],
    )
  })
  it('uses the named location and contact, or none for null', async () => {
    const named = await book({ location_id: place('2 Oak St').id, contact_id: customer.contacts[1].id })
    assert.deepEqual([named.location_address, named.contact_id], ['2 Oak St, US', customer.contacts[1].id])
    const none = await book({ location_id: null, contact_id: null })
    assert.deepEqual([none.location_id, none.location_address, none.contact_id], [null, null, null])
  })
  it('warns about a do-not-service customer', async () => {
    const { warnings } = await company.call('jobs_create', { customer_id: other.id, title: 'Visit' })
    assert.equal(warnings.length, 1)
    assert.match(warnings[0], /^«Other Inc» is marked do_not_service/)
    assert.equal((await book()).warnings, undefined)
  })
  it('links the job and its quote', async () => {
    const quote = await company.call('quotes_create', { customer_id: customer.id, title: 'Offer' })
    const job = await book({ quote_id: quote.id })
    assert.equal(job.quote_id, quote.id)
    assert.equal((await company.call('quotes_get', { id: quote.id })).converted_job_id, job.id)
  })
  it('creates one job for two concurrent calls with one idempotency key', async () => {
    const [a, b] = await Promise.all([1, 2].map(() => book({ idempotency_key: 'one', title: 'Once' })))
    assert.deepEqual(a, b)
    assert.equal((await company.call('jobs_list', { title: 'once' })).rows.length, 1)
  })
})

describe('jobs_get', () => {
  it('returns media with their URLs', async () => {
    const { id } = await book()
    const file = newId()
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`
      insert into job_media (tenant_id, id, job_id, file_name, content_type, size_bytes, storage_key, caption, created_by)
      values (${company.tenant}, ${file}, ${id}, 'roof.jpg', 'image/jpeg', 1234, 'k', 'Before', ${company.owner.id})`),
    )
    const { media } = await company.call('jobs_get', { id })
    const [{ created_at, ...shown }] = media
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(shown, {
      id: file,
      file_name: 'roof.jpg',
      content_type: 'image/jpeg',
      size_bytes: 1234,
      caption: 'Before',
      created_by: company.owner.id,
      url: `http://callout.test/${company.tenant}/jobs/${id}/media/${file}`,
    })
  })
  it('returns invoice_ids only to callers who can read invoices', async () => {
    const { id } = await book()
    const invoice = await company.call('invoices_create', { customer_id: customer.id, job_ids: [id] })
    assert.deepEqual((await company.call('jobs_get', { id })).invoice_ids, [invoice.id])
    const tech = await company.member('tech')
    for (const job of [await tech.call('jobs_get', { id }), await tech.call('jobs_update', { id, title: 'Mine' })]) {
      assert.equal('invoice_ids' in job, false)
      assert.deepEqual(job.redacted_fields, ['invoice_ids'])
    }
  })
  it('accepts a tenant key', async () => {
    const { id } = await book()
    assert.equal((await (await company.tenantKey()).call('jobs_get', { id })).id, id)
  })
})

describe('jobs_update', () => {
  it('keeps omitted fields, clears null ones and replaces lists', async () => {
    const { url: _, ...before } = await book({
      description: 'A',
      instructions: 'B',
      scheduled_start: START,
      assignees: [company.owner.id],
      line_items: [{ name: 'X', unit_price_cents: 1 }],
      fields: { gate: '12' },
    })
    assert.deepEqual({ ...(await update(before['id'], {})), updated_at: null }, { ...before, updated_at: null })
    const after = await update(before['id'], {
      description: null,
      line_items: [
        { name: 'Y', unit_price_cents: 500 },
        { name: 'Z', unit_price_cents: 1 },
      ],
      assignees: [],
    })
    assert.deepEqual(
      [after.description, after.instructions, after.assignments, after.subtotal_cents],
      [null, 'B', [], 501],
    )
    assert.deepEqual([after.fields, after.url], [{ gate: '12' }, undefined])
  })
  it('moves the end with the start and keeps end and duration consistent', async () => {
    const { id } = await book({ scheduled_start: START, scheduled_end: '2027-03-02T11:00' })
    const moved = await update(id, { scheduled_start: '2027-03-05T13:00' })
    assert.deepEqual(
      [moved.scheduled_start, moved.scheduled_end],
      ['2027-03-05T18:00:00.000Z', '2027-03-05T20:00:00.000Z'],
    )
    assert.equal((await update(id, { duration_minutes: 30 })).scheduled_end, '2027-03-05T18:30:00.000Z')
    assert.equal((await update(id, { scheduled_end: '2027-03-05T14:30' })).duration_minutes, 90)
    assert.equal((await update(id, { all_day: true })).scheduled_start, '2027-03-05T05:00:00.000Z')
  })
  it('copies the address again when the location changes, not when the location is edited', async () => {
    const { id, location_id } = await book()
    await company.call('locations_update', { id: location_id, city: 'Dallas' })
    assert.equal((await update(id, { location_id })).location_address, '1 Elm St, Austin, US')
    assert.equal((await update(id, { location_id: place('2 Oak St').id })).location_address, '2 Oak St, US')
    assert.equal((await update(id, { location_id })).location_address, '1 Elm St, Dallas, US')
    await company.call('locations_update', { id: location_id, city: 'Austin' })
  })
  it('accepts immutable fields with their current values', async () => {
    const { id } = await book()
    assert.equal((await update(id, { customer_id: customer.id, quote_id: null, title: 'Same' })).title, 'Same')
  })
  it('keeps all of several concurrent changes', async () => {
    const { id } = await book({ scheduled_start: START })
    await Promise.all([
      update(id, { title: 'Both' }),
      update(id, { priority: 'high' }),
      update(id, { scheduled_start: '2027-04-01T09:00' }),
      update(id, { duration_minutes: 15 }),
    ])
    const job = await company.call('jobs_get', { id })
    assert.deepEqual(
      [job.title, job.priority, job.scheduled_start, job.scheduled_end],
      ['Both', 'high', '2027-04-01T13:00:00.000Z', '2027-04-01T13:15:00.000Z'],
    )
  })
  it('is audited with the changed fields', async () => {
    const { id } = await book()
    await update(id, { title: 'New title' })
    const audit = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.one<{ changed: object }>(sql`
      select changed from audit where tenant_id = ${db.tenant} and record_id = ${id} and tool = 'jobs.update'`),
    )
    assert.deepEqual(audit.changed, { title: ['Tune-up', 'New title'] })
  })
})
