import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { bookReceipt, type Receipt } from '../../../src/records/invoices/index.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { TestService } from '../../harness/harness.ts'
import { pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { openDocuments, type Documents } from './open_documents.ts'

let service: TestService
let office: Office
let customer: Documents['customer']
let invoiceOf: Documents['invoiceOf']
before(async () => {
  service = await startSite()
  ;({ office, customer, invoiceOf } = await openDocuments(service))
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'
const pay = (receipt: Receipt): Promise<unknown> =>
  writeTenant(service.database, { tenant: office.id }, (db) => bookReceipt(db, receipt))

describe('the invoice page', () => {
  it('shows lines, discount, tax, texts, job and history of an invoice created through the API', async () => {
    const job = await office.call('jobs_create', { customer_id: customer.id, title: 'Boiler visit' })
    const invoice = await invoiceOf({
      subject: `Boiler ${HOSTILE}`,
      po_number: 'PO-7',
      message: 'Thanks\nagain',
      internal_memo: `Watch ${HOSTILE}`,
      discount: { type: 'percent', value: 10 },
      job_ids: [job.id],
      fields: { Site: 'North' },
    })
    const page = await office.browser.get(new URL(invoice.url).pathname)
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes('<script>alert'))
    const read = pageTextOf(page)
    for (const part of [
      'INV-1001',
      `Boiler ${HOSTILE}`,
      'Draft',
      'Dora Vance',
      '9 Elm St',
      '(512) 555-0143',
      '2.5 hour',
      '$212.50',
      'Subtotal $362.50',
      'Discount -$36.25',
      'Sales tax 8.25% on $326.25 $26.92',
      'Total $353.17',
      'PO-7',
      'Thanks again',
      `Watch ${HOSTILE}`,
      'Site North',
      `${job.display_number} Boiler visit`,
      'with the key Agent',
    ])
      assert.ok(read.includes(part), part)
  })

  it('shows payments, disputes and failed deliveries', async () => {
    const { id } = await invoiceOf()
    await office.call('invoices_update', { id, status: 'sent' })
    const money = { invoice: id, currency: 'USD', isAssigned: false, names: ['ch_1'] as const }
    await pay({ ...money, source: newId(), kind: 'charge', amount_cents: 10_000 })
    await pay({
      ...money,
      source: newId(),
      kind: 'dispute_opened',
      dispute: 'dp_1',
      disputed_cents: 10_000,
      reason: 'product_not_received',
    })
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`insert into invoice_deliveries (tenant_id, id, invoice_id, channel, recipient, status, error_message, error_code)
      values (${office.id}, ${newId()}, ${id}, 'sms', '+15125550143', 'failed', 'Carrier said no', '30006')`),
    )
    const read = pageTextOf(await office.browser.get(office.at('invoices', id)))
    for (const part of [
      'Partly paid',
      'This invoice is disputed',
      'Online payment ch_1 $100.00',
      'dp_1 Product not received',
      'Paid -$100.00',
      'Balance due $292.41',
      'Text (512) 555-0143 Failed Carrier said no 30006',
    ])
      assert.ok(read.includes(part), part)
    assert.ok(
      pageTextOf(await office.browser.get(`${office.at('invoices')}?status=partially_paid`)).includes(
        'Partly paid Disputed',
      ),
    )
  })

  it('marks an overdue invoice, and the list finds it by number, status and dates', async () => {
    const late = await invoiceOf({ issue_date: '2026-01-02', due_date: '2026-01-16' })
    await office.call('invoices_update', { id: late.id, status: 'sent' })
    const numbers = async (query: string): Promise<string[]> =>
      [...(await office.browser.get(`${office.at('invoices')}?${query}`)).text.matchAll(/>(INV-\d+)<\/a>/g)].map(
        ([, number]) => number!,
      )
    assert.deepEqual(await numbers('overdue=yes'), [late.display_number])
    assert.deepEqual(await numbers(`number=${late.display_number}`), [late.display_number])
    assert.deepEqual(await numbers(`number=${late.number}&status=draft`), [])
    assert.deepEqual(await numbers('issued_to=2026-01-31&due_from=2026-01-10'), [late.display_number])
    assert.ok(pageTextOf(await office.browser.get(office.at('invoices', late.id))).includes('Sent Overdue'))
    const { status, text } = await office.browser.get(`${office.at('invoices')}?number=first`)
    assert.equal(status, 422)
    assert.match(text, /<p>Enter a number, such as 1002 or INV-1002\.<\/p>/)
  })

  it("changes status by actions: sent, unpaid again, void with a reason; a void invoice can't change", async () => {
    const { id } = await invoiceOf()
    const press = (action: string, fields = {}) => office.browser.post(office.at('invoices', id, 'do', action), fields)
    const now = async () => {
      const { status, balance_due_cents } = await office.call('invoices_get', { id })
      return [status, balance_due_cents]
    }
    await press('invoices_update-sent')
    assert.deepEqual(await now(), ['sent', 39_241])
    assert.equal((await press('invoices_update-paid')).status, 404)
    await office.call('invoices_update', { id, status: 'paid' })
    assert.deepEqual(await now(), ['paid', 0])
    assert.ok(pageTextOf(await office.browser.get(office.at('invoices', id))).includes('Marked as paid $392.41'))
    await press('invoices_update-sent')
    assert.deepEqual(await now(), ['sent', 39_241])
    assert.match(
      pageTextOf(await office.browser.get(office.at('invoices', id, 'do', 'invoices_void'))),
      /keeps its number/,
    )
    const { location } = await press('invoices_void', { reason: 'Made twice' })
    assert.equal(location, office.at('invoices', id))
    assert.deepEqual(await now(), ['void', 0])
    assert.ok(pageTextOf(await office.browser.get(location)).includes('Made twice'))
    assert.deepEqual(
      [
        (await press('invoices_update-draft')).status,
        (await office.browser.get(office.at('invoices', id, 'edit'))).status,
      ],
      [404, 404],
    )
  })
})
