import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const ZONE = 'Pacific/Kiritimati'
const today = Temporal.Now.plainDateISO(ZONE)
const plus = (days: number): string => today.add({ days }).toString()

let service: TestService
let company: Company
let customer: Result
let other: Result
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: ZONE })
  customer = await company.call('customers_create', {
    customer_type: 'company',
    company_name: 'Palm Court',
    email: 'desk@example.com',
    contacts: [{ first_name: 'Lu' }],
    locations: [
      { address_line1: '2 Service St' },
      { type: 'billing', address_line1: '1 Billing Rd' },
      { address_line1: '3 Annex' },
    ],
  })
  other = await company.call('customers_create', {
    customer_type: 'individual',
    first_name: 'Bo',
    payment_terms_days: 0,
    status: 'lead',
    locations: [{ address_line1: '9 Elm' }],
  })
})
after(() => service.stop())

const make = (args: object = {}): Promise<Result> =>
  company.call('invoices_create', { customer_id: customer.id, ...args })
const update = (id: string, patch: object): Promise<Result> => company.call('invoices_update', { id, ...patch })
const labor = { name: 'Labor', quantity: 2, unit_price_cents: 9500 }
const [billing, annex] = [
  () => customer.locations.find(({ type }: Result) => type === 'billing'),
  () => customer.locations.find((one: Result) => one.address_line1 === '3 Annex'),
]

describe('invoice tools', () => {
  it('create an invoice with defaults for every omitted field', async () => {
    const { id, created_at, updated_at, number, ...rest } = await make()
    assert.deepEqual(rest, {
      display_number: `INV-${number}`,
      customer_id: customer.id,
      customer_name: 'Palm Court',
      location_id: billing().id,
      location_address: '1 Billing Rd, US',
      contact_id: customer.contacts[0].id,
      job_ids: [],
      quote_id: null,
      plan_id: null,
      status: 'draft',
      is_overdue: false,
      subject: null,
      issue_date: today.toString(),
      due_date: plus(14),
      po_number: null,
      message: null,
      internal_memo: null,
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
      amount_paid_cents: 0,
      balance_due_cents: 0,
      currency: 'USD',
      fields: {},
      deliveries: [],
      sent_at: null,
      paid_at: null,
      voided_at: null,
      void_reason: null,
      created_by: company.owner.id,
      updated_by: company.owner.id,
      url: `http://callout.test/${company.tenant}/invoices/${id}`,
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual(await company.call('invoices_get', { id }), { id, created_at, updated_at, number, ...rest })
  })

  it("number from 1001, use the customer's terms and service location, and make a lead active", async () => {
    const fresh = await makeCompany(service)
    const { id: customer_id } = await fresh.call('customers_create', { customer_type: 'individual', first_name: 'Cy' })
    const first = await fresh.call('invoices_create', { customer_id })
    assert.deepEqual(
      [first.number, first.display_number, first.location_id, first.location_address, first.contact_id],
      [1001, 'INV-1001', null, null, null],
    )
    assert.equal((await fresh.call('invoices_create', { customer_id })).number, 1002)
    const invoice = await make({ customer_id: other.id })
    assert.deepEqual([invoice.due_date, invoice.location_id], [today.toString(), other.locations[0].id])
    assert.equal((await company.call('customers_get', { id: other.id })).status, 'active')
  })

  it('create with every field, trim texts and treat null as omitted', async () => {
    const args = {
      location_id: annex().id,
      contact_id: customer.contacts[1].id,
      subject: ' Boiler ',
      issue_date: '2027-02-28',
      due_date: '2027-02-28',
      po_number: 'PO 7',
      message: 'Thanks\nagain',
      internal_memo: 'late payer',
      discount: { type: 'percent', value: 12.5 },
      fields: { crew: 3, vip: true },
      line_items: [labor],
    }
    const { subtotal_cents, discount_cents, total_cents, line_items, ...made } = await make(args)
    assert.deepEqual([subtotal_cents, discount_cents, total_cents], [19000, 2375, 16625])
    const { id: line, ...rest } = line_items[0]
    assert.match(line, /^[0-9a-f-]{36}$/)
    assert.deepEqual(rest, {
      position: 0,
      kind: 'service',
      catalog_item_id: null,
      name: 'Labor',
      description: null,
      quantity: 2,
      unit: 'each',
      unit_price_cents: 9500,
      taxable: true,
      discount_type: null,
      discount_value: null,
      line_total_cents: 19000,
      discount_share_cents: 2375,
      tax_cents: 0,
      rate_decimal: null,
      tax_name: null,
    })
    for (const [field, value] of Object.entries({ ...args, subject: 'Boiler', line_items: undefined }))
      if (value !== undefined) assert.deepEqual(made[field], value, field)
    const bare = await make({
      location_id: null,
      contact_id: null,
      subject: '  ',
      due_date: null,
      issue_date: null,
      discount: null,
    })
    assert.deepEqual([bare.location_id, bare.contact_id, bare.subject, bare.due_date], [null, null, null, plus(14)])
  })

  it('patch a draft: omitted fields stay, null clears, line items are replaced as a whole', async () => {
    const { id, ...made } = await make({
      line_items: [labor, labor],
      subject: 'Boiler',
      po_number: '7',
      message: 'Hi',
      fields: { a: 1 },
    })
    const patched = await update(id, { subject: null, po_number: '8' })
    assert.deepEqual(
      [patched.subject, patched.po_number, patched.message, patched.total_cents, patched.url],
      [null, '8', 'Hi', 38000, undefined],
    )
    assert.deepEqual(patched.line_items, made.line_items)
    assert.ok(patched.updated_at > made.updated_at)
    const replaced = await update(id, {
      line_items: [{ name: 'Fee', kind: 'fee', unit_price_cents: 500 }],
      discount: { type: 'amount', value: 100 },
      fields: {},
    })
    assert.deepEqual([replaced.line_items.length, replaced.total_cents, replaced.fields], [1, 400, {}])
    assert.equal((await update(id, { discount: null })).total_cents, 500)
    const later = await update(id, { issue_date: plus(60), due_date: null, location_id: annex().id, contact_id: null })
    assert.deepEqual([later.due_date, later.location_address, later.contact_id], [plus(74), '3 Annex, US', null])
    assert.deepEqual(await update(id, { customer_id: customer.id, quote_id: null }), later)
  })

  it('record the user and the changed fields in the audit log', async () => {
    const { id } = await make()
    const office = await company.member('office')
    const { created_by, updated_by } = await office.call('invoices_update', { id, po_number: '9' })
    assert.deepEqual([created_by, updated_by], [company.owner.id, office.id])
    const audited = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.all<Result>(
        sql`select user_id, tool, record_type, changed from audit where tenant_id = ${db.tenant} and record_id = ${id} order by id desc limit 1`,
      ),
    )
    assert.deepEqual(audited, [
      { user_id: office.id, tool: 'invoices.update', record_type: 'invoice', changed: { po_number: [null, '9'] } },
    ])
  })

  it('show the current location address on drafts and the frozen one afterwards', async () => {
    const {
      id,
      locations: [home],
    } = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Di',
      locations: [{ address_line1: '1 Old Rd' }],
    })
    const move = (address_line1: string): Promise<Result> =>
      company.call('locations_update', { id: home.id, address_line1 })
    const address = async (id: string): Promise<string> => (await company.call('invoices_get', { id })).location_address
    const [draft, sent, voided] = [
      await make({ customer_id: id }),
      await make({ customer_id: id }),
      await make({ customer_id: id }),
    ]
    await update(sent.id, { status: 'sent' })
    await company.call('invoices_void', { id: voided.id })
    await move('2 New Rd')
    assert.deepEqual(
      [await address(draft.id), await address(sent.id), await address(voided.id)],
      ['2 New Rd, US', '1 Old Rd, US', '1 Old Rd, US'],
    )
    await update(sent.id, { status: 'draft' })
    assert.equal(await address(sent.id), '2 New Rd, US')
    await company.call('locations_archive', { id: home.id })
    const saved = await update(draft.id, { subject: 'kept', location_id: home.id })
    assert.deepEqual([saved.location_id, saved.location_address], [home.id, '2 New Rd, US'])
  })

  it("keep an archived customer's invoices editable, but create no new ones", async () => {
    const { id } = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ed' })
    const invoice = await make({ customer_id: id, line_items: [labor] })
    await company.call('customers_archive', { id })
    assert.equal((await update(invoice.id, { status: 'paid' })).customer_name, 'Ed')
    assert.match(
      await company.refusal('invoices_create', { customer_id: id }),
      /^not_found: customer not found: it is «Ed», archived on [\d-]{10}/,
    )
  })
})
