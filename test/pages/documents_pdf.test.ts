import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, type Office } from '../harness/people_pages.ts'
import { startSite } from '../harness/visiting.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', {
    last_name: 'Vance',
    locations: [{ address_line1: '9 Elm St', city: 'Austin' }],
  })
})
after(() => service.stop())

describe('a PDF', () => {
  it('is sent as a file with its own headers, and nothing is drawn for its headers alone', async () => {
    const { id, display_number } = await office.call('invoices_create', {
      customer_id: customer.id,
      line_items: [{ name: 'Visit', unit_price_cents: 5_000 }],
    })
    const got = await office.browser.send(office.at('invoices', id, 'pdf'), {})
    assert.equal(got.status, 200)
    assert.equal(got.headers.get('content-type'), 'application/pdf')
    assert.match(got.headers.get('content-disposition')!, new RegExp(`^attachment; filename="${display_number}.pdf"`))
  })
})
