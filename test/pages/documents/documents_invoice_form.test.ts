import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import {
  errorAt,
  formAt,
  idAt,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { openDocuments, type Documents } from './open_documents.ts'

let service: TestService
let office: Office
let customer: Result
let invoiceOf: Documents['invoiceOf']
before(async () => {
  service = await startSite()
  ;({ office, customer, invoiceOf } = await openDocuments(service))
})
after(() => service.stop())

const line = (row: number, parts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([part, value]) => [`line_items.${row}.${part}`, value]))

describe('the invoice form', () => {
  it('creates an invoice with a catalog item by name, free-form lines and discounts', async () => {
    const item = await office.call('catalog_items_create', {
      kind: 'service',
      name: 'Flue check',
      unit_price_cents: 4_900,
    })
    const page = `${office.at('invoices', 'new')}?customer_id=${customer.id}`
    assert.ok(pageTextOf(await office.browser.get(page)).includes('For Dora Vance'))
    const { status, location } = await submit(
      office.browser,
      page,
      {
        subject: 'Winter check',
        ...line(0, { name: 'flue CHECK' }),
        ...line(1, { name: 'Sealant', quantity: '2', price: '3.25', tax: 'no' }),
        ...line(2, { name: 'Friends', percent: '10' }),
        'discount.value': '1.00',
        'discount.type': 'amount',
      },
      office.at('invoices', 'new'),
    )
    assert.equal(status, 303)
    const made = await office.call('invoices_get', { id: idAt(location) })
    assert.deepEqual(
      made.line_items.map(({ name, catalog_item_id, line_total_cents }: Result) => [
        name,
        catalog_item_id,
        line_total_cents,
      ]),
      [
        ['flue CHECK', item.id, 4_900],
        ['Sealant', null, 650],
        ['Friends', null, -555],
      ],
    )
    assert.deepEqual(
      [made.discount, made.subject, made.subtotal_cents, made.discount_cents],
      [{ type: 'amount', value: 100 }, 'Winter check', 5_550, 655],
    )
  })

  it('shows errors at the fields and keeps what was typed', async () => {
    const page = await submit(
      office.browser,
      `${office.at('invoices', 'new')}?customer_id=${customer.id}`,
      {
        ...line(0, { name: 'Pump', price: 'a lot' }),
        'discount.value': '101',
        issue_date: '2026-05-02',
        due_date: '2026-05-01',
      },
      office.at('invoices', 'new'),
    )
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'line_items')!, /^Lines 1, price: Enter an amount, such as 125\.00\.$/)
    assert.equal(Object.fromEntries(formAt(page, office.at('invoices', 'new')))['line_items.0.price'], 'a lot')
    const again = await submit(
      office.browser,
      `${office.at('invoices', 'new')}?customer_id=${customer.id}`,
      { ...line(0, { name: 'Pump', price: '10' }), 'discount.value': '101' },
      office.at('invoices', 'new'),
    )
    assert.match(errorAt(again, 'discount.value') ?? errorAt(again, 'discount')!, /100/)
  })

  it('offers only the status once the invoice is sent, says why, and ignores other fields', async () => {
    const { id } = await invoiceOf({ subject: 'Fixed' })
    await office.call('invoices_update', { id, status: 'sent' })
    const page = await office.browser.get(office.at('invoices', id, 'edit'))
    assert.match(pageTextOf(page), /The customer has seen it \(Sent\)\. Put it back to draft/)
    assert.doesNotMatch(page.text, /class="further"/, 'what is left is in sight')
    const fields = formAt(page, office.at('invoices', id, 'edit'))
    assert.deepEqual(
      fields.map(([name]) => name).filter((name) => !['expected_updated_at', 'customer_id'].includes(name)),
      ['status'],
    )
    await sendForm(office.browser, office.at('invoices', id, 'edit'), [
      ...fields.filter(([name]) => name !== 'status'),
      ['status', 'uncollectible'],
      ['subject', 'Sneaked in'],
    ])
    const after = await office.call('invoices_get', { id })
    assert.deepEqual([after.status, after.subject], ['uncollectible', 'Fixed'])
  })

  it('saves nothing when the invoice was sent meanwhile, and shows both versions', async () => {
    const { id } = await invoiceOf({ subject: 'Before' })
    const action = office.at('invoices', id, 'edit')
    const fields = formAt(await office.browser.get(action), action).map(([name, value]): [string, string] => [
      name,
      name === 'subject' ? 'Typed' : value,
    ])
    await office.call('invoices_update', { id, subject: 'By the agent' })
    await office.call('invoices_update', { id, status: 'sent' })
    const page = await sendForm(office.browser, action, fields)
    assert.equal(page.status, 409)
    assert.match(pageTextOf(page), /where they still apply.*Subject By the agent Typed/)
    assert.equal((await office.call('invoices_get', { id })).subject, 'By the agent')
  })

  it('saves nothing when the invoice was voided meanwhile, and shows what was typed', async () => {
    const { id } = await invoiceOf({ subject: 'Before' })
    const action = office.at('invoices', id, 'edit')
    const fields = formAt(await office.browser.get(action), action).map(([name, value]): [string, string] => [
      name,
      name === 'subject' ? 'Typed' : value,
    ])
    await office.call('invoices_void', { id })
    const page = await sendForm(office.browser, action, fields)
    assert.equal(page.status, 409)
    assert.match(pageTextOf(page), /can no longer change this .*Subject Before Typed/)
  })
})
