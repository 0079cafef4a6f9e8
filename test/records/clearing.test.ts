import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeRecords, type Records } from '../harness/clients/every_tool.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
let of: Records
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  of = await makeRecords(company, 'Clear')
})
after(() => service.stop())

const today = Temporal.Now.plainDateISO()

/** Creates a record with the fields, clears each with an empty value, and returns what is left. */
async function clearFields(
  name: string,
  needed: object,
  full: Result,
  empty: unknown = '',
  made?: Result,
): Promise<unknown[]> {
  const record = made ?? (await company.call(`${name}_create`, { ...needed, ...full }))
  for (const field of Object.keys(full)) assert.notEqual(record[field], null, field)
  const left = await company.call(`${name}_update`, {
    id: record.id,
    ...Object.fromEntries(Object.keys(full).map((field) => [field, empty])),
  })
  return Object.keys(full).map((field) => left[field])
}

describe('an empty string in an update', () => {
  it('clears a number', async () => {
    assert.deepEqual(
      await clearFields('customers', { customer_type: 'individual', first_name: 'Ana' }, { payment_terms_days: 30 }),
      [null],
    )
    assert.deepEqual(
      await clearFields(
        'locations',
        { customer_id: of.customer, address_line1: '1 Main St' },
        { latitude: 1.5, longitude: 2.5 },
      ),
      [null, null],
    )
    assert.deepEqual(
      await clearFields(
        'catalog_items',
        { kind: 'service', name: 'Call', unit_price_cents: 1 },
        { duration_minutes: 30, cost_cents: 5 },
      ),
      [null, null],
    )
  })

  it('clears a date or a start time', async () => {
    assert.deepEqual(
      await clearFields(
        'plans',
        {
          customer_id: of.customer,
          name: 'Care',
          cadence: 'monthly',
          line_items: [{ name: 'Visit', unit_price_cents: 5 }],
        },
        { end_date: today.add({ years: 1 }).toString() },
      ),
      [null],
    )
    assert.deepEqual(
      await clearFields(
        'job_series',
        { customer_id: of.customer, title: 'Weekly', rrule: 'FREQ=WEEKLY', dtstart: `${today.toString()}T09:00` },
        { end_date: today.add({ years: 1 }).toString() },
      ),
      [null],
    )
    assert.deepEqual(
      await clearFields(
        'jobs',
        { customer_id: of.customer, title: 'Visit' },
        { scheduled_start: `${today.toString()}T09:00` },
      ),
      [null],
    )
  })

  it('clears an id', async () => {
    const category = await company.call('catalog_categories_create', { name: 'Parts' })
    const rate = await company.call('tax_rates_create', { rate_percentage: 5 })
    assert.deepEqual(
      await clearFields(
        'catalog_items',
        { kind: 'service', name: 'Test', unit_price_cents: 1 },
        { category_id: category.id, tax_rate_id: rate.id },
      ),
      [null, null],
    )
    assert.deepEqual(
      await clearFields('quotes', { customer_id: of.customer, title: 'Offer' }, { tax_rate_id: rate.id }),
      [null],
    )
    assert.deepEqual(await clearFields('catalog_categories', { name: 'Fittings' }, { parent_id: category.id }), [null])
  })

  it('clears a text or color', async () => {
    assert.deepEqual(await clearFields('tags', { name: 'Blue' }, { color: '#1E90FF' }), [null])
    assert.deepEqual(
      await clearFields(
        'jobs',
        { customer_id: of.customer, title: 'Visit' },
        { description: 'Roof', instructions: 'Ladder' },
      ),
      [null, null],
    )
  })

  it('is refused for a required field', async () => {
    assert.match(
      await company.refusal('jobs_update', { id: of.job, title: '' }),
      /^invalid_input: title must not be empty/,
    )
    assert.match(
      await company.refusal('jobs_update', { id: of.job, priority: '' }),
      /^invalid_input: priority must be one of/,
    )
    assert.match(
      await company.refusal('plans_update', { id: of.plan, start_date: '' }),
      /^invalid_input: start_date must be a date/,
    )
  })
})

describe('an empty object', () => {
  it('clears a discount on update and is ignored on create', async () => {
    const line_items = [{ name: 'Visit', unit_price_cents: 1000 }]
    for (const [name, needed] of [
      ['invoices', {}],
      ['quotes', { title: 'Offer' }],
      ['plans', { name: 'Care', cadence: 'monthly' }],
    ] as const) {
      const discount = { type: 'percent', value: 10 }
      assert.deepEqual(await clearFields(name, { customer_id: of.customer, line_items, ...needed }, { discount }, {}), [
        null,
      ])
      assert.equal(
        (await company.call(`${name}_create`, { customer_id: of.customer, line_items, ...needed, discount: {} }))
          .discount,
        null,
      )
    }
    assert.match(
      await company.refusal('quotes_update', { id: of.quote, discount: { type: 'percent' } }),
      /^invalid_input: discount\.value is required/,
    )
  })
})

describe('numeric fields', () => {
  const lines = (line: object) => ({
    customer_id: of.customer,
    line_items: [{ name: 'Pump', unit_price_cents: 100, ...line }],
  })

  it('reject strings, except for a quantity', async () => {
    assert.match(
      await company.refusal('tax_rates_create', { rate_percentage: '8.25' }),
      /^invalid_input: rate_percentage must be a number \(got "8\.25"\)/,
    )
    assert.match(
      await company.refusal('invoices_create', { ...lines({}), discount: { type: 'percent', value: '10' } }),
      /^invalid_input: discount\.value must be a number \(got "10"\)/,
    )
    assert.match(
      await company.refusal(
        'invoices_create',
        lines({ kind: 'discount', unit_price_cents: null, discount_type: 'percent', discount_value: '10' }),
      ),
      /^invalid_input: line_items\[0\]\.discount_value must be a number \(got "10"\)/,
    )
    assert.match(
      await company.refusal('catalog_items_create', {
        kind: 'discount',
        name: 'Off',
        discount_type: 'percent',
        discount_value: '10',
      }),
      /^invalid_input: discount_value must be a number/,
    )
    assert.match(
      await company.refusal('invoices_create', lines({ unit_price_cents: '100' })),
      /^invalid_input: line_items\[0\]\.unit_price_cents must be a number/,
    )
  })

  it('accept a quantity as a decimal string without exponent', async () => {
    const {
      line_items: [line],
    } = await company.call('jobs_create', { title: 'Visit', ...lines({ quantity: '2.50' }) })
    assert.equal(line.quantity, 2.5)
    for (const quantity of ['1e3', '1E3', '0x10', 'two', '1e-2']) {
      assert.match(
        await company.refusal('jobs_create', { title: 'Visit', ...lines({ quantity }) }),
        /^invalid_input: line_items\[0\]\.quantity must be a /,
      )
    }
    assert.equal(
      (await company.call('jobs_create', { title: 'Visit', ...lines({ quantity: 1e3 }) })).line_items[0].quantity,
      1000,
    )
  })
})

describe('a name or title', () => {
  it('is refused with only invisible characters or with bidirectional controls', async () => {
    assert.match(
      await company.refusal('jobs_create', { customer_id: of.customer, title: '\u200b\u2060' }),
      /^invalid_input: title must not be empty/,
    )
    assert.match(
      await company.refusal('customers_create', { customer_type: 'company', company_name: '\u3164' }),
      /^invalid_input: company_name is required/,
    )
    assert.match(
      await company.refusal('tags_create', { name: 'a\u202eb' }),
      /^invalid_input: name must not contain characters that change the text direction/,
    )
  })
})

describe('the fields of a line item', () => {
  it('have the same order on every document after create, get and update', async () => {
    const order = [
      'kind',
      'catalog_item_id',
      'name',
      'description',
      'quantity',
      'unit',
      'unit_price_cents',
      'taxable',
      'tax_rate_id',
      'discount_type',
      'discount_value',
      'position',
      'id',
      'line_total_cents',
      'discount_share_cents',
      'tax_cents',
      'rate_decimal',
      'tax_name',
    ]
    const needed = {
      jobs: { title: 'Visit' },
      job_series: { title: 'Weekly', rrule: 'FREQ=WEEKLY', dtstart: `${today.toString()}T09:00` },
      invoices: {},
      quotes: { title: 'Offer' },
      plans: { name: 'Care', cadence: 'monthly' },
    }
    const line_items = [
      { name: 'Pump', unit_price_cents: 100, tax_rate_id: of.rate },
      { kind: 'discount', name: 'Off', discount_type: 'percent', discount_value: 10 },
    ]
    for (const [name, more] of Object.entries(needed)) {
      const made = await company.call(`${name}_create`, { customer_id: of.customer, ...more, line_items })
      const read = await company.call(`${name}_get`, { id: made.id })
      const changed = await company.call(`${name}_update`, {
        id: made.id,
        line_items: [...line_items, { name: 'Pipe', unit_price_cents: 5 }],
      })
      for (const { line_items: lines } of [made, read, changed]) {
        for (const line of lines)
          assert.deepEqual(
            Object.keys(line),
            order.filter((field) => field in line),
            name,
          )
      }
    }
  })
})

describe('custom fields', () => {
  const says = (fields: object): Promise<string> =>
    company.refusal('jobs_create', { customer_id: of.customer, title: 'Visit', fields })

  it('are refused for duplicate or reserved names', async () => {
    assert.match(await says({ a: 1, ' a ': 2 }), /^invalid_input: fields has two fields named 'a'/)
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      assert.match(
        await says(JSON.parse(`{"${name}": 1}`) as object),
        new RegExp(`^invalid_input: fields can't have a field named ${name}`),
      )
    }
  })
})
