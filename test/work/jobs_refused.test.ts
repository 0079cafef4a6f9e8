import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startBooking, START, type Booking } from '../harness/money/booking.ts'
import { makeCompany } from '../harness/harness.ts'

let service: Booking['service']
let company: Booking['company']
let customer: Booking['customer']
let other: Booking['other']
let book: Booking['book']
let refused: Booking['refused']
let update: Booking['update']
before(async () => {
  ;({ service, company, customer, other, book, refused, update } = await startBooking())
})
after(() => service.stop())

describe('jobs: invalid_input', () => {
  const schedules: [given: object, sentence: RegExp][] = [
    [{ scheduled_end: START }, /scheduled_end needs scheduled_start/],
    [{ scheduled_start: START, scheduled_end: START }, /scheduled_end must be after scheduled_start/],
    [{ scheduled_start: START, scheduled_end: '2027-03-16T10:01' }, /scheduled_end must be at most 14 days after/],
    [
      { scheduled_start: START, scheduled_end: '2027-03-02T10:30', duration_minutes: 60 },
      /duration_minutes is 60, but scheduled_end is 90 minutes after/,
    ],
    [{ scheduled_start: '1999-12-31T00:00Z' }, /scheduled_start must be from 2000 to 2100/],
    [{ scheduled_start: '2101-01-01T00:00Z' }, /scheduled_start must be from 2000 to 2100/],
    [{ scheduled_start: 'tomorrow' }, /scheduled_start must be an instant/],
    [{ duration_minutes: 4 }, /duration_minutes must be a whole number from 5 to 20160/],
    [{ arrival_window_minutes: 481 }, /arrival_window_minutes must be a whole number from 0 to 480/],
    [{ priority: 'asap' }, /priority must be one of low, normal, high, urgent/],
    [{ status: 'done' }, /unknown field 'status'/],
    [{ title: ' ' }, /title must not be empty/],
    [{ title: 'x'.repeat(201) }, /title must be at most 200/],
    [{ series_id: newId() }, /unknown field 'series_id'/],
    [{ assignees: ['nobody@example.com', newId()] }, /assignees\[0\] is not an active member.*assignees\[1\]/],
    [
      { assignees: ['Bob'] },
      /assignees\[0\] is not an active member of this account \(got Bob\); use the user id, exact email or exact name of a member, such as \w+/,
    ],
    [{ line_items: [{ name: 'X' }] }, /line_items\[0\]\.unit_price_cents is required/],
    [{ location_id: newId() }, /location_id is not a live location of this customer; find its id with locations_list/],
    [{ contact_id: newId() }, /contact_id is not a live contact of this customer/],
    [{ quote_id: newId() }, /quote_id is not a live quote of this customer/],
  ]
  for (const [given, sentence] of schedules)
    it(JSON.stringify(given).slice(0, 90), async () => assert.match(await refused(given), sentence))

  it("is returned for another customer's location, contact or quote", async () => {
    const { id: quote_id } = await company.call('quotes_create', { customer_id: other.id, title: 'Theirs' })
    assert.match(
      await refused({ location_id: other.locations[0].id }),
      /^invalid_input: location_id is not a live location of this customer/,
    )
    assert.match(
      await refused({ contact_id: other.contacts[0].id }),
      /^invalid_input: contact_id is not a live contact of this customer/,
    )
    assert.match(await refused({ quote_id }), /^invalid_input: quote_id is not a live quote of this customer/)
    const { id } = await book()
    assert.match(
      await company.refusal('jobs_update', { id, location_id: other.locations[0].id }),
      /^invalid_input: location_id/,
    )
  })
  it('is returned for a deactivated assignee, but existing assignments stay', async () => {
    const tech = await company.member('tech')
    const { id } = await book({ assignees: [tech.id] })
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`update members set deactivated_at = moment() where tenant_id = ${db.tenant} and user_id = ${tech.id}`),
    )
    assert.match(await refused({ assignees: [tech.email] }), /assignees\[0\] is not an active member/)
    assert.equal((await update(id, { title: 'Still theirs' })).assignments[0].user_id, tech.id)
  })
  it('is returned when an update changes the customer or quote', async () => {
    const { id } = await book()
    assert.match(
      await company.refusal('jobs_update', { id, customer_id: other.id }),
      /^invalid_input: customer_id cannot be changed/,
    )
    assert.match(
      await company.refusal('jobs_update', { id, quote_id: newId() }),
      /^invalid_input: quote_id cannot be changed/,
    )
  })
  it('is returned for create, update and cancel with a tenant key', async () => {
    const { id } = await book()
    const key = await company.tenantKey()
    for (const [tool, given] of [
      ['jobs_create', { customer_id: customer.id, title: 'X' }],
      ['jobs_update', { id }],
      ['jobs_cancel', { id }],
    ] as const) {
      assert.match(await key.refusal(tool, given), /^invalid_input: jobs\.\w+ needs a user/)
    }
  })
})

describe('jobs: not_found', () => {
  it('is returned for an archived or unknown customer', async () => {
    const gone = await company.call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
    await company.call('customers_archive', { id: gone.id })
    assert.match(
      await refused({ customer_id: gone.id }),
      /^not_found: customer not found: it is «Gone», archived on \S+ .*; find another with customers_search$/,
    )
    assert.equal(
      await refused({ customer_id: newId() }),
      'not_found: customer not found; find its id with customers_search',
    )
  })
  it("is returned for another company's job or customer", async () => {
    const { id } = await book()
    const stranger = await makeCompany(service)
    for (const tool of ['jobs_get', 'jobs_update', 'jobs_cancel'])
      assert.equal(await stranger.refusal(tool, { id }), 'not_found: job not found; find its id with jobs_list')
    assert.match(
      await stranger.refusal('jobs_create', { customer_id: customer.id, title: 'X' }),
      /^not_found: customer/,
    )
  })
})

describe('jobs: conflict', () => {
  it('is returned for a stale expected_updated_at', async () => {
    const { id, updated_at } = await book()
    await update(id, { expected_updated_at: updated_at, title: 'First' })
    assert.match(
      await company.refusal('jobs_update', { id, expected_updated_at: updated_at, title: 'Second' }),
      /^conflict: the record changed/,
    )
  })
})

describe('jobs: insufficient_scope', () => {
  it('names the missing scope', async () => {
    const reader = await company.member('office', { scopes: ['read:jobs'] })
    assert.equal(
      await reader.refusal('jobs_create', { customer_id: customer.id, title: 'X' }),
      'insufficient_scope: jobs.create needs write:jobs',
    )
    const writer = await company.member('office', { scopes: ['write:jobs'] })
    assert.equal(await writer.refusal('jobs_list'), 'insufficient_scope: jobs.list needs read:jobs')
  })
})
