import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const ZONE = 'Pacific/Pago_Pago'
const plus = (days: number): string => Temporal.Now.plainDateISO(ZONE).add({ days }).toString()
const today = plus(0)

let service: TestService
let company: Company
let customer: Result
let rate: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: ZONE, currency: 'JPY' })
  rate = (await company.call('tax_rates_create', { rate_percentage: 8.5 })).id
  customer = await company.call('customers_create', {
    customer_type: 'company',
    company_name: 'Palm Court',
    contacts: [{ first_name: 'Lu' }, { first_name: 'Mo' }],
    locations: [{ address_line1: '2 Service St' }, { type: 'billing', address_line1: '1 Billing Rd' }],
  })
})
after(() => service.stop())

const lines = [
  { name: 'Roof', unit_price_cents: 10000 },
  { name: 'Permit', unit_price_cents: 2500, taxable: false },
]
const make = (given: object = {}): Promise<Result> =>
  company.call('quotes_create', { customer_id: customer.id, title: 'Roof', ...given })
const readRefusal = (given: object): Promise<string> =>
  company.refusal('quotes_create', { customer_id: customer.id, title: 'Roof', ...given })
const update = (id: string, patch: object): Promise<Result> => company.call('quotes_update', { id, ...patch })

describe('quote tools', () => {
  it('create a quote with defaults, owned by its creator', async () => {
    const { id, created_at, updated_at, number, ...rest } = await make()
    const [, billing] = customer.locations.toSorted((a: Result, b: Result) => (a.type < b.type ? 1 : -1))
    assert.deepEqual(rest, {
      display_number: `Q-${number}`,
      title: 'Roof',
      owner_id: company.owner.id,
      owner_name: 'Test owner',
      customer_id: customer.id,
      customer_name: 'Palm Court',
      location_id: billing.id,
      location_address: '1 Billing Rd, US',
      contact_id: customer.contacts[0].id,
      status: 'draft',
      issue_date: today,
      valid_until: plus(30),
      message: null,
      option_set: null,
      optional_lines: null,
      terms: null,
      line_items: [],
      discount: null,
      tax_rate_id: null,
      tax_exempt: false,
      taxes: [],
      subtotal_cents: 0,
      discount_cents: 0,
      taxable_cents: 0,
      tax_cents: 0,
      total_cents: 0,
      currency: 'JPY',
      fields: {},
      sent_at: null,
      accepted_at: null,
      declined_at: null,
      decline_reason: null,
      converted_job_id: null,
      converted_invoice_id: null,
      created_by: company.owner.id,
      updated_by: company.owner.id,
      url: `http://callout.test/${company.tenant}/quotes/${id}`,
    })
    assert.equal(number, 1001)
    assert.equal((await make()).display_number, 'Q-1002')
    assert.deepEqual(await company.call('quotes_get', { id }), { id, created_at, updated_at, number, ...rest })
  })

  it('create with every field and compute prices', async () => {
    const given = {
      title: ' New roof ',
      location_id: customer.locations[0].id,
      contact_id: customer.contacts[1].id,
      issue_date: '2027-01-01',
      valid_until: '2099-01-01',
      message: 'Hi\nthere',
      terms: 'x'.repeat(10_000),
      discount: { type: 'percent', value: 10 },
      tax_rate_id: rate,
      fields: { grade: 'A' },
    }
    const made = await make({ ...given, line_items: lines })
    for (const [field, value] of Object.entries({ ...given, title: 'New roof' }))
      assert.deepEqual(made[field], value, field)
    assert.deepEqual(
      [made.subtotal_cents, made.discount_cents, made.taxable_cents, made.tax_cents, made.total_cents],
      [12500, 1250, 9000, 765, 12015],
    )
    assert.deepEqual(made.taxes, [
      { tax_rate_id: rate, name: 'Sales tax', rate_decimal: 0.085, base_cents: 9000, tax_cents: 765 },
    ])
  })

  it('patch a draft and recompute its price', async () => {
    const { id } = await make({ line_items: lines, message: 'Hi' })
    const patched = await update(id, {
      title: 'Shed',
      terms: 'Net 30',
      line_items: [lines[0]],
      discount: { type: 'amount', value: 1000 },
      tax_rate_id: rate,
      message: null,
      location_id: null,
    })
    assert.deepEqual(
      [patched.title, patched.terms, patched.total_cents, patched.message, patched.location_id, patched.url],
      ['Shed', 'Net 30', 9765, null, null, undefined],
    )
    const dated = await update(id, { issue_date: plus(5), valid_until: null })
    assert.deepEqual([dated.issue_date, dated.valid_until, dated.total_cents], [plus(5), plus(35), 9765])
    assert.deepEqual(await update(id, { customer_id: customer.id }), dated)
  })

  it('list newest first, with filters, and archived quotes only on request', async () => {
    const { call, member } = await makeCompany(service)
    const office = await member('office')
    const [ana, bo] = [
      (await call('customers_create', { customer_type: 'individual', first_name: 'Ana' })).id,
      (await call('customers_create', { customer_type: 'individual', first_name: 'Bo' })).id,
    ]
    const [a, b, c] = [
      await call('quotes_create', { customer_id: ana, title: 'A', line_items: lines }),
      await office.call('quotes_create', { customer_id: bo, title: 'B' }),
      await call('quotes_create', { customer_id: ana, title: 'C' }),
    ]
    await call('quotes_archive', { id: c.id })
    const sent = await call('quotes_update', { id: a.id, status: 'sent' })
    const listTitles = async (given: object = {}): Promise<string> =>
      (await call('quotes_list', given)).rows.map(({ title }: Result) => title).join('')
    const cases: [object, string][] = [
      [{}, 'BA'],
      [{ status: 'archived' }, 'C'],
      [{ status: ['archived', 'draft'] }, 'CB'],
      [{ status: 'sent' }, 'A'],
      [{ customer_id: ana }, 'A'],
      [{ owner_id: office.id }, 'B'],
      [{ created_from: plus(-2), created_to: plus(2) }, 'BA'],
      [{ created_to: plus(-2) }, ''],
      [{ created_from: b.created_at }, 'B'],
      [{ updated_since: b.created_at }, 'BA'],
      [{ updated_since: sent.updated_at }, 'A'],
    ]
    for (const [given, expected] of cases) assert.equal(await listTitles(given), expected, JSON.stringify(given))
    const page = await call('quotes_list', { limit: 1, include_total: true, page: 2 })
    assert.deepEqual([page.hasMore, page.total], [false, 2])
    assert.deepEqual(page.rows, [
      {
        id: a.id,
        display_number: 'Q-1001',
        title: 'A',
        status: 'sent',
        customer_id: ana,
        customer_name: 'Ana',
        owner_name: 'Test owner',
        valid_until: a.valid_until,
        total_cents: 12500,
        updated_at: sent.updated_at,
      },
    ])
  })

  it('archive a quote, which is then not found by id', async () => {
    const { id } = await make()
    const archived = await company.call('quotes_archive', { id })
    assert.deepEqual(Object.keys(archived).toSorted(), ['archived_at', 'id', 'status'])
    assert.equal(archived.status, 'archived')
    for (const tool of ['quotes_get', 'quotes_update', 'quotes_archive'])
      assert.match(
        await company.refusal(tool, { id }),
        /^not_found: quote not found: it is Q-\d+, archived on [\d-]{10}; quotes_list shows it only with status archived/,
      )
    assert.equal((await company.call('quotes_list', { status: 'archived' })).rows[0].id, id)
  })

  it('accept notes on quotes and invoices, but not on archived quotes', async () => {
    const quote = await make()
    const invoice = await company.call('invoices_create', { customer_id: customer.id })
    await company.call('notes_create', { body: 'Call back', subject_type: 'quote', subject_id: quote.id })
    await company.call('notes_create', { body: 'Disputed', subject_type: 'invoice', subject_id: invoice.id })
    await company.call('quotes_archive', { id: quote.id })
    assert.match(
      await company.refusal('notes_create', { body: 'x', subject_type: 'quote', subject_id: quote.id }),
      /^not_found: quote not found/,
    )
  })

  it('link a quote to the job created from it', async () => {
    const quote = await make()
    const job = await company.call('jobs_create', { customer_id: customer.id, title: 'Roof', quote_id: quote.id })
    assert.deepEqual(
      [job.quote_id, (await company.call('quotes_get', { id: quote.id })).converted_job_id],
      [quote.id, job.id],
    )
  })

  it('accept the old estimates scopes', async () => {
    const old = await company.member('owner', { scopes: ['read:estimates', 'write:estimates'] })
    const { id } = await old.call('quotes_create', { customer_id: customer.id, title: 'Roof' })
    assert.equal((await old.call('quotes_get', { id })).owner_id, old.id)
  })
})

describe('quote tools: invalid_input', () => {
  it('names the field, the rule and the given value', async () => {
    const cases: [object, RegExp][] = [
      [{ title: ' ' }, /title must not be empty/],
      [{ title: 'x'.repeat(201) }, /title must be at most 200/],
      [{ terms: 'x'.repeat(10_001) }, /terms must be at most 10000/],
      [{ valid_until: plus(-1) }, new RegExp(`valid_until must be today, ${today}, or later \\(got ${plus(-1)}\\)`)],
      [{ issue_date: plus(-31) }, /valid_until must be today/],
      [{ due_date: plus(1) }, /unknown field 'due_date'/],
      [{ owner_id: company.owner.id }, /unknown field 'owner_id'/],
      [{ status: 'sent' }, /unknown field 'status'/],
      [{ line_items: [{ name: 'x' }] }, /line_items\[0\]\.unit_price_cents is required/],
      [{ location_id: crypto.randomUUID() }, /location_id is not a live location/],
      [{ contact_id: crypto.randomUUID() }, /contact_id is not a live contact/],
      [{ tax_rate_id: crypto.randomUUID() }, /tax_rate_id is not a live tax rate/],
      [{ discount: { type: 'amount', value: 1 } }, /discount must take off at most 0/],
    ]
    for (const [given, message] of cases) {
      const text = await readRefusal(given)
      assert.match(text, /^invalid_input: /)
      assert.match(text, message)
    }
    assert.match(
      await company.refusal('quotes_create', { customer_id: customer.id }),
      /^invalid_input: title is required/,
    )
    const { id } = await make()
    const other = await company.call('customers_create', { customer_type: 'individual', first_name: 'Bo' })
    assert.match(
      await company.refusal('quotes_update', { id, customer_id: other.id }),
      /^invalid_input: customer_id cannot be changed/,
    )
  })

  it("is returned to anyone but the quote's owner for changes; everyone can read", async () => {
    const office = await company.member('office')
    const theirs = await office.call('quotes_create', { customer_id: customer.id, title: 'Roof' })
    const mine = await make()
    for (const [caller, { id }, who] of [
      [company.owner, theirs, 'Test office'],
      [office, mine, 'Test owner'],
    ] as const) {
      await caller.call('quotes_get', { id })
      for (const [tool, patch] of [
        ['quotes_update', { message: 'x' }],
        ['quotes_update', { status: 'sent' }],
        ['quotes_update', {}],
        ['quotes_archive', {}],
      ] as const) {
        assert.match(
          await caller.refusal(tool, { id, ...patch }),
          new RegExp(`^invalid_input: only the owner of quote Q-\\d+, ${who}, may change it`),
        )
      }
    }
    assert.equal((await office.call('quotes_update', { id: theirs.id, status: 'sent' })).status, 'sent')
  })

  it('is returned to a company key for create, update and archive', async () => {
    const key = await company.tenantKey()
    const { id } = await make()
    assert.equal((await key.call('quotes_get', { id })).id, id)
    for (const [tool, given] of [
      ['quotes_create', { customer_id: customer.id, title: 'x' }],
      ['quotes_update', { id }],
      ['quotes_archive', { id }],
    ] as const) {
      assert.match(await key.refusal(tool, given), /^invalid_input: quotes\.\w+ needs a user/)
    }
  })
})

describe('quote tools: not_found', () => {
  it("is returned for an unknown id, another company's quote and an unknown customer", async () => {
    const { id } = await make()
    const stranger = await makeCompany(service)
    for (const tool of ['quotes_get', 'quotes_update', 'quotes_archive']) {
      assert.equal(
        await company.refusal(tool, { id: crypto.randomUUID() }),
        'not_found: quote not found; find its id with quotes_list',
      )
      assert.equal(await stranger.refusal(tool, { id }), 'not_found: quote not found; find its id with quotes_list')
    }
    assert.equal(
      await readRefusal({ customer_id: crypto.randomUUID() }),
      'not_found: customer not found; find its id with customers_search',
    )
  })
})

describe('quote tools: conflict', () => {
  it('is returned if the record changed since expected_updated_at', async () => {
    const { id, updated_at } = await make()
    await update(id, { message: 'x', expected_updated_at: updated_at })
    assert.match(
      await company.refusal('quotes_update', { id, message: 'y', expected_updated_at: updated_at }),
      /^conflict: the record changed: /,
    )
  })
})
