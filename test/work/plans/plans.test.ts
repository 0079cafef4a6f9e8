import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../../harness/harness.ts'

let service: TestService
let company: Company
let customer: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = (
    await company.call('customers_create', {
      customer_type: 'company',
      company_name: 'Palm Court',
      locations: [{ address_line1: '1 Billing Rd', type: 'billing' }, { address_line1: '2 Service St' }],
    })
  ).id
})
after(() => service.stop())

const TODAY = Temporal.Now.plainDateISO('America/New_York')
const today = TODAY.toString()
const later = (days: number): string => TODAY.add({ days }).toString()
const visit = { name: 'Visit', unit_price_cents: 15000 }
const planInput = (more: object = {}) => ({
  customer_id: customer,
  name: 'Pool care',
  cadence: 'monthly',
  line_items: [visit],
  ...more,
})
const make = (more: object = {}): Promise<Result> => company.call('plans_create', planInput(more))

describe('plans', () => {
  it('are created with defaults, priced, at the primary service location', async () => {
    const { id: rate } = await company.call('tax_rates_create', { rate_percentage: 8.25, is_default: true })
    const plan = await make({
      line_items: [
        { ...visit, quantity: 2, position: 9 },
        { name: 'Salt', unit_price_cents: 1999, taxable: false, position: 1 },
      ],
      discount: { type: 'percent', value: 10 },
    })
    const { id, created_at, updated_at, line_items, taxes, location_id, ...rest } = plan
    assert.deepEqual(rest, {
      customer_id: customer,
      customer_name: 'Palm Court',
      location_address: '2 Service St, US',
      name: 'Pool care',
      description: null,
      cadence: 'monthly',
      start_date: today,
      end_date: null,
      discount: { type: 'percent', value: 10 },
      tax_rate_id: rate,
      tax_exempt: false,
      subtotal_cents: 31999,
      discount_cents: 3200,
      taxable_cents: 27000,
      tax_cents: 2228,
      total_cents: 31027,
      currency: 'USD',
      auto_invoice: 'draft',
      status: 'active',
      next_run_date: today,
      last_run_date: null,
      runs_count: 0,
      cancelled_at: null,
      cancel_reason: null,
      created_by: company.owner.id,
      updated_by: company.owner.id,
      url: `http://callout.test/${company.tenant}/plans/${id}`,
    })
    assert.deepEqual(
      line_items.map(({ name, position }: Result) => [name, position]),
      [
        ['Salt', 0],
        ['Visit', 1],
      ],
    )
    assert.deepEqual(taxes, [
      { tax_rate_id: rate, name: 'Sales tax', rate_decimal: 0.0825, base_cents: 27000, tax_cents: 2228 },
    ])
    assert.deepEqual(await company.call('plans_get', { id }), plan)
    assert.ok(location_id && created_at === updated_at)
    await company.call('tax_rates_update', { id: rate, is_default: false })
  })

  it('turn a lead into an active customer', async () => {
    const { id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Lee',
      status: 'lead',
    })
    await make({ customer_id: id })
    assert.equal((await company.call('customers_get', { id })).status, 'active')
  })

  it('are listed newest first, filtered by status, customer and updated_since', async () => {
    const { call } = await makeCompany(service)
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Ruiz',
    })
    const { id: other } = await call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const [a, b, c] = [
      await call('plans_create', planInput({ customer_id, name: 'A', start_date: later(3) })),
      await call('plans_create', planInput({ customer_id, name: 'B' })),
      await call('plans_create', planInput({ customer_id: other, name: 'C' })),
    ]
    await call('plans_update', { id: b.id, status: 'paused' })
    await call('plans_cancel', { id: c.id })
    const listNames = async (filter: object): Promise<string> =>
      (await call('plans_list', filter)).rows.map(({ name }: Result) => name).join('')
    const list = await call('plans_list', { include_total: true, limit: 2 })
    assert.deepEqual({ ...list, rows: list.rows.length }, { rows: 2, page: 1, limit: 2, hasMore: true, total: 3 })
    assert.deepEqual((await call('plans_list', { status: 'active' })).rows, [
      {
        id: a.id,
        name: 'A',
        status: 'active',
        customer_id,
        customer_name: 'Ana Ruiz',
        cadence: 'monthly',
        next_run_date: later(3),
        total_cents: 15000,
      },
    ])
    assert.equal(await listNames({}), 'CBA')
    assert.equal(await listNames({ page: 2, limit: 2 }), 'A')
    assert.equal(await listNames({ status: ['paused', 'cancelled'] }), 'CB')
    assert.equal(await listNames({ customer_id }), 'BA')
    assert.equal(await listNames({ customer_id: other, status: ['active', 'paused'] }), '')
    assert.equal(await listNames({ updated_since: a.updated_at }), 'ABC')
  })

  it('change only the given fields on update, replace all lines, and return no url', async () => {
    const plan = await make({ description: 'Weekly', end_date: later(400), discount: { type: 'amount', value: 500 } })
    const after = await company.call('plans_update', {
      id: plan.id,
      expected_updated_at: plan.updated_at,
      customer_id: customer,
      name: 'Spa care',
      description: null,
      auto_invoice: 'none',
      end_date: null,
      line_items: [{ name: 'Filter', unit_price_cents: 4000, quantity: '1.5' }, visit],
      discount: null,
      location_id: null,
    })
    assert.deepEqual(
      [
        after.name,
        after.description,
        after.auto_invoice,
        after.end_date,
        after.discount,
        after.location_id,
        after.total_cents,
        after.cadence,
      ],
      ['Spa care', null, 'none', null, null, null, 21000, 'monthly'],
    )
    assert.deepEqual(
      after.line_items.map(({ name }: Result) => name),
      ['Filter', 'Visit'],
    )
    assert.equal(after.url, undefined)
    const renamed = await company.call('plans_update', { id: plan.id, name: 'Care' })
    assert.deepEqual(renamed.line_items, after.line_items)
  })

  it('treat a blank optional field as null', async () => {
    const plan = await make({ description: 'Weekly', end_date: later(400) })
    const blank = { description: ' ', end_date: '', location_id: '', tax_rate_id: '' }
    const after = await company.call('plans_update', { id: plan.id, ...blank })
    for (const field of Object.keys(blank)) assert.equal(after[field], null, field)
  })

  it('are taxed by the chosen rate, or not at all for null', async () => {
    const { id: rate } = await company.call('tax_rates_create', { rate_percentage: 10 })
    const plan = await make({ tax_rate_id: rate })
    assert.deepEqual([plan.tax_cents, plan.total_cents], [1500, 16500])
    await company.call('tax_rates_archive', { id: rate })
    const kept = await company.call('plans_update', {
      id: plan.id,
      line_items: [{ ...visit, unit_price_cents: 20000 }],
    })
    assert.deepEqual([kept.tax_rate_id, kept.tax_cents], [rate, 2000])
    assert.equal((await company.call('plans_update', { id: plan.id, tax_rate_id: null })).tax_cents, 0)
  })

  it('with a start in the past have their first run today or later', async () => {
    const plan = await make({ start_date: TODAY.subtract({ weeks: 150, days: 3 }).toString(), cadence: 'weekly' })
    assert.equal(plan.next_run_date, later(4))
    assert.equal(
      (await make({ start_date: TODAY.subtract({ weeks: 6 }).toString(), cadence: 'biweekly' })).next_run_date,
      today,
    )
  })

  it('move their next run date with the start, cadence and end', async () => {
    const { id } = await make({ start_date: later(10), cadence: 'weekly' })
    const next = async (patch: object): Promise<string | null> =>
      (await company.call('plans_update', { id, ...patch })).next_run_date
    assert.equal(await next({ start_date: later(5) }), later(5))
    assert.equal(await next({ start_date: later(-10) }), later(4))
    assert.equal(await next({ cadence: 'biweekly' }), later(4))
    assert.equal(await next({ name: 'Other' }), later(4))
    assert.equal(await next({ end_date: later(3) }), null)
    assert.equal(await next({ end_date: later(4) }), later(4))
  })

  it('warn if no run dates are left', async () => {
    const plan = await make({ start_date: later(-40), end_date: later(5), cadence: 'quarterly' })
    assert.equal(plan.next_run_date, null)
    assert.match(plan.warnings[0], /no run dates are left/)
  })

  it('have no next run while paused, and resume from today', async () => {
    const { id } = await make({ start_date: later(2), cadence: 'weekly' })
    const paused = await company.call('plans_update', { id, status: 'paused' })
    assert.deepEqual([paused.status, paused.next_run_date], ['paused', null])
    assert.equal((await company.call('plans_update', { id, cadence: 'monthly' })).next_run_date, null)
    assert.deepEqual(
      await company
        .call('plans_update', { id, status: 'active' })
        .then(({ status, next_run_date }) => [status, next_run_date]),
      ['active', later(2)],
    )
  })

  it('can be canceled with a reason while active or paused', async () => {
    const { id } = await make()
    const cancelled = await company.call('plans_cancel', { id, reason: 'Sold the house' })
    assert.deepEqual(
      [cancelled.status, cancelled.cancel_reason, cancelled.next_run_date, cancelled.url],
      ['cancelled', 'Sold the house', null, undefined],
    )
    assert.match(cancelled.cancelled_at, /Z$/)
    const paused = await make()
    await company.call('plans_update', { id: paused.id, status: 'paused' })
    assert.equal((await company.call('plans_cancel', { id: paused.id })).status, 'cancelled')
  })

  it('are created once for a repeated create with one idempotency key', async () => {
    const keyed = planInput({ idempotency_key: 'plan-1' })
    assert.equal((await company.call('plans_create', keyed)).id, (await company.call('plans_create', keyed)).id)
  })

  it('accept notes', async () => {
    const { id } = await make()
    assert.equal(
      (await company.call('notes_create', { body: 'Call first', subject_type: 'plan', subject_id: id })).subject_id,
      id,
    )
  })
})
