import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeCompany, findCompany } from '../../../src/identity/companies/company.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import { bookReceipt } from '../../../src/records/invoices/index.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  customer = await office.customer('Dora', {
    last_name: 'Vance',
    contacts: [{ first_name: 'Paul', last_name: 'Ito' }],
    locations: [{ address_line1: '9 Elm St', city: 'Austin', region: 'TX', postal_code: '78701' }],
  })
  const company = await findCompany(service.database, office.id)
  await changeCompany(
    service.database,
    office.id,
    {
      ...(Object.fromEntries(Object.entries(company).map(([name, value]) => [name, String(value ?? '')])) as Parameters<
        typeof changeCompany
      >[2]),
      address: '1 Shop Rd\nAustin, TX',
      phone: '(512) 555-0100',
      email: 'office@alder.example',
      website: 'alder.example',
      license_number: 'TX-9',
      document_footer: 'License M-1 <b>',
    },
    { user: office.owner.user_id },
  )
})
after(() => service.stop())

const openPrintPage = async (...steps: string[]) => {
  const page = await office.browser.get(office.at(...steps, 'print'))
  assert.equal(page.status, 200)
  return { page, read: pageTextOf(page) }
}

describe('a printed invoice', () => {
  it('shows sender, recipient, lines, tax, payments and amount due, but no internal memo', async () => {
    const { id } = await office.call('invoices_create', {
      customer_id: customer.id,
      subject: 'Boiler',
      po_number: 'PO-7',
      message: 'Thanks',
      internal_memo: 'Not for the customer',
      issue_date: '2026-03-02',
      line_items: [{ name: 'Service', description: 'Two\nlines', unit_price_cents: 20_000 }],
      discount: { type: 'amount', value: 1_000 },
    })
    await office.call('invoices_update', { id, status: 'sent' })
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      bookReceipt(db, {
        invoice: id,
        currency: 'USD',
        isAssigned: false,
        names: ['ch_1'],
        source: newId(),
        kind: 'charge',
        amount_cents: 5_000,
      }),
    )
    const { page, read } = await openPrintPage('invoices', id)
    for (const part of [
      'Alder Plumbing 1 Shop Rd Austin, TX (512) 555-0100 · office@alder.example alder.example · License TX-9',
      'Invoice INV-1001',
      '$155.68 due Mar 16, 2026',
      'Bill to Dora Vance Paul Ito Service address 9 Elm St Austin, TX 78701',
      'Date Mar 2, 2026',
      'Due Mar 16, 2026',
      'Purchase order PO-7',
      'Boiler Thanks',
      'Service Two lines 1 $200.00 $200.00',
      'Subtotal $200.00',
      'Discount -$10.00',
      'Sales tax 8.25% on $190.00 $15.68',
      'Total $205.68',
      'Payments -$50.00',
      'Amount due $155.68',
      'License M-1 <b>',
    ])
      assert.ok(read.includes(part), `${part}\n${read}`)
    assert.ok(!read.includes('Not for the customer') && !read.includes('Schedule'))
    assert.match(page.headers.get('content-security-policy')!, /default-src 'none'.*style-src 'self'/)
    assert.match(page.text, /<link rel="stylesheet" href="\/assets\/paper\.[\w-]+\.css">/)
  })

  it('keeps the address it was sent to, and marks draft, paid and void invoices', async () => {
    const moving = await office.customer('Ned', { locations: [{ address_line1: '1 Old St' }] })
    const { id, location_id } = await office.call('invoices_create', {
      customer_id: moving.id,
      line_items: [{ name: 'Visit', unit_price_cents: 5_000 }],
    })
    assert.match((await openPrintPage('invoices', id)).read, /Invoice INV-\d+ Draft/)
    await office.call('invoices_update', { id, status: 'sent' })
    await office.call('locations_update', { id: location_id, address_line1: '2 New St' })
    const sent = (await openPrintPage('invoices', id)).read
    assert.ok(sent.includes('1 Old St') && !sent.includes('2 New St') && !/INV-\d+ (Draft|Sent)/.test(sent))
    await office.call('invoices_update', { id, status: 'paid' })
    assert.match((await openPrintPage('invoices', id)).read, /INV-\d+ Paid \$54\.13 paid .*Amount due \$0\.00/)
    await office.call('invoices_void', { id })
    assert.match((await openPrintPage('invoices', id)).read, /INV-\d+ Void .*Amount due \$0\.00/)
  })

  it('hides the contact from members without access to customers', async () => {
    const { id } = await office.call('invoices_create', {
      customer_id: customer.id,
      line_items: [{ name: 'Visit', unit_price_cents: 5_000 }],
    })
    const clerk = await office.signInMember('office', { 'Customers & contacts': 'none' })
    const read = pageTextOf(await clerk.browser.get(office.at('invoices', id, 'print')))
    assert.ok(read.includes('Dora Vance') && !read.includes('Paul Ito'))
  })
})

describe('a printed quote', () => {
  it('shows its validity, contact, terms and tax exemption', async () => {
    const exempt = await office.customer('Church', { tax_exempt: true })
    const { id, display_number } = await office.call('quotes_create', {
      customer_id: exempt.id,
      title: 'New boiler',
      terms: 'Half before',
      message: 'As said',
      valid_until: '2099-03-01',
      line_items: [{ name: 'Boiler', unit_price_cents: 200_000 }],
    })
    const { read } = await openPrintPage('quotes', id)
    for (const part of [
      `Quote ${display_number} Draft`,
      'Valid until Mar 1, 2099',
      'Your contact Ana Ruiz',
      'New boiler As said',
      'Total $2,000.00',
      'The customer is exempt from tax.',
      'Terms Half before',
    ])
      assert.ok(read.includes(part), part)
    assert.ok(!read.includes('Sales tax'))
    await office.call('quotes_archive', { id })
    assert.equal((await office.browser.get(office.at('quotes', id, 'print'))).status, 404)
  })
})

describe('a POST to a print page', () => {
  it('returns 405', async () => {
    assert.equal((await office.browser.post(office.at('quotes', newId(), 'print'), {})).status, 405)
  })
})
