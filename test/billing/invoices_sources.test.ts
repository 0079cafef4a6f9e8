import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, writeTenant } from '../../src/platform/db/tenant.ts'
import { addInvoice, invoicesOfJob, customerBalance } from '../../src/records/invoices/index.ts'
import { findJobSource } from '../../src/records/invoices/billing/billed_jobs.ts'
import { copyLines } from '../../src/records/line_items/line.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let customer: Result
let stranger: Result
let rate: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  rate = (await company.call('tax_rates_create', { rate_percentage: 10 })).id
  customer = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ana',
    locations: [{ address_line1: '1 Elm' }, { address_line1: '2 Elm' }],
    contacts: [{ first_name: 'Lu' }, { first_name: 'Mo' }],
  })
  stranger = await company.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
})
after(() => service.stop())

const lines = [
  { name: 'Labor', kind: 'labor', quantity: 1.5, unit_price_cents: 9000, taxable: false, description: 'Two\nvisits' },
  { name: 'Pump', kind: 'product', unit_price_cents: 20000 },
  { name: 'Loyalty', kind: 'discount', discount_type: 'percent', discount_value: 5 },
]
const job = (given: object = {}): Promise<Result> =>
  company.call('jobs_create', { customer_id: customer.id, title: 'Pump', line_items: lines, ...given })
const quote = (given: object = {}): Promise<Result> =>
  company.call('quotes_create', { customer_id: customer.id, title: 'Pump', line_items: lines, ...given })
const invoice = (given: object): Promise<Result> =>
  company.call('invoices_create', { customer_id: customer.id, ...given })
const readRefusal = (given: object): Promise<string> =>
  company.refusal('invoices_create', { customer_id: customer.id, ...given })
const content = (line_items: Result[]): unknown[] =>
  line_items.map(
    ({
      name,
      description,
      kind,
      quantity,
      unit,
      unit_price_cents,
      taxable,
      discount_type,
      discount_value,
      position,
    }) => [name, description, kind, quantity, unit, unit_price_cents, taxable, discount_type, discount_value, position],
  )

describe('an invoice from a job', () => {
  it("copies the job's lines under new ids and links the job", async () => {
    const [source, second] = [await job(), await job()]
    const made = await invoice({
      from_job_id: source.id,
      job_ids: [second.id, source.id],
      tax_rate_id: rate,
      subject: 'Pump',
    })
    assert.deepEqual(content(made.line_items), content(source.line_items))
    assert.equal(
      made.line_items.some(({ id }: Result) => source.line_items.some((line: Result) => line.id === id)),
      false,
    )
    assert.deepEqual(
      [made.subtotal_cents, made.discount_cents, made.tax_cents, made.total_cents],
      [33500, 1675, 1900, 33725],
    )
    assert.deepEqual(made.job_ids, [source.id, second.id])
    assert.deepEqual((await company.call('jobs_get', { id: source.id })).invoice_ids, [made.id])
    assert.deepEqual(
      await readTenant(service.database, { tenant: company.tenant }, (db) => invoicesOfJob(db, second.id)),
      [made.id],
    )
    assert.deepEqual(
      (await company.call('invoices_list', { job_id: source.id })).rows.map(({ id }: Result) => id),
      [made.id],
    )
    const moved = await company.call('invoices_update', { id: made.id, job_ids: [second.id, second.id] })
    assert.deepEqual([moved.job_ids, moved.total_cents], [[second.id], 33725])
    assert.deepEqual((await company.call('jobs_get', { id: source.id })).invoice_ids, [])
    assert.deepEqual((await company.call('invoices_update', { id: made.id, job_ids: [] })).job_ids, [])
  })

  it("uses the tax rate of the job's line", async () => {
    const source = await job({ line_items: [{ name: 'Pump', unit_price_cents: 1000, tax_rate_id: rate }] })
    assert.deepEqual(
      (await invoice({ from_job_id: source.id })).taxes.map(({ tax_cents }: Result) => tax_cents),
      [100],
    )
  })
})

describe('an invoice from a quote', () => {
  it("copies the quote's discount, tax rate, total, location and contact, unless overridden", async () => {
    const [, second] = customer.locations
    const source = await quote({
      discount: { type: 'amount', value: 500 },
      tax_rate_id: rate,
      location_id: second.id,
      contact_id: customer.contacts[1].id,
    })
    const made = await invoice({ from_quote_id: source.id })
    for (const field of ['discount', 'tax_rate_id', 'total_cents', 'tax_cents', 'location_id', 'contact_id'])
      assert.deepEqual(made[field], source[field], field)
    assert.equal(made.quote_id, source.id)
    assert.equal((await company.call('quotes_get', { id: source.id })).converted_invoice_id, made.id)
    const other = await invoice({
      from_quote_id: source.id,
      quote_id: source.id,
      discount: null,
      tax_rate_id: null,
      location_id: null,
    })
    assert.deepEqual([other.discount, other.tax_cents, other.location_id], [null, 0, null])
    assert.equal((await company.call('quotes_get', { id: source.id })).converted_invoice_id, other.id)
  })

  it('keeps the total if the rate was archived, and falls back for an archived location or contact', async () => {
    const { call } = company
    const old = (await call('tax_rates_create', { rate_percentage: 20 })).id
    const { id: location_id } = await call('locations_create', { customer_id: customer.id, address_line1: '3 Elm' })
    const { id: contact_id } = await call('contacts_create', { customer_id: customer.id, first_name: 'Di' })
    const source = await quote({ tax_rate_id: old, location_id, contact_id })
    await Promise.all([
      call('tax_rates_archive', { id: old }),
      call('locations_archive', { id: location_id }),
      call('contacts_archive', { id: contact_id }),
    ])
    const made = await invoice({ from_quote_id: source.id })
    assert.deepEqual(
      [made.total_cents, made.location_id, made.contact_id],
      [source.total_cents, customer.locations[0].id, customer.contacts[0].id],
    )
  })

  it('only links the quote when given quote_id', async () => {
    const source = await quote()
    const made = await invoice({ quote_id: source.id, line_items: [{ name: 'Deposit', unit_price_cents: 5000 }] })
    assert.deepEqual([made.quote_id, made.total_cents, made.discount], [source.id, 5000, null])
    const { converted_invoice_id, updated_at } = await company.call('quotes_get', { id: source.id })
    assert.equal(converted_invoice_id, made.id)
    assert.ok(updated_at > source.updated_at)
  })
})

describe('an invoice source', () => {
  it('is rejected together with another source', async () => {
    const [from_job_id, from_quote_id] = [(await job()).id, (await quote()).id]
    assert.match(
      await readRefusal({ from_job_id, from_quote_id }),
      /^invalid_input: from_job_id and from_quote_id can't be combined/,
    )
    assert.match(
      await readRefusal({ from_job_id, line_items: [] }),
      /^invalid_input: line_items can't be combined with from_job_id/,
    )
    assert.match(
      await readRefusal({ from_quote_id, line_items: lines }),
      /^invalid_input: line_items can't be combined with from_quote_id/,
    )
    assert.match(
      await readRefusal({ from_quote_id, quote_id: crypto.randomUUID() }),
      /^invalid_input: quote_id must be the same as from_quote_id/,
    )
  })

  it('is rejected if it belongs to another customer, is unknown or archived', async () => {
    const [theirs, offered] = [await job({ customer_id: stranger.id }), await quote({ customer_id: stranger.id })]
    assert.match(
      await readRefusal({ from_job_id: theirs.id }),
      /^invalid_input: from_job_id is not a job of this customer/,
    )
    assert.match(
      await readRefusal({ job_ids: [theirs.id] }),
      /^invalid_input: job_ids\[0\] is not a job of this customer/,
    )
    for (const id of [offered.id, crypto.randomUUID()]) {
      assert.match(
        await readRefusal({ from_quote_id: id }),
        /^invalid_input: from_quote_id is not a live quote of this customer/,
      )
      assert.match(await readRefusal({ quote_id: id }), /^invalid_input: quote_id is not a live quote of this customer/)
    }
    const { id } = await quote()
    await company.call('quotes_archive', { id })
    assert.match(await readRefusal({ from_quote_id: id }), /^invalid_input: from_quote_id is not a live quote/)
    assert.match(await readRefusal({ from_job_id: crypto.randomUUID() }), /^invalid_input: from_job_id is not a job/)
  })
})

describe('internal billing functions', () => {
  it('create drafts without a user', async () => {
    const source = await job()
    const made = await writeTenant(service.database, { tenant: company.tenant }, async (db) => {
      const { line_items } = (await findJobSource(db, source.id))!
      return addInvoice(db, null, {
        customer_id: customer.id,
        lines: copyLines(line_items),
        tax_rate_id: rate,
        issue_date: '2027-03-01',
      })
    })
    assert.deepEqual(
      [made.created_by, made.updated_by, made.issue_date, made.due_date, made.total_cents],
      [null, null, '2027-03-01', '2027-03-15', 33725],
    )
  })

  it('return what a customer owes, from sent and partially paid invoices', async () => {
    const { id } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Cy' })
    const make = (): Promise<Result> =>
      company.call('invoices_create', { customer_id: id, line_items: [{ name: 'Visit', unit_price_cents: 700 }] })
    const readBalance = () => readTenant(service.database, { tenant: company.tenant }, (db) => customerBalance(db, id))
    assert.deepEqual(await readBalance(), { unpaid_invoices: 0, balance_due_cents: 0 })
    for (const status of ['draft', 'sent', 'partially_paid', 'paid', 'uncollectible'])
      await company.call('invoices_update', { id: (await make()).id, status })
    assert.deepEqual(await readBalance(), { unpaid_invoices: 2, balance_due_cents: 1400 })
  })
})
