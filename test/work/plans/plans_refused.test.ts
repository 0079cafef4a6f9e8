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

describe('plans: invalid_input', () => {
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
    it(`is returned for a create with ${why}`, async () =>
      assert.match(await company.refusal('plans_create', planInput(more)), says))

  it('is returned for an update with an invalid or immutable field', async () => {
    const { id } = await make({ start_date: later(5) })
    const says = (patch: object): Promise<string> => company.refusal('plans_update', { id, ...patch })
    assert.match(await says({ line_items: [] }), /^invalid_input: line_items must have at least 1/)
    assert.match(await says({ line_items: null }), /^invalid_input: line_items must be a list/)
    assert.match(await says({ customer_id: crypto.randomUUID() }), /^invalid_input: customer_id cannot be changed/)
    assert.match(await says({ status: 'cancelled' }), /^invalid_input: status is set to cancelled with plans_cancel/)
    assert.match(await says({ end_date: later(4) }), /^invalid_input: end_date must be on or after start_date/)
    assert.match(await says({ start_date: '2010-01-01' }), /^invalid_input: start_date must be from /)
    assert.match(await says({ start_date: null }), /^invalid_input: start_date /)
    assert.match(
      await company.refusal('plans_get', { customer_id: customer }),
      /unknown field 'customer_id' \(did you mean 'id'\?\)/,
    )
  })

  it("is returned for another customer's location and an archived one", async () => {
    const other = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Kit',
      locations: [{ address_line1: '3 Elm' }, { address_line1: '4 Elm' }],
    })
    const [, second] = other.locations
    assert.match(
      await company.refusal('plans_create', planInput({ location_id: second.id })),
      /^invalid_input: location_id is not a live location/,
    )
    await company.call('locations_archive', { id: second.id })
    assert.match(
      await company.refusal('plans_create', planInput({ customer_id: other.id, location_id: second.id })),
      /^invalid_input: location_id is not a live location/,
    )
  })

  it('is returned for writes with a tenant key, which can still read', async () => {
    const { id } = await make()
    const key = await company.tenantKey()
    for (const [tool, input] of [
      ['plans_create', planInput()],
      ['plans_update', { id, name: 'X' }],
      ['plans_cancel', { id }],
    ] as const) {
      assert.match(await key.refusal(tool, input), /^invalid_input: plans\.\w+ needs a user/)
    }
    assert.equal((await key.call('plans_get', { id })).id, id)
  })
})

describe('plans: not_found', () => {
  it("is returned for an unknown or another company's plan, and an unknown or archived customer", async () => {
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
      await company.refusal('plans_create', planInput({ customer_id: crypto.randomUUID() })),
      'not_found: customer not found; find its id with customers_search',
    )
    assert.match(
      await company.refusal('plans_create', planInput({ customer_id: gone.id })),
      /^not_found: customer not found: it is «Gone», archived on /,
    )
  })
})

describe('plans: conflict', () => {
  it('is returned for any change of a canceled plan', async () => {
    const { id } = await make()
    await company.call('plans_cancel', { id })
    for (const [tool, more] of [
      ['plans_update', { status: 'active' }],
      ['plans_update', { name: 'X' }],
      ['plans_cancel', {}],
    ] as const) {
      assert.match(
        await company.refusal(tool, { id, ...more }),
        /^conflict: plan «Pool care» is cancelled and cannot be reactivated/,
      )
    }
  })

  it('is returned for a stale expected_updated_at', async () => {
    const { id, updated_at } = await make()
    await company.call('plans_update', { id, name: 'X' })
    assert.match(
      await company.refusal('plans_update', { id, name: 'Y', expected_updated_at: updated_at }),
      /^conflict: the record changed/,
    )
  })

  it("is returned for archiving a customer with an active plan and resuming an archived customer's plan", async () => {
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

describe('plans: insufficient_scope', () => {
  it("is returned without read:plans or write:plans, within the member's ceiling", async () => {
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
