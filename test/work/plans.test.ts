import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

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
const given = (more: object = {}) => ({
  customer_id: customer,
  name: 'Pool care',
  cadence: 'monthly',
  line_items: [visit],
  ...more,
})
const make = (more: object = {}): Promise<Result> => company.call('plans_create', given(more))

describe('ok', () => {
  it('creates with defaults, priced, at the primary service location', async () => {
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

  it('makes a customer of a lead', async () => {
    const { id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Lee',
      status: 'lead',
    })
    await make({ customer_id: id })
    assert.equal((await company.call('customers_get', { id })).status, 'active')
  })

  it('lists newest first, by status and customer', async () => {
    const { call } = await makeCompany(service)
    const { id: customer_id } = await call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Ruiz',
    })
    const { id: other } = await call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    const [a, b, c] = [
      await call('plans_create', given({ customer_id, name: 'A', start_date: later(3) })),
      await call('plans_create', given({ customer_id, name: 'B' })),
      await call('plans_create', given({ customer_id: other, name: 'C' })),
    ]
    await call('plans_update', { id: b.id, status: 'paused' })
    await call('plans_cancel', { id: c.id })
    const named = async (filter: object): Promise<string> =>
      (await call('plans_list', filter)).rows.map(({ name }: Result) => name).join('')
    const list = await call('plans_list', { include_total: true, limit: 2 })
    assert.deepEqual({ ...list, rows: list.rows.length }, { rows: 2, page: 1, limit: 2, hasMore: true, total: 3 })
    assert.deepEqual((await call('plans_list', { status: 'active' })).rows, [
      {
        id: a.id,
        name: 'A',
        status: 'active',
        customer_name: 'Ana Ruiz',
        cadence: 'monthly',
        next_run_date: later(3),
        total_cents: 15000,
      },
    ])
    assert.equal(await named({}), 'CBA')
    assert.equal(await named({ page: 2, limit: 2 }), 'A')
    assert.equal(await named({ status: ['paused', 'cancelled'] }), 'CB')
    assert.equal(await named({ customer_id }), 'BA')
    assert.equal(await named({ customer_id: other, status: ['active', 'paused'] }), '')
    assert.equal(await named({ updated_since: a.updated_at }), 'ABC')
  })

  it('updates what is given, replaces lines whole, and answers no url', async () => {
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

  it('reads a blank of a field that can be cleared as null', async () => {
    const plan = await make({ description: 'Weekly', end_date: later(400) })
    const blank = { description: ' ', end_date: '', location_id: '', tax_rate_id: '' }
    const after = await company.call('plans_update', { id: plan.id, ...blank })
    for (const field of Object.keys(blank)) assert.equal(after[field], null, field)
  })

  it('taxes by the rate that is chosen, or not at all', async () => {
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

  it('begins a backdated plan at the first run date from today on', async () => {
    const plan = await make({ start_date: TODAY.subtract({ weeks: 150, days: 3 }).toString(), cadence: 'weekly' })
    assert.equal(plan.next_run_date, later(4))
    assert.equal(
      (await make({ start_date: TODAY.subtract({ weeks: 6 }).toString(), cadence: 'biweekly' })).next_run_date,
      today,
    )
  })

  it('moves the next run date with the start, the cadence and the end', async () => {
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

  it('says when no run date is left', async () => {
    const plan = await make({ start_date: later(-40), end_date: later(5), cadence: 'quarterly' })
    assert.equal(plan.next_run_date, null)
    assert.match(plan.warnings[0], /no run date is left/)
  })

  it('pauses without a next run, and resumes from today on', async () => {
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

  it('cancels with a reason, from active and from paused', async () => {
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

  it('makes one plan of a repeated create', async () => {
    const keyed = given({ idempotency_key: 'plan-1' })
    assert.equal((await company.call('plans_create', keyed)).id, (await company.call('plans_create', keyed)).id)
  })

  it('carries notes', async () => {
    const { id } = await make()
    assert.equal(
      (await company.call('notes_create', { body: 'Call first', subject_type: 'plan', subject_id: id })).subject_id,
      id,
    )
  })
})

describe('invalid_input', () => {
  const cases: [why: string, more: object, says: RegExp][] = [
    ['no lines', { line_items: undefined }, /^invalid_input: line_items is required/],
    ['an empty list of lines', { line_items: [] }, /^invalid_input: line_items must have at least 1/],
    [
      '101 lines',
      { line_items: Array.from({ length: 101 }, () => visit) },
      /^invalid_input: line_items must have at most 100/,
    ],
    ['no name', { name: ' ' }, /^invalid_input: name must not be empty/],
    ['another cadence', { cadence: 'daily' }, /^invalid_input: cadence must be one of weekly, biweekly/],
    [
      'a line that is not complete',
      { line_items: [visit, { name: 'Salt' }] },
      /^invalid_input: line_items\[1\].unit_price_cents is required/,
    ],
    [
      'a discount above the lines',
      { discount: { type: 'amount', value: 15001 } },
      /^invalid_input: discount must take off at most 15000/,
    ],
    ['a start that is no date', { start_date: '2027-02-30' }, /^invalid_input: start_date must be a date/],
    [
      'a start too far back',
      { start_date: TODAY.subtract({ years: 5, days: 1 }).toString() },
      /^invalid_input: start_date must be from /,
    ],
    [
      'a start too far ahead',
      { start_date: TODAY.add({ years: 5, days: 1 }).toString() },
      /^invalid_input: start_date must be from /,
    ],
    [
      'an end before the start',
      { start_date: later(10), end_date: later(9) },
      /^invalid_input: end_date must be on or after start_date/,
    ],
    ['a status', { status: 'active' }, /^invalid_input: unknown field 'status'/],
    ['a rate of nobody', { tax_rate_id: crypto.randomUUID() }, /^invalid_input: tax_rate_id is not a live tax rate/],
    [
      'a location of nobody',
      { location_id: crypto.randomUUID() },
      /^invalid_input: location_id is not a live location of this customer/,
    ],
    ['another auto_invoice', { auto_invoice: 'send' }, /^invalid_input: auto_invoice must be one of draft, none/],
  ]
  for (const [why, more, says] of cases)
    it(`create with ${why}`, async () => assert.match(await company.refusal('plans_create', given(more)), says))

  it('update with a wrong field', async () => {
    const { id } = await make({ start_date: later(5) })
    const says = (patch: object): Promise<string> => company.refusal('plans_update', { id, ...patch })
    assert.match(await says({ line_items: [] }), /^invalid_input: line_items must have at least 1/)
    assert.match(await says({ line_items: null }), /^invalid_input: line_items must be a list/)
    assert.match(await says({ customer_id: crypto.randomUUID() }), /^invalid_input: customer_id cannot be changed/)
    assert.match(await says({ status: 'cancelled' }), /^invalid_input: status is set to cancelled by plans_cancel/)
    assert.match(await says({ end_date: later(4) }), /^invalid_input: end_date must be on or after start_date/)
    assert.match(await says({ start_date: '2010-01-01' }), /^invalid_input: start_date must be from /)
    assert.match(await says({ start_date: null }), /^invalid_input: start_date /)
    assert.match(
      await company.refusal('plans_get', { customer_id: customer }),
      /unknown field 'customer_id' \(did you mean 'id'\?\)/,
    )
  })

  it('a location of another customer, and one that is archived', async () => {
    const other = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Kit',
      locations: [{ address_line1: '3 Elm' }, { address_line1: '4 Elm' }],
    })
    const [, second] = other.locations
    assert.match(
      await company.refusal('plans_create', given({ location_id: second.id })),
      /^invalid_input: location_id is not a live location/,
    )
    await company.call('locations_archive', { id: second.id })
    assert.match(
      await company.refusal('plans_create', given({ customer_id: other.id, location_id: second.id })),
      /^invalid_input: location_id is not a live location/,
    )
  })

  it('writes by a tenant key', async () => {
    const { id } = await make()
    const key = await company.tenantKey()
    for (const [tool, input] of [
      ['plans_create', given()],
      ['plans_update', { id, name: 'X' }],
      ['plans_cancel', { id }],
    ] as const) {
      assert.match(await key.refusal(tool, input), /^invalid_input: plans\.\w+ needs a user/)
    }
    assert.equal((await key.call('plans_get', { id })).id, id)
  })
})

describe('not_found', () => {
  it('an unknown plan, one of another company, a customer that is unknown or archived', async () => {
    const { id } = await make()
    const stranger = await makeCompany(service)
    for (const tool of ['plans_get', 'plans_update', 'plans_cancel']) {
      assert.equal(
        await company.refusal(tool, { id: crypto.randomUUID() }),
        'not_found: plan not found; find its id with plans_list',
      )
      assert.equal(await stranger.refusal(tool, { id }), 'not_found: plan not found; find its id with plans_list')
    }
    const gone = await company.call('customers_create', { customer_type: 'individual', first_name: 'Gone' })
    await company.call('customers_archive', { id: gone.id })
    assert.equal(
      await company.refusal('plans_create', given({ customer_id: crypto.randomUUID() })),
      'not_found: customer not found; find its id with customers_search',
    )
    assert.match(
      await company.refusal('plans_create', given({ customer_id: gone.id })),
      /^not_found: customer not found: it is Gone, archived on /,
    )
  })
})

describe('conflict', () => {
  it('anything done to a cancelled plan', async () => {
    const { id } = await make()
    await company.call('plans_cancel', { id })
    for (const [tool, more] of [
      ['plans_update', { status: 'active' }],
      ['plans_update', { name: 'X' }],
      ['plans_cancel', {}],
    ] as const) {
      assert.match(
        await company.refusal(tool, { id, ...more }),
        /^conflict: plan 'Pool care' is cancelled and cannot be reactivated/,
      )
    }
  })

  it('a change of a plan that changed meanwhile', async () => {
    const { id, updated_at } = await make()
    await company.call('plans_update', { id, name: 'X' })
    assert.match(
      await company.refusal('plans_update', { id, name: 'Y', expected_updated_at: updated_at }),
      /^conflict: the record changed/,
    )
  })

  it('archiving a customer with an active plan; with a paused one it can be done, which then stays paused', async () => {
    const { id: customer_id } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Max',
    })
    const { id } = await make({ customer_id, name: 'Window care' })
    assert.match(
      await company.refusal('customers_archive', { id: customer_id }),
      new RegExp(`^conflict: .*Window care.*${id}`),
    )
    await company.call('plans_update', { id, status: 'paused' })
    await company.call('customers_archive', { id: customer_id })
    assert.match(await company.refusal('plans_update', { id, status: 'active' }), /^conflict: the customer is archived/)
    assert.equal((await company.call('plans_get', { id })).customer_name, 'Max')
    assert.equal((await company.call('plans_cancel', { id })).status, 'cancelled')
  })
})

describe('insufficient_scope', () => {
  it("reads need read:plans, writes write:plans, under the member's ceiling", async () => {
    const { id } = await make()
    const reader = await company.member('office', { scopes: ['read:plans'] })
    assert.equal((await reader.call('plans_get', { id })).id, id)
    assert.match(await reader.refusal('plans_cancel', { id }), /^insufficient_scope: plans.cancel needs write:plans/)
    const writer = await company.member('office', { scopes: ['write:plans'] })
    assert.match(await writer.refusal('plans_list'), /^insufficient_scope: plans.list needs read:plans/)
    const tech = await company.member('tech')
    assert.match(await tech.refusal('plans_get', { id }), /^insufficient_scope: plans.get needs read:plans/)
  })
})
