import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let customer: Result
let other: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = await company.call('customers_create', { customer_type: 'company', company_name: 'Palm Court' })
  other = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Bo',
    locations: [{ address_line1: '9 Elm' }],
  })
})
after(() => service.stop())

const make = (): Promise<Result> => company.call('invoices_create', { customer_id: customer.id })
const update = (id: string, patch: object): Promise<Result> => company.call('invoices_update', { id, ...patch })
const inDays = (days: number): string => Temporal.Now.plainDateISO().add({ days }).toString()
const labor = { name: 'Labor', quantity: 2, unit_price_cents: 9500 }

describe('invoice tools: invalid_input', () => {
  it('names the field, the rule and the given value', async () => {
    const cases: [object, RegExp][] = [
      [{ customer_id: 'x' }, /customer_id must be a UUID, find it with customers_search \(got "x"\)/],
      [{ subject: 'x'.repeat(201) }, /subject must be at most 200 characters/],
      [
        { issue_date: '2027-02-29' },
        /issue_date must be a date, year-month-day, such as 2027-03-31 \(got "2027-02-29"\)/,
      ],
      [
        { issue_date: '2027-03-02', due_date: '2027-03-01' },
        /due_date must be on or after issue_date 2027-03-02 \(got 2027-03-01\)/,
      ],
      [{ due_date: '2001-01-01' }, /due_date must be on or after issue_date/],
      [{ po_number: 'x'.repeat(51) }, /po_number must be at most 50/],
      [{ message: 'x'.repeat(5001) }, /message must be at most 5000/],
      [{ line_items: Array.from({ length: 201 }, () => labor) }, /line_items must have at most 200/],
      [
        { line_items: [labor, { ...labor, quantity: 1.0001 }] },
        /line_items\[1\]\.quantity must have at most 3 decimals \(got 1\.0001\)/,
      ],
      [{ line_items: [{ ...labor, quantity: 0 }] }, /line_items\[0\]\.quantity must be above 0/],
      [{ line_items: [{ name: 'x' }] }, /line_items\[0\]\.unit_price_cents is required/],
      [{ line_items: [{ ...labor, unit_price_cents: -1 }] }, /line_items\[0\]\.unit_price_cents must be at least 0/],
      [{ line_items: [{ ...labor, price: 1 }] }, /unknown field 'line_items\[0\]\.price'/],
      [
        { line_items: [{ ...labor, quantity: 999_999.999, unit_price_cents: 9_999_999_999 }] },
        /must come to at most 1000000000000 cents/,
      ],
      [{ discount: { type: 'percent', value: 101 } }, /discount\.value must be at most 100/],
      [{ discount: { type: 'percent', value: 1.00001 } }, /discount\.value must have at most 4 decimals/],
      [{ discount: { type: 'amount', value: 0 } }, /discount\.value must be above 0/],
      [{ job_ids: Array.from({ length: 51 }, () => crypto.randomUUID()) }, /job_ids must have at most 50/],
      [{ job_ids: [crypto.randomUUID()] }, /job_ids\[0\] is not a job of this customer/],
      [{ quote_id: crypto.randomUUID() }, /quote_id is not a live quote of this customer/],
      [{ location_id: other.locations[0].id }, /location_id is not a live location of this customer/],
      [{ contact_id: crypto.randomUUID() }, /contact_id is not a live contact of this customer/],
      [{ tax_rate_id: crypto.randomUUID() }, /tax_rate_id is not a live tax rate/],
      [{ status: 'sent' }, /unknown field 'status'/],
      [{ plan_id: crypto.randomUUID() }, /unknown field 'plan_id'/],
      [{ fields: { a: [1] } }, /fields/],
    ]
    for (const [args, message] of cases) {
      const text = await company.refusal('invoices_create', { customer_id: customer.id, ...args })
      assert.match(text, /^invalid_input: /)
      assert.match(text, message)
    }
  })

  it("is returned for fields that can't change or don't exist", async () => {
    const { id } = await make()
    assert.match(
      await company.refusal('invoices_update', { id, customer_id: other.id }),
      /^invalid_input: customer_id cannot be changed/,
    )
    assert.match(
      await company.refusal('invoices_update', { id, quote_id: crypto.randomUUID() }),
      /^invalid_input: quote_id cannot be changed/,
    )
    assert.match(
      await company.refusal('invoices_update', { id, from_job_id: crypto.randomUUID() }),
      /^invalid_input: unknown field 'from_job_id'/,
    )
    assert.match(
      await company.refusal('invoices_update', { id, issue_date: inDays(30) }),
      /^invalid_input: due_date must be on or after issue_date/,
    )
    assert.match(
      await company.refusal('invoices_get', { invoice_id: id }),
      /unknown field 'invoice_id' \(did you mean 'id'\?\)/,
    )
  })

  it('is returned to a company key for create and update, but not for void', async () => {
    const key = await company.tenantKey()
    const { id } = await make()
    assert.match(
      await key.refusal('invoices_create', { customer_id: customer.id }),
      /^invalid_input: invoices\.create needs a user/,
    )
    assert.match(
      await key.refusal('invoices_update', { id, status: 'sent' }),
      /^invalid_input: invoices\.update needs a user/,
    )
    const voided = await key.call('invoices_void', { id, reason: 'Duplicate' })
    assert.deepEqual(
      [voided.status, voided.void_reason, voided.updated_by, voided.url],
      ['void', 'Duplicate', null, undefined],
    )
  })
})

describe('invoice tools: not_found', () => {
  it("is returned for an unknown id, another company's invoice and another company's customer", async () => {
    const { id } = await make()
    const stranger = await makeCompany(service)
    for (const tool of ['invoices_get', 'invoices_update', 'invoices_void']) {
      assert.equal(
        await company.refusal(tool, { id: crypto.randomUUID() }),
        'not_found: invoice not found; find its id with invoices_list',
      )
      assert.equal(await stranger.refusal(tool, { id }), 'not_found: invoice not found; find its id with invoices_list')
    }
    assert.equal(
      await stranger.refusal('invoices_create', { customer_id: customer.id }),
      'not_found: customer not found; find its id with customers_search',
    )
  })
})

describe('invoice tools: conflict', () => {
  it('is returned if the record changed since expected_updated_at', async () => {
    const { id, updated_at } = await make()
    const { updated_at: after } = await update(id, { subject: 'x', expected_updated_at: updated_at })
    assert.match(
      await company.refusal('invoices_update', { id, subject: 'y', expected_updated_at: updated_at }),
      /^conflict: the record changed: /,
    )
    await update(id, { status: 'sent', expected_updated_at: after })
  })
})

describe('invoice tools: insufficient_scope', () => {
  it('names the missing scope', async () => {
    const { id } = await make()
    const reader = await company.member('owner', { scopes: ['read:invoices'] })
    await reader.call('invoices_get', { id })
    assert.equal(
      await reader.refusal('invoices_void', { id }),
      'insufficient_scope: invoices.void needs write:invoices',
    )
    const tech = await company.member('tech')
    assert.equal(await tech.refusal('invoices_list', {}), 'insufficient_scope: invoices.list needs read:invoices')
  })
})
